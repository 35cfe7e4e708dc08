#include "ui/pages/compare/compare_page.h"

#include <QComboBox>
#include <QLabel>
#include <QStandardItemModel>
#include <QTableView>
#include <algorithm>
#include <cmath>

#include "ui/charts/group_error_chart.h"
#include "ui/charts/scatter_chart.h"
#include "ui/charts/series_legend.h"
#include "ui/charts/series_style.h"
#include "ui/models/filter_edit.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/pages/compare/compare_models.h"
#include "ui/theme/format.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {

KernelSet ComparePage::kernelSet() const {
  return static_cast<KernelSet>(set_->currentIndex());
}

bool ComparePage::showsTiles() const {
  return measuredChoice() == analysis::MeasuredChoice::kEveryRun;
}

analysis::MeasuredChoice ComparePage::measuredChoice() const {
  return measured_->currentIndex() == 0 ? analysis::MeasuredChoice::kEveryKernel
                                        : analysis::MeasuredChoice::kEveryRun;
}

void ComparePage::setReports(const std::vector<ReportPtr>& reports) {
  reports_ = reports;
}

void ComparePage::setReport(const ReportPtr& report) {
  report_ = report;
  reload(false);
}

void ComparePage::setSelection(const Selection& selection) {
  selection_ = selection;
  applySelection();
}

void ComparePage::restrictMeasured() {
  const bool is_store = kernelSet() == KernelSet::kStore;
  measured_->setEnabled(!is_store);
  measured_->setToolTip(is_store ? tr("Stored estimates are at the tile that the model chooses: "
                                      "other measured tiles need their file open")
                                 : QString());
  if (!is_store) return;
  const QSignalBlocker blocker(measured_);
  measured_->setCurrentIndex(0);
}

void ComparePage::reload(bool force) {
  restrictMeasured();
  std::vector<const void*> wanted;
  for (const ReportPtr& report : reports_) {
    const bool in_file = report_ && report->file_path == report_->file_path;
    if (in_file || kernelSet() != KernelSet::kOpenFile) wanted.push_back(report.get());
  }
  if (!force && wanted == loaded_) return;
  loaded_ = std::move(wanted);
  failure_.clear();
  if (kernelSet() == KernelSet::kStore) return loadStored();
  setPoints(openPoints(reports_, report_, kernelSet(), measuredChoice()));
}

void ComparePage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  // Other programs and windows store into the file as well.
  if (kernelSet() == KernelSet::kStore) reload(true);
}

void ComparePage::loadStored() {
  const std::string machine = report_ ? report_->machine.id : std::string();
  using Points = Result<std::vector<analysis::ComparePoint>>;
  tasks_.run<Points>(
      {.label = tr("Reading measured times"), .key = QStringLiteral("compare.store")},
      [database = database_, machine](const Progress& progress) {
        return storedPoints(database, machine, progress);
      },
      this,
      [this](Points points) {
        if (kernelSet() != KernelSet::kStore) return;
        failure_ = points ? QString() : QString::fromStdString(points.error().format());
        setPoints(points ? std::move(*points) : std::vector<analysis::ComparePoint>());
      });
}

void ComparePage::setPoints(std::vector<analysis::ComparePoint> points) {
  points_ = std::move(points);
  scale_ = analysis::fitted_scale(points_);
  range_ns_.reset();
  group_.reset();
  offerSources();
  refresh(false);
}

void ComparePage::refresh(bool keep_view) {
  in_chart_.clear();
  const analysis::PairAxes pair = axes();
  const std::optional<analysis::PairSource> behind_source = baseline();
  std::vector<QPointF> shown;
  std::vector<QPointF> behind;
  for (uint32_t i = 0; i < points_.size(); ++i) {
    const analysis::ComparePoint& point = points_[i];
    if (!pair.has_place(point) || !matches(query_, point) || !isPicked(point)) continue;
    in_chart_.push_back(i);
    shown.emplace_back(pair.x_ns(point) / 1e3, pair.y_ns(point) / 1e3);
    const double other = behind_source ? pair.time_ns(point, *behind_source) : 0;
    if (other > 0) behind.emplace_back(pair.x_ns(point) / 1e3, other / 1e3);
  }
  std::vector<SeriesLegend::Entry> entries{{pair.y}};
  if (behind_source) entries.push_back({*behind_source, true});
  legend_->setEntries(std::move(entries));
  chart_->setAxisTitles(tr("%1, µs").arg(textOf(analysis::info(pair.x).name)),
                        tr("%1, µs").arg(textOf(analysis::info(pair.y).name)));
  chart_->setBaseline(std::move(behind), seriesOf(behind_source.value_or(pair.y)));
  chart_->setPoints(std::move(shown), seriesOf(pair.y), keep_view);
  if (in_chart_.empty()) showEmpty();
  refreshTables();
  applySelection();
}

void ComparePage::refreshTables() {
  const std::vector<analysis::ComparePoint> table = tablePoints();
  metrics_->setPoints(table, axes(), showsTiles());
  metrics_view_->setColumnHidden(MetricsModel::kTileTau, !showsTiles());
  refreshErrors(table);
  refreshResiduals(table);
  refreshGroups();
  refreshTexts();
}

void ComparePage::refreshErrors(const std::vector<analysis::ComparePoint>& table) {
  following_ = true;
  errors_->setPoints(table, axes());
  following_ = false;
  // Tiles of one kernel differ in their tile, not in their program.
  errors_view_->setColumnHidden(LargestErrorsModel::kProgram, showsTiles());
  errors_view_->setColumnHidden(LargestErrorsModel::kTile, !showsTiles());
  errors_view_->setVisible(!table.empty());
  errors_note_->setVisible(table.empty());
  errors_note_->setText(noErrorsText());
}

