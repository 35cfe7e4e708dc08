#include "ui/models/kernel_delegates.h"

#include <QApplication>
#include <QHeaderView>
#include <QPainter>
#include <QTableView>
#include <algorithm>
#include <cmath>

#include "ui/models/item_roles.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {
namespace {

constexpr int kPadding = 6;
constexpr int kLetterSize = 14;
constexpr int kRowHeight = 22;
constexpr int kNarrowestColumn = 32;
constexpr int kHeaderHeight = 24;
constexpr int kBarWidth = 56;
constexpr int kShareBarHeight = 8;

/// Background, selection and focus of the cell, without its text.
void paintEmptyCell(QPainter& painter, QStyleOptionViewItem option) {
  option.text.clear();
  option.icon = {};
  const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
  style->drawControl(QStyle::CE_ItemViewItem, &option, &painter, option.widget);
}

void drawElided(QPainter& painter, const QRect& rect, const QString& text) {
  const QString shown = painter.fontMetrics().elidedText(text, Qt::ElideRight, rect.width());
  painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter, shown);
}

}  // namespace

void paintOpClassLetter(QPainter& painter, const QRectF& rect, hlo::OpClass op_class) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme().opClass(op_class));
  painter.drawRoundedRect(rect, 2, 2);
  QFont font = boldFont();
  font.setPixelSize(std::max(1, static_cast<int>(rect.height() * 0.7)));
  painter.setFont(font);
  painter.setPen(theme().opClassLetterInk(op_class));
  painter.drawText(rect, Qt::AlignCenter, theme().opClassLetter(op_class));
  painter.restore();
}

void KernelNameDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                               const QModelIndex& index) const {
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  const QString name = cell.text;
  const QIcon icon = cell.icon;
  paintEmptyCell(*painter, cell);
  painter->save();
  QRect rect = option.rect.adjusted(kPadding, 0, -kPadding, 0);
  const QRectF letter(rect.left(), rect.center().y() - kLetterSize / 2.0 + 0.5, kLetterSize,
                      kLetterSize);
  const QVariant op_class = index.data(kOpClassRole);
  if (op_class.isValid()) {
    paintOpClassLetter(*painter, letter, static_cast<hlo::OpClass>(op_class.toInt()));
  } else if (!icon.isNull()) {
    icon.paint(painter, letter.toRect());
  }
  if (op_class.isValid() || !icon.isNull()) rect.setLeft(rect.left() + kLetterSize + kPadding);
  painter->setFont(cell.font);
  painter->setPen(cell.palette.color(QPalette::Text));
  drawElided(*painter, rect, name);
  rect.setLeft(rect.left() + painter->fontMetrics().horizontalAdvance(name) + kPadding);
  const QString label = index.data(kLabelRole).toString();
  if (rect.width() > 3 * kPadding && !label.isEmpty()) {
    painter->setFont(smallFont());
    painter->setPen(theme().role(Role::kTextMuted));
    drawElided(*painter, rect, label);
  }
  painter->restore();
}

QSize KernelNameDelegate::sizeHint(const QStyleOptionViewItem& option,
                                   const QModelIndex& index) const {
  return QStyledItemDelegate::sizeHint(option, index).expandedTo({0, kRowHeight});
}

void ErrorTintDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const {
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  const double error = index.data(kValueRole).toDouble();
  if (!std::isnan(error) && !(option.state & QStyle::State_Selected)) {
    cell.backgroundBrush = theme().divergingTint(error);
  }
  const QStyle* style = cell.widget ? cell.widget->style() : QApplication::style();
  style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
}

void MarkedNumberDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const {
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  const QIcon mark = cell.icon;
  cell.icon = {};
  cell.features &= ~QStyleOptionViewItem::HasDecoration;
  const QStyle* style = cell.widget ? cell.widget->style() : QApplication::style();
  style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
  if (mark.isNull()) return;
  const int right =
      option.rect.right() - 2 * kPadding - cell.fontMetrics.horizontalAdvance(cell.text);
  mark.paint(painter, QRect(right - kLetterSize, option.rect.center().y() - kLetterSize / 2 + 1,
                            kLetterSize, kLetterSize));
}

void ShareBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const {
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  const QStyle* style = cell.widget ? cell.widget->style() : QApplication::style();
  style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
  const double share = index.data(kValueRole).toDouble();
  const QString widest =
      cell.text.endsWith('%') ? QStringLiteral("100.0 %") : QStringLiteral("100.0");
  const int text_width = cell.fontMetrics.horizontalAdvance(widest) + kPadding;
  const QRect bar(option.rect.right() - text_width - kPadding - kBarWidth,
                  option.rect.center().y() - kShareBarHeight / 2 + 1, kBarWidth, kShareBarHeight);
  if (std::isnan(share) || bar.left() < option.rect.left()) return;
  painter->save();
  painter->fillRect(bar, theme().role(Role::kBorderSoft));
  const double part = full_value_ > 0 ? std::clamp(share / full_value_, 0.0, 1.0) : 0.0;
  const QColor fill = mixed(theme().role(Role::kBase), theme().role(Role::kAccent), 0.6);
  painter->fillRect(QRectF(bar.left(), bar.top(), bar.width() * part, bar.height()), fill);
  painter->restore();
}

void styleTable(QTableView& table) {
  table.setSelectionBehavior(QAbstractItemView::SelectRows);
  table.setSelectionMode(QAbstractItemView::ExtendedSelection);
  table.setAlternatingRowColors(true);
  table.setShowGrid(false);
  table.setWordWrap(false);
  table.setFrameShape(QFrame::NoFrame);
  table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table.setTabKeyNavigation(false);
  QHeaderView* rows = table.verticalHeader();
  rows->setMinimumSectionSize(kRowHeight);
  rows->setDefaultSectionSize(kRowHeight);
  rows->setSectionResizeMode(QHeaderView::Fixed);
  rows->hide();
  QHeaderView* header = table.horizontalHeader();
  header->setFixedHeight(kHeaderHeight);
  header->setFont(smallFont());
  header->setSectionsMovable(true);
  header->setMinimumSectionSize(kNarrowestColumn);  // Qt's own is that of a very wide letter.
  header->setHighlightSections(false);
  header->setTextElideMode(Qt::ElideRight);
}

}  // namespace hloscope::ui
