#include <bit>
#include <cmath>
#include <map>
#include <numeric>

#include "core/data/packed_graph.h"
#include "core/data/similarity.h"
#include "tests/core/data/synthetic_programs.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;
using data::Meeting;
using data::Part;

namespace {

using enum data::Part;

struct Kernel {
  std::string op_class;
  std::string label;
};
const Kernel kConv{"matmul/conv", "conv 3×3 + add"};
const Kernel kWideConv{"matmul/conv", "conv 5×5 + add"};
const Kernel kDot{"matmul/conv", "dot [64,64]"};
const Kernel kAdd{"elementwise", "add"};
const Kernel kExp{"elementwise", "exponential"};
const Kernel kMax{"reduce", "reduce maximum → [64]"};
const Kernel kSort{"data-movement", "sort [1000]"};
const Kernel kGather{"data-movement", "gather [10,4]"};

// Every program meets its own graph of each of its kernels.
struct ManualSet {
  std::vector<data::SourceProgram> programs;
  data::GraphKinds kinds;
  std::vector<Kernel> kernels;  // By position of the graph.
  std::vector<Meeting> meetings;

  void add(const std::string& family, const std::vector<Kernel>& own) {
    const auto program = static_cast<uint32_t>(programs.size());
    programs.push_back(programs_of(program + 1).back());
    programs.back().family = family;
    for (const Kernel& kernel : own) meet(program, kernel);
  }
  void meet(uint32_t program, const Kernel& kernel) {
    meetings.push_back({program, static_cast<uint32_t>(kinds.size())});
    kinds.add(kernel.op_class, kernel.label);
    kernels.push_back(kernel);
  }
  data::Similarities similarities() const {
    return *data::similarities(programs.size(), kinds, meetings);
  }
};

// Four image models, two language models, two variants of a ranking model.
ManualSet models() {
  ManualSet out;
  out.add("vgg", {kConv, kConv, kAdd, kMax});
  out.add("resnet", {kConv, kConv, kConv, kAdd, kMax});
  out.add("inception", {kConv, kWideConv, kAdd, kMax});
  out.add("rank", {kSort, kGather, kGather});
  out.add("unet", {kConv, kWideConv, kWideConv, kAdd, kMax});
  out.add("bert", {kDot, kDot, kExp, kAdd, kMax});
  out.add("gpt", {kDot, kDot, kDot, kExp, kAdd, kMax});
  out.add("rank", {kSort, kSort, kGather});
  return out;
}

data::Similarities random_similarities(size_t size, Rng& rng) {
  data::Similarities out(size);
  // Few different values: ties are frequent.
  for (size_t a = 0; a < size; ++a) {
    for (size_t b = 0; b <= a; ++b) {
      out.set(a, b, a == b ? 1 : static_cast<double>(rng.below(12)) / 16);
    }
  }
  return out;
}

// The strongest similarity between the programs of a set of bits and the others.
double strongest(const data::Similarities& similarity, uint32_t held) {
  double most = 0;
  for (size_t a = 0; a < similarity.size(); ++a) {
    for (size_t b = 0; b < similarity.size(); ++b) {
      if ((held >> a & 1) == 1 && (held >> b & 1) == 0) {
        most = std::max(most, similarity.of(a, b));
      }
    }
  }
  return most;
}

// The least that any set of so many programs can have.
double least_strongest(const data::Similarities& similarity, int least, int most) {
  double best = 2;
  for (uint32_t held = 1; held + 1 < 1U << similarity.size(); ++held) {
    const int count = std::popcount(held);
    if (count >= least && count <= most) best = std::min(best, strongest(similarity, held));
  }
  return best;
}

}  // namespace

class TestManualSplit : public QObject {
  Q_OBJECT
 private slots:
  // Of two programs with a dot each: the terms of class and opcode are in both (weight 1), those of
  // the labels in one (1 + log(3/2) = 1.405465); every count is 1. 2 / (2 + 1.405465²) = 0.503103.
  void similarity_by_hand() {
    ManualSet set;
    set.add("", {{"matmul/conv", "dot [64,64]"}});
    set.add("", {{"matmul/conv", "dot [32,32]"}});
    QVERIFY(std::abs(set.similarities().of(0, 1) - 0.503103) < 1e-6);
    QCOMPARE(set.similarities().of(0, 0), 1.0);
  }

