#include "ui/pages/tiles/tile_table_model.h"

#include <QFont>
#include <algorithm>
#include <cmath>

#include "core/analysis/baseline.h"
#include "ui/models/item_roles.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/pages/tiles/tile_text.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {

using analysis::TimeSource;

std::optional<TimeSource> TileTableModel::sourceOf(int column) {
  switch (column) {
    case kMeasured:
      return TimeSource::kMeasured;
    case kPredicted:
      return TimeSource::kPredicted;
    case kSimulated:
      return TimeSource::kSimulated;
    case kAnalytical:
      return TimeSource::kAnalytical;
    default:
      return std::nullopt;
  }
}

void TileTableModel::setRanking(std::shared_ptr<const predict::TileRanking> ranking, Texts texts,
                                TimeSource source) {
  beginResetModel();
  ranking_ = std::move(ranking);
  texts_ = std::move(texts);
  source_ = source;
  picks_ = {};
  sort_column_ = kRank;
  sort_order_ = Qt::AscendingOrder;
  fillRows();
  endResetModel();
}

void TileTableModel::setFilter(const TileQuery& query, bool only_fitting) {
  beginResetModel();
  query_ = query;
  only_fitting_ = only_fitting;
  fillRows();
  endResetModel();
}

void TileTableModel::setPicks(const TilePicks& picks) {
  const bool other_delta = picks.pinned != picks_.pinned;
  picks_ = picks;
  if (rowCount() == 0) return;
  emit dataChanged(index(0, kPick), index(rowCount() - 1, kPick));
  if (!other_delta) return;
  emit dataChanged(index(0, kDelta), index(rowCount() - 1, kDelta));
  if (sort_column_ == kDelta) sort(sort_column_, sort_order_);
}

void TileTableModel::fillRows() {
  rows_.clear();
  if (!ranking_) return;
  for (uint32_t i = 0; i < ranking_->size(); ++i) {
    if (only_fitting_ && !ranking_->fits(i)) continue;
    if (query_.matches(*ranking_, *texts_, source_, i)) rows_.push_back(i);
  }
  sortRows();
}

bool TileTableModel::isEmptyColumn(int column) const {
  if (!ranking_) return false;
  if (column == kSlowdown) return ranking_->slowdown.empty();
  if (column == kDelta) return !reference() || std::isnan(delta(*reference()));
  if (column == kKernel) return ranking_->model.kernel_loops.empty();
  const auto source = sourceOf(column);
  return source && ranking_->column(*source).is_empty();
}

std::optional<uint32_t> TileTableModel::reference() const {
  return picks_.pinned ? picks_.pinned : ranking_->default_tile;
}

TimeSource TileTableModel::deltaSource() const {
  return ranking_->column(source_).is_score ? TimeSource::kSimulated : source_;
}

double TileTableModel::delta(uint32_t tile) const {
  const predict::TileColumn& times = ranking_->column(deltaSource());
  const auto base = reference();
  if (!base || times.is_empty()) return NAN;
  const auto time = [&times](uint32_t of) {
    return std::isnan(times.values[of]) ? std::nullopt : std::optional(times.values[of]);
  };
  return analysis::relative_change(time(tile), time(*base));
}

double TileTableModel::key(uint32_t tile, int column) const {
  const predict::TileRanking& ranking = *ranking_;
  const auto rank_of = [&](TimeSource source) {
    const std::vector<uint32_t>& ranks = ranking.column(source).ranks;
    return ranks.empty() || ranks[tile] == 0 ? NAN : static_cast<double>(ranks[tile]);
  };
  switch (column) {
    case kRank:
      return rank_of(source_);
    case kPick:
      return -static_cast<double>(glyphs(tile).size());
    case kIterations:
      return ranking.iterations[tile];
    case kVmem:
      return ranking.footprint_bytes[tile];
    case kSlowdown:
      return rank_of(TimeSource::kMeasured);
    case kDelta:
      return delta(tile);
    default:
      return rank_of(sourceOf(column).value_or(source_));
  }
}

void TileTableModel::sortRows() {
  if (!ranking_) return;
  const bool descending = sort_order_ == Qt::DescendingOrder;
  std::stable_sort(rows_.begin(), rows_.end());
  if (sort_column_ == kOutput || sort_column_ == kKernel) {
    const bool output = sort_column_ == kOutput;
    std::vector<std::vector<int64_t>> keys(ranking_->size());
    for (const uint32_t tile : rows_) {
      const sim::Tile one = ranking_->tile(tile);
      keys[tile] = output ? one.output : one.kernel;
    }
    std::stable_sort(rows_.begin(), rows_.end(), [&](uint32_t a, uint32_t b) {
      return descending ? keys[b] < keys[a] : keys[a] < keys[b];
    });
    return;
  }
  std::vector<double> keys(ranking_->size());
  for (const uint32_t tile : rows_) keys[tile] = key(tile, sort_column_);
  std::stable_sort(rows_.begin(), rows_.end(), [&](uint32_t a, uint32_t b) {
    // What has no value comes last both ways.
    if (std::isnan(keys[a]) || std::isnan(keys[b]))
      return !std::isnan(keys[a]) && std::isnan(keys[b]);
    return descending ? keys[b] < keys[a] : keys[a] < keys[b];
  });
}

