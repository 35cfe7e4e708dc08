#include <QFile>
#include <QTemporaryDir>
#include <cmath>
#include <set>

#include "core/data/generate.h"
#include "core/graph/kernels.h"
#include "core/hlo/read.h"
#include "core/sim/simulate.h"
#include "core/sim/tile_space.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using data::GeneratedUnit;
using data::Sample;
using data::SamplingOptions;
using data::Task;

namespace {

const sim::Machine& machine() {
  static const sim::Machine kMachine = sim::find_machine("tpu_v3").value();
  return kMachine;
}

// Not compiled: a product with operations before and behind it, and a loop of 7 trips.
constexpr const char* kNetProgram = R"(HloModule net
body {
  t = (s32[], f32[256,512]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  one = s32[] constant(1)
  next = s32[] add(i, one)
  x = f32[256,512] get-tuple-element(t), index=1
  y = f32[256,512] tanh(x)
  ROOT r = (s32[], f32[256,512]) tuple(next, y)
}
condition {
  t = (s32[], f32[256,512]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  limit = s32[] constant(7)
  ROOT less = pred[] compare(i, limit), direction=LT
}
ENTRY main {
  a = f32[256,1024] parameter(0)
  b = f32[1024,512] parameter(1)
  n = f32[256,1024] negate(a)
  e = f32[256,1024] exponential(n)
  d = f32[256,512] dot(e, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  z = s32[] constant(0)
  start = (s32[], f32[256,512]) tuple(z, d)
  loop = (s32[], f32[256,512]) while(start), condition=condition, body=body
  out = f32[256,512] get-tuple-element(loop), index=1
  ROOT m = f32[256,512] multiply(out, out)
}
)";

constexpr const char* kCompiled = R"(HloModule done, is_scheduled=true
ENTRY main {
  a = f32[64,128] parameter(0)
  b = f32[64,128] add(a, a)
  c = f32[64,128] add(b, b)
  ROOT d = f32[64,128] custom-call(c), custom_call_target="f"
}
)";

constexpr auto kNothingKnown = [](const Hash128&) { return false; };

SamplingOptions options(Task task) {
  SamplingOptions out(machine());
  out.task = task;
  return out;
}

bool same(const GeneratedUnit& a, const GeneratedUnit& b) {
  const auto same_sample = [](const Sample& x, const Sample& y) {
    return x.configuration == y.configuration && x.time_ns == y.time_ns;
  };
  const auto same_graph = [&](const data::GeneratedGraph& x, const data::GeneratedGraph& y) {
    return x.graph.hash == y.graph.hash && x.graph.content == y.graph.content &&
           std::equal(x.samples.begin(), x.samples.end(), y.samples.begin(), y.samples.end(),
                      same_sample);
  };
  return std::equal(a.new_graphs.begin(), a.new_graphs.end(), b.new_graphs.begin(),
                    b.new_graphs.end(), same_graph);
}

}  // namespace

class TestGenerate : public QObject {
  Q_OBJECT
 private:
  QTemporaryDir folder_;
  std::shared_ptr<data::PreparedProgram> prepared(const char* text) const {
    const QString path = folder_.filePath("program.hlo");
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return nullptr;
    file.write(text);
    file.close();
    const auto list = data::list_programs(std::vector{path.toStdString()});
    if (!list) return nullptr;
    return data::PreparedProgram::prepare(list->programs[0]).value_or(nullptr);
  }

 private slots:
  void default_fusion_gives_its_kernels() {
    const auto program = prepared(kNetProgram);
    QVERIFY(program != nullptr);
    const auto unit = data::generate_unit(*program, 0, options(Task::kFusion), kNothingKnown);
    QVERIFY2(unit, unit ? "" : unit.error().message.c_str());
    std::multiset<std::pair<std::string, double>> met;
    for (const data::GeneratedGraph& one : unit->new_graphs) {
      for (const data::MetKernel& kernel : unit->kernels) {
        if (kernel.hash == one.graph.hash) met.emplace(one.graph.op_class, kernel.executions);
      }
    }
    QCOMPARE(unit->kernels.size(), unit->new_graphs.size());
    // The product with what comes before it; tanh, counter and comparison of the loop; multiply.
    // Those of the loop run 7 times.
    const std::multiset<std::pair<std::string, double>> wanted{{"elementwise", 1},
                                                               {"elementwise", 7},
                                                               {"elementwise", 7},
                                                               {"elementwise", 7},
                                                               {"matmul/conv", 1}};
    QVERIFY(met == wanted);
  }

  void content_reads_back_as_the_same_kernel() {
    const auto program = prepared(kNetProgram);
    for (int64_t configuration : {0, 1, 2, 3}) {
      const auto unit =
          data::generate_unit(*program, configuration, options(Task::kFusion), kNothingKnown);
      QVERIFY(unit);
      for (const data::GeneratedGraph& one : unit->new_graphs) {
        const auto again = hlo::parse_program(one.graph.content);
        QVERIFY2(again, one.graph.content.c_str());
        const hlo::InstructionId root = (**again)[(*again)->entry()].root;
        QCOMPARE(graph::canonical_hash(**again, root).hex(), one.graph.hash.hex());
        const sim::KernelModel model = sim::kernel_model(**again, root);
        const sim::Tile tile{one.samples[0].configuration[1], one.samples[0].configuration[0]};
        const auto bounds = sim::loop_bounds(model, tile);
        QVERIFY(bounds);
        const double time_ns = sim::simulate(model, *bounds, sim::Rates(machine())).time_ns;
        QVERIFY(std::abs(one.samples[0].time_ns - time_ns) <= 0.0005);
      }
    }
  }