  // A: two convs and an add, B: an add. N = 2: the add has weight 1 in three terms, the
  // conv 1.405465 in three of count 2, log(3)/log(2) = 1.584963 of a count 1: a = 2.227609 each. 3
  // / (sqrt(3 (1 + a²)) sqrt(3)) = 1 / sqrt(1 + 4.962244) = 0.409539.
  void counts_weigh_by_their_logarithm() {
    ManualSet set;
    set.add("", {kConv, kConv, kAdd});
    set.add("", {kAdd});
    QVERIFY(std::abs(set.similarities().of(0, 1) - 0.409539) < 1e-6);
  }

  // Opcodes of whole graphs. Dots and adds in both, N = 2: weight 1; b: log(4) / log(2) = 2 of a
  // count 1. (1 x 2 + 1 x 1) / (sqrt(2) sqrt(5)) = 0.948683.
  void whole_graphs_are_compared_by_their_opcodes() {
    data::GraphKinds kinds;
    kinds.add(std::vector<data::OpcodeCount>{{"dot", 1}, {"add", 1}});
    kinds.add(std::vector<data::OpcodeCount>{{"add", 1}, {"dot", 3}});
    const auto similarity = data::similarities(2, kinds, std::vector<Meeting>{{0, 0}, {1, 1}});
    QVERIFY(std::abs(similarity->of(0, 1) - 0.948683) < 1e-6);
  }

