#include "core/predict/layout_batch.h"

#include <array>
#include <cmath>

#include "core/hlo/opcode.h"

namespace hloscope::predict {

namespace {

using Eigen::Index;

/// The layouts of a batch, each in a row of its own from 1 on: row 0 is for nodes without a choice.
class LayoutTable {
 public:
  explicit LayoutTable(Batch<float>& out) : out_(out) { out_.node_configurations.clear(); }

  void add(const Example& example, std::span<const uint32_t> samples) {
    const LayoutRows& rows = example.layouts;
    std::vector<uint32_t> row_of(rows.layouts().size(), 0);
    for (const uint32_t sample : samples) {
      const size_t first = out_.node_configurations.size();
      out_.node_configurations.resize(first + example.nodes(), 0);
      const std::span<const uint32_t> numbers = rows.sample(sample);
      for (size_t i = 0; i < numbers.size(); ++i) {
        uint32_t& row = row_of[numbers[i]];
        if (row == 0) {
          layouts_.push_back(rows.layouts()[numbers[i]]);
          row = static_cast<uint32_t>(layouts_.size());
        }
        out_.node_configurations[first + rows.nodes()[i]] = row;
      }
    }
  }

  void write(const Normaliser& normaliser) {
    const ColumnScales& scales = normaliser.configuration;
    const size_t width = scales.columns.size();
    out_.configurations.setZero(static_cast<Index>(layouts_.size() + 1), static_cast<Index>(width));
    std::array<float, kLayoutColumns> row{};
    for (size_t i = 0; i < layouts_.size(); ++i) {
      one_hot(layouts_[i], row);
      normaliser.apply(scales, row, std::span(out_.configurations.data() + (i + 1) * width, width));
    }
  }

 private:
  Batch<float>& out_;
  std::vector<NodeLayout> layouts_;
};

enum Kind : size_t { kConvolution, kDot, kOther, kKinds };

Kind kind_of(uint32_t tpugraphs_id) {
  const auto opcode = hlo::opcode_by_tpugraphs_id(static_cast<int>(tpugraphs_id));
  if (opcode == hlo::Opcode::kConvolution) return kConvolution;
  return opcode == hlo::Opcode::kDot ? kDot : kOther;
}

}  // namespace

ColumnScales layout_scales(const ExampleSet& set, std::span<const uint32_t> training,
                           Scaling scaling) {
  std::array<bool, kLayoutColumns> is_one{};
  std::array<bool, kLayoutColumns> is_zero{};
  std::array<float, kLayoutColumns> row{};
  for (const uint32_t at : training) {
    for (const NodeLayout& layout : set.examples[at].layouts.layouts()) {
      one_hot(layout, row);
      for (size_t c = 0; c < row.size(); ++c) (row[c] > 0 ? is_one : is_zero)[c] = true;
    }
  }
  ColumnScales out;
  out.width = kLayoutColumns;
  for (uint32_t c = 0; c < kLayoutColumns; ++c) {
    if (!is_one[c] || !is_zero[c]) continue;
    out.columns.push_back(c);
    out.shift.push_back(0);
    out.factor.push_back(scaling == Scaling::kLogStandard ? 1 / std::log1p(1.0) : 1.0);
  }
  return out;
}

void fill_layouts(const ExampleSet& set, const Normaliser& normaliser,
                  std::span<const Chosen> chosen, Batch<float>& out) {
  LayoutTable table(out);
  out.targets.clear();
  for (const Chosen& one : chosen) {
    const Example& example = set.examples[one.example];
    table.add(example, one.samples);
    const double least = log_ns(example.times_ns[example.fastest()]);
    for (const uint32_t sample : one.samples) {
      out.targets.push_back(static_cast<float>(log_ns(example.times_ns[sample]) - least));
    }
  }
  table.write(normaliser);
}

nn::Matrix<double> layout_counts(const Batch<float>& batch) {
  const Index width = batch.configurations.cols();
  nn::Matrix<double> out = nn::Matrix<double>::Zero(static_cast<Index>(batch.samples()),
                                                    width * static_cast<Index>(kKinds));
  size_t at = 0;
  for (size_t graph = 0; graph < batch.graphs(); ++graph) {
    for (size_t s = batch.sample_offsets[graph]; s < batch.sample_offsets[graph + 1]; ++s) {
      for (size_t i = batch.node_offsets[graph]; i < batch.node_offsets[graph + 1]; ++i, ++at) {
        const uint32_t row = batch.node_configurations[at];
        if (row == 0) continue;
        out.block(static_cast<Index>(s), width * static_cast<Index>(kind_of(batch.opcodes[i])), 1,
                  width) += batch.configurations.row(static_cast<Index>(row)).cast<double>();
      }
    }
  }
  return out;
}

}  // namespace hloscope::predict
