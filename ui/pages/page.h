#pragma once

#include <QVariantMap>
#include <QWidget>
#include <memory>
#include <vector>

#include "core/analysis/baseline.h"
#include "core/analysis/report.h"
#include "ui/tasks/task_runner.h"
#include "ui/theme/icons.h"

namespace hloscope::ui {

using ReportPtr = std::shared_ptr<const analysis::ModuleReport>;

/// What is selected in the current module. Both invalid: nothing. An instruction always comes with
/// the kernel it belongs to, if it belongs to one.
struct Selection {
  graph::KernelId kernel;
  hlo::InstructionId instruction;
  bool operator==(const Selection&) const = default;
};

/// A page or a dock: shows reports and follows the one selection of the window. The setters are
/// called by the window in this order on every change, also with the same values again; they must
/// not emit the request signals. A dock shows the widget's windowTitle() as
/// small context text in its title bar.
class ReportView : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;

  /// All analysed modules of all open files, in order of opening. Shared; never null inside.
  virtual void setReports(const std::vector<ReportPtr>& reports);
  /// What times are compared with, in the whole window; null: nothing is pinned.
  virtual void setBaseline(const analysis::BaselinePtr& baseline);
  /// The current one of them; null when no file is open.
  virtual void setReport(const ReportPtr& report) = 0;
  /// In the current module; scrolled into view.
  virtual void setSelection(const Selection& selection) = 0;

  /// View state kept over a restart: camera, filter, sort order, columns.
  [[nodiscard]] virtual QVariantMap saveState() const;
  virtual void restoreState(const QVariantMap& state);

 signals:
  /// The user picked something; `report` is null for the current module.
  void selectionRequested(const hloscope::ui::ReportPtr& report,
                          const hloscope::ui::Selection& selection);
  /// The same by double click or Enter: shown on the Graph page, centred.
  void activationRequested(const hloscope::ui::ReportPtr& report,
                           const hloscope::ui::Selection& selection);
  /// A sentence for the status bar.
  void messageRequested(const QString& text);
};

/// One entry of the page bar.
class Page : public ReportView {
  Q_OBJECT
 public:
  using ReportView::ReportView;

  [[nodiscard]] virtual QString id() const = 0;  ///< "graph": command line and settings.
  [[nodiscard]] virtual QString title() const = 0;
  [[nodiscard]] virtual Icon pageIcon() const = 0;
  /// True: the docks Program, Kernel and Kernels are shown with this page.
  [[nodiscard]] virtual bool usesDocks() const { return false; }
  /// Brings the selection to the middle; called when a double click opened this page.
  virtual void centerSelection();
  /// The page's own commands: shown in its menu and found by the command palette.
  [[nodiscard]] virtual QList<QAction*> commands() const;
  /// Ctrl+D pins something of the page's own: the window then leaves the key to it.
  [[nodiscard]] virtual bool pinsItself() const { return false; }
  /// What the page shows apart from jobs of the task runner is ready (for pictures and tests).
  [[nodiscard]] virtual bool isReady() const { return true; }
  /// The window is about to close: asks what becomes of what still runs. False: it stays open.
  [[nodiscard]] virtual bool mayClose() { return true; }
};

}  // namespace hloscope::ui
