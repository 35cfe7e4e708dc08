#include <QSet>

#include "core/graph/work_attributes.h"
#include "tests/core/graph/graph_fixture.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;

namespace {

QString with(QString text, const QString& before, const QString& after) {
  Q_ASSERT(text.contains(before));
  return text.replace(before, after);
}

/// The hash of the instruction named "kernel".
Hash128 hash_of(const QString& text) {
  const auto program = parse(text.toStdString());
  return graph::canonical_hash(*program, program->find_instruction("kernel"));
}

const QString kFusion = R"(
HloModule fusion, is_scheduled=true
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT sum = f32[] add(a, b) }
fused {
  x = bf16[64,128]{1,0:T(8,128)(2,1)} parameter(0)
  y = bf16[64,128]{1,0:T(8,128)(2,1)} parameter(1)
  product = bf16[64,128]{1,0:T(8,128)(2,1)} multiply(x, y)
  curve = bf16[64,128]{1,0:T(8,128)(2,1)} tanh(y)
  both = bf16[64,128]{1,0:T(8,128)(2,1)} subtract(product, curve)
  wide = f32[64,128]{1,0:T(8,128)} convert(both)
  zero = f32[]{:T(128)} constant(0)
  ROOT rows = f32[64]{0:T(256)} reduce(wide, zero), dimensions={1}, to_apply=add
}
ENTRY main {
  p = bf16[64,128]{1,0:T(8,128)(2,1)} parameter(0)
  q = bf16[64,128]{1,0:T(8,128)(2,1)} parameter(1)
  ROOT kernel = f32[64]{0:T(256)} fusion(p, q), kind=kInput, calls=fused
}
)";

const QString kConvolution = R"(
HloModule convolution
ENTRY main {
  p = f32[8,32,32,16]{3,2,1,0} parameter(0)
  q = f32[3,3,16,32]{3,2,1,0} parameter(1)
  ROOT kernel = f32[8,32,32,32]{3,2,1,0} convolution(p, q), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
}
)";

const QString kDot = R"(
HloModule dot
ENTRY main {
  p = f32[64,64]{1,0} parameter(0)
  q = f32[64,64]{1,0} parameter(1)
  ROOT kernel = f32[64,64]{1,0} dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)";

const QString kGather = R"(
HloModule collective
ENTRY main {
  p = f32[16,128]{1,0} parameter(0)
  ROOT kernel = f32[64,128]{1,0} all-gather(p), replica_groups={{0,1,2,3},{4,5,6,7}}, dimensions={0}
}
)";

const QString kCustom = R"(
HloModule custom
ENTRY main {
  p = f32[16,128]{1,0} parameter(0)
  ROOT kernel = f32[16,128]{1,0} custom-call(p), custom_call_target="tpu_custom_call", backend_config="body"
}
)";

}  // namespace

class TestCanonicalHash : public QObject {
  Q_OBJECT

