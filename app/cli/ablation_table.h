#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "app/cli/text_table.h"
#include "core/predict/ablation.h"

namespace hloscope::cli {

/// A variant with its results by seed.
struct VariantResult {
  predict::AblationVariant variant;
  std::vector<predict::AblationRun> runs;

  /// `metric`: position in predict::ablation_metrics().
  [[nodiscard]] predict::SeedSummary summary(size_t metric) const;
  [[nodiscard]] std::optional<double> train_s() const;  ///< Mean.
};

struct BaseResult {
  predict::AblationBase base;
  std::vector<VariantResult> variants;  ///< The base first.
};

/// A row per variant: its values, and how the means differ from those of the base.
[[nodiscard]] TextTable ablation_table(const BaseResult& result, data::Task task);
/// {"base": "off", "variants": [{"option": ..., "kendall_tau": {"mean": ..., ...}, ...}, ...]}
[[nodiscard]] nlohmann::ordered_json base_result_json(const BaseResult& result, data::Task task);

}  // namespace hloscope::cli
