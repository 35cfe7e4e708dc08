#include "tests/core/predict/option_cover.h"

#include <array>
#include <set>

#include "core/base/rng.h"
#include "tests/core/predict/model_batch.h"

namespace hloscope::testing {

namespace {

using predict::ModelOptions;

constexpr std::array<size_t, 11> kChoices = {3, 3, 2, 3, 4, 3, 3, 6, 2, 3, 2};
using Row = std::array<size_t, 11>;

ModelOptions options_of(const Row& row) {
  ModelOptions options;
  options.network = static_cast<predict::Network>(row[0]);
  options.neighbours = static_cast<nn::Reduction>(row[1]);
  options.l2 = row[2] == 1;
  options.edges = static_cast<predict::Edges>(row[3]);
  options.readout = static_cast<predict::Readout>(row[4]);
  options.join = static_cast<predict::ConfigurationJoin>(row[5]);
  options.static_features = static_cast<predict::StaticFeatures>(row[6]);
  options.loss = static_cast<predict::Loss>(row[7]);
  options.message_layer = row[8] == 1;
  options.analytical = static_cast<predict::Analytical>(row[9]);
  options.head_layers = static_cast<uint32_t>(1 + row[10]);
  options.opcode_width = 3;
  options.hidden_width = 6;
  options.layers = 2;
  options.heads = 2;
  return options;
}

}  // namespace

std::vector<std::pair<size_t, size_t>> choice_pairs(const ModelOptions& o) {
  const Row row = {static_cast<size_t>(o.network),
                   static_cast<size_t>(o.neighbours),
                   static_cast<size_t>(o.l2),
                   static_cast<size_t>(o.edges),
                   static_cast<size_t>(o.readout),
                   static_cast<size_t>(o.join),
                   static_cast<size_t>(o.static_features),
                   static_cast<size_t>(o.loss),
                   static_cast<size_t>(o.message_layer),
                   static_cast<size_t>(o.analytical),
                   static_cast<size_t>(o.head_layers - 1)};
  std::vector<std::pair<size_t, size_t>> out;
  for (size_t i = 0; i < row.size(); ++i) {
    for (size_t j = i + 1; j < row.size(); ++j) out.emplace_back(10 * i + row[i], 10 * j + row[j]);
  }
  return out;
}

// Of 60 random rows always the one that has the most pairs not had yet.
std::vector<ModelOptions> covering_options() {
  Rng rng(3);
  std::set<std::pair<size_t, size_t>> had;
  std::vector<ModelOptions> out;
  for (int idle = 0; idle < 5;) {
    ModelOptions best;
    size_t most = 0;
    for (int i = 0; i < 60; ++i) {
      Row row{};
      for (size_t c = 0; c < row.size(); ++c) row[c] = rng.below(kChoices[c]);
      const ModelOptions options = options_of(row);
      if (!check_model_options(options, kBatchWidths)) continue;
      size_t fresh = 0;
      for (const auto& pair : choice_pairs(options)) fresh += had.contains(pair) ? 0 : 1;
      if (fresh <= most) continue;
      most = fresh;
      best = options;
    }
    idle = most == 0 ? idle + 1 : 0;
    if (most == 0) continue;
    for (const auto& pair : choice_pairs(best)) had.insert(pair);
    out.push_back(best);
  }
  return out;
}

}  // namespace hloscope::testing