 private slots:
  void stays_the_same_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("other");
    QTest::newRow("names")
        << kFusion
        << QString(kFusion).replace("product", "m.17").replace("fused", "f.3").replace("zero", "c");
    QTest::newRow("metadata, sharding, backend_config, frontend attributes")
        << kFusion
        << with(
               kFusion, "calls=fused",
               R"(calls=fused, frontend_attributes={a="b"}, sharding={replicated}, metadata={op_name="x/y" source_line=4}, backend_config={"window_config":{"n":"3"}})");
    QTest::newRow("metadata inside")
        << kFusion << with(kFusion, "tanh(y)", R"(tanh(y), metadata={op_name="deep"})");
    QTest::newRow("order of independent instructions")
        << kFusion
        << with(with(kFusion, "  curve = bf16[64,128]{1,0:T(8,128)(2,1)} tanh(y)\n", ""),
                "  product =", "  curve = bf16[64,128]{1,0:T(8,128)(2,1)} tanh(y)\n  product =");
    QTest::newRow("constant values") << kFusion << with(kFusion, "constant(0)", "constant(1.5)");
    QTest::newRow("position in the program")
        << kFusion
        << with(kFusion, "  ROOT kernel",
                "  before = bf16[64,128]{1,0:T(8,128)(2,1)} negate(p)\n  ROOT kernel");
    QTest::newRow("scheduled or not") << kFusion << with(kFusion, ", is_scheduled=true", "");
    QTest::newRow("default layout left out")
        << kDot << with(kDot, "f32[64,64]{1,0} dot", "f32[64,64] dot");
    QTest::newRow("defaults written out")
        << kConvolution
        << with(kConvolution, "->b01f",
                "->b01f, feature_group_count=1, batch_group_count=1, "
                "operand_precision={default,default}");
    QTest::newRow("order of attributes")
        << kDot
        << with(kDot, "lhs_contracting_dims={1}, rhs_contracting_dims={0}",
                "rhs_contracting_dims={0}, lhs_contracting_dims={1}");
    QTest::newRow("channel and devices of equal groups")
        << kGather << with(kGather, "{{0,1,2,3},{4,5,6,7}}", "{{0,2,4,6},{1,3,5,7}}, channel_id=3");
    QTest::newRow("groups as iota")
        << kGather << with(kGather, "{{0,1,2,3},{4,5,6,7}}", "[2,4]<=[8]");
  }
  void stays_the_same() {
    QFETCH(QString, text);
    QFETCH(QString, other);
    QVERIFY(text != other);
    QCOMPARE(qt(hash_of(text).hex()), qt(hash_of(other).hex()));
  }

  void differs_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("other");
    const auto row = [](const char* name, const QString& text, const QString& from,
                        const QString& to) { QTest::newRow(name) << text << with(text, from, to); };
    row("shape", kFusion, "128]", "256]");
    row("element type", kDot, "f32", "f16");
    row("layout of an operand", kDot, "f32[64,64]{1,0} parameter(0)",
        "f32[64,64]{0,1} parameter(0)");
    row("layout of the result", kDot, "f32[64,64]{1,0} dot", "f32[64,64]{0,1} dot");
    row("tiling", kFusion, "T(8,128)(2,1)", "T(16,128)(2,1)");
    row("memory space", kDot, "f32[64,64]{1,0} parameter(1)", "f32[64,64]{1,0:S(1)} parameter(1)");
    row("opcode", kFusion, "tanh", "exponential");
    row("opcode in the reducer", kFusion, "add(a, b)", "maximum(a, b)");
    row("fusion kind", kFusion, "kInput", "kLoop");
    row("operand used", kFusion, "tanh(y)", "tanh(x)");
    row("order of operands", kFusion, "subtract(product, curve)", "subtract(curve, product)");
    row("same operand twice", kFusion, "fusion(p, q)", "fusion(p, p)");
    row("contracting dimension", kDot, "lhs_contracting_dims={1}", "lhs_contracting_dims={0}");
    row("precision", kDot, "rhs_contracting_dims={0}",
        "rhs_contracting_dims={0}, operand_precision={highest,highest}");
    row("window size", kConvolution, "pad=1_1x1_1", "pad=1_1x1_1 rhs_dilate=1x1 stride=2x2");
    row("padding", kConvolution, "1_1x1_1", "2_0x1_1");
    row("dim_labels", kConvolution, "b01f_01io->b01f", "b10f_01io->b01f");
    row("groups", kConvolution, "->b01f", "->b01f, feature_group_count=2");
    row("replica group size", kGather, "{{0,1,2,3},{4,5,6,7}}", "{{0,1},{2,3},{4,5},{6,7}}");
    row("custom-call target", kCustom, "tpu_custom_call", "other");
    row("custom-call code", kCustom, "\"body\"", "\"another body\"");
    QTest::newRow("slice") << with(kDot,
                                   "dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
                                   "slice(p), slice={[0:64],[0:64]}")
                           << with(kDot,
                                   "dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
                                   "slice(p), slice={[0:64],[0:64:2]}");
    QTest::newRow("worked out twice, or used twice")
        << with(kFusion, "subtract(product, curve)", "subtract(curve, curve)")
        << with(with(kFusion, "subtract(product, curve)", "subtract(curve, curve2)"),
                "  product =", "  curve2 = bf16[64,128]{1,0:T(8,128)(2,1)} tanh(y)\n  product =");
  }
  void differs() {
    QFETCH(QString, text);
    QFETCH(QString, other);
    QVERIFY(qt(hash_of(text).hex()) != qt(hash_of(other).hex()));
  }

  void groups_are_counted_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("groups");
    QTest::addColumn<int>("size");
    QTest::newRow("list") << "{{0,1},{2,3},{4,5}}" << 3 << 2;
    QTest::newRow("iota") << "[2,4]<=[8]" << 2 << 4;
    QTest::newRow("transposed iota") << "[4,2]<=[2,4]T(1,0)" << 4 << 2;
    QTest::newRow("mesh") << "mesh['x'=2]{'x'}" << -1 << -1;
  }
  void groups_are_counted() {
    QFETCH(QString, text);
    QFETCH(int, groups);
    QFETCH(int, size);
    const auto found = graph::replica_group_sizes(text.toStdString()).value_or(std::pair(-1, -1));
    QCOMPARE(found.first, int64_t{groups});
    QCOMPARE(found.second, int64_t{size});
  }

  void is_the_same_in_every_list_of_kernels() {
    const auto program = parse(kFusion.toStdString());
    const auto list = graph::kernels(*program);
    QCOMPARE(list.kernels.size(), size_t{1});
    QCOMPARE(qt(list.kernels[graph::KernelId(0)].hash.hex()), qt(hash_of(kFusion).hex()));
  }
};

HLOSCOPE_TEST(TestCanonicalHash);

#include "test_canonical_hash.moc"
