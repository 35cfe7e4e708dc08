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
    const std::vector<PlannedUnit> units = data::plan_units(programs, 5);
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
    const std::vector<PlannedUnit> units =
        data::plan_units(std::vector{program("a"), program("b")}, 2000);
    for (size_t shard = 0; shard < 4; ++shard) {
      int of_a = 0;
      for (size_t u = shard; u < units.size(); u += 4) of_a += units[u].program == 0 ? 1 : 0;
      QVERIFY2(std::abs(of_a - 500) < 80, std::to_string(of_a).c_str());
    }
  }
  void every_program_has_its_default_fusion() {
    const std::vector<ListedProgram> programs{program("a"), program("a"), program("a")};
    const std::vector<PlannedUnit> wanted{{0, 0}, {1, 0}, {2, 0}};
    QCOMPARE(data::plan_units(programs, 1), wanted);
  }
  void compiled_families_end_early() {
    const std::vector<ListedProgram> programs{program("a", true), program("b")};
    const std::vector<PlannedUnit> units = data::plan_units(programs, 3);
    QCOMPARE(family_units(units, {0}), (std::vector<PlannedUnit>{{0, 0}}));
    QCOMPARE(family_units(units, {1}), (std::vector<PlannedUnit>{{1, 0}, {1, 1}, {1, 2}}));
  }
  void without_programs_there_is_nothing_to_do() { QVERIFY(data::plan_units({}, 10).empty()); }
};

HLOSCOPE_TEST(TestUnitPlan);
#include "test_unit_plan.moc"
