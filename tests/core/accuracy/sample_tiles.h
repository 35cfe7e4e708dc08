#pragma once

#include <QTest>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/accuracy/tile_samples.h"
#include "core/hlo/read.h"

namespace hloscope::testing {

/// The tuning file of the samples: kernels of a TPU v3 with the runs that were measured.
inline const hlo::File& sample_file() {
  static const hlo::File file = [] {
    auto read = hlo::read_file(HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb");
    if (!read) qFatal("%s", read.error().format().c_str());
    return std::move(*read);
  }();
  return file;
}

/// Every `step`th run that did not fail of the modules called so (of all, without names) as rows of
/// a table.
inline std::vector<measured::TileRow> sample_rows(const std::vector<std::string>& names = {},
                                                  size_t step = 1) {
  std::vector<measured::TileRow> rows;
  for (const hlo::Module& module : sample_file().modules) {
    const std::string name(module.program->name());
    if (!names.empty() && std::find(names.begin(), names.end(), name) == names.end()) continue;
    for (size_t r = 0; r < module.runs.size(); r += step) {
      const hlo::MeasuredRun& run = module.runs[r];
      if (run.failed) continue;
      rows.push_back({name, run.run_index, run.output_bounds, run.kernel_bounds,
                      static_cast<double>(run.time_ns), run.is_default});
    }
  }
  return rows;
}

inline accuracy::TileSamples sample_tiles(const std::vector<std::string>& names = {},
                                          size_t step = 1) {
  return accuracy::join_tiles(sample_rows(names, step), sample_file().modules);
}

inline bool near(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance;
}

}  // namespace hloscope::testing