void TileTableModel::sort(int column, Qt::SortOrder order) {
  if (column < 0) return;
  emit layoutAboutToBeChanged();
  const QModelIndexList before = persistentIndexList();
  std::vector<uint32_t> tiles;
  for (const QModelIndex& one : before) tiles.push_back(rows_[static_cast<size_t>(one.row())]);
  sort_column_ = column;
  sort_order_ = order;
  sortRows();
  std::vector<int> row_of(ranking_ ? ranking_->size() : 0, -1);
  for (size_t r = 0; r < rows_.size(); ++r) row_of[rows_[r]] = static_cast<int>(r);
  for (qsizetype i = 0; i < before.size(); ++i) {
    changePersistentIndex(before[i],
                          index(row_of[tiles[static_cast<size_t>(i)]], before[i].column()));
  }
  emit layoutChanged();
}

std::optional<uint32_t> TileTableModel::tileAt(const QModelIndex& index) const {
  if (!index.isValid() || index.row() >= rowCount()) return std::nullopt;
  return rows_[static_cast<size_t>(index.row())];
}

QModelIndex TileTableModel::indexOf(uint32_t tile, int column) const {
  const auto at = std::find(rows_.begin(), rows_.end(), tile);
  return at == rows_.end() ? QModelIndex() : index(static_cast<int>(at - rows_.begin()), column);
}

int TileTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int TileTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumnCount;
}

QStringList TileTableModel::glyphs(uint32_t tile) const {
  QStringList out;
  if (ranking_->column(TimeSource::kMeasured).first == tile) out << QStringLiteral("best");
  if (picks_.in_use == tile) out << QStringLiteral("use");
  if (picks_.pinned == tile) out << QStringLiteral("pin");
  for (const TimeSource source :
       {TimeSource::kPredicted, TimeSource::kSimulated, TimeSource::kAnalytical}) {
    if (ranking_->column(source).first == tile) out << textOf(analysis::info(source).id);
  }
  return out;
}

QString TileTableModel::pickText(uint32_t tile) const {
  QStringList out;
  for (const QString& glyph : glyphs(tile)) {
    if (glyph == QStringLiteral("best")) {
      out << tr("best measured");
    } else if (glyph == QStringLiteral("pin")) {
      out << tr("pinned");
    } else if (glyph == QStringLiteral("use")) {
      out << (picks_.is_chosen                ? tr("in use, your choice")
              : ranking_->default_is_recorded ? tr("in use, XLA default")
                                              : tr("in use, model's default"));
    } else {
      out << tr("first choice: %1").arg(glyph);
    }
  }
  return out.join(QStringLiteral("; "));
}

QString TileTableModel::cell(uint32_t tile, int column) const {
  const predict::TileRanking& ranking = *ranking_;
  switch (column) {
    case kRank: {
      const std::vector<uint32_t>& ranks = ranking.column(source_).ranks;
      return ranks.empty() || ranks[tile] == 0 ? noValue() : formatCount(ranks[tile]);
    }
    case kPick:
      return pickText(tile);
    case kOutput:
      return boundsText(ranking.tile(tile).output);
    case kKernel:
      return boundsText(ranking.tile(tile).kernel);
    case kIterations:
      return formatNumber(ranking.iterations[tile], 0);
    case kVmem:
      return mebibytes(ranking.footprint_bytes[tile]);
    case kSlowdown:
      return ranking.slowdown.empty() ? noValue() : formatNumber(ranking.slowdown[tile] * 100, 1);
    case kDelta: {
      const double change = delta(tile);
      if (std::isnan(change)) return noValue();
      return (change >= 0 ? QStringLiteral("+") : QString()) + formatNumber(change * 100, 1);
    }
    default: {
      const predict::TileColumn& of = ranking.column(*sourceOf(column));
      if (of.is_empty()) return noValue();
      return of.is_score ? formatNumber(of.values[tile], 3) : formatTimeUs(of.values[tile]);
    }
  }
}

QVariant TileTableModel::foreground(uint32_t tile, int column) const {
  if (!ranking_->fits(tile)) return theme().role(Role::kTextFaint);
  if (column == kRank) return theme().role(Role::kTextMuted);
  return {};
}

QString TileTableModel::toolTip(uint32_t tile, int column) const {
  switch (column) {
    case kPick:
      return pickText(tile);
    case kOutput:
    case kKernel:
      return textOf(sim::tile_text(ranking_->tile(tile)));
    case kVmem: {
      const QString text =
          tr("%1 of %2 MiB")
              .arg(mebibytes(ranking_->footprint_bytes[tile]), mebibytes(ranking_->vmem_bytes));
      return ranking_->fits(tile) ? text : tr("%1: too big by our count").arg(text);
    }
    case kPredicted: {
      const predict::TileColumn& of = ranking_->column(TimeSource::kPredicted);
      if (of.is_empty()) return {};
      return tr("Score %1 ± %2, rank %3: the model ranks, it tells no time")
          .arg(formatNumber(of.values[tile], 3), formatNumber(of.deviation[tile], 3))
          .arg(of.ranks[tile]);
    }
    default:
      return {};
  }
}

