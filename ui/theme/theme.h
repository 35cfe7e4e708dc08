#pragma once

#include <QColor>
#include <QObject>
#include <QPalette>
#include <QString>
#include <array>
#include <vector>

#include "core/hlo/opcode.h"

namespace hloscope::ui {

/// Colours by use; see resources/palette.json. Nothing outside ui/theme writes a literal colour.
enum class Role {
  kCanvas,
  kRaised,         ///< Panel title and footer strips.
  kHeader,         ///< Table header, dock title.
  kBorder,         ///< Panel and dock outline.
  kBorderSoft,     ///< Inner separators.
  kGrid,           ///< Chart grid, table column lines.
  kControlBorder,  ///< Outline of buttons and edits.
  kTextMuted,      ///< Labels, units.
  kTextFaint,      ///< Ranks, placeholders, disabled.
  kAccent,
  kAccentSoft,  ///< Selected row, checked button, current page.
  kAccentText,
  kOnAccentSoft,
  kGood,
  kWarn,
  kBad,
  kEdge,
  kEdgeFaint,
  kSearchHit,  ///< Ring of a search hit and nothing else.
  kWindow,
  kBase,
  kAlternateBase,
  kText,
};
inline constexpr int kRoleCount = static_cast<int>(Role::kText) + 1;

/// The sources of times. Each has one colour and one marker everywhere.
enum class Series { kMeasured, kGraphSage, kSimulator, kAnalytical, kLstm, kCompiler };
inline constexpr int kSeriesCount = 6;

enum class Marker { kCircle, kRotatedRectangle, kRectangle, kTriangle, kPentagon, kStar };

enum class ThemeMode { kSystem, kLight, kDark };

/// One complete set of colours. Two exist, light and dark, both made from resources/palette.json.
class Theme {
 public:
  [[nodiscard]] bool isDark() const { return dark_; }
  [[nodiscard]] const QPalette& palette() const { return palette_; }
  [[nodiscard]] QColor role(Role role) const { return roles_[static_cast<size_t>(role)]; }

  [[nodiscard]] QColor opClass(hlo::OpClass op_class) const { return of(op_class).color; }
  /// One capital letter, shown wherever the colour is: colour alone carries nothing.
  [[nodiscard]] QString opClassLetter(hlo::OpClass op_class) const { return of(op_class).letter; }
  /// Colour of the letter on the class colour.
  [[nodiscard]] QColor opClassLetterInk(hlo::OpClass op_class) const { return of(op_class).ink; }
  /// Fill and outline of a graph node of the class: base mixed with the class colour.
  [[nodiscard]] QColor opClassFill(hlo::OpClass op_class) const;
  [[nodiscard]] QColor opClassOutline(hlo::OpClass op_class) const;

  [[nodiscard]] QColor series(Series series) const {
    return series_[static_cast<size_t>(series)].color;
  }
  [[nodiscard]] Marker marker(Series series) const {
    return series_[static_cast<size_t>(series)].marker;
  }

  /// Position 0..1 (clamped) on the heat scale, low to high; NaN gives the canvas colour. Callers
  /// put values on it by logarithm.
  [[nodiscard]] QColor heat(double position) const;
  /// Cell background for a signed relative error (0.1 = +10 %): 6 % to 40 % tint on base, the full
  /// tint from 30 % error on; NaN and what is shown as 0.0 % give base.
  [[nodiscard]] QColor divergingTint(double relative_error) const;

 private:
  friend Theme makeTheme(bool dark);
  struct OpClassStyle {
    QColor color;
    QString letter;
    QColor ink;
  };
  struct SeriesStyle {
    QColor color;
    Marker marker = Marker::kCircle;
  };
  [[nodiscard]] const OpClassStyle& of(hlo::OpClass op_class) const {
    return op_classes_[static_cast<size_t>(op_class)];
  }

  bool dark_ = false;
  QPalette palette_;
  std::array<QColor, kRoleCount> roles_;
  std::array<OpClassStyle, hlo::kOpClassCount> op_classes_;
  std::array<SeriesStyle, kSeriesCount> series_;
  std::vector<QColor> heat_;
  QColor negative_, positive_;
};

/// `amount` (0..1) of `top` over `bottom`, opaque.
[[nodiscard]] QColor mixed(const QColor& bottom, const QColor& top, double amount);

/// The theme in use. GUI thread only.
[[nodiscard]] const Theme& theme();
[[nodiscard]] ThemeMode themeMode();
/// Switches theme and application palette, then emits changed().
void setThemeMode(ThemeMode mode);

/// Tells views that the theme has changed. Widgets that paint by role are repainted anyway (the
/// application palette changes with it); this is for caches of pictures.
class ThemeNotifier : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
 signals:
  void changed();
};
[[nodiscard]] ThemeNotifier& themeNotifier();

/// Style, fonts and palette of the whole application; call once, after QApplication is made.
void installTheme(ThemeMode mode);

}  // namespace hloscope::ui
