#include "app/cli/ablation_table.h"

#include <fmt/format.h>

#include "app/cli/json_text.h"

namespace hloscope::cli {

namespace {

using nlohmann::ordered_json;

std::optional<double> difference(const predict::SeedSummary& a, const predict::SeedSummary& b) {
  if (!a.mean || !b.mean) return std::nullopt;
  return *a.mean - *b.mean;
}

std::string value_cell(const predict::AblationMetric& metric, const predict::SeedSummary& value) {
  if (!value.mean) return "-";
  const double scale = metric.is_fraction ? 100 : 1;
  const int digits = metric.is_fraction ? 2 : 3;
  std::string out = fmt::format("{:.{}f}", scale * *value.mean, digits);
  if (value.spread) out += fmt::format(" ± {:.{}f}", scale * *value.spread, digits);
  return out;
}

std::string change_cell(const predict::AblationMetric& metric,
                        const std::optional<double>& change) {
  if (!change) return "-";
  return metric.is_fraction ? fmt::format("{:+.2f}", 100 * *change)
                            : fmt::format("{:+.3f}", *change);
}

ordered_json variant_json(const VariantResult& one, const VariantResult& base, data::Task task) {
  ordered_json out = {{"option", one.variant.option},
                      {"value", one.variant.value},
                      {"instead_of", one.variant.base_value}};
  const auto metrics = predict::ablation_metrics(task);
  for (size_t i = 0; i < metrics.size(); ++i) {
    const predict::SeedSummary value = one.summary(i);
    out[std::string(metrics[i].name)] = {{"mean", or_null(value.mean)},
                                         {"spread", or_null(value.spread)},
                                         {"change", or_null(difference(value, base.summary(i)))}};
  }
  out["train_s"] = or_null(one.train_s());
  out["model"] = ordered_json::parse(predict::to_json(one.variant.model));
  return out;
}

}  // namespace

predict::SeedSummary VariantResult::summary(size_t metric) const {
  std::vector<std::optional<double>> values;
  for (const predict::AblationRun& run : runs) values.push_back(run.metrics[metric]);
  return predict::summarise_seeds(values);
}

std::optional<double> VariantResult::train_s() const {
  std::vector<std::optional<double>> values;
  for (const predict::AblationRun& run : runs) values.emplace_back(run.train_s);
  return predict::summarise_seeds(values).mean;
}

TextTable ablation_table(const BaseResult& result, data::Task task) {
  using enum TextTable::Align;
  const auto metrics = predict::ablation_metrics(task);
  std::vector<TextTable::Column> columns{
      {"option", kLeft}, {"value", kLeft}, {"instead of", kLeft}};
  for (const auto& metric : metrics) {
    columns.push_back({std::string(metric.title) + (metric.is_fraction ? ", %" : "")});
    columns.push_back({"change"});
  }
  columns.push_back({"training s"});
  TextTable table(columns);
  for (const VariantResult& one : result.variants) {
    const bool is_base = one.variant.option.empty();
    std::vector<std::string> cells{is_base ? "(base)" : one.variant.option, one.variant.value,
                                   one.variant.base_value};
    for (size_t i = 0; i < metrics.size(); ++i) {
      const predict::SeedSummary value = one.summary(i);
      cells.push_back(value_cell(metrics[i], value));
      cells.push_back(
          is_base ? "" : change_cell(metrics[i], difference(value, result.variants[0].summary(i))));
    }
    cells.push_back(fmt::format("{:.0f}", one.train_s().value_or(0)));
    table.add_row(std::move(cells));
  }
  return table;
}

ordered_json base_result_json(const BaseResult& result, data::Task task) {
  auto variants = ordered_json::array();
  for (const VariantResult& one : result.variants) {
    variants.push_back(variant_json(one, result.variants[0], task));
  }
  return {{"base", predict::name(result.base)}, {"variants", std::move(variants)}};
}

}  // namespace hloscope::cli
