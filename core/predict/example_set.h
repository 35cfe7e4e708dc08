#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "core/data/data_set.h"
#include "core/data/split.h"
#include "core/predict/example.h"

namespace hloscope::predict {

/// A data set, encoded, with the parts of one of its splits.
struct ExampleSet {
  data::DataSetInfo info;
  std::string split;    ///< Its name.
  std::string machine;  ///< Of the analytical estimates, "tpu_v3@hash"; empty: there are none.
  NodeColumns columns;
  std::vector<data::SourceProgram> programs;
  std::vector<data::Part> program_parts;  ///< By position of the program.
  std::vector<std::string> families;      ///< Sorted, each once.
  std::vector<Example> examples;          ///< In the order of the data set; each has samples.
  size_t without_samples = 0;             ///< Graphs left out.

  /// Where the times come from, for the head of every table.
  [[nodiscard]] std::string label() const { return info.target.label(); }
  /// Its task is to rank the samples of an example, not to tell times.
  [[nodiscard]] bool is_ranked() const { return info.task != data::Task::kFusion; }
  /// Positions of the examples of a part, ascending.
  [[nodiscard]] std::vector<uint32_t> of(data::Part part) const;
  /// Whether any example has analytical estimates: graphs known by their features only have none.
  [[nodiscard]] bool has_estimates() const;
  /// Of what models learn from: hashes, parts, times, tiles and layouts.
  [[nodiscard]] Hash128 hash() const;
  /// Of the examples, with their heap.
  [[nodiscard]] size_t bytes() const;
};

/// Fills `families` from `programs`, and the family of each example: of the first program of the
/// example's own part that it was met in; of the first one where there is none. An example that was
/// met nowhere is of the family of the first program.
void assign_families(ExampleSet& set);

}  // namespace hloscope::predict
