#include "ui/models/tune_delegates.h"

#include <QApplication>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/models/item_roles.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {
namespace {

constexpr int kInset = 6;
constexpr int kTrialBarHeight = 15;

}  // namespace

void ProgressDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const {
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  const QString text = std::exchange(cell.text, {});
  const QStyle* style = cell.widget ? cell.widget->style() : QApplication::style();
  style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
  const double fraction = index.data(kValueRole).toDouble();
  painter->save();
  painter->setFont(smallFont());
  QRect bar = option.rect.adjusted(kInset, 0, -kInset, 0);
  if (!std::isnan(fraction)) {
    bar.setTop(option.rect.center().y() - kTrialBarHeight / 2);
    bar.setHeight(kTrialBarHeight);
    painter->fillRect(bar, theme().role(Role::kBase));
    QRectF done = bar;
    done.setWidth(bar.width() * std::clamp(fraction, 0.0, 1.0));
    painter->fillRect(done, mixed(theme().role(Role::kBase), theme().role(Role::kAccent), 0.5));
    painter->setPen(theme().role(Role::kControlBorder));
    painter->drawRect(bar.adjusted(0, 0, -1, -1));
  }
  painter->setPen(theme().role(Role::kText));
  painter->drawText(bar, Qt::AlignCenter, text);
  painter->restore();
}

void StateDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  const QVariant ink = index.data(Qt::ForegroundRole);
  if (ink.isValid()) option->palette.setColor(QPalette::HighlightedText, ink.value<QColor>());
}

}  // namespace hloscope::ui
