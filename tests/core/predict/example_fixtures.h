#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "core/predict/example_set.h"

namespace hloscope::testing {

/// Three node features; those of an instruction that has nothing are 0, 1, 0.
inline predict::ExampleSet small_set(data::Task task) {
  predict::ExampleSet set;
  set.info.task = task;
  set.columns.empty = {0, 1, 0};
  return set;
}

/// Adds programs "p0", "p1", ... of the given families; all of the train part.
inline void add_programs(predict::ExampleSet& set, std::initializer_list<const char*> families) {
  for (const char* family : families) {
    const std::string name = "p" + std::to_string(set.programs.size());
    set.programs.push_back({hash128(name), name, family, "", 1});
    set.program_parts.push_back(data::Part::kTrain);
  }
}

/// A chain of nodes, each using the one before, with the features given.
inline predict::Example chain(const predict::ExampleSet& set,
                              const std::vector<std::vector<float>>& rows) {
  predict::Example out;
  out.operand_offsets = {0};
  for (uint32_t i = 0; i < rows.size(); ++i) {
    out.opcodes.push_back(static_cast<uint8_t>(10 + i));
    out.node_features.add_row(rows[i], set.columns.empty);
    if (i > 0) out.operands.push_back(i - 1);
    out.operand_offsets.push_back(static_cast<uint32_t>(out.operands.size()));
  }
  return out;
}

/// `times_ns` with tiles whose first features are 1, 2, 3, ...
inline void add_tiles(predict::Example& example, const std::vector<double>& times_ns) {
  const size_t width = features::width(features::Group::kTile);
  for (const double time_ns : times_ns) {
    example.times_ns.push_back(time_ns);
    example.tile_features.resize(example.tile_features.size() + width);
    example.tile_features[example.tile_features.size() - width] =
        static_cast<float>(example.times_ns.size());
  }
}

}  // namespace hloscope::testing
