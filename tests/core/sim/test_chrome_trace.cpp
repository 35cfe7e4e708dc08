#include "core/sim/chrome_trace.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/hlo/read.h"
#include "core/sim/tile_space.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

using Json = nlohmann::json;

// A reduction, a dot whose sums are split, and an element-wise kernel.
constexpr auto kTracedDot = R"(HloModule m
ENTRY e {
  a = f32[1024,2048] parameter(0)
  b = f32[2048,512] parameter(1)
  ROOT d = f32[1024,512] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)";
constexpr auto kTanh = R"(HloModule m
ENTRY e {
  p = f32[300,1000] parameter(0)
  ROOT t = f32[300,1000] tanh(p)
}
)";
constexpr auto kAllReduce = R"(HloModule m, replica_count=4
add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}
ENTRY e {
  p = f32[300,1000] parameter(0)
  ROOT r = f32[300,1000] all-reduce(p), replica_groups={{0,1,2,3}}, to_apply=add
}
)";

const sim::Machine& v3() {
  static const sim::Machine machine = sim::find_machine("tpu_v3").value();
  return machine;
}

struct Traced {
  sim::KernelModel model;
  sim::Simulation simulation;
  sim::TracedKernel kernel;
};

Traced traced(const char* text, const char* tile, int64_t max_tiles = 5000) {
  const hlo::ProgramPtr program = hlo::parse_program(text).value();
  const sim::Rates rates(v3());
  Traced out;
  out.model = sim::kernel_model(*program, (*program)[program->entry()].root);
  std::vector<int64_t> bounds;
  if (*tile != 0) bounds = sim::loop_bounds(out.model, sim::parse_tile(tile).value()).value();
  out.simulation = sim::simulate(out.model, bounds, rates);
  out.kernel = {"k", out.simulation.time_ns, out.simulation.tiles, 1,
                sim::timeline(out.model, bounds, rates, max_tiles)};
  return out;
}

Json trace(const std::vector<sim::TracedKernel>& kernels, const std::string& name = "p") {
  return Json::parse(sim::chrome_trace(v3(), std::vector<sim::TraceProcess>{{name, kernels}}));
}

int64_t ns(const Json& us) {
  return std::llround(us.get<double>() * 1000);
}

std::vector<Json> events(const Json& trace, const char* phase) {
  std::vector<Json> out;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == phase) out.push_back(event);
  }
  return out;
}

// Name of the thread -> exact length of its events, added up.
std::map<std::string, double> busy(const Json& trace) {
  std::map<int, std::string> names;
  for (const Json& event : events(trace, "M")) {
    if (event["name"] == "thread_name") names[event["tid"]] = event["args"]["name"];
  }
  std::map<std::string, double> sums;
  for (const Json& event : events(trace, "X")) {
    sums[names.at(event["tid"])] += event["args"]["ns"].get<double>();
  }
  return sums;
}

bool near(double a, double b) {
  return std::abs(a - b) <= 1e-6 * std::max({std::abs(a), std::abs(b), 1.0});
}

}  // namespace

