#include "core/accuracy/op_accuracy.h"

#include <array>
#include <unordered_map>

#include "core/base/hash.h"
#include "core/base/thread_pool.h"
#include "core/base/units.h"
#include "core/graph/kernels.h"
#include "core/measured/op_hlo.h"
#include "core/sim/tile_space.h"

namespace hloscope::accuracy {

namespace {

// Of the whole work; the rest is timing.
constexpr double kBuildShare = 0.3;
// Kernels timed between two looks at the stop button.
constexpr size_t kChunk = 256;

constexpr std::array<std::string_view, 7> kClasses = {
    "elementwise", "matmul", "layer_norm", "rms_norm", "batch_norm", "avg_pool", "max_pool"};

struct DistinctKernel {
  hlo::ProgramPtr program;
  hlo::InstructionId instruction;
  double time_ns = 0;
};

struct KernelUse {
  size_t kernel = 0;  // Among the distinct ones.
  double executions = 1;
};

// Kernels of all rows, equal ones once.
class KernelPool {
 public:
  // Uses of the kernels of a row.
  Result<std::vector<KernelUse>> add(const measured::OpRow& row) {
    HLOSCOPE_ASSIGN(measured::Workload workload, measured::build_op(row));
    std::vector<KernelUse> uses;
    for (measured::TimedKernel& kernel : workload.kernels) {
      HLOSCOPE_ASSIGN(const hlo::InstructionId instruction, only_kernel(*kernel.program));
      const Hash128 hash = graph::canonical_hash(*kernel.program, instruction);
      const auto [found, is_new] = place_of_.try_emplace(hash, kernels_.size());
      if (is_new) kernels_.push_back({std::move(kernel.program), instruction});
      uses.push_back({found->second, kernel.executions});
    }
    return uses;
  }

  Status time(const sim::Rates& rates, TimeModel model, const Progress& progress) {
    ThreadPool threads;
    for (size_t begin = 0; begin < kernels_.size(); begin += kChunk) {
      if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
      progress.report(static_cast<double>(begin) / static_cast<double>(kernels_.size()),
                      "timing kernels");
      threads.parallel_for(std::min(kChunk, kernels_.size() - begin), [&](size_t i) {
        DistinctKernel& kernel = kernels_[begin + i];
        const sim::KernelModel built = sim::kernel_model(*kernel.program, kernel.instruction);
        kernel.time_ns = predict_ns(built, sim::default_bounds(built, rates), rates, model);
      });
    }
    return {};
  }

  size_t size() const { return kernels_.size(); }
  double time_ns(const std::vector<KernelUse>& uses) const {
    double sum = 0;
    for (const KernelUse& use : uses) sum += kernels_[use.kernel].time_ns * use.executions;
    return sum;
  }

 private:
  std::unordered_map<Hash128, size_t> place_of_;
  std::vector<DistinctKernel> kernels_;
};

template <typename Takes>
ErrorSummary errors_of(const std::vector<OpTime>& rows, Takes takes) {
  std::vector<double> times;
  std::vector<double> measured;
  for (const OpTime& row : rows) {
    if (!takes(row)) continue;
    times.push_back(row.time_ns);
    measured.push_back(row.measured_ns);
  }
  return summarise(times, measured);
}

void add_errors(OpsAccuracy& out) {
  for (std::string_view name : kClasses) {
    const ErrorSummary errors =
        errors_of(out.rows, [name](const OpTime& row) { return row.op_class == name; });
    if (errors.n > 0) out.classes.push_back({name, errors});
  }
  out.total = errors_of(out.rows, [](const OpTime&) { return true; });
}

}  // namespace

std::string_view op_class(std::string_view op) {
  // batch_norm_inference, avg_pool_2d and max_pool_2d are called by their beginnings.
  for (size_t c = 1; c < kClasses.size(); ++c) {
    if (op.starts_with(kClasses[c])) return kClasses[c];
  }
  return kClasses[0];
}

Result<OpsAccuracy> op_accuracy(std::span<const measured::OpRow> rows, const sim::Rates& rates,
                                TimeModel model, const Progress& progress) {
  OpsAccuracy out;
  KernelPool pool;
  std::vector<std::vector<KernelUse>> uses;
  const Progress building = progress.part(0, kBuildShare);
  for (uint32_t r = 0; r < rows.size(); ++r) {
    if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
    building.report(static_cast<double>(r) / static_cast<double>(rows.size()), "building kernels");
    Result<std::vector<KernelUse>> kernels = pool.add(rows[r]);
    if (!kernels) {
      out.skipped.push_back({r, kernels.error().message});
      continue;
    }
    out.rows.push_back({r, op_class(rows[r].op), rows[r].min_us * kNsPerUs, 0});
    uses.push_back(std::move(*kernels));
  }
  HLOSCOPE_TRY(pool.time(rates, model, progress.part(kBuildShare, 1)));
  for (size_t i = 0; i < uses.size(); ++i) out.rows[i].time_ns = pool.time_ns(uses[i]);
  out.distinct_kernels = pool.size();
  add_errors(out);
  return out;
}

}  // namespace hloscope::accuracy
