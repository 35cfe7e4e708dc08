#include <map>

#include "core/features/graph.h"
#include "tests/core/features/fixture.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using features::Group;

namespace {

/// Instructions of a 3D U-Net training step and two pads of an RNN, with their shapes and
/// attributes. The rows of kGolden are those that Google's encoder gave for them: node_feat of
/// unet_3d.4x4.bf16 (layout, xla, default, valid; nodes 979, 1320, 740, 1437, 445, 1223, 624, 486,
/// 504) and of openai_v0_rnn_optimized (layout, xla, random, train; nodes 851, 854) in TpuGraphs.
constexpr auto kProgram = R"(HloModule golden
add {
  x = bf16[] parameter(0)
  y = bf16[] parameter(1)
  ROOT s = bf16[] add(x, y)
}
both {
  a = pred[] parameter(0)
  b = pred[] parameter(1)
  ROOT c = pred[] and(a, b)
}
less {
  k0 = pred[] parameter(0)
  k1 = pred[] parameter(1)
  v0 = s32[] parameter(2)
  v1 = s32[] parameter(3)
  w0 = pred[] parameter(4)
  w1 = pred[] parameter(5)
  ROOT l = pred[] compare(k0, k1), direction=GT
}
ENTRY main {
  up = bf16[2,12,12,12,512]{4,3,2,1,0} parameter(0)
  up_kernel = bf16[2,2,2,512,512]{4,3,2,1,0} parameter(1)
  conv_input = bf16[2,24,24,24,512]{4,3,2,1,0} convolution(up, up_kernel), window={size=2x2x2 pad=1_1x1_1x1_1 lhs_dilate=2x2x2 rhs_reversal=1x1x1}, dim_labels=b012f_012oi->b012f
  image = bf16[2,96,96,96,64]{4,3,2,1,0} parameter(2)
  gradient = bf16[2,96,96,96,4]{4,3,2,1,0} parameter(3)
  conv_kernel = bf16[1,1,1,64,4]{4,3,2,1,0} convolution(image, gradient), window={size=96x96x96}, dim_labels=f012b_i012o->012bf
  zero = bf16[] constant(0)
  pool = bf16[2,48,48,48,64]{4,3,2,1,0} reduce-window(image, zero), window={size=1x2x2x2x1 stride=1x2x2x2x1}, to_apply=add
  wide = bf16[2,48,48,48,384]{4,3,2,1,0} parameter(4)
  slice = bf16[2,48,48,48,128]{4,3,2,1,0} slice(wide), slice={[0:2], [0:48], [0:48], [0:48], [256:384]}
  volume = f32[2,96,96,96,4]{3,4,2,1,0:T(4,128)} parameter(5)
  at = u32[] parameter(6)
  dynamic_slice = f32[1,96,96,96,4]{4,3,2,1,0} dynamic-slice(volume, at, at, at, at, at), dynamic_slice_sizes={1,96,96,96,4}
  keys = pred[2]{0} parameter(7)
  values = s32[2]{0} parameter(8)
  sort = (pred[2]{0}, s32[2]{0}, pred[2]{0}) sort(keys, values, keys), dimensions={0}, is_stable=true, to_apply=less
  iota = s32[2,96,96,96,4]{4,3,2,1,0} iota(), iota_dimension=0
  yes = pred[] constant(true)
  reduce = pred[] reduce(keys, yes), dimensions={0}, to_apply=both
  long = u64[] parameter(9)
  custom_call = u32[]{:T(256)} custom-call(long), custom_call_target="X64SplitLow"
  rnn = f32[512,16,2,47]{3,2,1,0} parameter(10)
  rnn_long = f32[512,16,24,47]{3,2,1,0} parameter(11)
  none = f32[] constant(0)
  pad_high = f32[512,16,26,47]{3,2,1,0} pad(rnn, none), padding=0_0x0_0x0_24x0_0
  pad_low = f32[512,16,26,47]{3,2,1,0} pad(rnn_long, none), padding=0_0x0_0x2_0x0_0
  ROOT end = (u32[]) tuple(custom_call)
}
)";

