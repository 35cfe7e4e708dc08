#include <cmath>
#include <map>
#include <set>

#include "tests/core/data/synthetic_programs.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;
using data::Meeting;
using data::Part;

namespace {

using enum data::Part;

std::vector<Part> drawn(const std::vector<data::SourceProgram>& programs,
                        const data::RandomSplitOptions& options) {
  const auto parts = data::random_split(programs, options);
  return parts ? *parts : std::vector<Part>{};
}

std::vector<int64_t> sizes(size_t programs, const data::HeldOut& held_out) {
  const std::vector<Part> parts = drawn(programs_of(programs), {.held_out = held_out});
  return {count_of(parts, kTrain), count_of(parts, kValid), count_of(parts, kTest)};
}

struct RandomSet {
  std::vector<data::SourceProgram> programs;
  size_t graphs = 0;
  std::vector<Meeting> meetings;
};

// Some programs equal, some families, some graphs met often and some nowhere.
RandomSet random_data_set(Rng& rng) {
  RandomSet out;
  out.programs = programs_of(2 + rng.below(30));
  for (data::SourceProgram& program : out.programs) {
    if (rng.below(10) == 0) program.hash = out.programs[0].hash;
    if (rng.below(2) == 0) program.family = fmt::format("f{}", rng.below(5));
  }
  out.graphs = 1 + rng.below(60);
  for (uint64_t i = rng.below(150); i > 0; --i) {
    out.meetings.push_back({static_cast<uint32_t>(rng.below(out.programs.size())),
                            static_cast<uint32_t>(rng.below(out.graphs))});
  }
  return out;
}

}  // namespace

class TestSplit : public QObject {
  Q_OBJECT
 private slots:
  void names_of_parts() {
    QVERIFY(data::name(kTrain) == "train" && data::find_part("train") == kTrain);
    QVERIFY(data::name(kValid) == "valid" && data::find_part("valid") == kValid);
    QVERIFY(data::name(kTest) == "test" && data::find_part("test") == kTest);
    QVERIFY(!data::find_part("Test") && !data::find_part(""));
  }

  void parts_have_the_wanted_sizes() {
    QCOMPARE(sizes(20, {0.1, 0.1}), (std::vector<int64_t>{16, 2, 2}));
    QCOMPARE(sizes(100, {0.15, 0.25}), (std::vector<int64_t>{60, 15, 25}));
    QCOMPARE(sizes(104, {0.1, 0.1}), (std::vector<int64_t>{84, 10, 10}));
    QCOMPARE(sizes(3, {0.1, 0.1}), (std::vector<int64_t>{1, 1, 1}));
    QCOMPARE(sizes(2, {0.1, 0.1}), (std::vector<int64_t>{1, 0, 1}));
    QCOMPARE(sizes(4, {0.45, 0.45}), (std::vector<int64_t>{1, 1, 2}));
    QCOMPARE(sizes(5, {0, 0.2}), (std::vector<int64_t>{4, 0, 1}));
    QCOMPARE(sizes(5, {0, 0}), (std::vector<int64_t>{5, 0, 0}));
  }

  void what_cannot_be_split_says_why() {
    const auto one = data::random_split(programs_of(1), {});
    QVERIFY(!one && one.error().code == ErrorCode::kInvalidInput);
    QVERIFY(!data::random_split({}, {}));
    for (const data::HeldOut& wrong :
         {data::HeldOut{0.5, 0.5}, data::HeldOut{-0.1, 0.1}, data::HeldOut{0, std::nan("")}}) {
      const auto parts = data::random_split(programs_of(9), {.held_out = wrong});
      QVERIFY(!parts && parts.error().code == ErrorCode::kInvalidInput);
    }
    const auto programs = programs_of(std::vector<std::string>(7, "resnet"));
    QVERIFY(data::random_split(programs, {}).has_value());
    const auto family = data::random_split(programs, {.keep_families = true});
    QVERIFY(!family);
    QCOMPARE(family.error().message,
             std::string("all 7 programs are of one family: none can be held out"));
  }

