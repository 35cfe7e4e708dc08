#pragma once

#include <string>
#include <vector>

#include "db/data_sets.h"

namespace hloscope::db {

/// A configuration of a graph with its time.
struct RankedSample {
  data::Sample sample;
  std::string text;           ///< data::configuration_text(), beside the fastest one.
  double slowdown = 1;        ///< Time over that of the fastest.
  std::vector<size_t> ranks;  ///< By model, from 1; equal scores by time.
};

/// The samples of one graph of a data set, the fastest first.
struct RankedSamples {
  data::DataSetInfo info;
  GraphRow graph;
  data::GraphRecord record;  ///< Without its content.
  std::vector<std::string> models;
  std::vector<RankedSample> samples;
};

/// What to list.
struct RankingOrder {
  std::string file;  ///< A data set.
  GraphRow graph{1};
  /// .safetensors files or names of built-in models, that rank the samples.
  std::vector<std::string> models;
};

/// Errors: those of open_data_set(), DataSets and model_predictions(); kNotFound for a graph that
/// is not there; kCancelled.
[[nodiscard]] Result<RankedSamples> ranked_samples(const RankingOrder& order,
                                                   const Progress& progress = {});

}  // namespace hloscope::db
