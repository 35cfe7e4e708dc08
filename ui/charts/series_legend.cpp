#include "ui/charts/series_legend.h"

#include <QPainter>

#include "ui/charts/series_style.h"
#include "ui/models/kernel_cell_text.h"

namespace hloscope::ui {
namespace {

constexpr int kHeight = 20;
constexpr int kMarker = 9;
constexpr int kTextLeft = 16;
constexpr int kLegendGap = 12;

QString textOfEntry(const SeriesLegend::Entry& entry) {
  const QString name = textOf(analysis::info(entry.source).name);
  return entry.is_baseline ? SeriesLegend::tr("%1 (baseline)").arg(name) : name;
}

}  // namespace

SeriesLegend::SeriesLegend(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAccessibleName(tr("Legend"));
}

void SeriesLegend::setEntries(std::vector<Entry> entries) {
  if (entries == entries_) return;
  entries_ = std::move(entries);
  QStringList names;
  for (const Entry& entry : entries_) names += textOfEntry(entry);
  setAccessibleDescription(names.join(QStringLiteral(", ")));
  updateGeometry();
  update();
}

int SeriesLegend::widthOf(const Entry& entry) const {
  return kTextLeft + fontMetrics().horizontalAdvance(textOfEntry(entry)) + 2;
}

QSize SeriesLegend::sizeHint() const {
  int width = 0;
  for (const Entry& entry : entries_) width += (width > 0 ? kLegendGap : 0) + widthOf(entry);
  return {width, kHeight};
}

void SeriesLegend::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  int x = 0;
  for (const Entry& entry : entries_) {
    const QPointF center(x + 6, height() / 2.0);
    if (entry.is_baseline) {
      paintMarkerOutline(painter, seriesOf(entry.source), center, kMarker);
    } else {
      paintMarker(painter, seriesOf(entry.source), center, kMarker);
    }
    painter.setPen(theme().role(Role::kText));
    painter.drawText(QRect(x + kTextLeft, 0, widthOf(entry), height()),
                     Qt::AlignLeft | Qt::AlignVCenter, textOfEntry(entry));
    x += widthOf(entry) + kLegendGap;
  }
}

}  // namespace hloscope::ui
