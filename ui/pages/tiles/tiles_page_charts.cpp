// Charts of TilesPage: curve, map and pipeline.
#include <QButtonGroup>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <algorithm>
#include <cmath>

#include "core/sim/rates.h"
#include "ui/charts/series_legend.h"
#include "ui/charts/tile_curve_chart.h"
#include "ui/charts/tile_heat_map.h"
#include "ui/charts/tile_pipeline_chart.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/pages/tiles/shown_sources.h"
#include "ui/pages/tiles/tile_delegates.h"
#include "ui/pages/tiles/tile_text.h"
#include "ui/pages/tiles/tiles_page.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {

using analysis::TimeSource;

namespace {

constexpr int kBesideColumns = 96;   ///< Scroll bar, and some air for the tiles.
constexpr int kMostForTable = 53;    ///< Per cent of the page.
constexpr double kQuickly = 20'000;  ///< Iterations that need no worker.

/// The least widths; of numbers what stands in them may need more.
constexpr std::array<int, TileTableModel::kColumnCount> kWidths = {48, 54, 82, 82, 44, 86,
                                                                   62, 56, 52, 82, 84, 84};
/// What goes first where there is no room.
constexpr std::array kFirstToGo = {TileTableModel::kIterations, TileTableModel::kVmem,
                                   TileTableModel::kDelta, TileTableModel::kAnalytical,
                                   TileTableModel::kSimulated};

TileCurveChart::Source sourceAt(const predict::TileRanking& ranking, TimeSource source,
                                const std::vector<uint32_t>& order) {
  TileCurveChart::Source out{source, {}};
  const predict::TileColumn& column = ranking.column(source);
  out.time_ns.reserve(order.size());
  for (const uint32_t tile : order) out.time_ns.push_back(column.chart_ns[tile]);
  return out;
}

}  // namespace

void TilesPage::measureColumns() {
  widths_ = kWidths;
  if (!ranking_) return;
  const QFontMetrics metrics(boldFont());
  const QString digits(QString::number(ranking_->size()).size(), '8');
  const int rank_width = QFontMetrics(smallFont()).horizontalAdvance(digits) + 2;
  for (RankedValueDelegate* delegate : ranked_delegates_) delegate->setRankWidth(rank_width);
  const auto take = [&](int column, const std::vector<double>& values, int more) {
    // The texts of the least and the greatest value are the longest.
    std::optional<uint32_t> least;
    std::optional<uint32_t> greatest;
    for (uint32_t i = 0; i < values.size(); ++i) {
      if (std::isnan(values[i])) continue;
      if (!least || values[i] < values[*least]) least = i;
      if (!greatest || values[i] > values[*greatest]) greatest = i;
    }
    for (const auto& tile : {least, greatest}) {
      if (!tile) continue;
      int& width = widths_[static_cast<size_t>(column)];
      width = std::max(width, metrics.horizontalAdvance(model_->cell(*tile, column)) + more + 14);
    }
  };
  take(TileTableModel::kIterations, ranking_->iterations, 0);
  take(TileTableModel::kSlowdown, ranking_->slowdown, 0);
  std::vector<double> changes(ranking_->size());
  for (uint32_t i = 0; i < changes.size(); ++i) changes[i] = model_->delta(i);
  take(TileTableModel::kDelta, changes, 0);
  for (int column = TileTableModel::kMeasured; column < TileTableModel::kColumnCount; ++column) {
    const auto source = TileTableModel::sourceOf(column);
    if (!source) continue;
    take(column, ranking_->column(*source).values,
         *source == TimeSource::kMeasured ? 0 : rank_width + 4);
  }
}

void TilesPage::divide() {
  if (is_divided_by_user_ || !ranking_ || splitter_->width() < 1) return;
  int wanted = kBesideColumns;
  for (int column = 0; column < TileTableModel::kColumnCount; ++column) {
    if (!model_->isEmptyColumn(column)) wanted += widths_[static_cast<size_t>(column)];
  }
  const int room = splitter_->width() - splitter_->handleWidth();
  const int table = std::min(wanted, room * kMostForTable / 100);
  splitter_->setSizes({table, room - table});
}