  void opcodes_of_both_forms() {
    data::GraphRecord graph;
    graph.content = R"(HloModule m
body { p = f32[8] parameter(0)
  ROOT t = f32[8] tanh(p) }
ENTRY main { a = f32[8] parameter(0)
  b = f32[8] fusion(a), kind=kLoop, calls=body
  ROOT c = f32[8] tanh(b) }
)";
    const auto text = data::graph_opcodes(graph);
    QVERIFY(text.has_value());
    const std::vector<data::OpcodeCount> wanted{{"fusion", 1}, {"parameter", 2}, {"tanh", 2}};
    QVERIFY(std::ranges::is_permutation(*text, wanted));
    // TpuGraphs numbers: 63 parameter, 26 convolution; 200 is none.
    data::TpuGraph features;
    features.opcodes = {63, 63, 26, 200};
    features.node_features.assign(4 * data::kTpuNodeFeatures, 0);
    graph.form = data::GraphForm::kTpuGraph;
    graph.content = data::pack_graph(features);
    const auto packed = data::graph_opcodes(graph);
    QVERIFY(packed.has_value());
    const std::vector<data::OpcodeCount> numbers{
        {"unknown", 1}, {"convolution", 1}, {"parameter", 2}};
    QVERIFY(std::ranges::is_permutation(*packed, numbers));
    graph.content = "damaged";
    QVERIFY(!data::graph_opcodes(graph));
  }

  void equal_and_disjoint_programs() {
    ManualSet set;
    set.add("", {kConv, kAdd});
    set.add("", {kAdd, kConv});
    set.add("", {kSort});
    set.add("", {});
    const data::Similarities similarity = set.similarities();
    QVERIFY(std::abs(similarity.of(0, 1) - 1) < 1e-6);
    QCOMPARE(similarity.of(0, 2), 0.0);
    QCOMPARE(similarity.of(0, 3), 0.0);
    QCOMPARE(similarity.of(3, 2), similarity.of(2, 3));
  }

  void the_odd_ones_are_held_out() {
    const ManualSet set = models();
    // One of eight would do, but the two ranking models are of one family and furthest away.
    const auto parts =
        data::manual_split(set.programs, set.similarities(), {.valid = 0.25, .test = 0.25});
    QVERIFY(parts.has_value());
    QCOMPARE(*parts,
             (std::vector<Part>{kTrain, kTrain, kTrain, kTest, kTrain, kValid, kValid, kTest}));
    const auto nearest = data::nearest_training(set.programs, *parts, set.similarities());
    QVERIFY(!nearest[0] && !nearest[4]);
    QCOMPARE(nearest[3]->similarity, 0.0);  // Nothing in common with any.
    QCOMPARE(nearest[5]->similarity, set.similarities().of(5, nearest[5]->program));
    for (const uint32_t train : {0, 1, 2, 4}) {
      QVERIFY(nearest[5]->similarity >= set.similarities().of(5, train));
    }
  }

  void families_larger_than_a_part_are_held_out_whole() {
    ManualSet set;
    for (int i = 0; i < 3; ++i) set.add("images", {kConv, kAdd, kMax});
    for (int i = 0; i < 4; ++i) set.add("text", {kDot, kExp, kAdd});
    const auto parts =
        data::manual_split(set.programs, set.similarities(), {.valid = 0.1, .test = 0.1});
    QVERIFY(parts.has_value());
    QCOMPARE(*parts, (std::vector<Part>{kTest, kTest, kTest, kTrain, kTrain, kTrain, kTrain}));
    ManualSet one;
    for (int i = 0; i < 3; ++i) one.add("images", {kConv});
    QVERIFY(!data::manual_split(one.programs, one.similarities(), {}));
  }

  void what_is_held_out_is_as_far_away_as_any_choice() {
    Rng rng(3);
    for (int round = 0; round < 300; ++round) {
      const size_t size = 3 + rng.below(7);
      const data::Similarities similarity = random_similarities(size, rng);
      const size_t wanted = 1 + rng.below(size - 1);
      const double fraction = static_cast<double>(wanted) / static_cast<double>(size);
      const auto parts = data::manual_split(programs_of(size), similarity, {0, fraction});
      QVERIFY(parts.has_value());
      uint32_t held = 0;
      for (size_t i = 0; i < size; ++i) held |= ((*parts)[i] == kTest ? 1U : 0U) << i;
      const int least = static_cast<int>(wanted);
      QVERIFY(std::popcount(held) >= least && std::popcount(held) <= least + least / 2);
      QCOMPARE(strongest(similarity, held), least_strongest(similarity, least, least + least / 2));
    }
  }

  void every_part_has_programs_whatever_the_families() {
    Rng rng(9);
    for (int round = 0; round < 300; ++round) {
      auto programs = programs_of(3 + rng.below(12));
      for (data::SourceProgram& program : programs) {
        program.family = rng.below(3) == 0 ? "" : fmt::format("f{}", rng.below(4));
      }
      for (size_t i = 0; i < 3; ++i) programs[i].family = fmt::format("f{}", i);
      const auto parts =
          data::manual_split(programs, random_similarities(programs.size(), rng), {});
      QVERIFY(parts.has_value());
      for (const Part part : {kTrain, kValid, kTest}) QVERIFY(count_of(*parts, part) > 0);
      std::map<std::string, Part> part_of;
      for (size_t i = 0; i < programs.size(); ++i) {
        if (programs[i].family.empty()) continue;
        QCOMPARE(part_of.emplace(programs[i].family, (*parts)[i]).first->second, (*parts)[i]);
      }
    }
  }

  void the_order_of_the_file_does_not_matter() {
    Rng rng(4);
    const ManualSet set = models();
    const auto parts = data::manual_split(set.programs, set.similarities(), {0.2, 0.2});
    std::map<Hash128, Part> wanted;
    for (size_t i = 0; i < 8; ++i) wanted[set.programs[i].hash] = (*parts)[i];
    for (int round = 0; round < 20; ++round) {
      std::vector<uint32_t> order(8);
      std::iota(order.begin(), order.end(), 0U);
      shuffle(order, rng);
      std::vector<Meeting> meetings = set.meetings;
      shuffle(meetings, rng);
      ManualSet other;
      for (const uint32_t program : order) other.programs.push_back(set.programs[program]);
      for (const Meeting& meeting : meetings) {
        const auto position = std::ranges::find(order, meeting.program) - order.begin();
        other.meet(static_cast<uint32_t>(position), set.kernels[meeting.graph]);
      }
      const auto again = data::manual_split(other.programs, other.similarities(), {0.2, 0.2});
      for (size_t i = 0; i < 8; ++i) QCOMPARE((*again)[i], wanted[other.programs[i].hash]);
    }
  }

  void stops_when_asked() {
    std::stop_source stop;
    stop.request_stop();
    const ManualSet set = models();
    const auto stopped = data::similarities(8, set.kinds, set.meetings, Progress(stop.get_token()));
    QVERIFY(!stopped && stopped.error().code == ErrorCode::kCancelled);
    const auto split =
        data::manual_split(set.programs, set.similarities(), {}, Progress(stop.get_token()));
    QVERIFY(!split && split.error().code == ErrorCode::kCancelled);
  }
};

HLOSCOPE_TEST(TestManualSplit);
#include "test_manual_split.moc"
