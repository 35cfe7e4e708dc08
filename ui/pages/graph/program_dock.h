#pragma once

#include "core/analysis/kernel_query.h"
#include "ui/pages/page.h"

class QLabel;
class QTreeView;

namespace hloscope::ui {

class FilterEdit;
class ProgramTreeModel;

/// Contents of the dock "Program": filter and tree of files, modules, computations and kernels.
class ProgramDock : public ReportView {
  Q_OBJECT
 public:
  explicit ProgramDock(QWidget* parent = nullptr);

  void setReports(const std::vector<ReportPtr>& reports) override;
  void setReport(const ReportPtr& report) override;
  void setSelection(const Selection& selection) override;
  [[nodiscard]] QVariantMap saveState() const override;
  void restoreState(const QVariantMap& state) override;

 private:
  void applyQuery(const analysis::KernelQuery& query);
  void expandUsual();
  void showSelection();
  void walked(const QModelIndex& index);
  void request(const QModelIndex& index, bool activate);
  void showMenu(const QPoint& position);

  FilterEdit* filter_;
  QLabel* unit_;
  QTreeView* tree_;
  ProgramTreeModel* model_;
  std::vector<ReportPtr> reports_;
  ReportPtr report_;
  Selection selection_;
  bool following_ = false;  ///< The current row is being set by the window, not by the user.
};

}  // namespace hloscope::ui
