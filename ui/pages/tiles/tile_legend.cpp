#include "ui/pages/tiles/tile_legend.h"

#include <QPainter>

#include "ui/pages/tiles/tile_delegates.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {
namespace {

constexpr int kLegendGlyph = 12;
constexpr int kGap = 16;
constexpr int kLegendHeight = 24;

}  // namespace

TileLegend::TileLegend(QWidget* parent) : QWidget(parent) {
  setFont(smallFont());
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void TileLegend::setEntries(std::vector<Entry> entries) {
  entries_ = std::move(entries);
  QStringList texts;
  for (const Entry& entry : entries_) texts << entry.text;
  setAccessibleName(tr("Marks: %1").arg(texts.join(QStringLiteral(", "))));
  updateGeometry();
  update();
}

int TileLegend::widthOf(const Entry& entry) const {
  return static_cast<int>(entry.glyphs.size()) * (kLegendGlyph + 2) + 4 +
         fontMetrics().horizontalAdvance(entry.text);
}

QSize TileLegend::sizeHint() const {
  int width = 0;
  for (const Entry& entry : entries_) width += widthOf(entry) + kGap;
  return {width, kLegendHeight};
}

void TileLegend::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  int x = 0;
  for (const Entry& entry : entries_) {
    const int wide = widthOf(entry);
    if (x + wide > width()) return;
    for (const QString& glyph : entry.glyphs) {
      paintTileGlyph(painter, glyph, QPointF(x + kLegendGlyph / 2.0, height() / 2.0),
                     kLegendGlyph - 2);
      x += kLegendGlyph + 2;
    }
    x += 4;
    painter.setPen(theme().role(Role::kTextMuted));
    const int text_width = fontMetrics().horizontalAdvance(entry.text);
    painter.drawText(QRect(x, 0, text_width + 2, height()), Qt::AlignVCenter, entry.text);
    x += text_width + kGap;
  }
}

}  // namespace hloscope::ui
