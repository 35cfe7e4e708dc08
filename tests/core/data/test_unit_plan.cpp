#include "core/data/unit_plan.h"

#include <set>

#include "tests/support/test_registry.h"

using namespace hloscope;
using data::ListedProgram;
using data::PlannedUnit;

namespace {

ListedProgram program(const std::string& family, bool is_compiled = false) {
  ListedProgram out;
  out.source.family = family;
  out.is_compiled = is_compiled;
  return out;
}

std::vector<PlannedUnit> plan_units(const std::vector<ListedProgram>& programs,
                                    int64_t per_family) {
  data::UnitPlan plan(programs, per_family);
  std::vector<PlannedUnit> out;
  for (int64_t number = 0; number < plan.size(); ++number) out.push_back(plan.unit(number));
  return out;
}

/// Those of some programs, in order.
std::vector<PlannedUnit> family_units(const std::vector<PlannedUnit>& units,
                                      const std::set<uint32_t>& programs) {
  std::vector<PlannedUnit> out;
  for (const PlannedUnit& unit : units) {
    if (programs.contains(unit.program)) out.push_back(unit);
  }
  return out;
}

}  // namespace

class TestUnitPlan : public QObject {
  Q_OBJECT
 private slots:
  // By hand: a has one program, b three, of which the second is compiled.
  void families_take_turns() {
    const std::vector<ListedProgram> programs{program("a"), program("b"), program("b", true),
                                              program("b")};
    const std::vector<PlannedUnit> units = plan_units(programs, 5);
    QCOMPARE(family_units(units, {0}),
             (std::vector<PlannedUnit>{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}}));
    QCOMPARE(family_units(units, {1, 2, 3}),
             (std::vector<PlannedUnit>{{1, 0}, {2, 0}, {3, 0}, {1, 1}, {3, 1}}));
    for (size_t turn = 0; turn < 5; ++turn) {
      QCOMPARE(family_units({units[2 * turn], units[2 * turn + 1]}, {0}).size(), size_t{1});
    }
  }
  // Of two families and four shards each shard has both: 1,000 fair draws are within 5 standard
  // deviations of the middle.
  void shards_are_alike() {
    const std::vector<PlannedUnit> units = plan_units({program("a"), program("b")}, 2000);
    for (size_t shard = 0; shard < 4; ++shard) {
      int of_a = 0;
      for (size_t u = shard; u < units.size(); u += 4) of_a += units[u].program == 0 ? 1 : 0;
      QVERIFY2(std::abs(of_a - 500) < 80, std::to_string(of_a).c_str());
    }
  }
  void every_program_has_its_default_fusion() {
    const std::vector<ListedProgram> programs{program("a"), program("a"), program("a")};
    const std::vector<PlannedUnit> wanted{{0, 0}, {1, 0}, {2, 0}};
    QCOMPARE(plan_units(programs, 1), wanted);
  }
  void compiled_families_end_early() {
    const std::vector<ListedProgram> programs{program("a", true), program("b")};
    const std::vector<PlannedUnit> units = plan_units(programs, 3);
    QCOMPARE(family_units(units, {0}), (std::vector<PlannedUnit>{{0, 0}}));
    QCOMPARE(family_units(units, {1}), (std::vector<PlannedUnit>{{1, 0}, {1, 1}, {1, 2}}));
  }
  // By hand: two families of one program and one of a compiled one take 2 x 10^8 + 1 turns. In any
  // order the units are the same.
  void units_are_found_without_a_list_of_them() {
    const std::vector<ListedProgram> programs{program("a"), program("b", true), program("c")};
    data::UnitPlan plan(programs, 100'000'000);
    QCOMPARE(plan.size(), int64_t{200'000'001});
    const PlannedUnit last = plan.unit(200'000'000);
    QCOMPARE(last.configuration, int64_t{99'999'999});
    const PlannedUnit before = plan.unit(199'999'999);
    QCOMPARE(before.configuration, int64_t{99'999'999});
    QCOMPARE(std::set({before.program, last.program}), (std::set<uint32_t>{0, 2}));
    const std::vector<PlannedUnit> few = plan_units(programs, 3);
    data::UnitPlan backwards(programs, 3);
    for (int64_t number = backwards.size() - 1; number >= 0; --number) {
      QCOMPARE(backwards.unit(number), few[static_cast<size_t>(number)]);
    }
  }
  void without_programs_there_is_nothing_to_do() { QVERIFY(plan_units({}, 10).empty()); }
};

HLOSCOPE_TEST(TestUnitPlan);
#include "test_unit_plan.moc"