  void the_seed_decides_and_the_order_of_programs_does_not() {
    Rng rng(5);
    std::set<std::vector<Part>> different;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
      auto programs = programs_of(30);
      for (size_t i = 0; i < 30; ++i) programs[i].family = fmt::format("f{}", i % 11);
      const data::RandomSplitOptions options{.seed = seed, .keep_families = seed % 2 == 0};
      const std::vector<Part> parts = drawn(programs, options);
      different.insert(parts);
      std::map<Hash128, Part> wanted;
      for (size_t i = 0; i < 30; ++i) wanted[programs[i].hash] = parts[i];
      shuffle(programs, rng);
      const std::vector<Part> again = drawn(programs, options);
      for (size_t i = 0; i < 30; ++i) QCOMPARE(again[i], wanted[programs[i].hash]);
    }
    QCOMPARE(different.size(), 20U);
  }

  void every_program_is_held_out_about_equally_often() {
    const auto programs = programs_of(10);
    std::vector<int> held(10, 0);
    for (uint64_t seed = 1; seed <= 2000; ++seed) {
      const std::vector<Part> parts = drawn(programs, {.seed = seed});
      for (size_t i = 0; i < 10; ++i) held[i] += parts[i] == kTrain ? 0 : 1;
    }
    // Binomial, 2000 draws of 1/5: mean 400, standard deviation 17.9.
    for (const int count : held) QVERIFY(std::abs(count - 400) < 90);
  }

  void families_and_equal_programs_stay_together() {
    // Two families of 5, each more than the 1 that a part is to have.
    const auto programs = programs_of({"a", "a", "a", "a", "a", "b", "b", "b", "", ""});
    for (uint64_t seed = 1; seed <= 50; ++seed) {
      const std::vector<Part> parts = drawn(programs, {.seed = seed, .keep_families = true});
      for (size_t i = 1; i < 5; ++i) QCOMPARE(parts[i], parts[0]);
      for (size_t i = 6; i < 8; ++i) QCOMPARE(parts[i], parts[5]);
      QCOMPARE(count_of(parts, kTest), 1);
      QCOMPARE(count_of(parts, kValid), 1);
    }
    const auto large = programs_of({"a", "a", "a", "b", "b", "c", "c", "c"});
    const std::vector<Part> parts = drawn(large, {.keep_families = true});
    QCOMPARE(count_of(parts, kTest), 2);  // The smallest family, as none has one program.
    QCOMPARE(count_of(parts, kValid), 3);
  }

  void graphs_of_several_parts_go_to_one() {
    const std::vector<Part> programs{kTrain, kValid, kTest, kTrain};
    // Graph 0 in train twice; 1 in valid; 2 in train, valid; 3 in all; 4 in valid, test; 5 nowhere.
    const std::vector<Meeting> meetings{{0, 0}, {3, 0}, {1, 1}, {0, 2}, {1, 2},
                                        {0, 3}, {1, 3}, {2, 3}, {1, 4}, {2, 4}};
    const data::GraphParts graphs = data::graph_parts(programs, 6, meetings);
    QCOMPARE(graphs.parts, (std::vector<Part>{kTrain, kValid, kValid, kTest, kTest, kTrain}));
    QCOMPARE(graphs.train_to_valid, 1);
    QCOMPARE(graphs.train_to_test, 1);
    QCOMPARE(graphs.valid_to_test, 2);
  }

  void the_checker_finds_every_leak() {
    const auto programs = programs_of(3);
    const std::vector<Meeting> meetings{{0, 0}, {1, 1}, {2, 1}, {2, 2}};
    const std::vector<Part> parts{kTrain, kValid, kTest};
    const data::Split good{"s", "{}", parts, {kTrain, kTest, kTest}};
    QVERIFY(data::check_no_leak(good, programs, meetings).has_value());
    for (size_t graph = 0; graph < 3; ++graph) {
      for (const Part part : {kTrain, kValid, kTest}) {
        data::Split split = good;
        split.graphs[graph] = part;
        const Status status = data::check_no_leak(split, programs, meetings);
        QCOMPARE(status.has_value(), part == good.graphs[graph]);
        QVERIFY(status ||
                status.error().message.find(fmt::format("graph {} ", graph)) != std::string::npos);
      }
    }
    auto equal = programs;
    equal[2].hash = equal[0].hash;
    QVERIFY(!data::check_no_leak(good, equal, meetings));
    QVERIFY(!data::check_no_leak(good, programs_of(2), {}));
    QVERIFY(!data::check_no_leak(good, programs, std::vector<Meeting>{{0, 3}}));
    QVERIFY(!data::check_no_leak(good, programs, std::vector<Meeting>{{3, 0}}));
  }

  void nothing_leaks_in_random_data_sets() {
    Rng rng(1);
    for (int round = 0; round < 400; ++round) {
      const RandomSet set = random_data_set(rng);
      const data::HeldOut held_out{rng.uniform() / 2, rng.uniform() / 2};
      const auto parts = data::random_split(
          set.programs,
          {.held_out = held_out, .seed = rng.next(), .keep_families = rng.below(2) == 0});
      if (!parts) continue;  // All programs equal or of one family.
      const data::Split split{"s", "{}", *parts,
                              data::graph_parts(*parts, set.graphs, set.meetings).parts};
      QVERIFY(data::check_no_leak(split, set.programs, set.meetings).has_value());
      QVERIFY(count_of(*parts, kTrain) > 0);
      // The same by its definition.
      std::map<Hash128, std::set<Part>> parts_of_program;
      for (size_t i = 0; i < set.programs.size(); ++i) {
        parts_of_program[set.programs[i].hash].insert((*parts)[i]);
      }
      for (const auto& [hash, in] : parts_of_program) QCOMPARE(in.size(), 1U);
      for (const Meeting& meeting : set.meetings) {
        QVERIFY(split.graphs[meeting.graph] >= split.programs[meeting.program]);
      }
    }
  }
};

HLOSCOPE_TEST(TestSplit);
#include "test_split.moc"
