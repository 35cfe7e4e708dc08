#pragma once

#include <filesystem>
#include <optional>

#include "core/analysis/compare.h"
#include "core/analysis/kernel_query.h"
#include "ui/pages/compare/point_source.h"
#include "ui/pages/page.h"

class QComboBox;
class QLabel;
class QMenu;
class QSplitter;
class QTableView;

namespace hloscope::ui {

class ClassErrorChart;
class FilterEdit;
class LargestErrorsModel;
class LinkButton;
class MetricsModel;
class Panel;
class ScatterChart;
class SeriesLegend;

/// The page "Compare": estimated against measured times as a chart, with metrics, errors by class
/// and the largest errors.
class ComparePage : public Page {
  Q_OBJECT
 public:
  /// `database`: the results file for "all measured"; empty: there is none.
  ComparePage(TaskRunner& tasks, std::filesystem::path database, QWidget* parent = nullptr);

  [[nodiscard]] QString id() const override { return QStringLiteral("compare"); }
  [[nodiscard]] QString title() const override { return tr("Compare"); }
  [[nodiscard]] Icon pageIcon() const override { return Icon::kCompare; }

  void setReports(const std::vector<ReportPtr>& reports) override;
  void setReport(const ReportPtr& report) override;
  void setSelection(const Selection& selection) override;
  [[nodiscard]] QVariantMap saveState() const override;
  void restoreState(const QVariantMap& state) override;

  /// Replaces what is compared.
  void setPoints(std::vector<analysis::ComparePoint> points);
  /// What the chart shows after the filters.
  [[nodiscard]] std::vector<analysis::ComparePoint> chartPoints() const;
  /// What metrics and tables are made of: the points of the chart within the dragged range.
  [[nodiscard]] std::vector<analysis::ComparePoint> tablePoints() const;
  [[nodiscard]] ScatterChart* chart() const { return chart_; }
  [[nodiscard]] MetricsModel* metrics() const { return metrics_; }
  /// Under the chart.
  [[nodiscard]] QString noteText() const;
  /// Plain text: names and times of one point of the chart.
  [[nodiscard]] QString toolTipText(int chart_point) const;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* makeRow();
  void makeCombos(QWidget* row);
  Panel* makeChartPanel();
  QWidget* makeSide();
  Panel* makeMetricsPanel();
  Panel* makeClassPanel();
  Panel* makeErrorsPanel();
  QMenu* makeExportMenu();
  void reload(bool force);
  void loadStored();
  void refresh(bool keep_view);
  void restrictMeasured();
  /// Optional sources that no point has cannot be chosen.
  void offerSources();
  void refreshTables();
  void refreshErrors(const std::vector<analysis::ComparePoint>& table);
  void refreshTexts();
  void showEmpty();
  void setRange(double low_us, double high_us);
  void clearRestrictions();
  void clickPoint(int chart_point);
  void activatePoint(const analysis::ComparePoint& point);
  void followErrorRow(bool activate);
  void applySelection();
  void copyPicture();
  void savePicture();
  void saveText(const QString& suffix);
  [[nodiscard]] std::string svg() const;
  [[nodiscard]] KernelSet kernelSet() const;
  [[nodiscard]] analysis::MeasuredChoice measuredChoice() const;
  [[nodiscard]] bool showsTiles() const;
  [[nodiscard]] analysis::TimeSource source() const;
  /// What stands behind the points; empty: nothing.
  [[nodiscard]] std::optional<analysis::TimeSource> baseline() const;
  [[nodiscard]] QString setText() const;
  /// What is compared with what.
  [[nodiscard]] QString meaningText() const;
  [[nodiscard]] QString noErrorsText() const;
  /// Points that the chosen model has no time of.
  [[nodiscard]] size_t untimedCount() const;

  TaskRunner& tasks_;
  std::filesystem::path database_;
  QComboBox* set_;
  QComboBox* measured_;
  QComboBox* estimate_;
  QComboBox* baseline_;
  FilterEdit* filter_;
  LinkButton* restriction_;
  Panel* chart_panel_;
  ScatterChart* chart_;
  SeriesLegend* legend_;
  QLabel* note_;
  MetricsModel* metrics_;
  QTableView* metrics_view_;
  Panel* metrics_panel_;
  Panel* errors_panel_;
  ClassErrorChart* classes_;
  SeriesLegend* class_legend_;
  LargestErrorsModel* errors_;
  QTableView* errors_view_;
  QLabel* errors_note_;  ///< In place of the table: why it is empty.

  std::vector<ReportPtr> reports_;
  ReportPtr report_;
  Selection selection_;
  std::vector<analysis::ComparePoint> points_;
  std::vector<uint32_t> in_chart_;  ///< Positions in points_.
  analysis::KernelQuery query_;
  std::optional<hlo::OpClass> op_class_;
  std::optional<std::pair<double, double>> range_ns_;  ///< Of measured times.
  std::vector<const void*> loaded_;                    ///< Reports the points were made of.
  bool following_ = false;
  QString failure_;  ///< Why the store could not be read.
};

/// The page, for the window.
[[nodiscard]] Page* createComparePage(TaskRunner& tasks,
                                      const std::filesystem::path& database = {});

}  // namespace hloscope::ui
