#include "ui/theme/fonts.h"

#include <QFontDatabase>

namespace hloscope::ui {

namespace {

// Points at 96 dots per inch, so that sizes may have half pixels.
constexpr double kPointsPerPixel = 72.0 / 96.0;

}  // namespace

QFont uiFont() {
  QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
  font.setPointSizeF(9);
  return font;
}

QFont boldFont() {
  QFont font = uiFont();
  font.setWeight(QFont::DemiBold);
  return font;
}

QFont smallFont() {
  QFont font = uiFont();
  font.setPointSizeF(11 * kPointsPerPixel);
  return font;
}

QFont headlineFont(int pixels) {
  QFont font = boldFont();
  font.setPointSizeF(pixels * kPointsPerPixel);
  return font;
}

QFont monoFont(double pixels) {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  font.setPointSizeF(pixels * kPointsPerPixel);
  return font;
}

}  // namespace hloscope::ui
