#include <set>
#include <stop_token>

#include "core/eval/compare.h"
#include "tests/core/eval/eval_fixture.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using testing::floats;
using testing::integers;
using testing::program_of;

namespace {

// A module whose entry has this body.
std::string entry(const std::string& body) {
  return "HloModule m\nENTRY e {\n" + body + "\n}\n";
}

const std::string kEndless =
    "HloModule m\n"
    "c {\n  x = s32[] parameter(0)\n  ROOT t = pred[] constant(true)\n}\n"
    "b {\n  x = s32[] parameter(0)\n  ROOT y = s32[] add(x, x)\n}\n"
    "ENTRY e {\n  p = s32[] parameter(0)\n  ROOT w = s32[] while(p), condition=c, body=b\n}\n";

Error error_of(const std::string& text, const std::vector<eval::Value>& arguments,
               const eval::Options& options = {}) {
  const auto result = eval::evaluate(*program_of(text), arguments, options);
  return result ? Error{ErrorCode::kInternal, "no error", {}, 0, 0, {}, {}} : result.error();
}

}  // namespace

class TestEvalErrors : public QObject {
  Q_OBJECT
 private slots:
  void an_unknown_opcode_is_named_with_its_line() {
    const Error error =
        error_of(entry("  p = f32[2,2] parameter(0)\n  ROOT c = f32[2,2] cholesky(p), lower=true"),
                 {floats({2, 2}, {1, 0, 0, 1})});
    QVERIFY(error.code == ErrorCode::kUnsupported);
    QVERIFY2(error.message.find("cholesky \"c\"") != std::string::npos, error.message.c_str());
    QCOMPARE(error.line, 4);
  }
  void what_the_root_does_not_need_is_not_run() {
    const auto program =
        program_of(entry("  p = f32[2,2] parameter(0)\n  c = f32[2,2] cholesky(p), lower=true\n"
                         "  ROOT r = f32[2,2] negate(p)"));
    const std::vector<eval::Value> arguments = {floats({2, 2}, {1, 2, 3, 4})};
    const auto result = eval::evaluate(*program, arguments);
    QVERIFY(result.has_value());
    QVERIFY(eval::compare(*result, floats({2, 2}, {-1, -2, -3, -4})).none());
  }

  void an_endless_loop_ends_with_an_error() {
    eval::Options options;
    options.max_operations = 100000;
    const Error error = error_of(kEndless, {integers({}, {1})}, options);
    QVERIFY(error.code == ErrorCode::kUnsupported);
    QVERIFY2(error.message.find("too many operations") != std::string::npos, error.message.c_str());
    QVERIFY2(error.hint.find("100000") != std::string::npos, error.hint.c_str());
  }
  void an_endless_loop_can_be_stopped() {
    std::stop_source stop;
    eval::Options options;
    options.progress =
        Progress(stop.get_token(), [&](double, std::string_view) { stop.request_stop(); });
    QVERIFY(error_of(kEndless, {integers({}, {1})}, options).code == ErrorCode::kCancelled);
  }
  // A million million elements: refused before memory is taken.
  void huge_arrays_are_refused_data() {
    QTest::addColumn<QString>("body");
    QTest::newRow("broadcast") << "  p = f32[] parameter(0)\n  ROOT r = f32[1000000,1000000] "
                                  "broadcast(p), dimensions={}";
    QTest::newRow("enormous") << "  p = f32[] parameter(0)\n  ROOT r = "
                                 "f32[1000000000,1000000000] broadcast(p), "
                                 "dimensions={}";
    QTest::newRow("constant") << "  p = f32[] parameter(0)\n  ROOT r = f32[1000000,1000000] "
                                 "constant(1)";
    QTest::newRow("dot") << "  p = f32[] parameter(0)\n  a = f32[60000,100] broadcast(p), "
                            "dimensions={}\n  ROOT r = f32[60000,60000] dot(a, a), "
                            "lhs_contracting_dims={1}, rhs_contracting_dims={1}";
    QTest::newRow("many") << "  p = f32[] parameter(0)\n  a = f32[40000000] broadcast(p), "
                             "dimensions={}\n  b = f32[40000000] iota(), iota_dimension=0\n"
                             "  ROOT r = f32[40000000] add(a, b)";
  }
  void huge_arrays_are_refused() {
    QFETCH(QString, body);
    const Error error = error_of(entry(body.toStdString()), {floats({}, {1})});
    QVERIFY(error.code == ErrorCode::kUnsupported);
    QVERIFY2(error.hint.find("limit") != std::string::npos, error.format().c_str());
  }

