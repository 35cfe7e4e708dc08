#include <algorithm>
#include <map>
#include <set>

#include "core/predict/layout_split.h"
#include "tests/core/predict/layout_fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::predict;
using namespace hloscope::testing;

namespace {

// One program of 40 samples, one of 4; all of part test.
ExampleSet two_programs() {
  ExampleSet set = small_set(data::Task::kLayout);
  const std::vector<int> kinds(20, 1);
  set.examples.push_back(layout_program(set, kinds, 40, 1));
  set.examples.push_back(layout_program(set, kinds, 4, 2));
  for (Example& example : set.examples) example.part = data::Part::kTest;
  return set;
}

// The time of each sample by its layouts.
std::map<Hash128, double> times_of(const Example& example) {
  std::map<Hash128, double> out;
  for (size_t i = 0; i < example.samples(); ++i) {
    out[example.layouts.sample_hash(i)] = example.times_ns[i];
  }
  return out;
}

}  // namespace

class TestLayoutSplit : public QObject {
  Q_OBJECT
 private slots:
  void each_configuration_is_in_one_part() {
    const ExampleSet before = two_programs();
    ExampleSet set = two_programs();
    QVERIFY(hold_out_configurations(set).has_value());
    QCOMPARE(set.split, std::string("held-out configurations of known graphs"));
    QCOMPARE(set.examples.size(), size_t{4});
    std::map<Hash128, double> all;
    const std::vector<size_t> sizes = {24, 8, 8};
    for (size_t i = 0; i < 3; ++i) {
      const Example& part = set.examples[i];
      QCOMPARE(static_cast<size_t>(part.part), i);
      QCOMPARE(part.samples(), sizes[i]);
      QCOMPARE(part.hash, before.examples[0].hash);
      QVERIFY(part.default_sample < part.samples());
      const auto times = times_of(part);
      QCOMPARE(times.size(), sizes[i]);
      for (const auto& [layouts, time_ns] : times) QVERIFY(all.emplace(layouts, time_ns).second);
    }
    QVERIFY(all == times_of(before.examples[0]));
    // Too few to hold any out.
    QVERIFY(set.examples[3].part == data::Part::kTrain);
    QCOMPARE(set.examples[3].samples(), size_t{4});
  }

  void the_order_of_samples_does_not_matter() {
    ExampleSet a = two_programs();
    ExampleSet b = two_programs();
    std::vector<uint32_t> backwards(40);
    for (uint32_t i = 0; i < 40; ++i) backwards[i] = 39 - i;
    b.examples[0].layouts = a.examples[0].layouts.only(backwards);
    std::ranges::reverse(b.examples[0].times_ns);
    QVERIFY(hold_out_configurations(a).has_value() && hold_out_configurations(b).has_value());
    for (size_t i = 0; i < 3; ++i) QVERIFY(times_of(a.examples[i]) == times_of(b.examples[i]));
  }

  void only_layouts_are_held_out() {
    ExampleSet set = small_set(data::Task::kTile);
    const Status status = hold_out_configurations(set);
    QVERIFY(!status.has_value());
    QCOMPARE(status.error().code, ErrorCode::kInvalidInput);
    QVERIFY(status.error().message.ends_with("the data set is of task tile"));
  }
};

HLOSCOPE_TEST(TestLayoutSplit);
#include "test_layout_split.moc"
