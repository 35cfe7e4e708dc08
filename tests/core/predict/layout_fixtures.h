#pragma once

#include "core/base/rng.h"
#include "tests/core/predict/example_fixtures.h"

namespace hloscope::testing {

/// 18 numbers: the order of a matrix' output, `first` the minor dimension; nothing else given.
inline std::vector<int64_t> output_order(int64_t first) {
  std::vector<int64_t> out(data::kTpuLayoutFeatures, -1);
  out[0] = first;
  out[1] = 1 - first;
  return out;
}

/// A program of 3 nodes for each of `kinds`: a configurable one of this kind (its first feature)
/// that uses the one before, and two that pass on its value. Each sample has a minor dimension for
/// each configurable node; it takes 100 us more for every node whose minor dimension is not its
/// kind - 1.
inline predict::Example layout_program(const predict::ExampleSet& set,
                                       const std::vector<int>& kinds, size_t samples,
                                       uint64_t seed) {
  std::vector<std::vector<float>> rows;
  std::vector<uint32_t> configurable;
  for (const int kind : kinds) {
    configurable.push_back(static_cast<uint32_t>(rows.size()));
    rows.push_back({static_cast<float>(kind), 1, 0});
    rows.insert(rows.end(), 2, {0, 1, 0});
  }
  predict::Example out = chain(set, rows);
  for (size_t i = 0; i < out.nodes(); ++i) out.opcodes[i] = i % 3 == 0 ? 34 : 2;  // dot, add
  out.hash = hash128("program " + std::to_string(seed));
  out.label = "program" + std::to_string(seed);
  out.layouts = predict::LayoutRows(configurable);
  Rng rng(seed);
  for (size_t s = 0; s < samples; ++s) {
    std::vector<int64_t> values;
    double time_ns = 1e9;
    for (size_t i = 0; i < kinds.size(); ++i) {
      const auto first = static_cast<int64_t>(rng.below(2));
      const std::vector<int64_t> order = output_order(first);
      values.insert(values.end(), order.begin(), order.end());
      if (first != kinds[i] - 1) time_ns += 1e5;
    }
    if (!out.layouts.add_sample(values)) return {};
    out.times_ns.push_back(time_ns);
  }
  out.layouts.finish();
  out.default_sample = static_cast<uint32_t>(out.fastest());
  return out;
}

/// Programs of 8 configurable nodes with 24 samples each; every fourth is for validation.
inline predict::ExampleSet layout_programs(size_t count) {
  predict::ExampleSet set = small_set(data::Task::kLayout);
  set.info.name = "programs";
  set.families = {"f0", "f1"};
  Rng rng(11);
  for (size_t i = 0; i < count; ++i) {
    std::vector<int> kinds;
    for (int k = 0; k < 8; ++k) kinds.push_back(rng.below(2) == 0 ? 1 : 2);
    set.examples.push_back(layout_program(set, kinds, 24, 100 + i));
    set.examples.back().family = i % 2;
    set.examples.back().part = i % 4 == 3 ? data::Part::kValid : data::Part::kTrain;
  }
  return set;
}

}  // namespace hloscope::testing
