#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/thread_pool.h"
#include "core/data/data_set.h"
#include "core/predict/example.h"
#include "core/sim/rates.h"

namespace hloscope::predict {

/// A graph as a data set has it.
struct GraphSamples {
  data::GraphRecord record;
  std::vector<data::Sample> samples;
};

struct EncodeOptions {
  data::Task task = data::Task::kFusion;
  bool with_extras = true;  ///< Feature group kExtra too.
  std::optional<sim::Rates>
      rates;  ///< For the analytical time of each sample; none: no such times.
};

/// Encodes a kernel; part, family and seen_in are left to the caller. Of the form kTpuGraph the
/// features are as given: group kExtra has what follows from them (sizes by 128, layout), static
/// features and analytical times are not known.
///
/// Of task tile, where samples have normalizers that differ (they ran on different hosts), times
/// are divided by their own normalizer and multiplied by the mean one.
/// Errors: kUnsupported for task layout, whose configurations belong to nodes; kInvalidInput, with
/// the label of the graph, for contents and configurations that cannot be read.
[[nodiscard]] Result<Example> encode(const GraphSamples& graph, const EncodeOptions& options);

/// All of them, in their order for any number of threads. Error: the first one by position;
/// kCancelled.
[[nodiscard]] Result<std::vector<Example>> encode_all(std::span<const GraphSamples> graphs,
                                                      const EncodeOptions& options,
                                                      ThreadPool& pool,
                                                      const Progress& progress = {});

}  // namespace hloscope::predict
