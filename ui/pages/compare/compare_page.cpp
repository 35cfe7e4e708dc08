#include "ui/pages/compare/compare_page.h"

#include <QComboBox>
#include <QLabel>
#include <QStandardItemModel>
#include <QTableView>
#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

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

void ComparePage::setBaseline(const analysis::BaselinePtr& baseline) {
  if (baseline == pinned_) return;
  pinned_ = baseline;
  reload(true);
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
  if (kernelSet() == KernelSet::kStore) {
    return load([stored = stored_, machine = report_ ? report_->machine.id : std::string(),
                 version = data_->version](
                    const Progress& progress) { return stored->read(machine, version, progress); },
                false);
  }
  size_t kernels = 0;
  for (const ReportPtr& report : reports_) kernels += report->kernels.kernels.size();
  load(
      [reports = reports_, report = report_, set = kernelSet(), choice = measuredChoice(),
       pinned = pinned_](const Progress&) -> Result<PointSetPtr> {
        return std::make_shared<const PointSet>(openPoints(reports, report, set, choice, pinned));
      },
      kernels <= kMostPointsAtOnce);
}

void ComparePage::load(std::function<Result<PointSetPtr>(const Progress&)> read, bool at_once) {
  const int load = ++load_;
  if (at_once) return pointsRead(read({}));
  reading_ = true;
  if (shown_->view.in_chart.empty()) showEmpty();
  tasks_.run<Result<PointSetPtr>>(
      {.label = tr("Reading times to compare"), .key = QStringLiteral("compare.points")},
      std::move(read), this, [this, load](Result<PointSetPtr> points) {
        if (load == load_) pointsRead(std::move(points));
      });
}

void ComparePage::pointsRead(Result<PointSetPtr> points) {
  reading_ = false;
  failure_ = points ? QString() : QString::fromStdString(points.error().format());
  // Nothing was stored since.
  if (points && *points == nullptr) return;
  setData(points ? std::move(*points) : std::make_shared<const PointSet>());
}

void ComparePage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  // Other programs and windows store into the file as well.
  if (kernelSet() == KernelSet::kStore) reload(true);
  fitSide();
}

void ComparePage::setData(PointSetPtr data) {
  discard(std::exchange(data_, std::move(data)));
  range_ns_.reset();
  group_.reset();
  offerSources();
  refresh(false);
}

void ComparePage::discard(std::shared_ptr<const void> held) {
  if (points().size() <= kMostPointsAtOnce &&
      shown_->request.set->points.size() <= kMostPointsAtOnce) {
    return;
  }
  tasks_.run<int>(
      {.label = tr("Reading times to compare"), .cancellable = false},
      [held = std::make_shared<std::shared_ptr<const void>>(std::move(held))](const Progress&) {
        held->reset();
        return 0;
      },
      this, [](int) {});
}

CompareRequest ComparePage::request() const {
  return {.set = data_,
          .axes = axes(),
          .baseline = baseline(),
          .query = query_,
          .grouping = grouping(),
          .group = group_,
          .range_ns = range_ns_,
          .of_tiles = showsTiles()};
}

void ComparePage::refresh(bool keep_view) {
  will_fit_ = will_fit_ || !keep_view;
  const int refresh = ++refresh_;
  const auto make = [request = request()](const Progress& progress) {
    return std::make_shared<const Shown>(Shown{request, compareView(request, progress)});
  };
  if (points().size() <= kMostPointsAtOnce) return showView(make({}));
  tasks_.run<std::shared_ptr<const Shown>>(
      {.label = tr("Comparing times"), .key = QStringLiteral("compare.view")}, make, this,
      [this, refresh](std::shared_ptr<const Shown> shown) {
        refresh == refresh_ ? showView(std::move(shown)) : discard(std::move(shown));
      });
}

void ComparePage::showView(std::shared_ptr<const Shown> shown) {
  const analysis::PairAxes before = shown_->request.axes;
  const bool same_chart = shown->request.set == shown_->request.set && !will_fit_ &&
                          shown->view.in_chart == shown_->view.in_chart &&
                          before.x == shown->request.axes.x && before.y == shown->request.axes.y;
  std::shared_ptr<const Shown> old = std::exchange(shown_, std::move(shown));
  const analysis::PairAxes pair = shown_->request.axes;
  const std::optional<analysis::PairSource> behind = shown_->request.baseline;
  std::vector<SeriesLegend::Entry> entries{{pair.y}};
  if (behind) entries.push_back({*behind, true});
  legend_->setEntries(std::move(entries));
  chart_->setAxisTitles(tr("%1, µs").arg(textOf(analysis::info(pair.x).name)),
                        tr("%1, µs").arg(textOf(analysis::info(pair.y).name)));
  if (!same_chart) {
    chart_->setBaseline(shown_->view.behind, seriesOf(behind.value_or(pair.y)));
    chart_->setPoints(shown_->view.cloud, seriesOf(pair.y), !std::exchange(will_fit_, false));
  }
  if (shown_->view.in_chart.empty()) showEmpty();
  refreshTables();
  if (!same_chart) applySelection();
  discard(std::move(old));  // Now that nothing else here holds its points.
}

