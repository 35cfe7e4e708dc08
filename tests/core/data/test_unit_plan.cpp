#include "core/data/unit_plan.h"
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

}  // namespace

class TestUnitPlan : public QObject {
  Q_OBJECT
 private slots:
  // By hand: a has one program, b three, of which the second is compiled.
  void families_take_turns() {
    const std::vector<ListedProgram> programs{program("a"), program("b"), program("b", true),
                                              program("b")};
    const std::vector<PlannedUnit> wanted{{0, 0}, {1, 0}, {0, 1}, {2, 0}, {0, 2},
                                          {3, 0}, {0, 3}, {1, 1}, {0, 4}, {3, 1}};
    QCOMPARE(data::plan_units(programs, 5), wanted);
  }
  void every_program_has_its_default_fusion() {
    const std::vector<ListedProgram> programs{program("a"), program("a"), program("a")};
    const std::vector<PlannedUnit> wanted{{0, 0}, {1, 0}, {2, 0}};
    QCOMPARE(data::plan_units(programs, 1), wanted);
  }
  void compiled_families_end_early() {
    const std::vector<ListedProgram> programs{program("a", true), program("b")};
    const std::vector<PlannedUnit> wanted{{0, 0}, {1, 0}, {1, 1}, {1, 2}};
    QCOMPARE(data::plan_units(programs, 3), wanted);
  }
  void without_programs_there_is_nothing_to_do() { QVERIFY(data::plan_units({}, 10).empty()); }
};

HLOSCOPE_TEST(TestUnitPlan);
#include "test_unit_plan.moc"
