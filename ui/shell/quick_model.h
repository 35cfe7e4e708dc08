#pragma once

#include <QAbstractListModel>
#include <QStyledItemDelegate>

#include "ui/shell/quick_search.h"

namespace hloscope::ui {

inline constexpr int kQuickRowHeight = 24;

class QuickModel : public QAbstractListModel {
  Q_OBJECT
 public:
  using QAbstractListModel::QAbstractListModel;

  void setHits(std::vector<QuickHit> hits);
  /// Null for an invalid index.
  [[nodiscard]] const QuickHit* hit(const QModelIndex& index) const;
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

 private:
  std::vector<QuickHit> hits_;
};

/// Class letter, title, grey detail; the shortcut at the right.
class QuickDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  QuickDelegate(const QuickModel& model, QObject* parent);
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                               const QModelIndex& index) const override;

 private:
  const QuickModel& model_;
};

}  // namespace hloscope::ui
