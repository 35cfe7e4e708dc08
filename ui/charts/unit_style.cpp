#include "ui/charts/unit_style.h"

#include <QCoreApplication>

#include "ui/theme/fonts.h"

namespace hloscope::ui {
namespace {

constexpr double kLetterRoom = 13;  ///< Bars this wide hold their letter.

QString text(const char* source) {
  return QCoreApplication::translate("UnitStyle", source);
}

QColor classColor(hlo::OpClass op_class) {
  return theme().opClass(op_class);
}

QColor grey(double amount) {
  return mixed(theme().role(Role::kBase), theme().role(Role::kTextMuted), amount);
}

QColor partColor(sim::TimePart part) {
  switch (part) {
    case sim::TimePart::kMatrix:
      return classColor(hlo::OpClass::kMatmulConv);
    case sim::TimePart::kVector:
      return classColor(hlo::OpClass::kElementwise);
    case sim::TimePart::kTraffic:
      return classColor(hlo::OpClass::kDataMovement);
    case sim::TimePart::kFillDrain:
      return mixed(classColor(hlo::OpClass::kReduction), grey(0.8), 0.45);
    case sim::TimePart::kLoop:
      return grey(0.75);
    case sim::TimePart::kLaunch:
      return grey(0.4);
    case sim::TimePart::kLink:
      return classColor(hlo::OpClass::kCollective);
  }
  return grey(1);
}

void paintLetter(QPainter& painter, const QRectF& rect, sim::TimePart part) {
  QFont font = smallFont();
  font.setPixelSize(10);
  font.setWeight(QFont::DemiBold);
  painter.setFont(font);
  painter.setPen(inkOn(partColor(part)));
  painter.drawText(rect, Qt::AlignCenter, partLetter(part));
}

}  // namespace

QColor inkOn(const QColor& color) {
  const QColor base = theme().role(Role::kBase);
  const QColor ink = theme().role(Role::kText);
  const auto distance = [&color](const QColor& other) {
    return std::abs(color.lightnessF() - other.lightnessF());
  };
  return distance(base) > distance(ink) ? base : ink;
}

QString unitTitle(sim::Unit unit) {
  switch (unit) {
    case sim::Unit::kDmaIn:
      return text("DMA in");
    case sim::Unit::kDmaOut:
      return text("DMA out");
    case sim::Unit::kScalar:
      return text("Scalar");
    case sim::Unit::kMxu:
      return text("MXU");
    case sim::Unit::kXlu:
      return text("XLU");
    case sim::Unit::kValu:
      return text("VPU");
    case sim::Unit::kEup:
      return text("EUP");
    case sim::Unit::kLoad:
      return text("Load");
    case sim::Unit::kStore:
      return text("Store");
    case sim::Unit::kLink:
      return text("Link");
  }
  return {};
}

QColor unitColor(sim::Unit unit) {
  switch (unit) {
    case sim::Unit::kDmaIn:
      return classColor(hlo::OpClass::kDataMovement);
    case sim::Unit::kDmaOut:
      return mixed(classColor(hlo::OpClass::kDataMovement), theme().role(Role::kText), 0.35);
    case sim::Unit::kScalar:
      return grey(0.75);
    case sim::Unit::kMxu:
      return classColor(hlo::OpClass::kMatmulConv);
    case sim::Unit::kXlu:
      return classColor(hlo::OpClass::kReduction);
    case sim::Unit::kLink:
      return classColor(hlo::OpClass::kCollective);
    case sim::Unit::kValu:
    case sim::Unit::kEup:
    case sim::Unit::kLoad:
    case sim::Unit::kStore:
      return classColor(hlo::OpClass::kElementwise);
  }
  return grey(1);
}

QString partTitle(sim::TimePart part) {
  switch (part) {
    case sim::TimePart::kMatrix:
      return text("MXU");
    case sim::TimePart::kVector:
      return text("vector units");
    case sim::TimePart::kTraffic:
      return text("HBM traffic");
    case sim::TimePart::kFillDrain:
      return text("fill and drain");
    case sim::TimePart::kLoop:
      return text("loop overhead");
    case sim::TimePart::kLaunch:
      return text("launch");
    case sim::TimePart::kLink:
      return text("links");
  }
  return {};
}

QString partLetter(sim::TimePart part) {
  static constexpr const char* kLetters = "MVHFOLK";
  return QString(QLatin1Char(kLetters[static_cast<size_t>(part)]));
}

void paintPartLetter(QPainter& painter, const QRectF& rect, sim::TimePart part) {
  painter.setPen(Qt::NoPen);
  painter.setBrush(partColor(part));
  painter.drawRoundedRect(rect, 2, 2);
  paintLetter(painter, rect, part);
}

void paintPartBar(QPainter& painter, const QRectF& rect, sim::TimePart part) {
  painter.fillRect(rect, partColor(part));
  if (rect.width() >= kLetterRoom) paintLetter(painter, rect, part);
}

}  // namespace hloscope::ui
