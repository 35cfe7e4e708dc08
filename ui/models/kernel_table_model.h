#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <span>
#include <vector>

#include "core/analysis/kernel_export.h"
#include "core/analysis/kernel_table.h"

namespace hloscope::ui {

/// The kernels of one module: a thin adapter over analysis::KernelTable. Sorting and filtering
/// happen here on a list of row numbers (no proxy), so that a million rows stay fluid.
class KernelTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;

  /// Null empties the model. Keeps filter and sort order.
  void setTable(std::shared_ptr<const analysis::KernelTable> table);
  [[nodiscard]] const std::shared_ptr<const analysis::KernelTable>& table() const { return table_; }
  void setQuery(analysis::KernelQuery query);

  /// Rows of the table in the order shown.
  [[nodiscard]] std::span<const uint32_t> shownRows() const { return rows_; }
  /// Invalid for an invalid index.
  [[nodiscard]] graph::KernelId kernelAt(const QModelIndex& index) const;
  /// First cell of the kernel; invalid when it is filtered out.
  [[nodiscard]] QModelIndex indexOf(graph::KernelId kernel) const;
  [[nodiscard]] analysis::KernelTable::Totals totals() const;
  /// The given view rows (all when empty) and columns as text.
  [[nodiscard]] QString exportText(const std::vector<int>& view_rows,
                                   const std::vector<size_t>& columns,
                                   analysis::TableFormat format) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;
  void sort(int column, Qt::SortOrder order) override;

 private:
  void refill();
  void sortRows();
  [[nodiscard]] QVariant toolTip(uint32_t row, size_t column) const;
  [[nodiscard]] QVariant deltaToolTip(uint32_t row, analysis::TimeSource source) const;
  [[nodiscard]] QVariant predictedToolTip(uint32_t row) const;

  std::shared_ptr<const analysis::KernelTable> table_;
  analysis::KernelQuery query_;
  std::vector<uint32_t> rows_;
  mutable std::vector<int> position_;  ///< View row by table row, -1 hidden; made when asked for.
  int sort_column_ = -1;
  Qt::SortOrder sort_order_ = Qt::AscendingOrder;
};

}  // namespace hloscope::ui
