#include "ui/pages/tiles/tile_delegates.h"

#include <QApplication>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/charts/series_style.h"
#include "ui/models/item_roles.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/pages/tiles/tile_table_model.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {
namespace {

constexpr int kCellPadding = 6;
constexpr int kBarWidth = 40;
constexpr int kBarHeight = 8;
constexpr double kCellGlyph = 10;

/// Background, selection and focus, without text. Returns the option with the text.
QStyleOptionViewItem paintEmptyCell(QPainter& painter, QStyleOptionViewItem cell) {
  QStyleOptionViewItem empty = cell;
  empty.text.clear();
  empty.icon = {};
  const QStyle* style = cell.widget ? cell.widget->style() : QApplication::style();
  style->drawControl(QStyle::CE_ItemViewItem, &empty, &painter, cell.widget);
  return cell;
}

void paintTick(QPainter& painter, const QPointF& center, double size) {
  const QPolygonF tick({center + QPointF(-size * 0.45, 0.05 * size),
                        center + QPointF(-size * 0.1, size * 0.4),
                        center + QPointF(size * 0.5, -size * 0.42)});
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().role(Role::kAccent), 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.drawPolyline(tick);
}

}  // namespace

void paintTileGlyph(QPainter& painter, const QString& glyph, const QPointF& center, double size) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  if (glyph == QStringLiteral("best")) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().role(Role::kGood));
    painter.drawPath(markerPath(Marker::kStar, size * 1.15).translated(center));
  } else if (glyph == QStringLiteral("use")) {
    paintTick(painter, center, size);
  } else if (glyph == QStringLiteral("pin")) {
    const QRectF box(center.x() - size / 2, center.y() - size / 2, size, size);
    icon(Icon::kPin, Role::kAccent).paint(&painter, box.toAlignedRect());
  } else {
    for (const analysis::TimeSourceInfo& info : analysis::kTimeSources) {
      if (textOf(info.id) == glyph) paintMarker(painter, seriesOf(info.source), center, size * 0.9);
    }
  }
  painter.restore();
}

void TilePickDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const {
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  paintEmptyCell(*painter, cell);
  const QStringList glyphs = index.data(TileTableModel::kGlyphsRole).toStringList();
  // Where there is little room they move together.
  const double room = option.rect.width() - 2.0 * 4 - kCellGlyph;
  const double pitch = glyphs.size() > 1
                           ? std::min(kCellGlyph + 3, room / static_cast<double>(glyphs.size() - 1))
                           : 0;
  double x = option.rect.left() + 4 + kCellGlyph / 2;
  for (const QString& glyph : glyphs) {
    paintTileGlyph(*painter, glyph, QPointF(x, option.rect.center().y() + 0.5), kCellGlyph);
    x += pitch;
  }
}

void VmemBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  const QStyle* style = cell.widget ? cell.widget->style() : QApplication::style();
  style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
  const double share = index.data(kValueRole).toDouble();
  const QRect bar(option.rect.left() + kCellPadding, option.rect.center().y() - kBarHeight / 2 + 1,
                  kBarWidth, kBarHeight);
  const int text_width = cell.fontMetrics.horizontalAdvance(cell.text) + 2 * kCellPadding;
  if (std::isnan(share) || bar.right() > option.rect.right() - text_width) return;
  painter->save();
  painter->fillRect(bar, theme().role(Role::kBorderSoft));
  const double part = std::clamp(share, 0.0, 1.0);
  const QColor fill = mixed(theme().role(Role::kBase), theme().role(Role::kTextMuted), 0.6);
  painter->fillRect(QRectF(bar.left(), bar.top(), bar.width() * part, bar.height()), fill);
  if (share > 1) {
    painter->setPen(theme().role(Role::kBad));
    painter->drawRect(bar.adjusted(0, 0, -1, -1));
  }
  painter->restore();
}

void RankedValueDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                                const QModelIndex& index) const {
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  const QString value = cell.text;
  paintEmptyCell(*painter, cell);
  painter->save();
  const QRect rect = option.rect.adjusted(kCellPadding, 0, -kCellPadding, 0);
  painter->setFont(cell.font);
  painter->setPen(cell.palette.color(QPalette::Text));
  painter->drawText(rect.adjusted(0, 0, -rank_width_ - 4, 0), Qt::AlignRight | Qt::AlignVCenter,
                    value);
  painter->setFont(smallFont());
  painter->setPen(theme().role(Role::kTextFaint));
  painter->drawText(QRect(rect.right() + 1 - rank_width_, rect.top(), rank_width_, rect.height()),
                    Qt::AlignRight | Qt::AlignVCenter,
                    index.data(TileTableModel::kRankRole).toString());
  painter->restore();
}

}  // namespace hloscope::ui
