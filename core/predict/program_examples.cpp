#include "core/predict/program_examples.h"

#include <numeric>

#include "core/predict/encode.h"

namespace hloscope::predict {

std::vector<uint32_t> AskedExamples::all() const {
  std::vector<uint32_t> out(set.examples.size());
  std::iota(out.begin(), out.end(), 0U);
  return out;
}

Result<AskedExamples> encode_kernels(std::span<const AskedKernel> kernels, const Ensemble& ensemble,
                                     const sim::Rates& rates, ThreadPool& pool,
                                     const Progress& progress) {
  EncodeOptions options;
  options.task = ensemble.task();
  options.with_extras = ensemble.with_extras();
  options.rates = rates;
  AskedExamples out;
  out.set.info.task = ensemble.task();
  out.set.columns = node_columns(options.with_extras);
  std::vector<Result<Example>> examples(kernels.size());
  pool.parallel_for(kernels.size(), [&](size_t i) {
    if (progress.stop_requested()) return;
    const AskedKernel& one = kernels[i];
    examples[i] = encode_kernel({*one.program, one.kernel, one.samples}, options, out.set.columns);
  });
  if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "stopped while encoding");
  for (uint32_t i = 0; i < examples.size(); ++i) {
    if (!examples[i]) continue;
    out.set.examples.push_back(std::move(*examples[i]));
    out.asked.push_back(i);
  }
  return out;
}

}  // namespace hloscope::predict