void TilesPage::fitColumns() {
  if (view_ == nullptr) return;
  divide();
  int room = view_->viewport()->width();
  std::array<bool, TileTableModel::kColumnCount> shown{};
  int needed = 0;
  for (int column = 0; column < TileTableModel::kColumnCount; ++column) {
    const auto c = static_cast<size_t>(column);
    shown[c] = !model_->isEmptyColumn(column);
    if (shown[c]) needed += widths_[c];
  }
  for (const TileTableModel::Column column : kFirstToGo) {
    // Who pins a tile asks for the changes.
    const bool stays = column == TileTableModel::kDelta && picks_.pinned;
    if (needed <= room || !shown[column] || stays) continue;
    shown[column] = false;
    needed -= widths_[column];
  }
  // What is left goes to the tiles.
  const int tiles = shown[TileTableModel::kKernel] ? 2 : 1;
  const int more = std::max(0, room - needed) / tiles;
  for (int column = 0; column < TileTableModel::kColumnCount; ++column) {
    const auto c = static_cast<size_t>(column);
    const bool is_tile = column == TileTableModel::kOutput || column == TileTableModel::kKernel;
    view_->setColumnHidden(column, !shown[c]);
    if (shown[c]) {
      view_->horizontalHeader()->resizeSection(column, widths_[c] + (is_tile ? more : 0));
    }
  }
}

void TilesPage::fillCurve() {
  curve_order_.clear();
  std::vector<SeriesLegend::Entry> entries;
  if (ranking_) {
    const std::vector<uint32_t>& ranks = ranking_->column(source()).ranks;
    std::vector<uint8_t> is_shown(ranking_->size(), 0);
    for (const uint32_t tile : model_->rows()) is_shown[tile] = 1;
    for (const uint32_t tile : ranking_->order(source())) {
      if (is_shown[tile] != 0 && ranks[tile] > 0) curve_order_.push_back(tile);
    }
    entries.push_back({source()});
  }
  std::vector<TileCurveChart::Source> points;
  std::vector<TileCurveChart::Mark> marks;
  TileCurveChart::Source line{source(), {}};
  if (ranking_) {
    line = sourceAt(*ranking_, source(), curve_order_);
    for (const TimeSource other : kTileSources) {
      if (other == source() || ranking_->column(other).is_empty()) continue;
      points.push_back(sourceAt(*ranking_, other, curve_order_));
      entries.push_back({other});
    }
    const auto mark = [&](std::optional<uint32_t> tile, const QString& what, bool is_ring) {
      const auto at =
          tile ? std::find(curve_order_.begin(), curve_order_.end(), *tile) : curve_order_.end();
      if (at == curve_order_.end()) return;
      const auto position = static_cast<int>(at - curve_order_.begin());
      const double time_ns = line.time_ns[static_cast<size_t>(position)];
      const QString rank = formatCount(ranking_->column(source()).ranks[*tile]);
      const QString time = ranking_->column(source()).is_score
                               ? QString()
                               : QStringLiteral(": %1 µs").arg(formatTimeUs(time_ns));
      marks.push_back(
          {position, is_ring ? what + time : tr("%1, rank %2").arg(what, rank) + time, is_ring});
    };
    mark(ranking_->column(source()).first, tr("best"), true);
    mark(picks_.in_use, picks_.is_chosen ? tr("in use") : tr("default"), false);
  }
  curve_->setTiles(std::move(line), std::move(points), std::move(marks));
  series_->setEntries(std::move(entries));
  showEmpty();
  if (const auto tile = selectedTile()) {
    const auto at = std::find(curve_order_.begin(), curve_order_.end(), *tile);
    if (at != curve_order_.end()) {
      curve_->setSelected(static_cast<int>(at - curve_order_.begin()));
    }
  }
}

QString TilesPage::toolTipOf(int position) const {
  const uint32_t tile = curve_order_[static_cast<size_t>(position)];
  QStringList lines{tileText(ranking_->tile(tile))};
  for (const TimeSource source : kTileSources) {
    const predict::TileColumn& column = ranking_->column(source);
    if (column.is_empty() || column.ranks[tile] == 0) continue;
    const QString name = textOf(analysis::info(source).name);
    lines
        << (column.is_score
                ? tr("%1 rank %2, drawn at the time of that rank").arg(name).arg(column.ranks[tile])
                : tr("%1 %2 µs, rank %3")
                      .arg(name, formatTimeUs(column.values[tile]))
                      .arg(column.ranks[tile]));
  }
  const QString picks = model_->pickText(tile);
  if (!picks.isEmpty()) lines << picks;
  return lines.join('\n');
}

void TilesPage::fillDimensions() {
  map_x_->clear();
  map_y_->clear();
  if (!ranking_) return;
  const std::vector<TileDimension> dimensions = tileDimensions(ranking_->model);
  for (const TileDimension& dimension : dimensions) {
    for (QComboBox* combo : {map_x_, map_y_}) {
      combo->addItem(dimension.name, dimension.loop.value);
    }
  }
  const auto set = [](QComboBox* combo, const QString& name, int otherwise) {
    const int at = combo->findText(name);
    combo->setCurrentIndex(at >= 0 ? at : std::min(otherwise, combo->count() - 1));
  };
  set(map_x_, wanted_dimensions_.first, 0);
  set(map_y_, wanted_dimensions_.second, 1);
}

