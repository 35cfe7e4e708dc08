#include "core/hlo/read.h"
#include "core/measured/hlo_stats_join.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::measured;
using graph::KernelId;

namespace {

// Kernels in program order: copy-start, fusion.1, fusion.2, neg.1.
constexpr const char* kProgram = R"(HloModule step, is_scheduled=true
body.1 {
  q = f32[8,128]{1,0} parameter(0)
  inner.1 = f32[8,128]{1,0} exponential(q)
  ROOT inner.2 = f32[8,128]{1,0} add(inner.1, q)
}
body.2 {
  q = f32[8,128]{1,0} parameter(0)
  ROOT inner.3 = f32[8,128]{1,0} multiply(q, q)
}
ENTRY main {
  p = f32[8,128]{1,0} parameter(0)
  copy-start = (f32[8,128]{1,0}, f32[8,128]{1,0}, u32[]) copy-start(p)
  fusion.1 = f32[8,128]{1,0} fusion(p), kind=kLoop, calls=body.1
  copy-done = f32[8,128]{1,0} copy-done(copy-start)
  fusion.2 = f32[8,128]{1,0} fusion(copy-done), kind=kLoop, calls=body.2
  neg.1 = f32[8,128]{1,0} negate(fusion.2)
  ROOT out = (f32[8,128]{1,0}, f32[8,128]{1,0}) tuple(fusion.1, neg.1)
}
)";

constexpr std::string_view kHeader =
    "program,hlo_op_name,hlo_op_expression,occurrences,avg_self_time_us\n";

StatsJoin joined(std::string_view rows) {
  const auto program = hlo::parse_program(kProgram);
  if (!program) qFatal("%s", program.error().format().c_str());
  const auto stats = parse_hlo_stats(std::string(kHeader) + std::string(rows), "s.csv");
  if (!stats) qFatal("%s", stats.error().format().c_str());
  return *join(**program, graph::kernels(**program), *stats);
}

double ns(const StatsJoin& join, int kernel) {
  return join.time_ns[KernelId(kernel)].value_or(-1);
}

}  // namespace