/// Name of the instruction, then what is not 0: "position:value".
constexpr std::pair<const char*, const char*> kGolden[] = {
    {"conv_input",
     "15:1 21:2 22:24 23:24 24:24 25:512 27:586 28:14155776 37:2 38:2 39:2 43:6 44:8 45:1 46:1 "
     "47:1 51:3 52:1 53:1 54:1 55:1 59:3 60:1 61:1 62:1 63:1 67:3 68:1 69:1 70:1 71:1 75:3 76:1 "
     "77:2 78:2 79:2 83:6 84:8 85:1 86:1 87:1 91:3 94:4 95:1 96:2 97:3 99:4 100:3 102:1 103:2 "
     "106:4 107:1 108:1 112:1 116:1 120:1 124:1 128:1 132:1 134:4 135:3 136:2 137:1"},
    {"conv_kernel",
     "15:1 21:1 22:1 23:1 24:64 25:4 27:71 28:256 37:96 38:96 39:96 43:288 44:884736 45:1 46:1 "
     "47:1 51:3 52:1 69:1 70:1 71:1 75:3 76:1 77:1 78:1 79:1 83:3 84:1 92:3 93:4 95:1 96:2 97:3 "
     "100:4 101:1 102:2 103:3 105:3 106:4 107:1 108:1 112:1 116:1 120:1 124:1 128:1 132:1 134:4 "
     "135:3 136:2 137:1"},
    {"pool",
     "15:1 21:2 22:48 23:48 24:48 25:64 27:210 28:14155776 37:1 38:2 39:2 40:2 41:1 43:8 44:8 "
     "45:1 46:2 47:2 48:2 49:1 51:8 52:8 69:1 70:1 71:1 72:1 73:1 75:5 76:1 77:1 78:1 79:1 80:1 "
     "81:1 83:5 84:1 92:5 112:1 116:1 120:1 124:1 128:1 132:1 134:4 135:3 136:2 137:1"},
    {"slice",
     "15:1 21:2 22:48 23:48 24:48 25:128 27:274 28:28311552 44:1 52:1 60:1 68:1 76:1 84:1 111:256 "
     "113:1 114:1 115:5 116:1 117:2 118:48 119:530 120:84934656 124:1 128:1 132:1 134:4 135:3 "
     "136:2 137:1"},
    {"dynamic_slice",
     "13:1 21:1 22:96 23:96 24:96 25:4 27:293 28:3538944 44:1 52:1 60:1 68:1 76:1 84:1 112:1 "
     "116:1 120:1 121:1 122:96 123:293 124:3538944 128:1 132:1 134:4 135:3 136:2 137:1"},
    {"sort",
     "18:1 28:1 29:3 44:1 52:1 60:1 68:1 76:1 84:1 112:1 116:1 120:1 124:1 128:1 132:1 133:1"},
    {"iota",
     "6:1 21:2 22:96 23:96 24:96 25:4 27:294 28:7077888 44:1 52:1 60:1 68:1 76:1 84:1 112:1 116:1 "
     "120:1 124:1 128:1 132:1 134:4 135:3 136:2 137:1"},
    {"reduce", "3:1 28:1 44:1 52:1 60:1 68:1 76:1 84:1 112:1 116:1 120:1 124:1 128:1 132:1"},
    {"custom_call",
     "10:1 28:1 44:1 52:1 60:1 68:1 76:1 84:1 107:1 108:1 112:1 116:1 120:1 124:1 128:1 132:1"},
    {"pad_high",
     "13:1 21:512 22:16 23:26 24:47 27:601 28:10010624 44:1 52:1 60:1 68:1 76:1 84:1 112:1 116:1 "
     "120:1 124:1 131:24 134:3 135:2 136:1"},
    {"pad_low",
     "13:1 21:512 22:16 23:26 24:47 27:601 28:10010624 44:1 52:1 60:1 68:1 76:1 84:1 112:1 116:1 "
     "120:1 124:1 127:2 134:3 135:2 136:1"},
};

using Row = std::map<size_t, float>;

Row golden_row(const char* text) {
  Row out;
  for (const QString& entry : QString::fromLatin1(text).split(' ')) {
    const QStringList parts = entry.split(':');
    out[parts[0].toULongLong()] = parts[1].toFloat();
  }
  return out;
}

