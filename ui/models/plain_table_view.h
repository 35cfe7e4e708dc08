#pragma once

#include <QTableView>

#include "ui/models/plain_table.h"

namespace hloscope::ui {

/// A view of a PlainTableModel of its own: rows can be copied, and an empty one says why.
class PlainTableView : public QTableView {
  Q_OBJECT
 public:
  explicit PlainTableView(const QString& name, QWidget* parent = nullptr);

  [[nodiscard]] PlainTableModel* table() const { return model_; }
  /// Widths of the columns; the last one takes the rest. Takes effect with the next table.
  void setColumnWidths(std::vector<int> widths) { widths_ = std::move(widths); }
  /// Keeps widths where the number of columns is as before, and the selected row by its number.
  void setTable(PlainTable table);
  void setEmptyText(const QString& text);
  /// The number in the table of the current row; -1: none.
  [[nodiscard]] int currentRow() const;
  void selectTableRow(int row);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void copy(TextFormat format);

  PlainTableModel* model_;
  std::vector<int> widths_;
  QString empty_text_;
};

}  // namespace hloscope::ui
