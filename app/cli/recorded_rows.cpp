#include <fmt/format.h>

#include "app/cli/tune_experiment_rows.h"

namespace hloscope::cli {

namespace {

using nlohmann::ordered_json;
using tune::RecordedOrder;
using tune::RecordedOutcome;
using Align = TextTable::Align;

constexpr size_t kShown[] = {1, 5, 10};
constexpr double kNear = 0.01;

double random_slowdown(const RecordedOutcome& outcome, size_t count) {
  return tune::expected_best_ns(outcome.orders.front().times_ns, count) / outcome.best_ns - 1;
}

std::vector<std::string> head_of(const RecordedOutcome& outcome, const std::string& order) {
  return {outcome.kernel, fmt::format("{}", outcome.orders.front().times_ns.size()),
          microseconds(outcome.best_ns),
          outcome.default_ns > 0 ? percent(outcome.default_ns / outcome.best_ns - 1) : "-", order};
}

ordered_json random_json(const RecordedOutcome& outcome) {
  ordered_json out = {{"order", "random, expected"}};
  for (const size_t count : kShown) {
    out[fmt::format("top_{}_slowdown", count)] = random_slowdown(outcome, count);
  }
  out["measurements_to_1_percent"] = tune::expected_draws(outcome.orders.front().times_ns, kNear);
  return out;
}

ordered_json order_json(const RecordedOutcome& outcome, const RecordedOrder& order) {
  ordered_json out = {{"order", order.source}};
  for (const size_t count : kShown) {
    out[fmt::format("top_{}_slowdown", count)] = tune::slowdown_after(outcome, order, count);
  }
  out["measurements_to_1_percent"] = tune::measurements_until(outcome, order, kNear);
  return out;
}

}  // namespace

TextTable recorded_table(std::span<const RecordedOutcome> outcomes) {
  TextTable table({{"Kernel", Align::kLeft},
                   {"Tiles"},
                   {"Best µs"},
                   {"Default"},
                   {"Measured in the order of", Align::kLeft},
                   {"After 1"},
                   {"After 5"},
                   {"After 10"},
                   {"Until within 1 %"}});
  for (const RecordedOutcome& outcome : outcomes) {
    for (const RecordedOrder& order : outcome.orders) {
      std::vector<std::string> row = head_of(outcome, order.source);
      for (const size_t count : kShown) {
        row.push_back(percent(tune::slowdown_after(outcome, order, count)));
      }
      row.push_back(fmt::format("{}", tune::measurements_until(outcome, order, kNear)));
      table.add_row(std::move(row));
    }
    std::vector<std::string> row = head_of(outcome, "random, expected");
    for (const size_t count : kShown) row.push_back(percent(random_slowdown(outcome, count)));
    row.push_back(
        fmt::format("{:.1f}", tune::expected_draws(outcome.orders.front().times_ns, kNear)));
    table.add_row(std::move(row));
  }
  return table;
}

ordered_json recorded_json(std::span<const RecordedOutcome> outcomes) {
  auto out = ordered_json::array();
  for (const RecordedOutcome& outcome : outcomes) {
    auto orders = ordered_json::array();
    for (const RecordedOrder& order : outcome.orders) orders.push_back(order_json(outcome, order));
    orders.push_back(random_json(outcome));
    out.push_back({{"kernel", outcome.kernel},
                   {"device", outcome.device},
                   {"tiles", outcome.orders.front().times_ns.size()},
                   {"best_ns", outcome.best_ns},
                   {"default_ns", outcome.default_ns},
                   {"orders", std::move(orders)}});
  }
  return out;
}

}  // namespace hloscope::cli
