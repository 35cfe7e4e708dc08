#include "ui/pages/compare/compare_page.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QSaveFile>
#include <QStandardItemModel>
#include <QTableView>
#include <algorithm>
#include <cmath>

#include "core/analysis/compare_svg.h"
#include "ui/charts/class_error_chart.h"
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
  return static_cast<analysis::MeasuredChoice>(measured_->currentIndex());
}

analysis::TimeSource ComparePage::source() const {
  return static_cast<analysis::TimeSource>(estimate_->currentData().toInt());
}

std::optional<analysis::TimeSource> ComparePage::baseline() const {
  const int chosen = baseline_->currentData().toInt();
  if (chosen < 0 || chosen == static_cast<int>(source())) return std::nullopt;
  return static_cast<analysis::TimeSource>(chosen);
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
  measured_->setCurrentIndex(static_cast<int>(analysis::MeasuredChoice::kReference));
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
  range_ns_.reset();
  op_class_.reset();
  offerSources();
  refresh(false);
}

void ComparePage::offerSources() {
  if (points_.empty()) return;
  for (QComboBox* combo : {estimate_, baseline_}) {
    const QSignalBlocker blocker(combo);
    auto* entries = qobject_cast<QStandardItemModel*>(combo->model());
    for (int i = 0; i < combo->count(); ++i) {
      const int source = combo->itemData(i).toInt();
      if (source < 0) continue;
      const bool has = has_place(points_, static_cast<analysis::TimeSource>(source));
      entries->item(i)->setEnabled(has);
      combo->setItemData(i, has ? QString() : tr("None of these programs holds one"),
                         Qt::ToolTipRole);
      if (!has && combo->currentIndex() == i) combo->setCurrentIndex(0);
    }
  }
}

void ComparePage::refresh(bool keep_view) {
  in_chart_.clear();
  std::vector<QPointF> shown;
  std::vector<QPointF> behind;
  for (uint32_t i = 0; i < points_.size(); ++i) {
    const analysis::ComparePoint& point = points_[i];
    const double estimate = point.estimate_ns(source());
    if (!(estimate > 0) || !matches(query_, point)) continue;
    if (op_class_ && point.op_class != *op_class_) continue;
    in_chart_.push_back(i);
    shown.emplace_back(point.measured_ns() / 1e3, estimate / 1e3);
    const double other = baseline() ? point.estimate_ns(*baseline()) : 0;
    if (other > 0) behind.emplace_back(point.measured_ns() / 1e3, other / 1e3);
  }
  std::vector<SeriesLegend::Entry> entries{{source()}};
  if (baseline()) entries.push_back({*baseline(), true});
  legend_->setEntries(std::move(entries));
  chart_->setBaseline(std::move(behind), seriesOf(baseline().value_or(source())));
  chart_->setPoints(std::move(shown), seriesOf(source()), keep_view);
  if (in_chart_.empty()) showEmpty();
  refreshTables();
  applySelection();
}

void ComparePage::refreshTables() {
  const std::vector<analysis::ComparePoint> table = tablePoints();
  metrics_->setPoints(table, showsTiles());
  metrics_view_->setColumnHidden(MetricsModel::kTileTau, !showsTiles());
  refreshErrors(table);
  // The bars keep the classes that were clicked away, so that they can be clicked back.
  std::vector<analysis::ComparePoint> of_all_classes;
  for (const analysis::ComparePoint& point : points_) {
    const double measured = point.measured_ns();
    if (range_ns_ && (measured < range_ns_->first || measured > range_ns_->second)) continue;
    if (matches(query_, point)) of_all_classes.push_back(point);
  }
  std::vector<ClassErrorChart::Bars> bars;
  std::vector<SeriesLegend::Entry> entries;
  for (const analysis::TimeSourceInfo& info : analysis::kTimeSources) {
    if (!info.is_estimate || !has_place(points_, info.source)) continue;
    bars.push_back({info.source, analysis::class_errors(of_all_classes, info.source)});
    entries.push_back({info.source});
  }
  classes_->setBars(std::move(bars));
  class_legend_->setEntries(std::move(entries));
  classes_->setPicked(op_class_);
  refreshTexts();
}

