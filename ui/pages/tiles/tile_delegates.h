#pragma once

#include <QStyledItemDelegate>

namespace hloscope::ui {

/// Star, tick and the markers of models (TileTableModel::kGlyphsRole).
class TilePickDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
};

/// A bar of 40 x 8 for a share of VMEM (kValueRole), then the number; above 1 the bar is outlined.
class VmemBarDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
};

/// The value, and small and grey behind it the rank (TileTableModel::kRankRole).
class RankedValueDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  /// Room of the widest rank.
  void setRankWidth(int pixels) { rank_width_ = pixels; }
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;

 private:
  int rank_width_ = 24;
};

/// A glyph of a tile ("best", "use", or the id of a time source) around `center`.
void paintTileGlyph(QPainter& painter, const QString& glyph, const QPointF& center, double size);

}  // namespace hloscope::ui
