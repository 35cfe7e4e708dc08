#include <algorithm>
#include <cmath>

#include "core/analysis/kernel_export.h"
#include "ui/charts/series_style.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/pages/compare/compare_models.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {
namespace {

QString rangeText(analysis::TimeRange range) {
  const QString limit = formatNumber(analysis::kShortKernelNs / 1e3, 0);
  switch (range) {
    case analysis::TimeRange::kShort:
      return QStringLiteral("< %1 µs").arg(limit);
    case analysis::TimeRange::kLong:
      return QStringLiteral("≥ %1 µs").arg(limit);
    case analysis::TimeRange::kAll:
      return QStringLiteral("all");
  }
  return {};
}

QString signedText(double value, int decimals) {
  const QString text = formatNumber(value, decimals);
  return value >= 0 ? '+' + text : text;
}

}  // namespace

std::vector<MetricsModel::Row> MetricsModel::rowsOf(std::span<const analysis::ComparePoint> points,
                                                    const analysis::PairAxes& axes, bool of_tiles,
                                                    const Progress& progress) {
  std::vector<analysis::PairSource> sources{axes.y};
  for (const analysis::PairSourceInfo& other : analysis::kPairSources) {
    if (other.source == axes.x || other.source == axes.y) continue;
    if (has_times(points, other.source, axes.scale)) sources.push_back(other.source);
  }
  std::vector<Row> rows;
  for (const analysis::PairSource source : sources) {
    const analysis::PairAxes pair = axes.with_y(source);
    for (analysis::TimeRange range : analysis::kTimeRanges) {
      if (progress.stop_requested()) return rows;
      rows.push_back(
          {source, range, analysis::pair_metrics(points, pair, range),
           of_tiles ? analysis::pair_tile_tau(points, pair, range) : analysis::TileTau()});
    }
  }
  return rows;
}

void MetricsModel::setRows(std::vector<Row> rows, const analysis::PairAxes& axes, bool of_tiles,
                           std::optional<analysis::PairSource> baseline) {
  beginResetModel();
  axes_ = axes;
  of_tiles_ = of_tiles;
  baseline_ = baseline;
  rows_ = std::move(rows);
  endResetModel();
}

const MetricsModel::Row* MetricsModel::baselineOf(const Row& row) const {
  const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const Row& other) {
    return other.source == baseline_ && other.range == row.range;
  });
  return found == rows_.end() || found->metrics.n < kFewestPoints ? nullptr : &*found;
}

bool MetricsModel::hasBaseline() const {
  return std::any_of(rows_.begin(), rows_.end(),
                     [this](const Row& row) { return baselineOf(row) != nullptr; });
}

bool MetricsModel::isShown(int column) const {
  if (column == kDelta) return hasBaseline();
  return column != kTileTau || of_tiles_;
}

double MetricsModel::difference(const Row& row, int column) const {
  const Row* const base = baselineOf(row);
  if (base == nullptr || base == &row || row.metrics.n < kFewestPoints) return NAN;
  switch (column) {
    case kMape:
    case kDelta:
      return 100 * (row.metrics.mape - base->metrics.mape);
    case kMedian:
      return 100 * (row.metrics.median_ape - base->metrics.median_ape);
    case kTau:
      return row.metrics.kendall_tau - base->metrics.kendall_tau;
    case kWithin:
      return 100 * (row.metrics.within_band - base->metrics.within_band);
    default:
      return NAN;
  }
}

QString MetricsModel::cell(const Row& row, int column) const {
  const analysis::CompareMetrics& m = row.metrics;
  if (column == kSource) return textOf(analysis::info(row.source).name);
  if (column == kRange) return rangeText(row.range);
  if (column == kCount) return formatCount(static_cast<int64_t>(m.n));
  if (column == kTileTau) {
    return row.tile_tau.kernels > 0 ? formatNumber(row.tile_tau.mean, 3) : noValue();
  }
  if (m.n < kFewestPoints) return noValue();
  switch (column) {
    case kDelta:
      return signedText(difference(row, kMape), 1);
    case kMape:
      return formatNumber(m.mape * 100, 1);
    case kMedian:
      return formatNumber(m.median_ape * 100, 1);
    case kTau:
      return formatNumber(m.kendall_tau, 3);
    default:
      return formatNumber(m.within_band * 100, 0);
  }
}

int MetricsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int MetricsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumnCount;
}

QVariant MetricsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Row& row = rows_[static_cast<size_t>(index.row())];
  const bool few = index.column() > kCount && row.metrics.n < kFewestPoints;
  switch (role) {
    case Qt::DisplayRole:
      // The name stands once in front of its ranges.
      if (index.column() == kSource && row.range != analysis::TimeRange::kShort) return QString();
      return cell(row, index.column());
    case Qt::DecorationRole:
      if (index.column() != kSource || row.range != analysis::TimeRange::kShort) return {};
      return markerIcon(seriesOf(row.source));
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter |
                      (index.column() >= kCount ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::ForegroundRole:
      return few ? QVariant(theme().role(Role::kTextFaint)) : QVariant();
    case Qt::FontRole: {
      QFont font = uiFont();
      font.setBold(row.source == axes_.y);
      return font;
    }
    case Qt::ToolTipRole:
      return toolTip(row, index.column());
    default:
      return {};
  }
}

QString MetricsModel::toolTip(const Row& row, int column) const {
  if (column <= kCount) return {};
  if (column == kTileTau) {
    return tr("%1 with %2 tiles and more")
        .arg(countOf(row.tile_tau.kernels, tr("kernel")))
        .arg(analysis::kFewestTiles);
  }
  if (row.metrics.n < kFewestPoints) return tr("Fewer than %1 points").arg(kFewestPoints);
  const double change = difference(row, column);
  if (std::isnan(change)) return {};
  const QString text = signedText(change, column == kTau ? 3 : 1);
  return tr("%1 against the baseline, %2").arg(text, textOf(analysis::info(*baseline_).name));
}

QVariant MetricsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  static const QString kTitles[kColumnCount] = {tr("Source"),    tr("Range"),    tr("n"),
                                                tr("MAPE %"),    tr("Δ MAPE"),   tr("Median %"),
                                                tr("Kendall τ"), tr("τ/kernel"), tr("in ±10 %")};
  const QString x = textOf(analysis::info(axes_.x).name);
  const QString help[kColumnCount] = {
      tr("Whose times are judged"),
      tr("By %1 time").arg(x),
      tr("Kernels with both times"),
      tr("Mean of |time − %1| / %1").arg(x),
      baseline_ ? tr("MAPE less that of the baseline, %1, in points")
                      .arg(textOf(analysis::info(*baseline_).name))
                : QString(),
      tr("Median of |time − %1| / %1").arg(x),
      tr("Kendall's τ-b: 1 = same order as %1").arg(x),
      tr("Kendall's τ-b of the tiles of each kernel, mean over kernels"),
      tr("Share of times within 10 % of %1, in %").arg(x)};
  if (role == Qt::DisplayRole) return kTitles[section];
  if (role == Qt::ToolTipRole) return help[section];
  if (role == Qt::TextAlignmentRole) {
    return QVariant(Qt::AlignVCenter | (section >= kCount ? Qt::AlignRight : Qt::AlignLeft));
  }
  return {};
}

QString MetricsModel::markdown() const {
  using analysis::TableFormat;
  std::vector<int> columns;
  for (int column = 0; column < kColumnCount; ++column) {
    if (isShown(column)) columns.push_back(column);
  }
  std::vector<std::string> cells;
  bool right[kColumnCount] = {};
  for (int column : columns) {
    right[cells.size()] = column >= kCount;
    cells.push_back(headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().toStdString());
  }
  std::string out = analysis::table_line(cells, TableFormat::kMarkdown);
  out += analysis::header_rule(std::span(right).first(cells.size()), TableFormat::kMarkdown);
  for (const Row& row : rows_) {
    cells.clear();
    for (int column : columns) cells.push_back(cell(row, column).toStdString());
    out += analysis::table_line(cells, TableFormat::kMarkdown);
  }
  return QString::fromStdString(out);
}

}  // namespace hloscope::ui