class TestChromeTrace : public QObject {
  Q_OBJECT
 private slots:
  void lengths_add_up_to_the_simulation_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("tile");
    QTest::newRow("dot, sums split")
        << QByteArray(kTracedDot) << QByteArray("out=40x2,kernel=100x2");
    QTest::newRow("dot, whole") << QByteArray(kTracedDot) << QByteArray("out=128x4,kernel=256x4");
    QTest::newRow("tanh, ragged") << QByteArray(kTanh) << QByteArray("out=5x3");
  }
  void lengths_add_up_to_the_simulation() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, tile);
    const Traced one = traced(text.constData(), tile.constData());
    const sim::Simulation& s = one.simulation;
    std::map<std::string, double> sums = busy(trace({one.kernel}));
    // The latency of a transfer that is waited for is no work of the unit, as in simulate().
    QVERIFY(near(sums["kernels"], s.time_ns));
    QVERIFY(near(sums["DMA in"], s.read_ns));
    QVERIFY(near(sums["DMA out"], s.write_ns));
    QVERIFY(near(sums["scalar"], s.busy_ns[static_cast<size_t>(sim::Unit::kScalar)]));
    for (sim::Unit unit : {sim::Unit::kMxu, sim::Unit::kXlu, sim::Unit::kValu, sim::Unit::kEup,
                           sim::Unit::kLoad, sim::Unit::kStore}) {
      QVERIFY2(near(sums[std::string(name(unit))], s.busy_ns[static_cast<size_t>(unit)]),
               std::string(name(unit)).c_str());
    }
    QVERIFY(sums["VALU"] + sums["MXU"] + sums["EUP"] > 0);
  }
  void events_are_ordered_and_do_not_overlap_on_a_unit() {
    const Traced dot = traced(kTracedDot, "out=40x2,kernel=100x2");
    const Traced tanh = traced(kTanh, "out=5x3");
    std::map<int, int64_t> end;
    int64_t start = 0;
    for (const Json& event : events(trace({dot.kernel, tanh.kernel}), "X")) {
      const int64_t at = ns(event["ts"]);
      QVERIFY(at >= start);
      QVERIFY(at >= end[event["tid"]]);
      QVERIFY(event["dur"].get<double>() >= 0);
      start = at;
      end[event["tid"]] = at + ns(event["dur"]);
    }
    const int64_t all = std::llround(dot.kernel.time_ns + tanh.kernel.time_ns);
    for (const auto& [thread, last] : end) QVERIFY(last <= all);
    QCOMPARE(end[1], all);
  }
  void every_tile_is_there_once_per_unit() {
    const Traced dot = traced(kTracedDot, "out=40x2,kernel=100x2");
    std::map<int, std::multiset<int64_t>> tiles;
    for (const Json& event : events(trace({dot.kernel}), "X")) {
      if (event["args"].contains("tile"))
        tiles[event["tid"]].insert(event["args"]["tile"].get<int64_t>());
    }
    // ceil(128/40) x ceil(4/2) x ceil(256/100) tiles.
    QCOMPARE(dot.simulation.tiles, 24.0);
    const int scalar = static_cast<int>(sim::Unit::kScalar) + 2;
    QCOMPARE(tiles[scalar].size(), size_t{24});
    for (int64_t tile = 0; tile < 24; ++tile) QCOMPARE(tiles[scalar].count(tile), size_t{1});
  }
  void a_cut_timeline_says_so() {
    const Traced dot = traced(kTracedDot, "out=40x2,kernel=100x2", 5);
    const Json bar = events(trace({dot.kernel}), "X").front();
    QCOMPARE(bar["args"]["tiles"].get<int>(), 24);
    QCOMPARE(bar["args"]["tiles_drawn"].get<int>(), 5);
    QCOMPARE(ns(bar["dur"]), std::llround(dot.simulation.time_ns));
  }
  void link_kernels_have_one_transfer() {
    const Traced one = traced(kAllReduce, "");
    std::map<std::string, double> sums = busy(trace({one.kernel}));
    QVERIFY(one.simulation.exposed_ns > 0);
    QVERIFY(near(sums["link"], one.simulation.exposed_ns));
    QVERIFY(!sums.contains("MXU"));
  }
  void the_file_names_machine_and_says_simulated() {
    const Traced tanh = traced(kTanh, "out=5x3");
    sim::TracedKernel odd = tanh.kernel;
    odd.name = "a \"quoted\" \\ \xff name";
    odd.executions = 12;
    const Json json = trace({odd}, "program");
    QCOMPARE(json["displayTimeUnit"].get<std::string>(), std::string("ns"));
    QCOMPARE(json["otherData"]["simulated"].get<bool>(), true);
    QCOMPARE(json["otherData"]["machine"].get<std::string>(), std::string("tpu_v3"));
    QCOMPARE(json["otherData"]["machine_hash"].get<std::string>(), v3().hash.hex());
    QCOMPARE(events(json, "M").front()["args"]["name"].get<std::string>(),
             std::string("program on TPU v3, 1 core, simulated"));
    const Json bar = events(json, "X").front();
    QCOMPARE(bar["name"].get<std::string>(), std::string("a \"quoted\" \\ \xef\xbf\xbd name"));
    QCOMPARE(bar["args"]["executions"].get<double>(), 12.0);
  }
};

HLOSCOPE_TEST(TestChromeTrace);
#include "test_chrome_trace.moc"
