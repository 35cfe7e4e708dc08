#include "ui/pages/graph/property_grid.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/models/kernel_delegates.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {
namespace {

constexpr int kGridRowHeight = 20;
constexpr int kGridMargin = 8;
constexpr int kKeyWidth = 96;
constexpr int kLetterSize = 14;
constexpr double kValuePixels = 10.5;

}  // namespace

PropertyGrid::PropertyGrid(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void PropertyGrid::setProperties(std::vector<Property> properties) {
  properties_ = std::move(properties);
  QString description;
  for (const Property& p : properties_) {
    description += p.name + ": " + p.value + ' ' + p.note + '\n';
  }
  setAccessibleDescription(description);
  updateGeometry();
  update();
}

QSize PropertyGrid::sizeHint() const {
  return {260, static_cast<int>(properties_.size()) * kGridRowHeight + 8};
}

QSize PropertyGrid::minimumSizeHint() const {
  return {120, sizeHint().height()};
}

void PropertyGrid::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  int y = 4;
  for (const Property& property : properties_) {
    paintRow(painter, property, QRect(kGridMargin, y, width() - 2 * kGridMargin, kGridRowHeight));
    y += kGridRowHeight;
  }
}

void PropertyGrid::paintRow(QPainter& painter, const Property& property, QRect row) const {
  painter.setFont(uiFont());
  painter.setPen(theme().role(Role::kTextMuted));
  painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, property.name);
  row.setLeft(row.left() + kKeyWidth);
  if (property.op_class) {
    const QRectF letter(row.left(), row.center().y() - kLetterSize / 2.0 + 0.5, kLetterSize,
                        kLetterSize);
    paintOpClassLetter(painter, letter, *property.op_class);
    row.setLeft(row.left() + kLetterSize + 6);
  }
  if (property.mono) painter.setFont(monoFont(kValuePixels));
  painter.setPen(theme().role(Role::kText));
  const QString value =
      painter.fontMetrics().elidedText(property.value, Qt::ElideRight, row.width());
  painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, value);
  row.setLeft(row.left() + painter.fontMetrics().horizontalAdvance(value) + 8);
  if (property.note.isEmpty() || row.width() < 20) return;
  painter.setFont(smallFont());
  painter.setPen(theme().role(Role::kTextMuted));
  painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(property.note, Qt::ElideRight, row.width()));
}

bool PropertyGrid::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int row = (help->pos().y() - 4) / kGridRowHeight;
  if (row >= 0 && row < static_cast<int>(properties_.size())) {
    const Property& property = properties_[static_cast<size_t>(row)];
    QToolTip::showText(help->globalPos(), property.value + ' ' + property.note, this);
  }
  return true;
}

}  // namespace hloscope::ui
