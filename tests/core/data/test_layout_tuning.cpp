#include "core/data/layout_tuning.h"

#include "tests/core/data/wire_instruction.h"
#include "tests/core/hlo/wire_writer.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;

namespace {

// Field numbers: xla/service/hlo.proto and tpu_graphs/proto/tuning.proto.
/// p -> n -> r; in the file r stands first.
Wire module() {
  Wire computation;
  computation.text(1, "main")
      .message(2, instruction("r", "reshape", 9, {8}))
      .message(2, instruction("p", "parameter", 7, {}))
      .message(2, instruction("n", "negate", 8, {7}))
      .number(5, 1)
      .number(6, 9);
  return Wire().text(1, "m").text(2, "main").message(3, computation).number(6, 1);
}

/// A run with the orders of output and input for each of its nodes.
Wire run(int64_t time_ns, int nodes, bool failed) {
  Wire layouts;
  for (int i = 0; i < nodes; ++i) {
    layouts.message(1, Wire().message(1, Wire().packed(1, {0})).message(1, Wire()));
  }
  Wire out;
  out.message(2, Wire().message(1, layouts)).message(4, Wire().number(4, time_ns));
  if (failed) out.number(3, 1);
  return out;
}

Wire tuning(const std::vector<int64_t>& nodes, const std::vector<Wire>& runs) {
  Wire out;
  out.message(1, module()).number(2, 77);
  for (const Wire& one : runs) out.message(3, one);
  return out.packed(4, nodes);
}

}  // namespace

class TestLayoutTuning : public QObject {
  Q_OBJECT
 private slots:
  void runs_and_configurable_nodes() {
    const Wire file = tuning({0, 2}, {run(500, 2, false), run(1, 2, true)});
    const auto tunings = data::layout_tunings(file.bytes(), "file");
    QVERIFY2(tunings.has_value(), tunings ? "" : tunings.error().format().c_str());
    QCOMPARE(tunings->size(), size_t{1});
    const data::LayoutTuning& one = tunings->front();
    // Positions in the file, found again in the Program, where operands stand first.
    const hlo::Program& program = *one.program;
    QCOMPARE(one.configurable.size(), size_t{2});
    QVERIFY(program[one.configurable[0]].name == "r");
    QVERIFY(program[one.configurable[1]].name == "n");
    QCOMPARE(one.runs.size(), size_t{2});
    QCOMPARE(one.runs[0].time_ns, int64_t{500});
    QVERIFY(!one.runs[0].failed);
    QVERIFY(one.runs[1].failed);
    QCOMPARE(one.runs[1].run_index, 1U);
    const std::vector<data::LayoutRun::Order> expected = {{0}, {}};
    QVERIFY(one.runs[0].layouts[1] == expected);
  }
  void several_modules() {
    const Wire file = Wire()
                          .message(1, tuning({0}, {run(5, 1, false)}))
                          .message(1, tuning({1}, {run(6, 1, false)}));
    const auto tunings = data::layout_tunings(file.bytes(), "file");
    QVERIFY(tunings.has_value());
    QCOMPARE(tunings->size(), size_t{2});
    QCOMPARE((*tunings)[1].runs[0].time_ns, int64_t{6});
  }
  void errors() {
    const auto message = [](const Wire& wire) {
      const auto tunings = data::layout_tunings(wire.bytes(), "file");
      return tunings ? "read" : tunings.error().headline();
    };
    QCOMPARE(message(tuning({3}, {run(5, 1, false)})),
             std::string("file: config_index_to_node holds 3, but the module has 3 nodes"));
    QCOMPARE(message(tuning({0}, {run(5, 2, false)})),
             std::string("file: run 0 has layouts of 2 nodes, but 1 are configurable"));
    QCOMPARE(message(module()), std::string("file: is HloModuleProto, not a tuning file"));
  }
};

HLOSCOPE_TEST(TestLayoutTuning);
#include "test_layout_tuning.moc"