  // XLA's parser takes these; every one would read outside of an array.
  void shapes_that_do_not_fit_are_errors_data() {
    QTest::addColumn<QString>("body");
    const auto row = [](const char* name, const char* root) {
      QTest::newRow(name) << QStringLiteral(
                                 "  p = f32[2,3] parameter(0)\n  i = s32[2] parameter(1)"
                                 "\n  z = f32[] constant(0)\n  ROOT r = ") +
                                 QString::fromLatin1(root);
    };
    row("elementwise", "f32[9,9] negate(p)");
    row("other types", "f32[2] add(i, i)");
    row("mixed types", "s32[2] add(i, p)");
    row("reshape", "f32[7] reshape(p)");
    row("transpose", "f32[2,3] transpose(p), dimensions={1,0}");
    row("transpose twice", "f32[2,2] transpose(p), dimensions={0,0}");
    row("broadcast", "f32[2,3,4] broadcast(p), dimensions={0,7}");
    row("slice", "f32[2,3] slice(p), slice={[1:3], [0:3]}");
    row("slice step", "f32[2,3] slice(p), slice={[0:2:0], [0:3]}");
    row("concatenate", "f32[3,3] concatenate(p, p), dimensions={0}");
    row("concatenate along", "f32[4,3] concatenate(p, p), dimensions={-1}");
    row("reverse", "f32[2,3] reverse(p), dimensions={2}");
    row("iota", "f32[3] iota(), iota_dimension=1");
    row("pad", "f32[9,3] pad(p, z), padding=1_1x0_0");
    row("pad far", "f32[2,3] pad(p, z), padding=9223372036854775807_0x0_0");
    row("dynamic-slice", "f32[5,5] dynamic-slice(p, i), dynamic_slice_sizes={5,5}");
    row("dynamic-update-slice", "f32[2,3] dynamic-update-slice(p, p, z, z)");
    row("dot", "f32[2,2] dot(p, p), lhs_contracting_dims={1}, rhs_contracting_dims={0}");
    row("dot dimensions", "f32[2,2] dot(p, p), lhs_contracting_dims={5}, rhs_contracting_dims={0}");
    row("convolution", "f32[2,4] convolution(p, p), dim_labels=bf_io->bf");
    row("convolution labels",
        "f32[2,3] convolution(p, p), window={size=2x2}, "
        "dim_labels=b01f_01io->b01f");
    row("gather",
        "f32[2,9] gather(p, i), offset_dims={1}, collapsed_slice_dims={0}, "
        "start_index_map={0}, index_vector_dim=1, slice_sizes={1,9}");
    row("gather map",
        "f32[2,3] gather(p, i), offset_dims={1}, collapsed_slice_dims={0}, "
        "start_index_map={4}, index_vector_dim=1, slice_sizes={1,3}");
    row("gather vectors",
        "f32[2,3] gather(p, i), offset_dims={1}, collapsed_slice_dims={0}, "
        "start_index_map={0}, index_vector_dim=-3, slice_sizes={1,3}");
    row("bitcast", "f32[5] bitcast(p)");
    row("bitcast-convert", "f64[2,3] bitcast-convert(p)");
    row("direction of complex", "pred[2,3] compare(p, i), direction=EQ");
    row("get-dimension-size", "s32[] get-dimension-size(p), dimensions={2}");
  }
  void shapes_that_do_not_fit_are_errors() {
    QFETCH(QString, body);
    const auto program = hlo::parse_program(entry(body.toStdString()));
    QVERIFY2(program.has_value(), program ? "" : program.error().format().c_str());
    const std::vector<eval::Value> arguments = {floats({2, 3}, {1, 2, 3, 4, 5, 6}),
                                                integers({2}, {0, 1})};
    const auto result = eval::evaluate(**program, arguments);
    QVERIFY(!result.has_value());
    QVERIFY2(result.error().code == ErrorCode::kInvalidInput, result.error().format().c_str());
    QCOMPARE(result.error().line, 6);
  }

  // A comparator that is no order: any permutation may come out, but one must.
  void a_senseless_comparator_still_sorts() {
    const auto program = program_of(
        "HloModule m\nf {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n"
        "  ROOT t = pred[] constant(true)\n}\nENTRY e {\n  p = s32[40] iota(), iota_dimension=0\n"
        "  ROOT s = s32[40] sort(p), dimensions={0}, to_apply=f\n}\n");
    const auto result = eval::evaluate(*program, {});
    QVERIFY(result.has_value());
    std::set<int64_t> seen;
    for (const eval::Scalar& element : result->array().elements) seen.insert(element.i);
    QCOMPARE(seen.size(), size_t{40});
  }

  void a_constant_that_is_not_in_the_file() {
    const Error error = error_of(entry("  ROOT c = f32[100] constant({...})"), {});
    QVERIFY(error.code == ErrorCode::kInvalidInput);
    QVERIFY2(error.message.find("not in the file") != std::string::npos, error.message.c_str());
    QCOMPARE(error.line, 3);
  }
  void arguments_that_do_not_fit() {
    const std::string text = entry("  p = f32[2] parameter(0)\n  ROOT r = f32[2] negate(p)");
    QVERIFY(error_of(text, {}).code == ErrorCode::kInvalidInput);
    const Error error = error_of(text, {floats({3}, {1, 2, 3})});
    QVERIFY(error.code == ErrorCode::kInvalidInput);
    QCOMPARE(QString::fromStdString(error.message),
             QStringLiteral("argument 0 (\"p\") should be f32[2], but is f32[3]"));
  }
  void a_dynamic_size_is_not_supported() {
    const Error error = error_of(entry("  p = f32[4] parameter(0)\n  n = s32[] constant(2)\n"
                                       "  ROOT r = f32[<=4] set-dimension-size(p, n), "
                                       "dimensions={0}"),
                                 {floats({4}, {1, 2, 3, 4})});
    QVERIFY(error.code == ErrorCode::kUnsupported);
  }
};

HLOSCOPE_TEST(TestEvalErrors);

#include "test_eval_errors.moc"
