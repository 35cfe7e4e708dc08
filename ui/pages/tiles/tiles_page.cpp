#include "ui/pages/tiles/tiles_page.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QStandardItemModel>
#include <QTableView>
#include <algorithm>

#include "core/base/thread_pool.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/models/kernel_tables.h"
#include "ui/pages/tiles/tile_card.h"
#include "ui/pages/tiles/tile_text.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/format.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {

using analysis::TimeSource;

void TilesPage::setReports(const std::vector<ReportPtr>& reports) {
  reports_ = reports;
}

void TilesPage::setReport(const ReportPtr& report) {
  report_ = report;
  fillKernels();
}

void TilesPage::setSelection(const Selection& selection) {
  selection_ = selection;
  is_stale_ = true;
  if (isVisible()) refresh();
}

void TilesPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  if (is_stale_) refresh();
  fitColumns();
}

void TilesPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  fitColumns();
}

void TilesPage::fillKernels() {
  const QSignalBlocker blocker(kernels_);
  kernels_->clear();
  entries_.clear();
  for (const ReportPtr& report : reports_) {
    if (!report_ || report->file_path != report_->file_path) continue;
    const auto table = kernelTable(report);
    for (const graph::KernelId kernel : predict::tiled_kernels(*report)) {
      const graph::Kernel& one = report->kernels.kernels[kernel];
      const QString name = textOf(report->module.program->operator[](one.instruction).name);
      kernels_->addItem(opClassIcon(one.op_class),
                        QStringLiteral("%1  %2").arg(name, textOf(table->label(kernel.value))));
      entries_.push_back({report, kernel});
    }
  }
}

std::optional<TilesPage::KernelEntry> TilesPage::wanted() const {
  if (!report_) return std::nullopt;
  if (selection_.kernel.valid()) return KernelEntry{report_, selection_.kernel};
  for (const KernelEntry& entry : entries_) {
    if (entry.report == report_) return entry;
  }
  return std::nullopt;
}

void TilesPage::refresh() {
  is_stale_ = false;
  const std::optional<KernelEntry> next = wanted();
  {
    const QSignalBlocker blocker(kernels_);
    const auto at = std::find_if(entries_.begin(), entries_.end(), [&](const KernelEntry& entry) {
      if (!next || entry.report != next->report) return false;
      const auto& distinct_of = entry.report->kernels.distinct_of;
      return distinct_of[entry.kernel] == distinct_of[next->kernel];
    });
    kernels_->setCurrentIndex(at == entries_.end() ? -1 : static_cast<int>(at - entries_.begin()));
  }
  const bool same = next && shown_ && next->report == shown_->report &&
                    next->report->kernels.distinct_of[next->kernel] ==
                        shown_->report->kernels.distinct_of[shown_->kernel];
  if (same) return;
  if (next) return load(*next);
  shown_.reset();
  ranking_.reset();
  failure_.clear();
  loading_ = false;
  showRanking();
}

void TilesPage::chooseKernel(int entry) {
  if (entry < 0) return;
  const KernelEntry& chosen = entries_[static_cast<size_t>(entry)];
  const hlo::InstructionId instruction = chosen.report->kernels.kernels[chosen.kernel].instruction;
  emit selectionRequested(chosen.report == report_ ? nullptr : chosen.report,
                          {chosen.kernel, instruction});
}

void TilesPage::load(const KernelEntry& entry) {
  shown_ = entry;
  loading_ = true;
  const hlo::Program& program = *entry.report->module.program;
  const QString name =
      textOf(program[entry.report->kernels.kernels[entry.kernel].instruction].name);
  table_panel_->setContext(tr("ranking the tiles of %1…").arg(name));
  load_label_ = tr("Ranking tiles of %1").arg(name);
  tasks_.run<Result<Ranked>>(
      {.label = load_label_, .key = QStringLiteral("tiles.rank")},
      [entry, options = options_](const Progress& progress) -> Result<Ranked> {
        ThreadPool pool;
        HLOSCOPE_ASSIGN(auto ranking,
                        predict::rank_tiles(entry.report, entry.kernel, options, pool, progress));
        auto texts = std::make_shared<const std::vector<std::string>>(tileTexts(*ranking));
        return Ranked{std::move(ranking), std::move(texts)};
      },
      this, [this](Result<Ranked> ranked) { loaded(std::move(ranked)); });
}

void TilesPage::cancelled(const QString& label) {
  if (!loading_ || label != load_label_) return;
  loading_ = false;
  shown_.reset();
  ranking_.reset();
  failure_ = tr("The ranking was cancelled");
  showRanking();
}

void TilesPage::loaded(Result<Ranked> ranked) {
  loading_ = false;
  failure_.clear();
  if (ranked) {
    ranking_ = std::move(ranked->ranking);
    texts_ = std::move(ranked->texts);
  } else {
    ranking_.reset();
    failure_ = textOf(ranked.error().message);
  }
  offerSources();
  showRanking();
  loadChoice();
}

