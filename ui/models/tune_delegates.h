#pragma once

#include <QStyledItemDelegate>

namespace hloscope::ui {

/// A progress bar (kValueRole, 0..1; NaN: no bar) with the cell's text over it.
class ProgressDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
};

/// Keeps the cell's own text colour when its row is selected.
class StateDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

}  // namespace hloscope::ui
