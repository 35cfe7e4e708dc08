#pragma once

#include <optional>

#include "core/analysis/machine_times.h"
#include "core/analysis/program_timeline.h"
#include "core/analysis/roofline.h"
#include "ui/pages/page.h"

class QAbstractItemDelegate;
class QButtonGroup;
class QComboBox;
class QMenu;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace hloscope::ui {

class AssumptionsPanel;
class BottleneckBars;
class LaneTimeline;
class MachineTimesModel;
class Panel;
class ProgramStrip;
class RooflineChart;

/// The page "Simulate": where the simulated time of a program goes, unit by unit, under the roof of
/// the machine, and what would change with another machine or other assumptions.
class SimulatePage : public Page {
  Q_OBJECT
 public:
  explicit SimulatePage(TaskRunner& tasks, QWidget* parent = nullptr);

  [[nodiscard]] QString id() const override { return QStringLiteral("simulate"); }
  [[nodiscard]] QString title() const override { return tr("Simulate"); }
  [[nodiscard]] Icon pageIcon() const override { return Icon::kSimulate; }

  void setReports(const std::vector<ReportPtr>& reports) override;
  void setBaseline(const analysis::BaselinePtr& baseline) override;
  void setReport(const ReportPtr& report) override;
  void setSelection(const Selection& selection) override;
  [[nodiscard]] QVariantMap saveState() const override;
  void restoreState(const QVariantMap& state) override;

  /// The machine that the window uses from now on.
  void setMachine(const sim::Machine& machine);
  /// Machines whose times are shown beside those of the window's; none: no comparison.
  void compareWith(std::vector<sim::Machine> machines);
  /// The times of what is pinned beside those of the window's; there must be one.
  void compareWithBaseline();

  [[nodiscard]] const std::shared_ptr<const analysis::ProgramTimeline>& timeline() const {
    return timeline_;
  }
  [[nodiscard]] ProgramStrip* strip() const { return strip_; }
  [[nodiscard]] LaneTimeline* lanes() const { return lanes_; }
  [[nodiscard]] RooflineChart* roofline() const { return roofline_; }
  [[nodiscard]] BottleneckBars* bottlenecks() const { return bottlenecks_; }
  [[nodiscard]] MachineTimesModel* machineTimes() const { return machine_times_; }
  [[nodiscard]] AssumptionsPanel* assumptions() const { return assumptions_; }

 signals:
  /// `path`: of the machine's file; empty for built-in and for changed ones.
  void machineRequested(const hloscope::sim::Machine& machine, const QString& path);
  void openRequested();

 private:
  QWidget* makeRow();
  QWidget* makeCharts();
  QWidget* makeEmpty();
  Panel* makeStripPanel();
  Panel* makeLanesPanel();
  Panel* makeRooflinePanel();
  Panel* makeBottlenecksPanel();
  QWidget* makeMachineTable();
  void sizeMachineColumns();
  QMenu* makeExportMenu();
  void makeSourceButtons(Panel* panel);
  void connectCharts();
  void makeCommands();

  void fillMachines();
  void chooseMachine(int index);
  void chooseComparison(int index);
  void workOut();
  void setTimeline(std::shared_ptr<const analysis::ProgramTimeline> timeline);
  void compareMachines();
  void showRoofline();
  void showTexts();
  void showBottom(int page);
  void setWindow(double from_ns, double to_ns);
  void clickKernel(graph::KernelId kernel);
  void activateKernel(graph::KernelId kernel);
  [[nodiscard]] Selection selectionOf(graph::KernelId kernel) const;
  void saveMachineTimes();
  void saveText(const QString& name, const QString& text);
  void saveTrace();
  void savePicture(QWidget* widget, const QString& name);

  TaskRunner& tasks_;
  QStackedWidget* centre_;
  QComboBox* programs_;
  QComboBox* machines_;
  QComboBox* comparison_;
  QToolButton* export_;
  Panel* strip_panel_;
  Panel* lanes_panel_;
  Panel* roofline_panel_;
  Panel* bottlenecks_panel_;
  ProgramStrip* strip_;
  LaneTimeline* lanes_;
  RooflineChart* roofline_;
  QButtonGroup* sources_;
  QButtonGroup* bottom_;
  QStackedWidget* bottom_stack_;
  BottleneckBars* bottlenecks_;
  MachineTimesModel* machine_times_;
  QTableView* machine_view_;
  QAbstractItemDelegate* names_ = nullptr;    ///< Of the kernels in it.
  QAbstractItemDelegate* changes_ = nullptr;  ///< Of the change against the baseline.
  AssumptionsPanel* assumptions_;

  std::vector<ReportPtr> reports_;
  ReportPtr report_;
  Selection selection_;
  sim::Machine machine_;
  std::vector<sim::Machine> user_machines_;  ///< Known in this window beside the built-in ones.
  std::vector<sim::Machine> compared_;
  analysis::BaselinePtr baseline_;
  bool with_baseline_ = false;  ///< That is what is compared with.
  std::shared_ptr<const analysis::ProgramTimeline> timeline_;
  analysis::TimeSource source_ = analysis::TimeSource::kSimulated;
  std::optional<std::pair<double, double>> restored_;  ///< Window that waits for its timeline.
  bool following_ = false;
};

/// The page, for the window.
[[nodiscard]] SimulatePage* createSimulatePage(TaskRunner& tasks);

}  // namespace hloscope::ui
