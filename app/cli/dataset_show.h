#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/data/data_set.h"
#include "db/data_sets.h"

namespace hloscope::cli {

struct ShowOptions {
  std::string file;
  std::string graph;                ///< Number, or first digits of the hash; empty: all are listed.
  std::string op_class;             ///< Part of its name; empty: all.
  std::vector<std::string> models;  ///< That rank the samples of the graph.
  std::string sort = "number";
  std::optional<size_t> limit;
  bool json = false;
  bool hlo = false;
};

/// Lists the graphs of the data set. Errors: those of DataSets; kNotFound when no graph is of the
/// class; kCancelled.
[[nodiscard]] Status show_graphs(const ShowOptions& options, const db::DataSets& data_sets,
                                 const Progress& progress);
/// Shows the chosen graph with its samples, or its HLO text alone. Errors: those of DataSets;
/// kNotFound and kInvalidInput when options.graph does not name one; kUnsupported for the text of a
/// graph that has features only.
[[nodiscard]] Status show_graph(const ShowOptions& options, const db::DataSets& data_sets,
                                const Progress& progress);

/// How many of `count` rows are shown: all in JSON, 20 in text, unless there is a limit.
[[nodiscard]] size_t shown_rows(const ShowOptions& options, size_t count);
/// "... 12 more; --limit N shows N", or nothing.
[[nodiscard]] std::string more_rows_text(size_t shown, size_t count);

}  // namespace hloscope::cli
