#include "core/predict/normaliser.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>

#include "core/features/transform.h"
#include "core/predict/estimate_features.h"
#include "core/predict/layout_batch.h"

namespace hloscope::predict {

namespace {

double transformed(Scaling scaling, float value) {
  return scaling == Scaling::kLogStandard ? features::signed_log1p(value) : value;
}

/// Visits all rows: how often each column has which value.
using Visit = std::function<void(size_t column, float value, double count)>;
using Source = std::function<void(const Visit&)>;

// Ranges first, so that constant columns are known for sure, then means, then deviations.
class Fit {
 public:
  Fit(Scaling scaling, size_t width, const Source& source)
      : scaling_(scaling), width_(width), source_(source) {}

  ColumnScales scales() {
    find_ranges();
    ColumnScales out;
    out.width = static_cast<uint32_t>(width_);
    for (uint32_t c = 0; c < width_; ++c) {
      if (low_[c] < high_[c]) out.columns.push_back(c);
    }
    if (scaling_ == Scaling::kMinMax) {
      for (const uint32_t c : out.columns) add(out, low_[c], high_[c] - low_[c]);
      return out;
    }
    find_deviations();
    for (const uint32_t c : out.columns) add(out, mean_[c], std::sqrt(squares_[c] / count_[c]));
    return out;
  }

 private:
  static void add(ColumnScales& out, double shift, double spread) {
    out.shift.push_back(shift);
    out.factor.push_back(spread > 0 ? 1 / spread : 1);
  }

  void find_ranges() {
    low_.assign(width_, INFINITY);
    high_.assign(width_, -INFINITY);
    mean_.assign(width_, 0);
    count_.assign(width_, 0);
    source_([this](size_t column, float value, double count) {
      const double x = transformed(scaling_, value);
      if (count <= 0 || !std::isfinite(x)) return;
      low_[column] = std::min(low_[column], x);
      high_[column] = std::max(high_[column], x);
      mean_[column] += count * x;
      count_[column] += count;
    });
    for (size_t c = 0; c < width_; ++c) mean_[c] /= std::max(count_[c], 1.0);
  }

  void find_deviations() {
    squares_.assign(width_, 0);
    source_([this](size_t column, float value, double count) {
      const double x = transformed(scaling_, value);
      if (count <= 0 || !std::isfinite(x)) return;
      squares_[column] += count * (x - mean_[column]) * (x - mean_[column]);
    });
  }

  Scaling scaling_;
  size_t width_;
  const Source& source_;
  std::vector<double> low_, high_, mean_, count_, squares_;
};

// Values that rows do not list are those of the empty row.
void visit_nodes(const ExampleSet& set, std::span<const uint32_t> training, const Visit& visit) {
  const std::vector<float>& empty = set.columns.empty;
  std::vector<double> others(empty.size(), 0);
  double nodes = 0;
  for (const uint32_t at : training) {
    const SparseRows& rows = set.examples[at].node_features;
    nodes += static_cast<double>(rows.rows());
    for (size_t i = 0; i < rows.rows(); ++i) {
      const SparseRows::Row row = rows[i];
      for (size_t k = 0; k < row.columns.size(); ++k) {
        visit(row.columns[k], row.values[k], 1);
        others[row.columns[k]] += 1;
      }
    }
  }
  for (size_t c = 0; c < empty.size(); ++c) visit(c, empty[c], nodes - others[c]);
}

void visit_dense(std::span<const float> values, size_t width, const Visit& visit) {
  for (size_t i = 0; i < values.size(); ++i) visit(i % width, values[i], 1);
}

}  // namespace

std::string_view name(Scaling scaling) {
  return scaling == Scaling::kMinMax ? "min_max" : "log_standard";
}

data::Task Normaliser::task() const {
  if (configuration.width == 0) return data::Task::kFusion;
  return configuration.width == kLayoutColumns ? data::Task::kLayout : data::Task::kTile;
}

float Normaliser::scaled(const ColumnScales& scales, size_t position, float value) const {
  const double x = (transformed(scaling, value) - scales.shift[position]) * scales.factor[position];
  if (std::isnan(x)) return 0;
  return static_cast<float>(std::clamp(x, -kLimit, kLimit));
}

void Normaliser::apply(const ColumnScales& scales, std::span<const float> row,
                       std::span<float> out) const {
  assert(row.empty() || row.size() == scales.width);
  for (size_t i = 0; i < scales.columns.size(); ++i) {
    out[i] = row.empty() ? 0 : scaled(scales, i, row[scales.columns[i]]);
  }
}

Normaliser fit_normaliser(const ExampleSet& set, std::span<const uint32_t> training,
                          Scaling scaling) {
  Normaliser out;
  out.scaling = scaling;
  const auto fit = [scaling](size_t width, const Source& source) {
    return Fit(scaling, width, source).scales();
  };
  out.node =
      fit(set.columns.empty.size(), [&](const Visit& visit) { visit_nodes(set, training, visit); });
  const size_t statics = features::width(features::Group::kStatic);
  out.graph = fit(statics, [&](const Visit& visit) {
    for (const uint32_t at : training)
      visit_dense(set.examples[at].static_features, statics, visit);
  });
  if (set.info.task == data::Task::kLayout) {
    out.configuration = layout_scales(set, training, scaling);
  }
  if (set.info.task != data::Task::kTile) return out;
  const size_t tiles = features::width(features::Group::kTile);
  out.configuration = fit(tiles, [&](const Visit& visit) {
    for (const uint32_t at : training) visit_dense(set.examples[at].tile_features, tiles, visit);
  });
  return out;
}

void fit_estimates(const ExampleSet& set, std::span<const uint32_t> training,
                   Normaliser& normaliser) {
  const size_t width = estimate_feature_names().size();
  const Source source = [&](const Visit& visit) {
    for (const uint32_t at : training) visit_dense(set.examples[at].estimates, width, visit);
  };
  normaliser.estimate = Fit(normaliser.scaling, width, source).scales();
}

}  // namespace hloscope::predict
