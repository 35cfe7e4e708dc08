#include "ui/theme/elided_label.h"

namespace hloscope::ui {

ElidedLabel::ElidedLabel(QWidget* parent, Role role) : RoleLabel(QString(), role, parent) {
  setTextFormat(Qt::PlainText);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void ElidedLabel::setWholeText(const QString& text) {
  whole_ = text;
  setToolTip(text);
  setAccessibleName(text);
  elide();
}

void ElidedLabel::elide() {
  setText(fontMetrics().elidedText(whole_, Qt::ElideRight, contentsRect().width()));
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
  RoleLabel::resizeEvent(event);
  elide();
}

}  // namespace hloscope::ui
