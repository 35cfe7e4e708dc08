#include "core/analysis/shown_module.h"

#include <fmt/format.h>

#include <set>
#include <string>

#include "core/analysis/report.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::analysis;

namespace {

// Three elementwise operations around a dot. Raw they are four kernels; what stands before and
// behind a dot goes into its fusion, so own fusion has one.
constexpr const char* kAroundDot = R"(HloModule around_dot
ENTRY main {
  a = f32[256,512]{1,0} parameter(0)
  b = f32[512,128]{1,0} parameter(1)
  c = f32[256,128]{1,0} parameter(2)
  n = f32[256,512]{1,0} negate(a)
  d = f32[256,128]{1,0} dot(n, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  s = f32[256,128]{1,0} add(d, c)
  ROOT t = f32[256,128]{1,0} tanh(s)
}
)";

constexpr const char* kCompiled = R"(HloModule compiled, is_scheduled=true
ENTRY main {
  a = f32[1024]{0} parameter(0)
  t = f32[1024]{0} tanh(a)
  ROOT n = f32[1024]{0} negate(t)
}
)";

constexpr const char* kOneCopy = R"(HloModule one_copy
ENTRY main {
  a = f32[128,256]{1,0} parameter(0)
  ROOT c = f32[128,256]{0,1} copy(a)
}
)";

constexpr const char* kTenTrips = R"(HloModule ten_trips
body {
  p = (s32[], f32[1024]{0}) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  one = s32[] constant(1)
  next = s32[] add(i, one)
  x = f32[1024]{0} get-tuple-element(p), index=1
  y = f32[1024]{0} tanh(x)
  z = f32[1024]{0} negate(y)
  ROOT r = (s32[], f32[1024]{0}) tuple(next, z)
}
condition {
  p = (s32[], f32[1024]{0}) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  ten = s32[] constant(10)
  ROOT less = pred[] compare(i, ten), direction=LT
}
ENTRY main {
  start = s32[] constant(0)
  x = f32[1024]{0} parameter(0)
  state = (s32[], f32[1024]{0}) tuple(start, x)
  ROOT loop = (s32[], f32[1024]{0}) while(state), condition=condition, body=body
}
)";

hlo::Module module_of(const std::string& text) {
  return hlo::read_bytes(text, "text")->modules.front();
}

// Every level calls the one below twice: 2^22 instructions once the calls are inlined.
std::string too_large_for_inlining() {
  std::string text =
      "HloModule deep\nlevel.0 {\n  p = f32[8]{0} parameter(0)\n"
      "  ROOT r = f32[8]{0} negate(p)\n}\n";
  constexpr int kLevels = 22;
  for (int i = 1; i <= kLevels; ++i) {
    text += fmt::format(
        "{0} {{\n  p = f32[8]{{0}} parameter(0)\n  c = f32[8]{{0}} call(p), to_apply=level.{1}\n"
        "  ROOT r = f32[8]{{0}} call(c), to_apply=level.{1}\n}}\n",
        i == kLevels ? "ENTRY main" : fmt::format("level.{}", i), i - 1);
  }
  return text;
}

ShownModule shown(const hlo::Module& module, KernelChoice choice) {
  return *shown_module(module, choice);
}

std::shared_ptr<const ModuleReport> report_of(const hlo::Module& module, KernelChoice choice) {
  return *analyse(shown(module, choice), "x.hlo", 1, *sim::find_machine("tpu_v3"));
}

hlo::Module with_run(hlo::Module module, uint64_t layout_hash) {
  hlo::MeasuredRun run;
  run.time_ns = 5000;
  run.layout_hash = layout_hash;
  module.runs = {run};
  return module;
}

}  // namespace

class TestShownModule : public QObject {
  Q_OBJECT
 private slots:
  void a_program_before_fusion_gets_kernels_of_its_own() {
    const hlo::Module module = module_of(kAroundDot);
    const auto report = report_of(module, KernelChoice::kOwnFusion);
    QVERIFY(report->origin == KernelOrigin::kOwnFusion);
    QCOMPARE(report->kernels.kernels.size(), size_t{1});
    const graph::Kernel& kernel = report->kernels.kernels[graph::KernelId(0U)];
    QVERIFY((*report->module.program)[kernel.instruction].opcode == hlo::Opcode::kFusion);
    QVERIFY(kernel.op_class == hlo::OpClass::kMatmulConv);
    QVERIFY(report->original == module.program);
    QVERIFY(report->module.content_hash == module.content_hash);
    QVERIFY(!report->fusion_error);
  }