void TilesPage::offerSources() {
  if (!ranking_) return;
  const QSignalBlocker blocker(source_);
  auto* entries = qobject_cast<QStandardItemModel*>(source_->model());
  const TimeSource before = source();
  for (int i = 0; i < source_->count(); ++i) {
    const auto one = static_cast<TimeSource>(source_->itemData(i).toInt());
    const bool has = !ranking_->column(one).is_empty();
    entries->item(i)->setEnabled(has);
    const QString why = one == TimeSource::kMeasured ? tr("No tile of this kernel was measured")
                                                     : textOf(ranking_->absence);
    source_->setItemData(i, has ? QString() : why, Qt::ToolTipRole);
  }
  // Measured times come first wherever there are any, unless another source was chosen.
  const bool keep = source_chosen_ && !ranking_->column(before).is_empty();
  const TimeSource next = keep ? before : ranking_->best_source();
  source_->setCurrentIndex(source_->findData(static_cast<int>(next)));
}

TimeSource TilesPage::source() const {
  return static_cast<TimeSource>(source_->currentData().toInt());
}

void TilesPage::showRanking() {
  const auto selected = selectedTile();
  const sim::Tile before =
      selected && model_->ranking() ? model_->ranking()->tile(*selected) : sim::Tile();
  model_->setRanking(ranking_, texts_, source());
  picks_ = {};
  chosen_.reset();
  if (ranking_) picks_.in_use = ranking_->default_tile;
  if (pinned_ && ranking_ && choiceKey().kernel == pinned_of_) {
    picks_.pinned = ranking_->find(*pinned_);
  }
  model_->setPicks(picks_);
  model_->setFilter(query_, fits_->isChecked());
  view_->sortByColumn(TileTableModel::kRank, Qt::AscendingOrder);
  measureColumns();
  for (TileCard* card : cards_) card->setRanking(ranking_.get());
  fitColumns();
  fillDimensions();
  fillCurve();
  fillMap();
  refreshTexts();
  const auto again = ranking_ ? ranking_->find(before) : std::nullopt;
  if (selected && again && model_->indexOf(*again).isValid()) {
    selectTile(*again);
  } else if (model_->rowCount() > 0) {
    selectTile(model_->rows().front());
  }
  followTable();
}

void TilesPage::applyFilter() {
  const auto selected = selectedTile();
  auto query = TileQuery::parse(filter_->text().trimmed().toStdString());
  filter_->setProperty("bad", !query.has_value());
  filter_->setToolTip(query ? textOf(TileQuery::help())
                            : QString::fromStdString(query.error().format()));
  filter_->update();
  if (!query) return;
  query_ = std::move(*query);
  model_->setFilter(query_, fits_->isChecked());
  if (selected && model_->indexOf(*selected).isValid()) {
    selectTile(*selected);
  } else if (model_->rowCount() > 0) {
    selectTile(model_->rows().front());
  }
  fillCurve();
  refreshTexts();
  followTable();
}

void TilesPage::setMost(size_t most, bool beside_measured) {
  options_.most = most;
  options_.beside_measured = beside_measured;
  if (shown_) load(*shown_);
}

std::optional<uint32_t> TilesPage::selectedTile() const {
  return model_->tileAt(view_->currentIndex());
}

void TilesPage::selectTile(uint32_t tile) {
  const QModelIndex index = model_->indexOf(tile, TileTableModel::kOutput);
  if (!index.isValid()) return;
  view_->setCurrentIndex(index);
  view_->scrollTo(index);
}

QVariantMap TilesPage::saveState() const {
  QVariantMap state{{QStringLiteral("most"), static_cast<qulonglong>(options_.most)},
                    {QStringLiteral("beside_measured"), options_.beside_measured},
                    {QStringLiteral("fits"), fits_->isChecked()},
                    {QStringLiteral("filter"), filter_->text()},
                    {QStringLiteral("first"), first_buttons_->checkedId()},
                    {QStringLiteral("view"), view_buttons_->checkedId()},
                    {QStringLiteral("map_x"), map_x_->currentText()},
                    {QStringLiteral("map_y"), map_y_->currentText()}};
  if (source_chosen_) state[QStringLiteral("source")] = static_cast<int>(source());
  return state;
}

void TilesPage::restoreState(const QVariantMap& state) {
  const auto get = [&state](const char* key) { return state.value(QLatin1String(key)); };
  if (get("most").toULongLong() > 0) options_.most = get("most").toULongLong();
  options_.beside_measured = get("beside_measured").toBool();
  if (state.contains(QStringLiteral("fits"))) fits_->setChecked(get("fits").toBool());
  wanted_dimensions_ = {get("map_x").toString(), get("map_y").toString()};
  if (const int source = source_->findData(get("source")); source >= 0) {
    source_->setCurrentIndex(source);
    source_chosen_ = true;
  }
  for (const auto& [group, key] : {std::pair(first_buttons_, "first"), {view_buttons_, "view"}}) {
    if (QAbstractButton* button = group->button(get(key).toInt())) button->click();
  }
  filter_->setText(get("filter").toString());
  applyFilter();
  shown_.reset();
  is_stale_ = true;
  if (isVisible()) refresh();
}

TilesPage* createTilesPage(TaskRunner& tasks, const std::filesystem::path& database) {
  return new TilesPage(tasks, database);
}

}  // namespace hloscope::ui
