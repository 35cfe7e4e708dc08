#include "core/predict/batching.h"

#include <algorithm>
#include <cmath>

#include "core/predict/layout_batch.h"

namespace hloscope::predict {

namespace {

Eigen::Index index(size_t i) {
  return static_cast<Eigen::Index>(i);
}

std::span<float> row_of(nn::Matrix<float>& matrix, size_t row) {
  const auto width = static_cast<size_t>(matrix.cols());
  return {matrix.data() + row * width, width};
}

// The reverse of `operands`: for each node its users, ascending.
void take_users(Batch<float>& out) {
  const size_t nodes = out.opcodes.size();
  out.user_offsets.assign(nodes + 1, 0);
  for (const uint32_t operand : out.operands) ++out.user_offsets[operand + 1];
  for (size_t i = 0; i < nodes; ++i) out.user_offsets[i + 1] += out.user_offsets[i];
  out.users.resize(out.operands.size());
  // Filling moves each offset to the end of its node, which is where the next one begins.
  for (uint32_t node = 0; node < nodes; ++node) {
    for (uint32_t k = out.operand_offsets[node]; k < out.operand_offsets[node + 1]; ++k) {
      out.users[out.user_offsets[out.operands[k]]++] = node;
    }
  }
  for (size_t i = nodes; i > 0; --i) out.user_offsets[i] = out.user_offsets[i - 1];
  out.user_offsets[0] = 0;
}

}  // namespace

double log_ns(double time_ns) {
  constexpr double kLeastTimeNs = 0.001;
  return std::log(std::max(time_ns, kLeastTimeNs));
}

float log_analytical_ns(const Example& example, size_t sample) {
  if (example.analytical_ns.empty()) return 0;
  const double time_ns = example.analytical_ns[sample];
  return std::isfinite(time_ns) ? static_cast<float>(log_ns(time_ns)) : 0;
}

Batcher::Batcher(const ExampleSet& set, const Normaliser& normaliser)
    : set_(set), normaliser_(normaliser) {
  const ColumnScales& scales = normaliser.node;
  empty_.resize(scales.columns.size());
  normaliser.apply(scales, set.columns.empty, empty_);
  kept_position_.assign(scales.width, -1);
  for (size_t i = 0; i < scales.columns.size(); ++i) {
    kept_position_[scales.columns[i]] = static_cast<int32_t>(i);
  }
}

void Batcher::fill_nodes(std::span<const Chosen> chosen, Batch<float>& out) const {
  out.node_features.resize(index(out.node_offsets.back()), index(empty_.size()));
  out.graph_features.resize(index(chosen.size()), index(normaliser_.graph.columns.size()));
  out.opcodes.clear();
  size_t node = 0;
  for (size_t g = 0; g < chosen.size(); ++g) {
    const Example& example = set_.examples[chosen[g].example];
    out.opcodes.insert(out.opcodes.end(), example.opcodes.begin(), example.opcodes.end());
    normaliser_.apply(normaliser_.graph, example.static_features, row_of(out.graph_features, g));
    for (size_t i = 0; i < example.nodes(); ++i, ++node) {
      const std::span<float> to = row_of(out.node_features, node);
      std::copy(empty_.begin(), empty_.end(), to.begin());
      const SparseRows::Row row = example.node_features[i];
      for (size_t k = 0; k < row.columns.size(); ++k) {
        const int32_t position = kept_position_[row.columns[k]];
        if (position < 0) continue;
        const auto at = static_cast<size_t>(position);
        to[at] = normaliser_.scaled(normaliser_.node, at, row.values[k]);
      }
    }
  }
}

void Batcher::fill_edges(std::span<const Chosen> chosen, Batch<float>& out) const {
  out.operand_offsets.assign(1, 0);
  out.operands.clear();
  for (size_t g = 0; g < chosen.size(); ++g) {
    const Example& example = set_.examples[chosen[g].example];
    const uint32_t first_edge = out.operand_offsets.back();
    for (size_t i = 1; i <= example.nodes(); ++i) {
      out.operand_offsets.push_back(first_edge + example.operand_offsets[i]);
    }
    for (const uint32_t operand : example.operands) {
      out.operands.push_back(out.node_offsets[g] + operand);
    }
  }
  take_users(out);
}

void Batcher::fill_samples(std::span<const Chosen> chosen, Batch<float>& out) const {
  const size_t tile = normaliser_.configuration.columns.size();
  const size_t estimate = normaliser_.estimate.columns.size();
  out.configurations.resize(index(out.sample_offsets.back()), index(tile + estimate));
  out.analytical.resize(index(out.sample_offsets.back()), 1);
  out.targets.clear();
  for (const Chosen& one : chosen) {
    const Example& example = set_.examples[one.example];
    for (const uint32_t sample : one.samples) {
      const size_t s = out.targets.size();
      const std::span<float> row = row_of(out.configurations, s);
      if (tile > 0) {
        normaliser_.apply(normaliser_.configuration, example.tile_row(sample), row.first(tile));
      }
      if (estimate > 0) {
        normaliser_.apply(normaliser_.estimate, example.estimate_row(sample), row.last(estimate));
      }
      out.analytical(index(s), 0) = log_analytical_ns(example, sample);
      out.targets.push_back(static_cast<float>(log_ns(example.times_ns[sample])));
    }
  }
}

void Batcher::fill(std::span<const Chosen> chosen, Batch<float>& out) const {
  out.node_offsets.assign(1, 0);
  out.sample_offsets.assign(1, 0);
  for (const Chosen& one : chosen) {
    const auto nodes = static_cast<uint32_t>(set_.examples[one.example].nodes());
    out.node_offsets.push_back(out.node_offsets.back() + nodes);
    out.sample_offsets.push_back(out.sample_offsets.back() +
                                 static_cast<uint32_t>(one.samples.size()));
  }
  fill_nodes(chosen, out);
  fill_edges(chosen, out);
  if (set_.info.task == data::Task::kLayout) {
    fill_layouts(set_, normaliser_, chosen, out);
  } else {
    fill_samples(chosen, out);
  }
}

Batch<float> Batcher::batch(std::span<const Chosen> chosen) const {
  Batch<float> out;
  fill(chosen, out);
  return out;
}

}  // namespace hloscope::predict
