#include "core/accuracy/machine_file.h"

#include "core/accuracy/fitted_constants.h"
#include "core/sim/machine.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using accuracy::NewConstant;

class TestMachineFile : public QObject {
  Q_OBJECT
 private slots:
  void every_machine_has_the_fitted_constants() {
    for (const sim::Machine& machine : sim::builtin_machines()) {
      for (const accuracy::FittedConstant& constant : accuracy::fitted_constants()) {
        QVERIFY2(machine.constants.contains(std::string(constant.name)), machine.id.c_str());
        QVERIFY(constant.a_priori > 0);
      }
    }
  }
  void no_new_constants_leave_the_text_as_it_is() {
    const auto text = accuracy::machine_text("tpu_v3");
    QVERIFY(text);
    const auto same = accuracy::with_new_constants(*text, {}, "nothing");
    QVERIFY(same);
    QCOMPARE(*same, *text);
  }
  void new_constants_say_where_they_come_from() {
    const auto text = accuracy::machine_text("tpu_v3");
    const std::vector<NewConstant> constants = {{"launch_ns", 210}, {"dma_issue_cycles", 8.25}};
    const auto changed = accuracy::with_new_constants(*text, constants, "fitted: test");
    QVERIFY(changed);
    QVERIFY(changed->find("\"value\": 210,") != std::string::npos);
    const auto machine = sim::parse_machine(*changed, "test");
    QVERIFY(machine);
    sim::Machine expected = *sim::find_machine("tpu_v3");
    QVERIFY(machine->hash != expected.hash);
    expected.constants["launch_ns"].value = 210;
    expected.constants["launch_ns"].source = "fitted: test";
    expected.constants["dma_issue_cycles"].value = 8.25;
    expected.constants["dma_issue_cycles"].source = "fitted: test";
    QVERIFY(machine->constants == expected.constants);
  }
  void refuses_what_is_no_machine() {
    const auto bad = accuracy::with_new_constants("{}", {}, "x");
    QVERIFY(!bad && bad.error().code == ErrorCode::kInvalidInput);
    QCOMPARE(accuracy::machine_text("/absent.json").error().code, ErrorCode::kNotFound);
  }
  void four_digits() {
    QCOMPARE(accuracy::rounded(0.964371), 0.9644);
    QCOMPARE(accuracy::rounded(213.249), 213.2);
    QCOMPARE(accuracy::rounded(98766), 98770.0);
  }
};

HLOSCOPE_TEST(TestMachineFile);
#include "test_machine_file.moc"
