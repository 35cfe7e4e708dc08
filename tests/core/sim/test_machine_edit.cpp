#include <QTemporaryDir>
#include <algorithm>
#include <set>

#include "core/base/write_file.h"
#include "core/sim/machine_edit.h"
#include "tests/core/sim/sim_fixture.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

class TestMachineEdit : public QObject {
  Q_OBJECT
 private slots:
  void every_constant_of_the_shipped_machines_has_a_title() {
    std::set<std::string_view> known;
    for (const sim::ConstantInfo& info : sim::constant_infos()) {
      QVERIFY(known.insert(info.key).second);
      QVERIFY(!info.title.empty() && !info.group.empty());
    }
    for (const sim::Machine& machine : sim::builtin_machines()) {
      for (const auto& [key, constant] : machine.constants) {
        QVERIFY2(known.contains(key), key.c_str());
      }
    }
  }

  void groups_stand_together() {
    std::set<std::string_view> seen;
    std::string_view group;
    for (const sim::ConstantInfo& info : sim::constant_infos()) {
      if (info.group != group) QVERIFY(seen.insert(info.group).second);
      group = info.group;
    }
  }

  void the_text_of_a_machine_is_read_back_as_it_was() {
    for (const sim::Machine& machine : sim::builtin_machines()) {
      const auto again = sim::parse_machine(sim::machine_json(machine), "again");
      QVERIFY(again);
      QCOMPARE(again->id, machine.id);
      QCOMPARE(again->title, machine.title);
      QVERIFY(again->constants == machine.constants);
    }
  }

  void a_changed_value_says_so_and_gives_another_machine() {
    const sim::Machine base = testing::machine("tpu_v3");
    const auto changed = sim::changed_machine(base, {{"clock_ghz", 1.88}});
    QVERIFY(changed);
    QCOMPARE((*changed)["clock_ghz"], 1.88);
    QVERIFY(changed->constants.at("clock_ghz").is_assumed());
    QVERIFY(changed->constants.at("clock_ghz")
                .source.starts_with("assumed: changed by hand from 0.94 (Norrie"));
    QVERIFY(changed->constants.at("mxu_count") == base.constants.at("mxu_count"));
    QVERIFY(changed->hash != base.hash);
    QCOMPARE(changed->id, std::string("tpu_v3_changed"));
    QCOMPARE(changed->title, std::string("TPU v3, 1 core, 1 changed"));
    QVERIFY(sim::changed_machine(base, {})->hash == base.hash);
  }

  void values_that_no_machine_has_are_refused() {
    const sim::Machine base = testing::machine("tpu_v3");
    for (const auto& [key, value] : {std::pair("clock_ghz", 0.0), std::pair("launch_ns", -1.0),
                                     std::pair("vmem_reserved_bytes", 1e9)}) {
      const auto changed = sim::changed_machine(base, {{key, value}});
      QVERIFY(!changed);
      QVERIFY(changed.error().message.find(key) != std::string::npos);
    }
    QVERIFY(!sim::changed_machine(base, {{"no_such_thing", 1.0}}));
  }

  void a_saved_machine_is_found_by_its_path() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("fast.json").toStdString();
    const auto changed = sim::changed_machine(testing::machine("tpu_v3"), {{"mxu_count", 4}});
    const auto named = sim::named_machine(*changed, "TPU v3 with 4 MXUs");
    QVERIFY(named);
    QCOMPARE(named->id, std::string("tpu_v3_with_4_mxus"));
    QVERIFY(write_file(path, sim::machine_json(*named)));
    const auto found = sim::find_machine(path);
    QVERIFY(found);
    QCOMPARE((*found)["mxu_count"], 4.0);
    QCOMPARE(found->title, std::string("TPU v3 with 4 MXUs"));
    QVERIFY(found->hash == named->hash);
  }

  void a_name_is_not_that_of_a_shipped_machine() {
    const sim::Machine base = testing::machine("tpu_v3");
    QVERIFY(!sim::named_machine(base, "TPU v3"));
    QVERIFY(!sim::named_machine(base, " - "));
  }

  void grades_come_from_the_source() {
    const sim::Machine machine = testing::machine("tpu_v3");
    QVERIFY(sim::grade(machine.constants.at("clock_ghz")) == sim::Grade::kPublished);
    QVERIFY(sim::grade(machine.constants.at("launch_ns")) == sim::Grade::kFitted);
    QVERIFY(sim::grade(machine.constants.at("link_latency_ns")) == sim::Grade::kAssumed);
  }
};

HLOSCOPE_TEST(TestMachineEdit);
#include "test_machine_edit.moc"
