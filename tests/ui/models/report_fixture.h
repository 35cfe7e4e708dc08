#pragma once

#include <QRegularExpression>
#include <QTest>
#include <memory>

#include "core/analysis/report.h"

namespace hloscope::testing {

/// Any warning of Qt fails the test function, but the one of the offscreen platform itself.
inline void failOnWarnings() {
  QTest::failOnWarning(
      QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
}

inline constexpr const char* kLoopProgram = R"(HloModule loop, is_scheduled=true

body {
  t.1 = (s32[], f32[8,128]{1,0}) parameter(0)
  i.1 = s32[] get-tuple-element(t.1), index=0
  x.1 = f32[8,128]{1,0} get-tuple-element(t.1), index=1
  one = s32[] constant(1)
  next = s32[] add(i.1, one)
  sine.1 = f32[8,128]{1,0} sine(x.1)
  ROOT out = (s32[], f32[8,128]{1,0}) tuple(next, sine.1)
}

condition {
  t.2 = (s32[], f32[8,128]{1,0}) parameter(0)
  i.2 = s32[] get-tuple-element(t.2), index=0
  limit = s32[] constant(12)
  ROOT less = pred[] compare(i.2, limit), direction=LT
}

fused {
  a = f32[8,128]{1,0} parameter(0)
  b = f32[8,128]{1,0} parameter(1)
  sum = f32[8,128]{1,0} add(a, b)
  ROOT product = f32[8,128]{1,0} multiply(sum, b)
}

ENTRY main {
  p0 = f32[8,128]{1,0} parameter(0)
  p1 = f32[128,64]{1,0} parameter(1)
  zero = s32[] constant(0)
  start = (s32[], f32[8,128]{1,0}) tuple(zero, p0)
  loop = (s32[], f32[8,128]{1,0}) while(start), condition=condition, body=body
  x = f32[8,128]{1,0} get-tuple-element(loop), index=1
  fusion.7 = f32[8,128]{1,0} fusion(x, p0), kind=kLoop, calls=fused
  ROOT dot.1 = f32[8,64]{1,0} dot(fusion.7, p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)";

/// A module of `text` as the front ends get it, on the TPU v3.
inline std::shared_ptr<const analysis::ModuleReport> reportOf(const char* text,
                                                              const char* file = "test.hlo") {
  hlo::Module module;
  module.program = *hlo::parse_program(text);
  return *analysis::analyse(module, file, 1, *sim::find_machine("tpu_v3"));
}

/// The same with a measured time of 1, 2, 3 ... µs for the first `measured` kernels.
inline std::shared_ptr<const analysis::ModuleReport> measuredReport(uint32_t measured) {
  auto report = std::make_shared<analysis::ModuleReport>(*reportOf(kLoopProgram));
  for (uint32_t k = 0; k < measured; ++k) {
    report->measured_ns[graph::KernelId(k)] = 1000.0 * (k + 1);
  }
  return report;
}

/// One program whose kernels are repeated until there are `count`: for tables of any length.
inline std::shared_ptr<const analysis::ModuleReport> longReport(uint32_t count) {
  auto report = std::make_shared<analysis::ModuleReport>(*reportOf(kLoopProgram));
  const uint32_t period = static_cast<uint32_t>(report->kernels.kernels.size());
  for (uint32_t k = period; k < count; ++k) {
    const graph::KernelId original(k % period);
    graph::Kernel kernel = report->kernels.kernels[original];
    kernel.executions = k;
    report->kernels.kernels.push_back(kernel);
    report->kernels.distinct_of.push_back(report->kernels.distinct_of[original]);
    report->cost.kernels.push_back(report->cost.kernels[original]);
    analysis::ModelTime time = report->times.analytical[original];
    time.time_ns = 1000.0 + (k * 7919U) % 1'000'003U;
    report->times.analytical.push_back(time);
    report->times.simulated.push_back(time);
    report->measured_ns.push_back(std::nullopt);
  }
  return report;
}

/// A report with predicted times: 12.3 µs for every kernel, the first one far from the training.
inline std::shared_ptr<const analysis::ModuleReport> predictedReport(
    const analysis::ModuleReport& report) {
  analysis::PredictedTimes times;
  times.by = {"tpu_v3_fusion", {0x4f1c09ab00000000, 0}, 3, "simulated", true, true, true};
  for (size_t i = 0; i < report.kernels.kernels.size(); ++i) {
    times.of_kernels.push_back(analysis::PredictedTime{12300, 11900, 12700, i == 0});
  }
  analysis::add_totals(report.kernels, times);
  return analysis::with_predicted(report, times);
}

}  // namespace hloscope::testing