struct Encoded {
  features::Graph graph;
  features::NodeMatrix matrix;
  std::vector<std::string> names;

  [[nodiscard]] size_t node(std::string_view name) const {
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      if ((*graph.program)[graph.nodes[i].instruction].name == name) return i;
    }
    return ~size_t{0};
  }
  /// What is not 0.
  [[nodiscard]] Row row(std::string_view name) const {
    Row out;
    for (size_t i = 0; i < matrix.width; ++i) {
      const float value = matrix.values[node(name) * matrix.width + i];
      if (value != 0) out[i] = value;
    }
    return out;
  }
  [[nodiscard]] float at(std::string_view name, const char* feature) const {
    const auto found = std::find(names.begin(), names.end(), feature);
    if (found == names.end()) hloscope::testing::give_up(feature);
    const auto column = static_cast<size_t>(found - names.begin());
    return matrix.values[node(name) * matrix.width + column];
  }
};

Encoded encode(const char* text, const std::vector<Group>& groups) {
  Encoded out;
  out.graph = features::module_graph(hloscope::testing::parse(text));
  out.matrix = node_features(out.graph, groups);
  out.names = features::names(groups);
  return out;
}

}  // namespace

class TestNodeFeatures : public QObject {
  Q_OBJECT
 private slots:
  void rows_of_the_data_set();
  void roots_and_parameters();
  void missing_slots_are_0();
  void more_dimensions_than_slots_count_in_sum_and_product();
  void sums_and_products_wrap_at_64_bits();
  void element_types();
  void static_features_are_those_of_the_cost_analysis();
  void extras();
};

void TestNodeFeatures::rows_of_the_data_set() {
  const Encoded all = encode(kProgram, {Group::kNode});
  QCOMPARE(all.matrix.width, size_t{140});
  for (const auto& [name, text] : kGolden) {
    const Row expected = golden_row(text);
    const Row ours = all.row(name);
    for (size_t i = 0; i < all.matrix.width; ++i) {
      const auto a = ours.find(i);
      const auto b = expected.find(i);
      const float got = a == ours.end() ? 0 : a->second;
      const float wanted = b == expected.end() ? 0 : b->second;
      QVERIFY2(got == wanted, qPrintable(QStringLiteral("%1 %2: %3, expected %4")
                                             .arg(name, QString::fromStdString(all.names[i]))
                                             .arg(got)
                                             .arg(wanted)));
    }
  }
}

void TestNodeFeatures::roots_and_parameters() {
  const Encoded all = encode(kProgram, {Group::kNode});
  QCOMPARE(all.at("end", "is_root"), 1.0F);
  QCOMPARE(all.at("s", "is_root"), 1.0F);  // Of its own computation.
  QCOMPARE(all.at("pool", "is_root"), 0.0F);
  QCOMPARE(all.at("rnn_long", "parameter_number"), 11.0F);
  QCOMPARE(all.at("end", "parameter_number"), 0.0F);
  QCOMPARE(all.at("end", "shape_tuple_shapes_size"), 1.0F);
}

void TestNodeFeatures::missing_slots_are_0() {
  const Encoded all = encode(R"(HloModule m
ENTRY main {
  p = f32[3,5]{0,1} parameter(0)
  t = f32[5,3]{1,0} transpose(p), dimensions={1,0}
  ROOT b = f32[2,5,3]{2,1,0} broadcast(t), dimensions={1,2}
})",
                             {Group::kNode});
  QCOMPARE(all.at("t", "dimensions_0"), 1.0F);
  QCOMPARE(all.at("b", "dimensions_1"), 2.0F);
  QCOMPARE(all.at("b", "dimensions_2"), 0.0F);
  QCOMPARE(all.at("p", "layout_minor_to_major_0"), 0.0F);
  QCOMPARE(all.at("p", "layout_minor_to_major_1"), 1.0F);
  QCOMPARE(all.at("t", "layout_minor_to_major_0"), 1.0F);
}

