#pragma once

#include <set>

#include "ui/graph/graph_view.h"
#include "ui/graph/kernel_graph.h"
#include "ui/pages/graph/graph_scope.h"
#include "ui/pages/page.h"

class QComboBox;
class QHBoxLayout;
class QToolButton;

namespace hloscope::ui {

class ElidedLabel;
class LinkButton;

/// The page "Graph": path row and the graph of a computation, or of the inside of a kernel. Layouts
/// run in the background; the old picture stays until the new one is there.
class GraphPage : public Page {
  Q_OBJECT
 public:
  explicit GraphPage(TaskRunner& tasks, QWidget* parent = nullptr);

  [[nodiscard]] QString id() const override { return QStringLiteral("graph"); }
  [[nodiscard]] QString title() const override { return tr("Graph"); }
  [[nodiscard]] Icon pageIcon() const override { return Icon::kGraph; }
  [[nodiscard]] bool usesDocks() const override { return true; }

  void setBaseline(const analysis::BaselinePtr& baseline) override;
  void setReport(const ReportPtr& report) override;
  void setSelection(const Selection& selection) override;
  void centerSelection() override;
  [[nodiscard]] QVariantMap saveState() const override;
  void restoreState(const QVariantMap& state) override;

  /// Lays out and shows another part of the current module.
  void showScope(const GraphScope& scope);
  [[nodiscard]] const GraphScope& shownScope() const { return shown_; }
  [[nodiscard]] GraphView* view() const { return view_; }
  /// Colours these kernels of a program, which differ from those of the program it was made from.
  void setMarked(const hlo::ProgramPtr& program, const std::vector<graph::KernelId>& kernels);

 private:
  struct Drawing {
    KernelGraph graph;
    PlacementPtr placement;
    GraphScenePtr scene;
  };
  [[nodiscard]] static Result<Drawing> draw(const ReportPtr& report, const GraphScope& scope,
                                            const Progress& progress);

  void makeRow();
  void makeZoomMenu();
  void setNote(const QString& text);
  void addActions();
  void startLayout();
  void showDrawing(const GraphScope& scope, const ReportPtr& report, Result<Drawing> drawing);
  void layoutCancelled(const QString& label);
  void showError(const QString& reason);
  void updateCrumbs();
  void updateColourChoices();
  void applyColour();
  [[nodiscard]] GraphColouringPtr marks() const;
  void applySelection();
  /// Brings a node to the middle, at a zoom where its texts can be read.
  void showReadable(layout::NodeId node);
  void nodeSelected(layout::NodeId node);
  void nodeActivated(layout::NodeId node);
  void restoreCamera();
  void goUp();
  [[nodiscard]] QString layoutLabel() const;
  [[nodiscard]] layout::NodeId nodeOfSelection() const;

  TaskRunner& tasks_;
  QHBoxLayout* crumbs_;
  ElidedLabel* note_;
  LinkButton* resume_;
  QComboBox* colour_;
  QToolButton* zoom_;
  GraphView* view_;
  analysis::BaselinePtr baseline_;
  ReportPtr report_;
  Selection selection_;
  GraphScope wanted_;
  GraphScope shown_;
  ReportPtr shown_report_;
  Drawing drawing_;
  QVariantMap saved_camera_;  ///< To be applied to the next drawing of its program and scope.
  bool center_when_drawn_ = false;
  hlo::ProgramPtr marked_program_;
  std::set<graph::KernelId> marked_;
};

/// The page, for the window.
[[nodiscard]] Page* createGraphPage(TaskRunner& tasks);

}  // namespace hloscope::ui
