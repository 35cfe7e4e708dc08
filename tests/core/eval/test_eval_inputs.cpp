#include <cmath>

#include "core/eval/compare.h"
#include "core/eval/json_values.h"
#include "tests/core/eval/eval_fixture.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using testing::floats;
using testing::integers;
using testing::program_of;

namespace {

const std::string kTwo =
    "HloModule m\nENTRY e {\n  p = f32[2,2] parameter(0)\n  q = (s8[3], pred[]) parameter(1)\n"
    "  ROOT t = (f32[2,2], (s8[3], pred[])) tuple(p, q)\n}\n";

}  // namespace

class TestEvalInputs : public QObject {
  Q_OBJECT
 private slots:
  void json_arguments() {
    const auto program = program_of(kTwo);
    for (const char* text : {"[[[1, 2.5], [-3, \"inf\"]], [[1, -128, 127], true]]",
                             "[[1, 2.5, -3, \"inf\"], [[1, -128, 127], 1]]"}) {
      const auto arguments = eval::arguments_from_json(*program, text);
      QVERIFY2(arguments.has_value(), arguments ? "" : arguments.error().format().c_str());
      const auto result = eval::evaluate(*program, *arguments);
      QVERIFY(result.has_value());
      QVERIFY(eval::compare(result->elements()[0], floats({2, 2}, {1, 2.5, -3, INFINITY})).none());
      const auto& inner = result->elements()[1].elements();
      QVERIFY(
          eval::compare(inner[0], integers({3}, {1, -128, 127}, hlo::PrimitiveType::kS8)).none());
      QVERIFY(eval::compare(inner[1], integers({}, {1}, hlo::PrimitiveType::kPred)).none());
    }
  }
  void json_of_complex_numbers() {
    const auto program = program_of("HloModule m\nENTRY e {\n  ROOT p = c64[2] parameter(0)\n}\n");
    const auto arguments = eval::arguments_from_json(*program, "[[[1, -2], 3]]");
    QVERIFY(arguments.has_value());
    const auto& elements = (*arguments)[0].array().elements;
    QVERIFY(elements[0].complex() == std::complex<double>(1, -2));
    QVERIFY(elements[1].complex() == std::complex<double>(3, 0));
  }
  void json_that_does_not_fit_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("no JSON") << QByteArray("[1, 2");
    QTest::newRow("no list") << QByteArray("{}");
    QTest::newRow("too few") << QByteArray("[[1, 2, 3, 4]]");
    QTest::newRow("short") << QByteArray("[[1, 2, 3], [[1, 2, 3], true]]");
    QTest::newRow("ragged") << QByteArray("[[[1, 2, 3], [4]], [[1, 2, 3], true]]");
    QTest::newRow("deep") << QByteArray("[[[[1], [2]], [[3], [4]]], [[1, 2, 3], true]]");
    QTest::newRow("range") << QByteArray("[[1, 2, 3, 4], [[1, 2, 128], true]]");
    QTest::newRow("fraction") << QByteArray("[[1, 2, 3, 4], [[1, 2, 0.5], true]]");
    QTest::newRow("text") << QByteArray("[[1, 2, 3, \"x\"], [[1, 2, 3], true]]");
    QTest::newRow("pred") << QByteArray("[[1, 2, 3, 4], [[1, 2, 3], 2]]");
    QTest::newRow("null") << QByteArray("[null, [[1, 2, 3], true]]");
  }
  void json_that_does_not_fit() {
    QFETCH(QByteArray, json);
    const auto arguments = eval::arguments_from_json(*program_of(kTwo), json.toStdString());
    QVERIFY(!arguments.has_value());
    QVERIFY(arguments.error().code == ErrorCode::kInvalidInput);
  }

  void random_arguments_follow_the_seed() {
    const auto program = program_of(kTwo);
    const auto drawn = [&](uint64_t seed) {
      Rng rng(seed);
      return eval::checksum(eval::Value::tuple(eval::random_arguments(*program, rng).value()));
    };
    QCOMPARE(drawn(7), drawn(7));
    QVERIFY(drawn(7) != drawn(8));
  }
  void random_values_stay_in_their_range() {
    const auto program = program_of(
        "HloModule m\nENTRY e {\n  a = f32[500] parameter(0)\n  b = u8[500] parameter(1)\n"
        "  c = s4[500] parameter(2)\n  ROOT d = pred[500] parameter(3)\n}\n");
    Rng rng(3);
    const auto values = eval::random_arguments(*program, rng);
    QVERIFY(values.has_value());
    double sum = 0;
    for (size_t i = 0; i < 500; ++i) {
      const double a = (*values)[0].array().elements[i].re;
      QVERIFY(a >= -2 && a <= 2 && a == static_cast<double>(static_cast<float>(a)));
      sum += a;
      const auto whole = [&](size_t k) { return (*values)[k].array().elements[i].i; };
      QVERIFY(whole(1) >= 0 && whole(1) <= 15);
      QVERIFY(whole(2) >= -8 && whole(2) <= 7);
      QVERIFY(whole(3) == 0 || whole(3) == 1);
    }
    QVERIFY(std::abs(sum / 500) < 0.3);  // Six standard deviations of the mean.
  }
  void random_arguments_have_a_limit() {
    const auto program = program_of(
        "HloModule m\nENTRY e {\n  a = f32[500] parameter(0)\n  ROOT b = f32[500] "
        "parameter(1)\n}\n");
    Rng rng(3);
    QVERIFY(eval::random_arguments(*program, rng, 1000).has_value());
    QVERIFY(!eval::random_arguments(*program, rng, 999).has_value());
  }

  // 1.125^3 is exact in f32. XLA:CPU does not compile a loop inside of a map.
  void a_function_with_a_loop_is_applied() {
    const auto program = program_of(
        "HloModule m\n"
        "c {\n  s = (s32[], f32[]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
        "  n = s32[] constant(3)\n  ROOT l = pred[] compare(i, n), direction=LT\n}\n"
        "b {\n  s = (s32[], f32[]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
        "  x = f32[] get-tuple-element(s), index=1\n  o = s32[] constant(1)\n"
        "  j = s32[] add(i, o)\n  h = f32[] constant(1.125)\n  y = f32[] multiply(x, h)\n"
        "  ROOT t = (s32[], f32[]) tuple(j, y)\n}\n"
        "f {\n  x = f32[] parameter(0)\n  z = s32[] constant(0)\n"
        "  s = (s32[], f32[]) tuple(z, x)\n  w = (s32[], f32[]) while(s), condition=c, body=b\n"
        "  ROOT r = f32[] get-tuple-element(w), index=1\n}\n"
        "ENTRY e {\n  p = f32[3] parameter(0)\n"
        "  ROOT m = f32[3] map(p), dimensions={0}, to_apply=f\n}\n");
    const std::vector<eval::Value> arguments = {floats({3}, {1, -2, 0})};
    const auto result = eval::evaluate(*program, arguments);
    QVERIFY2(result.has_value(), result ? "" : result.error().format().c_str());
    QVERIFY(eval::compare(*result, floats({3}, {1.423828125, -2.84765625, 0})).none());
  }
  void one_computation_can_be_evaluated() {
    const auto program = program_of(
        "HloModule m\nf {\n  a = f32[2] parameter(0)\n  ROOT b = f32[2] add(a, a)\n}\n"
        "ENTRY e {\n  p = f32[2] parameter(0)\n  ROOT c = f32[2] fusion(p), kind=kLoop, "
        "calls=f\n}\n");
    const std::vector<eval::Value> arguments = {floats({2}, {1, -3})};
    const auto result = eval::evaluate(*program, program->find_computation("f"), arguments);
    QVERIFY(result.has_value());
    QVERIFY(eval::compare(*result, floats({2}, {2, -6})).none());
  }

  void differences_are_counted_and_described() {
    const auto a = floats({2, 2}, {1, 2, 3, NAN});
    const auto b = floats({2, 2}, {1, 2.5, 3.5, NAN});
    const auto difference = eval::compare(a, b);
    QCOMPARE(difference.count, 2);
    QCOMPARE(difference.max_absolute, 0.5);
    QCOMPARE(QString::fromStdString(difference.first),
             QStringLiteral("at [0,1]: 2 instead of 2.5"));
    QVERIFY(eval::compare(a, b, {0.5, 0}).none());
    QVERIFY(!eval::compare(a, b, {0, 0.19}).none());
    QVERIFY(eval::compare(a, b, {0, 0.2}).none());
    QVERIFY(!eval::compare(a, floats({4}, {1, 2, 3, NAN})).none());
    QVERIFY(!eval::compare(floats({}, {INFINITY}), floats({}, {1}), {1e9, 1e9}).none());
  }
  void checksums_depend_on_shape_type_and_bits() {
    const auto sum = [](const eval::Value& value) { return eval::checksum(value); };
    QVERIFY(sum(floats({2}, {0, 1})) == sum(floats({2}, {0, 1})));
    QVERIFY(sum(floats({2}, {0, 1})) != sum(floats({2}, {-0.0, 1})));
    QVERIFY(sum(floats({2}, {0, 1})) != sum(floats({1, 2}, {0, 1})));
    QVERIFY(sum(floats({2}, {0, 1})) != sum(floats({2}, {0, 1}, hlo::PrimitiveType::kF64)));
    QVERIFY(sum(eval::Value()) != sum(floats({}, {0})));
  }
};

HLOSCOPE_TEST(TestEvalInputs);

#include "test_eval_inputs.moc"