void TestNodeFeatures::more_dimensions_than_slots_count_in_sum_and_product() {
  const Encoded all = encode(R"(HloModule m
ENTRY main {
  ROOT p = f32[2,3,2,3,2,3,7] parameter(0)
})",
                             {Group::kNode});
  QCOMPARE(all.at("p", "shape_dimensions_5"), 3.0F);
  QCOMPARE(all.at("p", "shape_dimensions_sum"), 22.0F);
  QCOMPARE(all.at("p", "shape_dimensions_product"), 1512.0F);
}

void TestNodeFeatures::sums_and_products_wrap_at_64_bits() {
  const features::Feature list = {Group::kNode, "x", features::Form::kListSumProduct, 2};
  float out[4];
  const int64_t large = int64_t{1} << 62;
  features::encode(list, {large, 4, large}, out);
  QCOMPARE(out[0], 0x1p62F);
  QCOMPARE(out[1], 4.0F);
  QCOMPARE(out[2], -0x1p63F);  // 2^63 + 4 wraps; float32 drops the 4.
  QCOMPARE(out[3], 0.0F);      // 2^126
}

void TestNodeFeatures::element_types() {
  const Encoded all = encode(R"(HloModule m
ENTRY main {
  a = c128[] parameter(0)
  b = f8e4m3fn[4] parameter(1)
  c = token[] after-all()
  ROOT d = (c128[]) tuple(a)
})",
                             {Group::kNode});
  QCOMPARE(all.at("a", "shape_element_type_is_c128"), 1.0F);
  QCOMPARE(all.at("c", "shape_element_type_is_token"), 1.0F);
  QCOMPARE(all.at("d", "shape_element_type_is_tuple"), 1.0F);
  for (const auto& [position, value] : all.row("b")) QVERIFY(position < 2 || position > 20);
}

void TestNodeFeatures::static_features_are_those_of_the_cost_analysis() {
  const Encoded all = encode(R"(HloModule m
ENTRY main {
  a = f32[8,16] parameter(0)
  b = f32[16,4] parameter(1)
  d = f32[8,4] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  t = f32[8,4] tanh(d)
  ROOT c = f32[8,4] custom-call(t), custom_call_target="mystery"
})",
                             {Group::kStatic});
  QCOMPARE(all.matrix.width, size_t{4});
  QCOMPARE(all.at("d", "flops"), 2.0F * 8 * 16 * 4);
  QCOMPARE(all.at("d", "bytes_read"), 4.0F * (8 * 16 + 16 * 4));
  QCOMPARE(all.at("d", "bytes_written"), 4.0F * 8 * 4);
  QCOMPARE(all.at("d", "special_functions"), 0.0F);
  QCOMPARE(all.at("t", "special_functions"), 32.0F);
  QCOMPARE(all.at("c", "flops"), 0.0F);  // -1 in XLA: not known.
}

void TestNodeFeatures::extras() {
  const Encoded all = encode(R"(HloModule m
ENTRY main {
  a = f32[8,300]{1,0:T(8,128)} parameter(0)
  b = f32[300,128] parameter(1)
  ROOT d = f32[8,128] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})",
                             {Group::kExtra});
  QCOMPARE(all.at("a", "shape_dimensions_mod_128_1"), 44.0F);
  QCOMPARE(all.at("a", "shape_dimensions_div_128_1"), 2.0F);
  QCOMPARE(all.at("a", "shape_dimensions_mod_128_2"), -1.0F);
  QCOMPARE(all.at("a", "layout_minor_to_major_or_absent_1"), 0.0F);
  QCOMPARE(all.at("a", "layout_minor_to_major_or_absent_2"), -1.0F);
  QCOMPARE(all.at("a", "padding_waste"), 1.0F - 300.0F / 384.0F);
  QCOMPARE(all.at("d", "padding_waste"), 0.0F);
  QCOMPARE(all.at("d", "dot_lhs_contracting_dims_0"), 1.0F);
  QCOMPARE(all.at("d", "dot_rhs_contracting_dims_0"), 0.0F);
  QCOMPARE(all.at("d", "dot_lhs_batch_dims_0"), -1.0F);
  QCOMPARE(all.at("a", "dot_lhs_contracting_dims_0"), -1.0F);
}

HLOSCOPE_TEST(TestNodeFeatures);
#include "test_node_features.moc"