void ComparePage::refreshTables() {
  const Shown& shown = *shown_;
  metrics_->setRows(shown.view.metrics, shown.request.axes, shown.request.of_tiles,
                    shown.request.baseline);
  metrics_view_->setColumnHidden(MetricsModel::kTileTau, !shown.request.of_tiles);
  refreshErrors();
  refreshResiduals();
  refreshGroups();
  refreshTexts();
  fitSide();
}

void ComparePage::refreshErrors() {
  const Shown& shown = *shown_;
  following_ = true;
  errors_->setRows({shown.request.set, &shown.request.set->points}, shown.view.errors,
                   shown.request.axes);
  following_ = false;
  // Tiles of one kernel differ in their tile, not in their program.
  errors_view_->setColumnHidden(LargestErrorsModel::kProgram, shown.request.of_tiles);
  errors_view_->setColumnHidden(LargestErrorsModel::kTile, !shown.request.of_tiles);
  const bool is_empty = shown.view.in_tables.empty();
  errors_view_->setVisible(!is_empty);
  errors_note_->setVisible(is_empty);
  errors_note_->setText(noErrorsText());
}

const analysis::ComparePoint& ComparePage::pointOf(int chart_point) const {
  return shown_->request.set->points[shown_->view.in_chart[static_cast<size_t>(chart_point)]];
}

std::vector<analysis::ComparePoint> ComparePage::chartPoints() const {
  std::vector<analysis::ComparePoint> points;
  points.reserve(shown_->view.in_chart.size());
  for (uint32_t i : shown_->view.in_chart) points.push_back(shown_->request.set->points[i]);
  return points;
}

std::vector<analysis::ComparePoint> ComparePage::tablePoints() const {
  std::vector<analysis::ComparePoint> points;
  for (uint32_t i : shown_->view.in_tables) points.push_back(shown_->request.set->points[i]);
  return points;
}

void ComparePage::setRange(double low_us, double high_us) {
  range_ns_ = std::pair(low_us * 1e3, high_us * 1e3);
  chart_->setMarkedRange(low_us, high_us);
  refresh(true);
}

void ComparePage::clearRestrictions() {
  range_ns_.reset();
  group_.reset();
  chart_->setMarkedRange(0, 0);
  refresh(true);
}

void ComparePage::clickPoint(int chart_point) {
  if (chart_point < 0) return;
  const analysis::ComparePoint& point = pointOf(chart_point);
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
  const std::vector<uint32_t>& in_chart = shown_->view.in_chart;
  const uint32_t position = errors_->positionAt(errors_view_->currentIndex());
  const auto at = std::lower_bound(in_chart.begin(), in_chart.end(), position);
  if (at == in_chart.end() || *at != position) return;
  const auto chart_point = static_cast<int>(at - in_chart.begin());
  chart_->setSelectedPoint(chart_point);
  clickPoint(chart_point);
}

void ComparePage::applySelection() {
  const auto count = static_cast<int>(shown_->view.in_chart.size());
  const bool has_kernel =
      report_ && selection_.kernel.valid() && report_->kernels.kernels.contains(selection_.kernel);
  if (!has_kernel) return chart_->setSelectedPoint(-1);
  // Stored points know the name of their kernel only.
  const graph::Kernel& kernel = report_->kernels.kernels[selection_.kernel];
  const std::string_view name = (*report_->module.program)[kernel.instruction].name;
  const auto shows = [this, name](int i) {
    const analysis::ComparePoint& point = pointOf(i);
    const bool is_kernel =
        point.kernel.valid() ? point.kernel == selection_.kernel : point.kernel_name == name;
    return is_kernel && point.module_number == report_->module_number &&
           point.file_path == report_->file_path;
  };
  // Of many tiles of one kernel the one that was clicked stays selected.
  const int current = chart_->selectedPoint();
  if (current >= 0 && current < count && shows(current)) return;
  for (int i = 0; i < count; ++i) {
    if (shows(i)) return chart_->setSelectedPoint(i);
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
