#pragma once

#include "core/analysis/kernel_export.h"
#include "core/analysis/kernel_query.h"
#include "ui/pages/page.h"

class QComboBox;
class QMenu;
class QTableView;

namespace hloscope::ui {

class ElidedLabel;
class FilterEdit;
class KernelTableModel;
class ShareBarDelegate;

/// Contents of the dock "Kernels": filter row, totals and the kernel table of the current module.
class KernelsDock : public ReportView {
  Q_OBJECT
 public:
  explicit KernelsDock(QWidget* parent = nullptr);

  void setBaseline(const analysis::BaselinePtr& baseline) override;
  void setReport(const ReportPtr& report) override;
  void setSelection(const Selection& selection) override;
  [[nodiscard]] QVariantMap saveState() const override;
  void restoreState(const QVariantMap& state) override;

  /// What stands at the right of the filter row: "41 kernels · not measured: Σ simulated 6.65 ms, Σ
  /// ...".
  [[nodiscard]] QString totalsText() const;

 private:
  void makeFilterRow();
  void makeTable();
  void setDelegates();
  QMenu* makeColumnsMenu();
  QMenu* makeExportMenu();
  void showTable();
  /// Columns of optional sources and changes: hidden where the report has no such value.
  void showOptionalColumns();
  [[nodiscard]] bool hasColumn(size_t column) const;
  [[nodiscard]] bool hasDelta(analysis::TimeSource source) const;
  [[nodiscard]] QStringList wantedOptional() const;  ///< Keys.
  /// `with_deltas`: whether the keys say which changes are wanted.
  void setWantedOptional(const QStringList& keys, bool with_deltas);
  void applyQuery(const analysis::KernelQuery& query);
  void updateTotals();
  void showSelection();
  void requestCurrent(bool activate);
  void copyRows(analysis::TableFormat format);
  void exportFile();
  [[nodiscard]] std::vector<size_t> shownColumns() const;
  [[nodiscard]] Selection selectionAt(const QModelIndex& index) const;

  FilterEdit* filter_;
  QComboBox* classes_;
  ElidedLabel* totals_;
  QTableView* table_;
  KernelTableModel* model_;
  ShareBarDelegate* share_ = nullptr;
  ReportPtr report_;
  analysis::BaselinePtr baseline_;
  Selection selection_;
  std::vector<bool> wanted_;  ///< By column, what the user chose; counts for optional ones.
  bool following_ = false;    ///< The selection is being set by the window, not by the user.
};

}  // namespace hloscope::ui