QVariant TileTableModel::data(const QModelIndex& index, int role) const {
  const auto tile = tileAt(index);
  if (!tile) return {};
  const int column = index.column();
  switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
      return cell(*tile, column);
    case Qt::TextAlignmentRole: {
      const bool left = column == kPick || column == kOutput || column == kKernel;
      return QVariant(Qt::AlignVCenter | (left ? Qt::AlignLeft : Qt::AlignRight));
    }
    case Qt::FontRole:
      if (column == kOutput || column == kKernel) return monoFont();
      if (column == kMeasured && ranking_->column(TimeSource::kMeasured).first == *tile) {
        return boldFont();
      }
      return {};
    case Qt::ForegroundRole:
      return foreground(*tile, column);
    case Qt::ToolTipRole:
      return toolTip(*tile, column);
    case kValueRole:
      if (column == kDelta) return delta(*tile);
      return column == kVmem ? QVariant(ranking_->footprint_bytes[*tile] / ranking_->vmem_bytes)
                             : QVariant();
    case kRankRole: {
      const auto source = sourceOf(column);
      if (!source || *source == TimeSource::kMeasured || ranking_->column(*source).is_empty()) {
        return {};
      }
      return formatCount(ranking_->column(*source).ranks[*tile]);
    }
    case kGlyphsRole:
      return column == kPick ? QVariant(glyphs(*tile)) : QVariant();
    default:
      return {};
  }
}

QString TileTableModel::deltaHelp() const {
  if (!ranking_ || !reference()) return {};
  const QString source = textOf(analysis::info(deltaSource()).name);
  const QString tile = tileText(ranking_->tile(*reference()));
  return picks_.pinned ? tr("Change of the %1 time against that of the pinned tile, %2 (Ctrl+D "
                            "unpins it)")
                             .arg(source, tile)
                       : tr("Change of the %1 time against that of the default tile, %2 (Ctrl+D "
                            "pins another one)")
                             .arg(source, tile);
}

QVariant TileTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  static const QString kTitles[kColumnCount] = {
      tr("#"),     tr("Pick"),         tr("Output tile"),  tr("Kernel tile"),
      tr("Iter."), tr("VMEM, MiB"),    tr("Meas. µs"),     tr("Slow %"),
      tr("Δ %"),   tr("Predicted, #"), tr("Simul. µs, #"), tr("Analyt. µs, #")};
  static const QString kHelp[kColumnCount] = {
      tr("Rank by the source chosen above"),
      tr("★ best measured, ✔ in use, ◆ ■ ▲ first choice of a model"),
      tr("Bounds of the output, physical order, major to minor; the two minor ones in tiles of the "
         "layout"),
      tr("Bounds of the right operand of a dot or convolution"),
      tr("Iterations of the kernel's loop over tiles"),
      tr("VMEM that the tile takes, by our count of its buffers"),
      tr("Measured time of the kernel; the fastest run"),
      tr("Measured time over that of the best measured tile, less 1"),
      QString(),
      tr("Score of the learned model, least is best, and rank"),
      tr("Simulated time and rank"),
      tr("Analytical time and rank")};
  // Next to times a score must not look like one.
  const bool is_score = ranking_ && ranking_->column(TimeSource::kPredicted).is_score;
  if (section == kPredicted && role == Qt::DisplayRole) {
    return is_score ? tr("Pred. score, #") : tr("Pred. µs, #");
  }
  if (section == kPredicted && role == Qt::ToolTipRole && !is_score) {
    return tr("Predicted time and rank");
  }
  if (section == kDelta && role == Qt::ToolTipRole) return deltaHelp();
  if (role == Qt::DisplayRole) return kTitles[section];
  if (role == Qt::ToolTipRole) return kHelp[section];
  if (role == Qt::TextAlignmentRole) {
    const bool left = section == kPick || section == kOutput || section == kKernel;
    return QVariant(Qt::AlignVCenter | (left ? Qt::AlignLeft : Qt::AlignRight));
  }
  return {};
}

QString TileTableModel::headerText() const {
  QStringList cells;
  for (int column = 0; column < kColumnCount; ++column) {
    if (isEmptyColumn(column)) continue;
    cells << headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    if (sourceOf(column) && column != kMeasured) {
      cells.back().remove(QStringLiteral(", #"));
      cells << tr("Rank");
    }
  }
  return cells.join('\t');
}

QString TileTableModel::rowText(int row) const {
  QStringList cells;
  for (int column = 0; column < kColumnCount; ++column) {
    if (isEmptyColumn(column)) continue;
    cells << index(row, column).data().toString();
    if (sourceOf(column) && column != kMeasured) {
      cells << index(row, column).data(kRankRole).toString();
    }
  }
  return cells.join('\t');
}

}  // namespace hloscope::ui
