#pragma once

#include <QStyledItemDelegate>

#include "core/hlo/opcode.h"

class QTableView;

namespace hloscope::ui {

/// The square with the letter of a class, painted into `rect` (best 14 px).
void paintOpClassLetter(QPainter& painter, const QRectF& rect, hlo::OpClass op_class);

/// Class letter (else the icon, if there is one), name, and in grey what the kernel does
/// (kLabelRole).
class KernelNameDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  /// Rows of trees and lists are as high as those of tables.
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                               const QModelIndex& index) const override;
};

/// A signed error (kValueRole, a fraction) on a tint by sign and size.
class ErrorTintDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
};

/// A number whose mark (its decoration) stands right before it, not at the number of the column
/// before.
class MarkedNumberDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
};

/// A bar of 56 x 8 for a fraction (kValueRole), then the number. The bar is full
/// at setFullValue().
class ShareBarDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void setFullValue(double fraction) { full_value_ = fraction; }
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;

 private:
  double full_value_ = 1;
};

/// Row height 22, header 24, no grid, row selection, sorting by header: how every table looks.
void styleTable(QTableView& table);

}  // namespace hloscope::ui