std::vector<analysis::ComparePoint> ComparePage::chartPoints() const {
  std::vector<analysis::ComparePoint> points;
  points.reserve(in_chart_.size());
  for (uint32_t i : in_chart_) points.push_back(points_[i]);
  return points;
}

std::vector<analysis::ComparePoint> ComparePage::tablePoints() const {
  std::vector<analysis::ComparePoint> points = chartPoints();
  if (range_ns_) {
    std::erase_if(points, [this](const auto& point) { return !isInRange(point); });
  }
  return points;
}

void ComparePage::setRange(double low_us, double high_us) {
  range_ns_ = std::pair(low_us * 1e3, high_us * 1e3);
  chart_->setMarkedRange(low_us, high_us);
  refreshTables();
}

void ComparePage::clearRestrictions() {
  range_ns_.reset();
  group_.reset();
  chart_->setMarkedRange(0, 0);
  refresh(true);
}

void ComparePage::clickPoint(int chart_point) {
  if (chart_point < 0) return;
  const analysis::ComparePoint& point = points_[in_chart_[static_cast<size_t>(chart_point)]];
  const ReportPtr report = reportOf(point, reports_);
  if (!report) {
    emit messageRequested(tr("%1 of %2")
                              .arg(QString::fromStdString(point.kernel_name),
                                   QString::fromStdString(point.file_path)));
    return;
  }
  selection_ = selectionOf(point, *report);
  emit selectionRequested(report == report_ ? nullptr : report, selection_);
}

void ComparePage::activatePoint(const analysis::ComparePoint& point) {
  const ReportPtr report = reportOf(point, reports_);
  if (!report) {
    emit messageRequested(
        tr("Open %1 to see this kernel in its graph").arg(QString::fromStdString(point.file_path)));
    return;
  }
  emit activationRequested(report == report_ ? nullptr : report, selectionOf(point, *report));
}

void ComparePage::followErrorRow(bool activate) {
  const analysis::ComparePoint* point = errors_->pointAt(errors_view_->currentIndex());
  if (point == nullptr || following_) return;
  if (activate) return activatePoint(*point);
  for (size_t i = 0; i < in_chart_.size(); ++i) {
    const analysis::ComparePoint& candidate = points_[in_chart_[i]];
    const bool same =
        candidate.kernel == point->kernel && candidate.module_number == point->module_number &&
        candidate.file_path == point->file_path && candidate.kernel_name == point->kernel_name &&
        candidate.configuration == point->configuration;
    if (!same) continue;
    chart_->setSelectedPoint(static_cast<int>(i));
    return clickPoint(static_cast<int>(i));
  }
}

void ComparePage::applySelection() {
  if (!report_ || !selection_.kernel.valid()) return chart_->setSelectedPoint(-1);
  const auto shows = [this](size_t i) {
    const analysis::ComparePoint& point = points_[in_chart_[i]];
    return point.file_path == report_->file_path && point.module_number == report_->module_number &&
           selectionOf(point, *report_).kernel == selection_.kernel;
  };
  // Of many tiles of one kernel the one that was clicked stays selected.
  const int current = chart_->selectedPoint();
  if (current >= 0 && static_cast<size_t>(current) < in_chart_.size() &&
      shows(static_cast<size_t>(current))) {
    return;
  }
  for (size_t i = 0; i < in_chart_.size(); ++i) {
    if (shows(i)) return chart_->setSelectedPoint(static_cast<int>(i));
  }
  chart_->setSelectedPoint(-1);
}

QVariantMap ComparePage::saveState() const {
  const auto id = [](analysis::PairSource source) { return textOf(analysis::info(source).id); };
  return {{QStringLiteral("set"), set_->currentIndex()},
          {QStringLiteral("measured"), measured_->currentIndex()},
          {QStringLiteral("x"), id(wanted_x_)},
          {QStringLiteral("y"), id(wanted_y_)},
          {QStringLiteral("baseline"), baseline_->currentIndex()},
          {QStringLiteral("groups"), group_by_->currentIndex()},
          {QStringLiteral("filter"), filter_->text()}};
}

void ComparePage::restoreState(const QVariantMap& state) {
  const int set = state.value(QStringLiteral("set")).toInt();
  const bool usable = set != static_cast<int>(KernelSet::kStore) || !database_.empty();
  if (usable) set_->setCurrentIndex(std::clamp(set, 0, set_->count() - 1));
  for (const auto& [combo, key] : {std::pair(measured_, QStringLiteral("measured")),
                                   std::pair(baseline_, QStringLiteral("baseline")),
                                   std::pair(group_by_, QStringLiteral("groups"))}) {
    const bool optional = combo != measured_;
    if (optional && !state.contains(key)) continue;
    combo->setCurrentIndex(std::clamp(state.value(key).toInt(), 0, combo->count() - 1));
  }
  for (const analysis::PairSourceInfo& known : analysis::kPairSources) {
    const QString id = textOf(known.id);
    if (state.value(QStringLiteral("x")).toString() == id) wanted_x_ = known.source;
    if (state.value(QStringLiteral("y")).toString() == id) wanted_y_ = known.source;
  }
  offerSources();
  filter_->setText(state.value(QStringLiteral("filter")).toString());
  filter_->apply();
  refresh(false);
}

Page* createComparePage(TaskRunner& tasks, const std::filesystem::path& database) {
  return new ComparePage(tasks, database);
}

}  // namespace hloscope::ui
