#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "core/analysis/compare_pairs.h"
#include "core/analysis/compare_svg.h"
#include "core/analysis/kernel_query.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/pages/compare/point_source.h"
#include "ui/pages/page.h"

class QComboBox;
class QLabel;
class QMenu;
class QSplitter;
class QTableView;

namespace hloscope::ui {

class FileWatch;
class FilterEdit;
class GroupErrorChart;
class LargestErrorsModel;
class LinkButton;
class MetricsModel;
class Panel;
class ResidualChart;
class ScatterChart;
class SeriesLegend;

/// The page "Compare": any two sources of times against each other as a chart, with metrics, a
/// histogram of residuals, errors by class, program or size, and the largest errors.
class ComparePage : public Page {
  Q_OBJECT
 public:
  /// `database`: the results file for "all measured"; empty: there is none.
  ComparePage(TaskRunner& tasks, std::filesystem::path database, QWidget* parent = nullptr);

  [[nodiscard]] QString id() const override { return QStringLiteral("compare"); }
  [[nodiscard]] QString title() const override { return tr("Compare"); }
  [[nodiscard]] Icon pageIcon() const override { return Icon::kCompare; }

  void setReports(const std::vector<ReportPtr>& reports) override;
  void setBaseline(const analysis::BaselinePtr& baseline) override;
  void setReport(const ReportPtr& report) override;
  void setSelection(const Selection& selection) override;
  [[nodiscard]] QVariantMap saveState() const override;
  void restoreState(const QVariantMap& state) override;

  /// The user wants to see these, of the open file or of all.
  void showSources(analysis::PairSource x, analysis::PairSource y, KernelSet set);
  /// Replaces what is compared.
  void setPoints(std::vector<analysis::ComparePoint> points) {
    setData(std::make_shared<const PointSet>(std::move(points)));
  }
  /// What the chart shows after the filters.
  [[nodiscard]] std::vector<analysis::ComparePoint> chartPoints() const;
  /// What metrics and tables are made of: the points of the chart within the dragged range.
  [[nodiscard]] std::vector<analysis::ComparePoint> tablePoints() const;
  [[nodiscard]] ScatterChart* chart() const { return chart_; }
  [[nodiscard]] MetricsModel* metrics() const { return metrics_; }
  [[nodiscard]] ResidualChart* residuals() const { return residuals_; }
  [[nodiscard]] GroupErrorChart* groups() const { return groups_; }
  /// What is compared with what.
  [[nodiscard]] analysis::PairAxes axes() const { return {source(x_), source(y_), data_->scale}; }
  /// Under the chart.
  [[nodiscard]] QString noteText() const;
  /// Plain text: names and times of one point of the chart.
  [[nodiscard]] QString toolTipText(int chart_point) const;

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  // compare_page_commands.cpp
  void makeCommands();
  /// Along the y axis; where there are none it says why.
  void showPointsOf(analysis::PairSource source);
  /// Metrics and groups get what they need where there is room, until the user moves the handles.
  void fitSide();
  void fitErrorColumns();
  QWidget* makeRow();
  void makeCombos(QWidget* row);
  void makeSourceCombos(QWidget* row);
  QWidget* makeCharts();
  Panel* makeChartPanel();
  QWidget* makeSide();
  Panel* makeMetricsPanel();
  Panel* makeGroupPanel();
  Panel* makeResidualPanel();
  Panel* makeErrorsPanel();
  QMenu* makeExportMenu();
  void reload(bool force);
  /// `read` runs on a worker, unless it has little to do.
  void load(std::function<Result<PointSetPtr>(const Progress&)> read, bool at_once);
  void pointsRead(Result<PointSetPtr> points);
  void setData(PointSetPtr data);
  /// Makes a new view, on a worker where there are many points, and shows it.
  void refresh(bool keep_view);
  [[nodiscard]] CompareRequest request() const;
  struct Shown {
    CompareRequest request;
    CompareView view;
  };
  void showView(std::shared_ptr<const Shown> shown);
  /// The last one who holds a million points is a worker: freeing them takes longer than a frame.
  void discard(std::shared_ptr<const void> held);
  void restrictMeasured();
  /// Sources that no point has cannot be chosen, and say why.
  void offerSources();
  /// x or y was chosen by hand: the other one gives way.
  void chooseSource(QComboBox* chosen);
  /// `wanted`, else the first of the candidates that has times and is not taken.
  [[nodiscard]] analysis::PairSource standIn(analysis::PairSource wanted,
                                             std::span<const analysis::PairSource> candidates,
                                             std::optional<analysis::PairSource> taken) const;
  void setSources(analysis::PairSource x, analysis::PairSource y);
  [[nodiscard]] QString absenceOf(analysis::PairSource source) const;
  void refreshGroups();
  void refreshResiduals();
  void refreshTables();
  void refreshErrors();
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
  [[nodiscard]] analysis::ScatterStyle svgStyle() const;
  [[nodiscard]] KernelSet kernelSet() const;
  [[nodiscard]] analysis::MeasuredChoice measuredChoice() const;
  [[nodiscard]] bool showsTiles() const;
  [[nodiscard]] static analysis::PairSource source(const QComboBox* combo);
  /// What stands behind the points; empty: nothing.
  [[nodiscard]] std::optional<analysis::PairSource> baseline() const;
  [[nodiscard]] analysis::Grouping grouping() const;
  [[nodiscard]] QString setText() const;
  [[nodiscard]] QString meaningTitle() const;  ///< "Simulated against measured".
  [[nodiscard]] QString meaningText() const;
  [[nodiscard]] QString noErrorsText() const;
  [[nodiscard]] QString unmeasuredText() const;
  [[nodiscard]] const analysis::ComparePoint& pointOf(int chart_point) const;
  [[nodiscard]] const std::vector<analysis::ComparePoint>& points() const { return data_->points; }

