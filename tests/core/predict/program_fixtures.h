#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "core/hlo/read.h"
#include "core/predict/encode.h"
#include "core/predict/train.h"
#include "core/sim/machine.h"

namespace hloscope::testing {

/// A kernel of its own: `opcode` of two arrays of f32[rows, 128], then `unary` of that.
inline std::string fused_pair(int rows, const std::string& opcode, const std::string& unary) {
  const std::string shape = fmt::format("f32[{},128]{{1,0}}", rows);
  return fmt::format(R"(HloModule pair, is_scheduled=true

body {{
  a = {0} parameter(0)
  b = {0} parameter(1)
  s = {0} {1}(a, b)
  ROOT u = {0} {2}(s)
}}

ENTRY main {{
  x = {0} parameter(0)
  y = {0} parameter(1)
  ROOT f = {0} fusion(x, y), kind=kLoop, calls=body
}}
)",
                     shape, opcode, unary);
}

/// Kernels of different sizes, a quarter of them for validation; their times are 10 ns a row.
inline predict::ExampleSet pair_set() {
  predict::ExampleSet set;
  set.info.name = "pairs";
  set.info.task = data::Task::kFusion;
  set.info.target.device = "tpu_v3";
  set.split = "random";
  set.machine = "tpu_v3@0";
  set.columns = predict::node_columns(true);
  set.families = {"f"};
  predict::EncodeOptions options;
  options.rates = sim::Rates(*sim::find_machine("tpu_v3"));
  for (int i = 1; i <= 32; ++i) {
    predict::GraphSamples graph;
    graph.record.label = fmt::format("pair {}", i);
    graph.record.content =
        fused_pair(8 * i, i % 3 == 0 ? "add" : "multiply", i % 2 == 0 ? "negate" : "exponential");
    graph.record.hash = hash128(graph.record.label);
    graph.samples.push_back({{}, 80.0 * i, {}, true});
    set.examples.push_back(*predict::encode(graph, options));
    if (i % 4 == 0) set.examples.back().part = data::Part::kValid;
  }
  return set;
}

/// Trained on it for a few steps.
inline predict::StoredModel pair_model(const predict::ExampleSet& set, uint64_t seed) {
  predict::TrainOptions options;
  options.model = *predict::preset("sage-columnwise", data::Task::kFusion);
  options.model.hidden_width = 16;
  options.model.opcode_width = 8;
  options.model.layers = 1;
  options.seed = seed;
  options.steps = 20;
  options.evaluate_every = 10;
  options.batch_nodes = 60;
  ThreadPool pool(1);
  return *predict::train(set, options, pool);
}

}  // namespace hloscope::testing
