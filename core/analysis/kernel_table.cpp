#include "core/analysis/kernel_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/analysis/metrics.h"
#include "core/base/intern.h"

namespace hloscope::analysis {
namespace {

constexpr uint64_t kLast = std::numeric_limits<uint64_t>::max();

/// Unsigned integers that order as the doubles do; NaN is the largest.
uint64_t ordered_bits(double value) {
  if (std::isnan(value)) return kLast;
  const auto bits = std::bit_cast<uint64_t>(value);
  constexpr uint64_t kSign = uint64_t{1} << 63;
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

/// "fusion.12" -> {"fusion.", 12}; a name without trailing digits has number 0.
std::pair<std::string_view, uint32_t> split_number(std::string_view name) {
  size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  uint32_t number = 0;
  const auto [end, status] =
      std::from_chars(name.data() + digits, name.data() + name.size(), number);
  if (status != std::errc()) return {name, 0};
  return {name.substr(0, digits), number};
}

}  // namespace

bool has_column(const ModuleReport& report, size_t column) {
  const KernelColumn& info = kernel_columns()[column];
  if (info.kind == ColumnKind::kDelta) return false;
  return !is_optional(info) || has_place(report, info.source);
}

const double KernelTable::kNone = std::numeric_limits<double>::quiet_NaN();

KernelTable::KernelTable(std::shared_ptr<const ModuleReport> report, BaselinePtr baseline)
    : report_(std::move(report)), baseline_(std::move(baseline)) {
  if (baseline_) pinned_ = baseline_->match(*report_);
  const hlo::Program& program = *report_->module.program;
  distinct_.reserve(report_->kernels.distinct.size());
  for (graph::KernelId id : report_->kernels.distinct) {
    const graph::Kernel& kernel = report_->kernels.kernels[id];
    distinct_.push_back({kernel_label(program, kernel),
                         program.shapes().text(program[kernel.instruction].shape, false),
                         choice(id) != nullptr ? sim::tile_text(choice(id)->tile) : ""});
  }
  numbers_.resize(kernel_columns().size());
  for (size_t column = 0; column < numbers_.size(); ++column) {
    has_column_.push_back(analysis::has_column(*report_, column));
    if (kernel_columns()[column].is_number()) fill_column(column);
  }
}

void KernelTable::fill_column(size_t column) {
  const bool is_delta = kernel_columns()[column].kind == ColumnKind::kDelta;
  if (is_delta && !baseline_) return;
  if (kernel_columns()[column].kind == ColumnKind::kShare) return fill_shares(column);
  std::vector<double>& values = numbers_[column];
  values.resize(row_count());
  for (uint32_t row = 0; row < values.size(); ++row) {
    values[row] = computed(column, graph::KernelId(row));
  }
  if (!is_delta) return;
  // What a device took depends on no machine that is chosen here: unchanged it says nothing.
  const bool is_news = info(kernel_columns()[column].source).is_estimate;
  has_column_[column] = std::any_of(values.begin(), values.end(), [is_news](double change) {
    return !std::isnan(change) && (is_news || change != 0);
  });
}

std::optional<double> KernelTable::baseline_ns(TimeSource source, graph::KernelId kernel) const {
  if (!pinned_.contains(kernel) || pinned_[kernel] == nullptr) return std::nullopt;
  return (*pinned_[kernel])[static_cast<size_t>(source)];
}

void KernelTable::fill_shares(size_t column) {
  const auto& measured = report_->measured_ns;
  const bool all_measured =
      measured.size() == row_count() && row_count() > 0 &&
      std::all_of(measured.begin(), measured.end(), [](const auto& t) { return t.has_value(); });
  share_source_ = all_measured ? TimeSource::kMeasured : TimeSource::kSimulated;
  std::vector<double>& values = numbers_[column];
  values.resize(row_count());
  double total = 0;
  for (uint32_t row = 0; row < values.size(); ++row) {
    const auto time = time_ns(*report_, share_source_, graph::KernelId(row));
    values[row] = time ? *time * kernel(row).executions : kNone;
    if (time) total += values[row];
  }
  for (double& value : values) value = total > 0 ? value / total : kNone;
}

double KernelTable::computed(size_t column, graph::KernelId id) const {
  const KernelColumn& info = kernel_columns()[column];
  const graph::Kernel& kernel = report_->kernels.kernels[id];
  switch (info.kind) {
    case ColumnKind::kCount:
      return info.key == "executions" ? kernel.executions : kernel.instruction_count;
    case ColumnKind::kTime:
      return time_ns(*report_, info.source, id).value_or(kNone);
    case ColumnKind::kError:
      return relative_error(time_ns(*report_, info.source, id),
                            time_ns(*report_, TimeSource::kMeasured, id));
    case ColumnKind::kDelta:
      return relative_change(time_ns(*report_, info.source, id), baseline_ns(info.source, id));
    case ColumnKind::kFlops:
    case ColumnKind::kBytes:
    case ColumnKind::kIntensity:
      break;
    case ColumnKind::kSpread:
      return predicted(info, id);
    case ColumnKind::kVmem:
    case ColumnKind::kFlag: {
      if (info.source == TimeSource::kPredicted) return predicted(info, id);
      const TileChoice* tile = choice(id);
      if (tile == nullptr) return kNone;
      if (info.kind == ColumnKind::kFlag) return tile->has_fallback ? 1 : 0;
      return tile->footprint_bytes > 0 ? tile->footprint_bytes : kNone;
    }
    default:
      return kNone;
  }
  if (!report_->cost.kernels.contains(id)) return kNone;
  const Cost& cost = report_->cost.kernels[id];
  const double flops = cost.flops < 0 ? kNone : cost.flops;
  if (info.kind == ColumnKind::kFlops) return flops;
  if (info.kind == ColumnKind::kBytes) return cost.bytes_accessed;
  return cost.bytes_accessed > 0 ? flops / cost.bytes_accessed : kNone;
}

double KernelTable::predicted(const KernelColumn& column, graph::KernelId id) const {
  const PredictedTimes& times = report_->predicted;
  const bool is_known = column.kind == ColumnKind::kFlag ? times.by.knows_far : times.by.has_spread;
  if (!is_known || !times.of_kernels.contains(id) || !times.of_kernels[id]) return kNone;
  const PredictedTime& time = *times.of_kernels[id];
  if (column.kind == ColumnKind::kSpread) return time.spread();
  return time.is_far ? 1 : 0;
}

const TileChoice* KernelTable::choice(graph::KernelId id) const {
  const uint32_t distinct = report_->kernels.distinct_of[id];
  const std::vector<TileChoice>& tiles = report_->times.tiles;
  return distinct < tiles.size() ? &tiles[distinct] : nullptr;
}

std::string_view KernelTable::name(uint32_t row) const {
  return (*report_->module.program)[kernel(row).instruction].name;
}

std::string_view KernelTable::text(uint32_t row, size_t column) const {
  switch (kernel_columns()[column].kind) {
    case ColumnKind::kName:
      return name(row);
    case ColumnKind::kClass:
      return hlo::name(kernel(row).op_class);
    case ColumnKind::kBound: {
      const graph::KernelId id(row);
      return report_->times.simulated.contains(id)
                 ? analysis::name(report_->times.simulated[id].bound)
                 : std::string_view();
    }
    case ColumnKind::kTile:
      return distinct(row).tile;
    default:
      return {};
  }
}

bool KernelTable::matches(const KernelQuery& query, uint32_t row) const {
  static const size_t kBoundColumn = *column_by_key("bound");
  KernelFacts facts;
  facts.name = name(row);
  facts.label = label(row);
  facts.shape = shape(row);
  facts.bound = text(row, kBoundColumn);
  facts.tile = distinct(row).tile;
  facts.opcode = (*report_->module.program)[kernel(row).instruction].opcode;
  facts.op_class = kernel(row).op_class;
  facts.number = [this, row](size_t column) { return number(row, column); };
  return query.matches(facts);
}

std::vector<uint32_t> KernelTable::filtered(const KernelQuery& query) const {
  std::vector<uint32_t> rows;
  if (query.is_empty()) {
    rows.resize(row_count());
    std::iota(rows.begin(), rows.end(), 0U);
    return rows;
  }
  for (uint32_t row = 0; row < row_count(); ++row) {
    if (matches(query, row)) rows.push_back(row);
  }
  return rows;
}

std::vector<uint64_t> KernelTable::name_keys() const {
  StringTable stems;
  std::vector<std::pair<StringId, uint32_t>> split(row_count());
  for (uint32_t row = 0; row < row_count(); ++row) {
    const auto [stem, number] = split_number(name(row));
    split[row] = {stems.intern(stem), number};
  }
  std::vector<uint32_t> order(stems.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&stems](uint32_t a, uint32_t b) { return stems[StringId(a)] < stems[StringId(b)]; });
  std::vector<uint64_t> rank(stems.size());
  for (size_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  std::vector<uint64_t> keys(row_count());
  for (uint32_t row = 0; row < row_count(); ++row) {
    keys[row] = rank[split[row].first.value] << 32U | split[row].second;
  }
  return keys;
}

std::vector<uint64_t> KernelTable::tile_keys() const {
  std::vector<uint32_t> order(distinct_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [this](uint32_t a, uint32_t b) { return distinct_[a].tile < distinct_[b].tile; });
  std::vector<uint64_t> rank(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && distinct_[order[i]].tile == distinct_[order[i - 1]].tile;
    rank[order[i]] = same ? rank[order[i - 1]] : i;
  }
  std::vector<uint64_t> keys(row_count());
  for (uint32_t row = 0; row < row_count(); ++row) {
    const uint32_t d = report_->kernels.distinct_of[graph::KernelId(row)];
    keys[row] = distinct_[d].tile.empty() ? kLast : rank[d];
  }
  return keys;
}

std::vector<uint64_t> KernelTable::sort_keys(size_t column) const {
  const ColumnKind kind = kernel_columns()[column].kind;
  if (kind == ColumnKind::kName) return name_keys();
  if (kind == ColumnKind::kTile) return tile_keys();
  std::vector<uint64_t> keys(row_count());
  for (uint32_t row = 0; row < row_count(); ++row) {
    if (kind == ColumnKind::kClass) {
      keys[row] = static_cast<uint64_t>(kernel(row).op_class);
    } else if (kind == ColumnKind::kBound) {
      const graph::KernelId id(row);
      keys[row] = report_->times.simulated.contains(id)
                      ? static_cast<uint64_t>(report_->times.simulated[id].bound)
                      : kLast;
    } else {
      keys[row] = ordered_bits(number(row, column));
    }
  }
  return keys;
}

void KernelTable::sort(std::vector<uint32_t>& rows, size_t column, bool descending) const {
  std::vector<uint64_t> keys = sort_keys(column);
  if (descending) {
    for (uint64_t& key : keys) {
      if (key != kLast) key = kLast - 1 - key;
    }
  }
  std::vector<std::pair<uint64_t, uint32_t>> order(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) order[i] = {keys[rows[i]], rows[i]};
  std::sort(order.begin(), order.end());
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = order[i].second;
}

bool KernelTable::is_far(uint32_t row, size_t column) const {
  static const size_t kFar = *column_by_key("far");
  const KernelColumn& info = kernel_columns()[column];
  return info.kind == ColumnKind::kTime && info.source == TimeSource::kPredicted &&
         number(row, kFar) > 0;
}

double KernelTable::delta_of(std::span<const uint32_t> rows, TimeSource source) const {
  if (!baseline_ || baseline_->one_kernel() != nullptr) return kNone;
  double now_ns = 0;
  double before_ns = 0;
  bool has_all = rows.size() == row_count();
  double all_ns = 0;
  for (uint32_t row : rows) {
    const graph::KernelId id(row);
    const auto now = time_ns(*report_, source, id);
    const auto before = baseline_ns(source, id);
    has_all = has_all && now;
    if (!now) continue;
    all_ns += *now * kernel(row).executions;
    if (!before) continue;
    now_ns += *now * kernel(row).executions;
    before_ns += *before * kernel(row).executions;
  }
  const auto program_ns = has_all ? baseline_->total_ns(*report_, source) : std::nullopt;
  return program_ns ? relative_change(all_ns, program_ns) : relative_change(now_ns, before_ns);
}

KernelTable::Totals KernelTable::totals(std::span<const uint32_t> rows) const {
  Totals totals;
  totals.kernels = rows.size();
  for (size_t s = 0; s < kTimeSourceCount; ++s) {
    std::vector<double> estimate;
    std::vector<double> truth;
    for (uint32_t row : rows) {
      const graph::KernelId id(row);
      const auto time = time_ns(*report_, kTimeSources[s].source, id);
      if (!time) continue;
      totals.time_ns[s] += *time * kernel(row).executions;
      ++totals.timed[s];
      const auto measured = time_ns(*report_, TimeSource::kMeasured, id);
      if (!measured || !kTimeSources[s].is_estimate) continue;
      estimate.push_back(*time);
      truth.push_back(*measured);
    }
    totals.mape[s] = mape(estimate, truth);
    totals.delta[s] = delta_of(rows, kTimeSources[s].source);
  }
  double without_rule_ns = 0;
  for (uint32_t row : rows) {
    const graph::KernelId id(row);
    const TileChoice* tile = choice(id);
    if (tile == nullptr || !tile->has_fallback) continue;
    without_rule_ns += report_->times.simulated[id].time_ns * kernel(row).executions;
  }
  const double all_ns = totals.time_ns[static_cast<size_t>(TimeSource::kSimulated)];
  if (all_ns > 0) totals.rule_share = 1 - without_rule_ns / all_ns;
  return totals;
}

std::string rule_share_text(double share) {
  return fmt::format("{:.0f} % of the time without fall-back", std::floor(share * 100));
}

}  // namespace hloscope::analysis