  void raw_every_instruction_is_a_kernel() {
    const hlo::Module module = module_of(kAroundDot);
    const auto report = report_of(module, KernelChoice::kRaw);
    QVERIFY(report->origin == KernelOrigin::kRaw);
    QCOMPARE(report->kernels.kernels.size(), size_t{4});
    QVERIFY(report->module.program == module.program);
  }

  void a_choice_can_be_taken_back() {
    const hlo::Module module = module_of(kAroundDot);
    const ShownModule own = shown(module, KernelChoice::kOwnFusion);
    const ShownModule raw = *shown_module(own, KernelChoice::kRaw);
    QVERIFY(raw.origin == KernelOrigin::kRaw);
    QVERIFY(raw.module.program == module.program);
    const ShownModule again = *shown_module(raw, KernelChoice::kOwnFusion);
    QVERIFY(again.origin == KernelOrigin::kOwnFusion);
    // The same choice fuses nothing again.
    QVERIFY(shown_module(again, KernelChoice::kOwnFusion)->module.program == again.module.program);
  }

  void compiled_programs_stay_as_they_are() {
    const hlo::Module module = module_of(kCompiled);
    for (const KernelChoice choice : {KernelChoice::kOwnFusion, KernelChoice::kRaw}) {
      QVERIFY(shown(module, choice).origin == KernelOrigin::kCompiled);
      QVERIFY(shown(module, choice).module.program == module.program);
    }
  }

  void a_kernel_with_measured_tiles_stays_as_it_is() {
    const hlo::Module module = with_run(module_of(kOneCopy), 0);
    const auto report = report_of(module, KernelChoice::kOwnFusion);
    QVERIFY(report->origin == KernelOrigin::kCompiled);
    QVERIFY(report->module.program == module.program);
    QCOMPARE(*report->measured_ns[graph::KernelId(0U)], 5000.0);
    // The same program without runs is one before fusion.
    QVERIFY(shown(module_of(kOneCopy), KernelChoice::kOwnFusion).origin ==
            KernelOrigin::kOwnFusion);
  }

  void what_was_measured_as_a_whole_is_no_time_of_the_fusion() {
    for (const uint64_t layout_hash : {uint64_t{0}, uint64_t{77}}) {
      const auto report =
          report_of(with_run(module_of(kAroundDot), layout_hash), KernelChoice::kOwnFusion);
      QVERIFY(report->origin == KernelOrigin::kOwnFusion);
      QCOMPARE(report->kernels.kernels.size(), size_t{1});
      QVERIFY(!report->measured_ns[graph::KernelId(0U)]);
      QVERIFY(report->run_times.empty());
      QCOMPARE(*report->program_measured_ns, 5000.0);
    }
  }

  void loops_keep_their_trips() {
    const auto report = report_of(module_of(kTenTrips), KernelChoice::kOwnFusion);
    QCOMPARE(report->kernels.loops.size(), size_t{1});
    QVERIFY(report->kernels.loops[0].known);
    QCOMPARE(report->kernels.loops[0].trip_count, int64_t{10});
    int fusions = 0;
    for (const graph::Kernel& kernel : report->kernels.kernels) {
      QCOMPARE(kernel.executions, 10.0);
      if (kernel.body.valid()) ++fusions;
    }
    QCOMPARE(fusions, 1);  // tanh and negate
  }

  void what_cannot_be_fused_is_raw_and_says_why() {
    const ShownModule module = shown(module_of(too_large_for_inlining()), KernelChoice::kOwnFusion);
    QVERIFY(module.origin == KernelOrigin::kRaw);
    QVERIFY(module.module.program == module.original);
    QVERIFY(module.fusion_error.has_value());
    QVERIFY(module.fusion_error->code == ErrorCode::kUnsupported);
    QVERIFY(!shown_module(module, KernelChoice::kRaw)->fusion_error);
  }

  void fusing_can_be_cancelled() {
    std::stop_source stop;
    stop.request_stop();
    const auto result =
        shown_module(module_of(kAroundDot), KernelChoice::kOwnFusion, Progress(stop.get_token()));
    QVERIFY(!result);
    QVERIFY(result.error().code == ErrorCode::kCancelled);
    std::set<std::string> steps;
    const Progress progress({}, [&steps](double, std::string_view what) { steps.emplace(what); });
    QVERIFY(shown_module(module_of(kAroundDot), KernelChoice::kOwnFusion, progress));
    QVERIFY(steps.contains("fusing"));
  }
};

HLOSCOPE_TEST(TestShownModule);
#include "test_shown_module.moc"