void TilesPage::fillMap() {
  std::vector<float> x;
  std::vector<float> y;
  std::vector<double> times_ns;
  std::vector<uint8_t> is_estimate;
  const bool has_dimensions = map_x_->currentIndex() >= 0;
  const bool shows =
      ranking_ != nullptr && has_dimensions && !ranking_->column(source()).is_empty();
  if (shows) {
    const size_t loop_x = map_x_->currentData().toUInt();
    const size_t loop_y = map_y_->currentData().toUInt();
    times_ns = ranking_->column(source()).chart_ns;
    is_estimate.assign(ranking_->size(), source() == TimeSource::kMeasured ? 0 : 1);
    for (const std::vector<int64_t>& bounds : ranking_->list.bounds) {
      x.push_back(static_cast<float>(bounds[loop_x]));
      y.push_back(static_cast<float>(bounds[loop_y]));
    }
  }
  map_->setTrials(tr("bound of %1").arg(map_x_->currentText()), x,
                  tr("bound of %1").arg(map_y_->currentText()), y, times_ns, is_estimate);
  showView();
}

void TilesPage::showView() {
  const bool is_map = view_buttons_->checkedId() == 1;
  chart_stack_->setCurrentIndex(is_map ? 1 : 0);
  legend_row_->setVisible(!is_map && ranking_ != nullptr);
  first_box_->setVisible(!is_map);
  map_controls_->setVisible(is_map);
  const QString name = textOf(analysis::info(source()).name);
  chart_panel_->setContext(!ranking_ ? QString()
                           : is_map  ? tr("best %1 time by two bounds").arg(name)
                                     : QString());
}

void TilesPage::followTable() {
  const auto tile = selectedTile();
  use_->setEnabled(tile.has_value() && !database_.empty());
  use_default_->setEnabled(ranking_ && ranking_->default_tile && !database_.empty());
  const auto at =
      tile ? std::find(curve_order_.begin(), curve_order_.end(), *tile) : curve_order_.end();
  curve_->setSelected(at == curve_order_.end() ? -1 : static_cast<int>(at - curve_order_.begin()));
  showPipeline();
  if (tile && ranking_ && isVisible() && view_->hasFocus()) {
    emit messageRequested(tr("Tile %1 selected · Enter uses it · Ctrl+C copies the row")
                              .arg(tileText(ranking_->tile(*tile))));
  }
}

void TilesPage::showPipeline() {
  const auto tile = selectedTile();
  if (!ranking_ || !tile) return setPipeline(nullptr);
  const auto work = [ranking = ranking_, at = *tile] {
    const sim::Rates rates(ranking->report->machine);
    return std::make_shared<const sim::TilePipeline>(
        sim::tile_pipeline(ranking->model, ranking->list.bounds[at], rates));
  };
  if (ranking_->iterations[*tile] <= kQuickly) return setPipeline(work());
  using Pipeline = std::shared_ptr<const sim::TilePipeline>;
  tasks_.run<Pipeline>(
      {.label = tr("Simulating the tile"), .key = QStringLiteral("tiles.pipeline")},
      [work](const Progress& /*progress*/) { return work(); }, this,
      [this, ranking = ranking_, at = *tile](const Pipeline& pipeline) {
        if (ranking == ranking_ && selectedTile() == at) setPipeline(pipeline);
      });
}

void TilesPage::setPipeline(const std::shared_ptr<const sim::TilePipeline>& pipeline) {
  const auto tile = selectedTile();
  if (!pipeline || !ranking_ || !tile) {
    pipeline_->setPipeline(nullptr, sim::KernelModel(), 0);
    pipeline_->setEmptyText(ranking_ ? tr("No tile is selected.") : emptyText());
    pipeline_panel_->setContext({});
    pipeline_footer_->setWholeText({});
    return;
  }
  const double measured_ns = ranking_->list.measured_ns[*tile];
  pipeline_->setEmptyText({});
  pipeline_->setPipeline(pipeline, ranking_->model, std::isnan(measured_ns) ? 0 : measured_ns);
  QString context = tr("%1 · simulated %2")
                        .arg(tileText(ranking_->tile(*tile)), formatTime(pipeline->total.time_ns));
  if (!std::isnan(measured_ns)) context += tr(", measured %1").arg(formatTime(measured_ns));
  context += tr(" · %1").arg(countOf(static_cast<size_t>(pipeline->total.tiles), tr("tile")));
  pipeline_panel_->setContext(context);
  pipeline_footer_->setWholeText(pipelineFooter(*pipeline));
}

}  // namespace hloscope::ui
