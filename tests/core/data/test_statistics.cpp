#include "core/data/statistics.h"

#include "tests/core/data/synthetic_programs.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;
using Bin = data::Distribution::Bin;
using Counts = data::Statistics::Counts;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

data::GraphRecord graph(const std::string& op_class, int64_t nodes) {
  data::GraphRecord out;
  out.op_class = op_class;
  out.node_count = nodes;
  return out;
}

// Three programs, four graphs, six samples; graph 1 is in both families, graph 3 without samples.
data::Statistics counted(const std::vector<data::SourceProgram>& programs,
                         const data::Split* split) {
  data::StatisticsCounter counter(programs, split);
  counter.add_unit(3);
  counter.add_unit(5);
  for (const auto& [op_class, nodes] :
       {std::pair("matmul/conv", 3), {"elementwise", 2}, {"elementwise", 4}, {"", 1}}) {
    counter.add_graph(graph(op_class, nodes));
  }
  for (const double time_ns : {1000.0, 1500.0, 8000.0}) counter.add_sample(0, time_ns);
  counter.add_sample(1, 4999.0);
  for (const double time_ns : {6000.0, 5000.0}) counter.add_sample(2, time_ns);
  counter.add_sighting(0, 0);
  counter.add_sighting(1, 0);  // The same family again.
  counter.add_sighting(0, 1);
  counter.add_sighting(2, 1);
  counter.add_sighting(1, 2);
  return counter.finish();
}

}  // namespace

class TestStatistics : public QObject {
  Q_OBJECT
 private:
  const std::vector<data::SourceProgram> programs_ = programs_of({"vgg", "vgg", "bert"});

 private slots:
  void bins_of_a_distribution() {
    data::Distribution values({1, 2, 4});
    QVERIFY(values.bins().empty() && !values.mean() && !values.least() && !values.most());
    for (const double value : {2.0, 3.0, 4.0, 9.0}) values.add(value);
    QVERIFY((values.bins() == std::vector<Bin>{{2, 4, 2}, {4, kInfinity, 2}}));
    QCOMPARE(*values.mean(), 4.5);
    QCOMPARE(*values.least(), 2.0);
    QCOMPARE(*values.most(), 9.0);
    values.add(0.5);
    QVERIFY((values.bins() ==
             std::vector<Bin>{{-kInfinity, 1, 1}, {1, 2, 0}, {2, 4, 2}, {4, kInfinity, 2}}));
  }

  void counts_by_class_and_family() {
    const data::Statistics out = counted(programs_, nullptr);
    QVERIFY((out.all == Counts{"", 3, 4, 6}));
    QCOMPARE(out.units, 2);
    QCOMPARE(out.kernels_met, 8);
    QCOMPARE(*out.repeated_share(), 0.5);
    QVERIFY(
        (out.op_classes ==
         std::vector<Counts>{{"elementwise", 0, 2, 3}, {"", 0, 1, 0}, {"matmul/conv", 0, 1, 3}}));
    QVERIFY((out.families == std::vector<Counts>{{"bert", 1, 1, 1}, {"vgg", 2, 3, 6}}));
    QVERIFY(out.parts.empty());
  }

  void distributions_by_hand() {
    const data::Statistics out = counted(programs_, nullptr);
    QVERIFY((out.nodes.bins() == std::vector<Bin>{{1, 2, 1}, {2, 4, 2}, {4, 8, 1}}));
    QCOMPARE(*out.nodes.mean(), 2.5);
    // 5000 ns is not short. 26499 / 6.
    QVERIFY((out.time_ns.bins() ==
             std::vector<Bin>{{1000, 2000, 2}, {2000, 5000, 1}, {5000, 10000, 3}}));
    QCOMPARE(*out.time_ns.mean(), 4416.5);
    QCOMPARE(out.short_samples, 3);
    QCOMPARE(out.short_graphs, 2);
    QVERIFY((out.samples_per_graph.bins() == std::vector<Bin>{{1, 2, 1}, {2, 4, 2}}));
    QCOMPARE(*out.samples_per_graph.mean(), 2.0);
    // 1, 1.5 and 8 of graph 0; 1.2 and 1 of graph 2; graph 1 has one sample only.
    QCOMPARE(out.slowdown.count(), 5);
    QCOMPARE(*out.slowdown.most(), 8.0);
    QCOMPARE(*out.slowdown.mean(), 12.7 / 5);
    QCOMPARE(out.slowdown.bins().front().count, 2);
  }

  void parts_of_a_split() {
    using enum data::Part;
    const data::Split split{"s", "{}", {kTrain, kTrain, kTest}, {kTrain, kTest, kTrain, kTrain}};
    const data::Statistics out = counted(programs_, &split);
    QVERIFY((out.parts ==
             std::vector<Counts>{{"train", 2, 3, 5}, {"valid", 0, 0, 0}, {"test", 1, 1, 1}}));
  }

  void an_empty_data_set() {
    const data::Statistics out = data::StatisticsCounter({}, nullptr).finish();
    QVERIFY((out.all == Counts{}));
    QVERIFY(!out.repeated_share() && out.op_classes.empty() && out.time_ns.bins().empty());
  }
};

HLOSCOPE_TEST(TestStatistics);
#include "test_statistics.moc"
