#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/thread_pool.h"
#include "core/data/data_set.h"
#include "core/hlo/program.h"
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
  /// For the analytical estimate of each sample; none: no such times and features.
  std::optional<sim::Rates> rates;
};

/// Encodes a kernel, or of task layout a program (see encode_layouts()); part, family and seen_in
/// are left to the caller. Of the form kTpuGraph the features are as given: group kExtra has what
/// follows from them (sizes by 128, layout), static features and analytical times are not known.
///
/// Of task tile, where samples have normalizers that differ (they ran on different hosts), times
/// are divided by their own normalizer and multiplied by the mean one.
/// Errors: kInvalidInput, with the label of the graph, for contents and configurations that cannot
/// be read.
[[nodiscard]] Result<Example> encode(const GraphSamples& graph, const EncodeOptions& options);

/// A kernel where it stands in a program.
struct KernelSamples {
  const hlo::Program& program;
  hlo::InstructionId kernel;
  std::span<const data::Sample> samples;
};
/// The same of a kernel that is not written out: the bits are those of its graph::extract() as
/// text, but for hash and class, which are left to the caller. `columns`: node_columns() of the
/// options. Error also: kUnsupported for task layout.
[[nodiscard]] Result<Example> encode_kernel(const KernelSamples& kernel,
                                            const EncodeOptions& options,
                                            const NodeColumns& columns);

/// All of them, in their order for any number of threads. Error: the first one by position;
/// kCancelled.
[[nodiscard]] Result<std::vector<Example>> encode_all(std::span<const GraphSamples> graphs,
                                                      const EncodeOptions& options,
                                                      ThreadPool& pool,
                                                      const Progress& progress = {});

}  // namespace hloscope::predict
