#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/accuracy/prediction.h"
#include "core/accuracy/ranking.h"
#include "core/accuracy/tile_samples.h"
#include "core/base/progress.h"

namespace hloscope::accuracy {

/// Errors over the measured tiles of one kernel, as fractions.
struct KernelAccuracy {
  std::string module_name;
  size_t n = 0;     ///< Rows.
  double mape = 0;  ///< Over the rows: a tile that was run twice counts twice.
  Ranking ranking;  ///< Over distinct tiles.
};

struct TileAccuracy {
  std::vector<KernelAccuracy> kernels;  ///< By position in TileSamples::kernels.
  size_t n = 0;
  double mape = 0;              ///< Over all rows.
  double kernel_mean_mape = 0;  ///< Mean of the kernels' MAPE.
  // Means over the kernels that have them (10 or more distinct tiles).
  std::optional<double> kendall_tau;
  std::optional<double> top1_slowdown;
  std::optional<double> top5_slowdown;
};

/// Times of all samples, ns, in their order. Error: kCancelled.
[[nodiscard]] Result<std::vector<double>> predict(const TileSamples& samples,
                                                  const sim::Rates& rates, TimeModel model,
                                                  const Progress& progress = {});

/// `estimated_ns` by position in TileSamples::samples. Zeros for no samples.
[[nodiscard]] TileAccuracy tile_accuracy(const TileSamples& samples,
                                         std::span<const double> estimated_ns);

/// Samples whose tile, by our count of its buffers, takes more VMEM than the machine gives. They
/// ran, so it is the count that is wrong there; they take part.
[[nodiscard]] size_t beyond_vmem(const TileSamples& samples, const sim::Rates& rates);

}  // namespace hloscope::accuracy