class TestHloStatsJoin : public QObject {
  Q_OBJECT
 private slots:
  void rows_find_their_kernels() {
    const StatsJoin join = joined(
        "1,%fusion.1,\"%fusion.1 = f32[8,128]{1,0:T(8,128)} fusion(p)\",10,3\n"
        "1,fusion.2,,10,5\n"
        "1,copy-start,,10,0.01\n"
        "1,copy-done,,10,2\n"
        "1,inner.1,,10,1\n"
        "1,while.7,,10,1.5\n");
    QCOMPARE(join.time_ns.size(), size_t{4});
    QCOMPARE(ns(join, 0), -1.0);  // Issue and waiting are not the time of the copy.
    QCOMPARE(ns(join, 1), 3000.0);
    QCOMPARE(ns(join, 2), 5000.0);
    QCOMPARE(ns(join, 3), -1.0);
    QCOMPARE(join.timed_kernels, size_t{2});
    QCOMPARE(join.waiting_kernels, size_t{1});
    QCOMPARE(join.kernels_without_row, size_t{1});
    QCOMPARE(join.without_examples, std::vector<std::string>{"neg.1"});
    QCOMPARE(join[RowFit::kKernel].rows, size_t{2});
    QCOMPARE(join[RowFit::kWaiting].rows, size_t{2});
    QCOMPARE(join[RowFit::kWaiting].total_ns, 20100.0);
    QCOMPARE(join[RowFit::kWaiting].examples,
             (std::vector<std::string>{"copy-done", "copy-start"}));
    QCOMPARE(join[RowFit::kNoKernel].examples, std::vector<std::string>{"inner.1"});
    QCOMPARE(join[RowFit::kUnknown].examples, std::vector<std::string>{"while.7"});
    // 12.51 us a step in all, 1.5 of it without an instruction.
    QCOMPARE(join.matched_share(), (125100.0 - 15000.0) / 125100.0);
    QVERIFY(join.fits());
    const JoinText text = describe(join);
    QCOMPARE(text.summary,
             "2 of 4 kernels measured; 5 of 6 rows and 88 % of the measured time match");
    QVERIFY(text.warning.empty());
    QCOMPARE(text.details.size(), size_t{4});
    QCOMPARE(text.details[2],
             "1 row without an instruction in the program, 12.0 % of the time: while.7");
    QCOMPARE(text.details[3], "1 kernel without a row: neg.1");
  }
  void rows_of_one_instruction_are_averaged_by_occurrences() {
    // (3 x 10 + 1 x 2) / 4
    const StatsJoin join = joined("1,neg.1,,3,10\n1,neg.1,,1,2\n");
    QCOMPARE(ns(join, 3), 8000.0);
    QCOMPARE(join[RowFit::kKernel].rows, size_t{2});
    QCOMPARE(join.timed_kernels, size_t{1});
  }
  void another_shape_is_another_instruction() {
    const StatsJoin join = joined(
        "1,fusion.1,\"%fusion.1 = f32[8,256]{1,0} fusion(p)\",1,3\n"
        "1,neg.1,\"neg.1 = f32[8,128] negate(fusion.2)\",1,1\n");
    QCOMPARE(ns(join, 1), -1.0);
    QCOMPARE(ns(join, 3), 1000.0);
    QCOMPARE(join[RowFit::kOtherShape].rows, size_t{1});
    QCOMPARE(join.matched_share(), 0.25);
    QVERIFY(!join.fits());
    QVERIFY(describe(join).warning.starts_with("25 % of the measured time matches"));
  }
  void tuples_are_compared_without_comments_and_layouts() {
    const StatsJoin join = joined(
        "1,copy-start,\"%copy-start = (f32[8,128]{1,0:T(8,128)S(1)}, /*index=1*/f32[8,128]{1,0}, "
        "u32[]{:S(2)}) copy-start(p)\",1,3\n");
    QCOMPARE(join[RowFit::kWaiting].rows, size_t{1});
  }
  void the_program_that_fits_best_is_taken() {
    const StatsJoin join = joined(
        "other,fusion.1,,1,100\nother,fusion.9,,1,100\n"
        "step,fusion.1,,1,3\nstep,fusion.2,,1,4\n");
    QCOMPARE(join.program, "step");
    QCOMPARE(join.program_count, size_t{2});
    QCOMPARE(ns(join, 1), 3000.0);
    QCOMPARE(join.matched_share(), 1.0);
    QVERIFY(describe(join).summary.ends_with("; of 2 programs in the file step fits best"));
    // As many kernels: the one of which more time matches, else the first.
    QCOMPARE(joined("a,fusion.1,,1,1\na,x,,1,1\nb,neg.1,,1,1\n").program, "b");
    QCOMPARE(joined("a,fusion.1,,1,1\nb,neg.1,,1,1\n").program, "a");
  }
  void halves_of_async_collectives_wait() {
    const auto program = hlo::parse_program(R"(HloModule m, is_scheduled=true
body {
  ROOT q = f32[8]{0} parameter(0)
}
ENTRY main {
  p = f32[8]{0} parameter(0)
  ROOT async-collective-done.3 = f32[8]{0} fusion(p), kind=kCustom, calls=body
}
)");
    const auto stats =
        parse_hlo_stats("hlo_op_name,occurrences,avg_time\nasync-collective-done.3,1,9\n", "s");
    const auto join = measured::join(**program, graph::kernels(**program), *stats);
    QVERIFY(join);
    QCOMPARE((*join)[RowFit::kWaiting].rows, size_t{1});
    QVERIFY(!join->time_ns[KernelId(0)]);
    QVERIFY(!join->fits());
  }
  void a_program_of_another_run_does_not_fit() {
    HLOSCOPE_NEEDS_SHARED();
    const auto stats = read_hlo_stats(hloscope::testing::shared_folder().toStdString() +
                                      "/measured/tpu_v5p_train_ops.csv");
    QVERIFY(stats);
    const auto file = hlo::read_file(HLOSCOPE_SOURCE_DIR "/samples/mobilenet_v2.hlo");
    QVERIFY(file);
    const hlo::Program& program = *file->modules.front().program;
    const auto join = measured::join(program, graph::kernels(program), *stats);
    QVERIFY(join);
    QVERIFY(!join->fits());
    QCOMPARE(join->program_count, size_t{3});
  }
};
HLOSCOPE_TEST(TestHloStatsJoin);

#include "test_hlo_stats_join.moc"
