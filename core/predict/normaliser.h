#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/predict/batch.h"
#include "core/predict/example_set.h"

namespace hloscope::predict {

/// How columns of features are brought to a common scale.
enum class Scaling : uint8_t {
  kLogStandard,  ///< Signed log1p, then mean 0 and standard deviation 1.
  kMinMax,       ///< To [0, 1] by the least and greatest value, as the paper (MLSys 2021) does.
};
[[nodiscard]] std::string_view name(Scaling scaling);  ///< "log_standard", "min_max".

/// Of one kind of features: those columns that are not constant, in ascending order.
struct ColumnScales {
  uint32_t width = 0;             ///< Columns before any is dropped.
  std::vector<uint32_t> columns;  ///< Kept.
  // By position in `columns`: (x - shift) * factor, x after the transform.
  std::vector<double> shift;
  std::vector<double> factor;
  bool operator==(const ColumnScales&) const = default;
};

/// Brings features to the scale of the training examples. What it gives is always finite and
/// within +-kLimit, whatever it is given.
struct Normaliser {
  static constexpr double kLimit = 10;

  Scaling scaling = Scaling::kLogStandard;
  ColumnScales node;           ///< Columns as in node_columns().
  ColumnScales graph;          ///< Group kStatic.
  ColumnScales configuration;  ///< Group kTile, or one_hot() of layouts; of task fusion of width 0.
  ColumnScales estimate;       ///< estimate_feature_names(); of width 0 for models without them.
  bool operator==(const Normaliser&) const = default;

  /// The task of the examples that it was fitted on.
  [[nodiscard]] data::Task task() const;
  [[nodiscard]] InputWidths widths() const {
    return {node.columns.size(), graph.columns.size(),
            configuration.columns.size() + estimate.columns.size()};
  }
  [[nodiscard]] float scaled(const ColumnScales& scales, size_t position, float value) const;
  /// A whole row (scales.width long) to its kept columns. An empty row gives zeros: not known.
  void apply(const ColumnScales& scales, std::span<const float> row, std::span<float> out) const;

  /// As JSON text; doubles come back bit for bit.
  [[nodiscard]] std::string to_json() const;
  /// Error: kInvalidInput for what to_json() does not write, naming the key.
  [[nodiscard]] static Result<Normaliser> from_json(std::string_view text);
};

/// Fitted on the given examples, which should be those of the training part: every node, kernel
/// and tile counts once. Without the analytical estimates, which fit_estimates() adds.
[[nodiscard]] Normaliser fit_normaliser(const ExampleSet& set, std::span<const uint32_t> training,
                                        Scaling scaling = Scaling::kLogStandard);
void fit_estimates(const ExampleSet& set, std::span<const uint32_t> training,
                   Normaliser& normaliser);

}  // namespace hloscope::predict