  TaskRunner& tasks_;
  std::filesystem::path database_;
  std::shared_ptr<StoredPoints> stored_;  ///< Of that.
  FileWatch* watch_;
  QComboBox* set_;
  QComboBox* measured_;
  QComboBox* x_;
  QComboBox* y_;
  QComboBox* baseline_;
  FilterEdit* filter_;
  LinkButton* restriction_;
  Panel* chart_panel_;
  ScatterChart* chart_;
  SeriesLegend* legend_;
  QLabel* note_;
  MetricsModel* metrics_;
  QTableView* metrics_view_;
  QSplitter* side_;
  bool side_moved_ = false;
  Panel* metrics_panel_;
  Panel* errors_panel_;
  Panel* groups_panel_;
  QComboBox* group_by_;
  GroupErrorChart* groups_;
  SeriesLegend* groups_legend_;
  Panel* residuals_panel_;
  ResidualChart* residuals_;
  LargestErrorsModel* errors_;
  QTableView* errors_view_;
  QLabel* errors_note_;  ///< In place of the table: why it is empty.

  std::vector<ReportPtr> reports_;
  ReportPtr report_;
  analysis::BaselinePtr pinned_;  ///< Of the window; baseline_ is the combo box.
  Selection selection_;
  PointSetPtr data_ = std::make_shared<const PointSet>();
  std::shared_ptr<const Shown> shown_ = std::make_shared<const Shown>();  ///< May lag behind.
  analysis::KernelQuery query_;
  /// Chosen by hand or at the start; what is shown while they have no times may differ.
  analysis::PairSource wanted_x_ = analysis::PairSource::kMeasured;
  analysis::PairSource wanted_y_ = analysis::PairSource::kSimulated;
  std::optional<std::string> group_;                   ///< Key of the picked one.
  std::optional<std::pair<double, double>> range_ns_;  ///< Of x.
  std::vector<const void*> loaded_;                    ///< Reports the points were made of.
  bool following_ = false;
  QString failure_;  ///< Why the store could not be read.
  bool reading_ = false;
  int load_ = 0;          ///< Number of the last load(): older ones that end later are not wanted.
  int refresh_ = 0;       ///< The same of refresh().
  bool will_fit_ = true;  ///< A view that was asked for does not keep the zoom.
};

/// The page, for the window.
[[nodiscard]] Page* createComparePage(TaskRunner& tasks,
                                      const std::filesystem::path& database = {});

}  // namespace hloscope::ui