void ComparePage::refreshErrors(const std::vector<analysis::ComparePoint>& table) {
  following_ = true;
  errors_->setPoints(table, source());
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
    std::erase_if(points, [this](const analysis::ComparePoint& point) {
      return point.measured_ns() < range_ns_->first || point.measured_ns() > range_ns_->second;
    });
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
  op_class_.reset();
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

std::string ComparePage::svg() const {
  analysis::ScatterStyle style;
  style.title = "Estimated against measured, " + setText().toStdString();
  style.ink = theme().role(Role::kText).name().toStdString();
  style.muted = theme().role(Role::kTextMuted).name().toStdString();
  style.grid = theme().role(Role::kGrid).name().toStdString();
  style.accent = theme().role(Role::kAccent).name().toStdString();
  style.point = theme().series(seriesOf(source())).name().toStdString();
  style.paper = theme().role(Role::kBase).name().toStdString();
  return analysis::scatter_svg(chartPoints(), source(), style);
}

void ComparePage::copyPicture() {
  QApplication::clipboard()->setPixmap(chart_->grab());
  emit messageRequested(tr("Chart copied as a picture"));
}

void ComparePage::savePicture() {
  const QString path = QFileDialog::getSaveFileName(
      this, tr("Save chart"), QStringLiteral("compare.png"), tr("PNG (*.png)"));
  if (path.isEmpty()) return;
  emit messageRequested(chart_->grab().save(path, "PNG") ? tr("Saved %1").arg(path)
                                                         : tr("%1 could not be written").arg(path));
}

void ComparePage::saveText(const QString& suffix) {
  const QString path =
      QFileDialog::getSaveFileName(this, tr("Save chart"), QStringLiteral("compare.") + suffix,
                                   QStringLiteral("%1 (*.%2)").arg(suffix.toUpper(), suffix));
  if (path.isEmpty()) return;
  const std::string text =
      suffix == QStringLiteral("svg")
          ? svg()
          : analysis::export_points(chartPoints(), analysis::TableFormat::kCsv);
  QSaveFile file(path);
  const auto size = static_cast<qint64>(text.size());
  const bool done =
      file.open(QIODevice::WriteOnly) && file.write(text.data(), size) == size && file.commit();
  emit messageRequested(done ? tr("Saved %1").arg(path)
                             : tr("%1 could not be written: %2").arg(path, file.errorString()));
}

QVariantMap ComparePage::saveState() const {
  return {{QStringLiteral("set"), set_->currentIndex()},
          {QStringLiteral("measured"), measured_->currentIndex()},
          {QStringLiteral("estimate"), estimate_->currentIndex()},
          {QStringLiteral("baseline"), baseline_->currentIndex()},
          {QStringLiteral("filter"), filter_->text()}};
}

void ComparePage::restoreState(const QVariantMap& state) {
  const int set = state.value(QStringLiteral("set")).toInt();
  const bool usable = set != static_cast<int>(KernelSet::kStore) || !database_.empty();
  if (usable) set_->setCurrentIndex(std::clamp(set, 0, set_->count() - 1));
  measured_->setCurrentIndex(
      std::clamp(state.value(QStringLiteral("measured")).toInt(), 0, measured_->count() - 1));
  for (const auto& [combo, key] : {std::pair(estimate_, QStringLiteral("estimate")),
                                   std::pair(baseline_, QStringLiteral("baseline"))}) {
    if (state.contains(key)) {
      combo->setCurrentIndex(std::clamp(state.value(key).toInt(), 0, combo->count() - 1));
    }
  }
  filter_->setText(state.value(QStringLiteral("filter")).toString());
  filter_->apply();
}

Page* createComparePage(TaskRunner& tasks, const std::filesystem::path& database) {
  return new ComparePage(tasks, database);
}

}  // namespace hloscope::ui