  void the_same_unit_twice_is_the_same() {
    SamplingOptions noisy = options(Task::kTile);
    noisy.noise = 0.05;
    noisy.repeats = 3;
    const auto once = data::generate_unit(*prepared(kNetProgram), 5, noisy, kNothingKnown);
    const auto twice = data::generate_unit(*prepared(kNetProgram), 5, noisy, kNothingKnown);
    QVERIFY(once && twice);
    QVERIFY(!once->new_graphs.empty());
    QVERIFY(same(*once, *twice));
    noisy.seed = 2;
    const auto other = data::generate_unit(*prepared(kNetProgram), 5, noisy, kNothingKnown);
    QVERIFY(other && !same(*once, *other));
  }

  void configurations_differ() {
    const auto program = prepared(kNetProgram);
    std::set<std::set<std::string>> seen;
    for (int64_t configuration = 0; configuration < 20; ++configuration) {
      const auto unit =
          data::generate_unit(*program, configuration, options(Task::kFusion), kNothingKnown);
      QVERIFY(unit);
      std::set<std::string> hashes;
      for (const data::MetKernel& kernel : unit->kernels) hashes.insert(kernel.hash.hex());
      seen.insert(hashes);
    }
    // negate-exponential, exponential-dot: each fused or not.
    QCOMPARE(seen.size(), size_t{4});
  }

  void known_kernels_are_met_but_not_made() {
    const auto program = prepared(kNetProgram);
    const auto all = data::generate_unit(*program, 0, options(Task::kFusion), kNothingKnown);
    QVERIFY(all);
    const Hash128 known = all->new_graphs[0].graph.hash;
    const auto rest = data::generate_unit(*program, 0, options(Task::kFusion),
                                          [&](const Hash128& hash) { return hash == known; });
    QVERIFY(rest);
    QCOMPARE(rest->kernels.size(), all->kernels.size());
    QCOMPARE(rest->new_graphs.size(), all->new_graphs.size() - 1);
  }

  void compiled_programs_keep_their_kernels() {
    const auto program = prepared(kCompiled);
    QVERIFY(program != nullptr && program->is_compiled());
    const auto unit = data::generate_unit(*program, 0, options(Task::kFusion), kNothingKnown);
    QVERIFY(unit);
    // Two equal adds; what a custom-call does is not known.
    QCOMPARE(unit->new_graphs.size(), size_t{1});
    QCOMPARE(unit->kernels.size(), size_t{1});
    QCOMPARE(unit->kernels[0].executions, 2.0);
  }

  void tiles_are_distinct_and_the_default_comes_first() {
    SamplingOptions tile = options(Task::kTile);
    tile.tiles = 40;
    const auto unit = data::generate_unit(*prepared(kNetProgram), 0, tile, kNothingKnown);
    QVERIFY(unit);
    for (const data::GeneratedGraph& one : unit->new_graphs) {
      std::set<data::Configuration> seen;
      for (const Sample& sample : one.samples) {
        QVERIFY(seen.insert(sample.configuration).second);
        QCOMPARE(sample.is_default, &sample == one.samples.data());
        QCOMPARE(sample.normalizer_ns.value(), one.samples[0].time_ns);
      }
      QVERIFY(one.samples.size() >= 2 && one.samples.size() <= 41);
    }
  }

  void few_tiles_are_all_taken() {
    // 16 x 256 of f32 is 2 x 2 tiles of the layout: bounds 1 or 2 in both loops.
    const auto program = hlo::parse_program(
        "HloModule m\nENTRY main {\n  p = f32[16,256]{1,0:T(8,128)} parameter(0)\n"
        "  ROOT n = f32[16,256]{1,0:T(8,128)} negate(p)\n}\n");
    QVERIFY(program);
    const auto samples = data::simulated_samples(**program, {}, options(Task::kTile));
    std::set<std::vector<int64_t>> bounds;
    for (const Sample& sample : samples) bounds.insert(sample.configuration[1]);
    QCOMPARE(bounds, (std::set<std::vector<int64_t>>{{1, 1}, {1, 2}, {2, 1}, {2, 2}}));
    QCOMPARE(samples.size(), size_t{4});
  }

  // Mean and standard deviation of a normal variable; the least of three has the mean
  // -3 / (2 sqrt(pi)) (order statistics of the normal distribution).
  void noise_has_the_stated_size() {
    constexpr int kDraws = 40'000;
    const auto logs = [](int64_t repeats) {
      double sum = 0;
      double squares = 0;
      for (uint64_t i = 0; i < kDraws; ++i) {
        const double x = std::log(data::noisy_ns(500, 0.02, repeats, i) / 500) / 0.02;
        sum += x;
        squares += x * x;
      }
      const double mean = sum / kDraws;
      return std::pair(mean, std::sqrt(squares / kDraws - mean * mean));
    };
    const auto [mean, deviation] = logs(1);
    QVERIFY(std::abs(mean) < 0.02);
    QVERIFY(std::abs(deviation - 1) < 0.02);
    QVERIFY(std::abs(logs(3).first + 0.846284) < 0.02);
    QCOMPARE(data::noisy_ns(500, 0, 3, 1), 500.0);
  }
};

HLOSCOPE_TEST(TestGenerate);
#include "test_generate.moc"
