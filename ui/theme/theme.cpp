#include "ui/theme/theme.h"

#include <QApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/theme/fonts.h"
#include "ui/theme/palette_json.h"
#include "ui/theme/style.h"

namespace hloscope::ui {

namespace {

using Key = const char*;

// In the order of Role; the rest of the roles come from the palette.
constexpr std::array<Key, 19> kRoleKeys = {
    "canvas",    "raised",    "header", "border",     "borderSoft", "grid",         "controlBorder",
    "textMuted", "textFaint", "accent", "accentSoft", "accentText", "onAccentSoft", "good",
    "warn",      "bad",       "edge",   "edgeFaint",  "searchHit"};
constexpr std::array<Key, hlo::kOpClassCount> kOpClassKeys = {
    "matmulConv",  "elementwise", "reduction",        "dataMovement",
    "controlFlow", "collective",  "parameterConstant"};
constexpr std::array<Key, kSeriesCount> kSeriesKeys = {"measured",   "graphsage", "simulator",
                                                       "analytical", "lstm",      "compiler"};
constexpr std::array<std::pair<Key, QPalette::ColorRole>, 16> kPaletteKeys = {{
    {"Window", QPalette::Window},
    {"Base", QPalette::Base},
    {"AlternateBase", QPalette::AlternateBase},
    {"ToolTipBase", QPalette::ToolTipBase},
    {"WindowText", QPalette::WindowText},
    {"Text", QPalette::Text},
    {"ButtonText", QPalette::ButtonText},
    {"ToolTipText", QPalette::ToolTipText},
    {"PlaceholderText", QPalette::PlaceholderText},
    {"Highlight", QPalette::Highlight},
    {"HighlightedText", QPalette::HighlightedText},
    {"Link", QPalette::Link},
    {"Button", QPalette::Button},
    {"Light", QPalette::Light},
    {"Mid", QPalette::Mid},
    {"Dark", QPalette::Dark},
}};

QColor color(const QJsonValue& value) {
  const QColor result(value.toString());
  Q_ASSERT(result.isValid());
  return result;
}

QPalette makePalette(const QJsonObject& colors, const QColor& faint) {
  QPalette palette;
  for (const auto& [key, role] : kPaletteKeys) palette.setColor(role, color(colors[key]));
  palette.setColor(QPalette::LinkVisited, palette.color(QPalette::Link));
  palette.setColor(QPalette::Midlight, palette.color(QPalette::Light));
  palette.setColor(QPalette::Shadow, palette.color(QPalette::Dark));
  palette.setColor(QPalette::BrightText, palette.color(QPalette::Text));
  for (const auto role :
       {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText}) {
    palette.setColor(QPalette::Disabled, role, faint);
  }
  return palette;
}

Marker markerByName(const QString& name) {
  if (name == "rotatedRectangle") return Marker::kRotatedRectangle;
  if (name == "rectangle") return Marker::kRectangle;
  if (name == "triangle") return Marker::kTriangle;
  if (name == "pentagon") return Marker::kPentagon;
  if (name == "star") return Marker::kStar;
  return Marker::kCircle;
}

}  // namespace

Theme makeTheme(bool dark) {
  const auto json = paletteJson();
  const QJsonObject whole =
      QJsonDocument::fromJson(QByteArray(json.data(), static_cast<qsizetype>(json.size())))
          .object();
  const QJsonObject source = whole[dark ? "dark" : "light"].toObject();
  Theme theme;
  theme.dark_ = dark;
  const QJsonObject roles = source["roles"].toObject();
  for (size_t i = 0; i < kRoleKeys.size(); ++i) {
    theme.roles_[i] = color(roles[kRoleKeys[i]].toObject()["hex"]);
  }
  theme.palette_ = makePalette(source["qpalette"].toObject(), theme.role(Role::kTextFaint));
  const auto copy = [&theme](Role to, QPalette::ColorRole from) {
    theme.roles_[static_cast<size_t>(to)] = theme.palette_.color(from);
  };
  copy(Role::kWindow, QPalette::Window);
  copy(Role::kBase, QPalette::Base);
  copy(Role::kAlternateBase, QPalette::AlternateBase);
  copy(Role::kText, QPalette::Text);
  const QJsonObject classes = source["opClass"].toObject();
  for (size_t i = 0; i < kOpClassKeys.size(); ++i) {
    const QJsonObject style = classes[kOpClassKeys[i]].toObject();
    theme.op_classes_[i] = {color(style["hex"]), style["letter"].toString(),
                            color(style["letterInk"])};
  }
  const QJsonObject series = source["series"].toObject();
  for (size_t i = 0; i < kSeriesKeys.size(); ++i) {
    const QJsonObject style = series[kSeriesKeys[i]].toObject();
    theme.series_[i] = {color(style["hex"]), markerByName(style["marker"].toString())};
  }
  const QJsonArray stops = source["heat"].toObject()["stops"].toArray();
  for (const auto& stop : stops) {
    theme.heat_.push_back(color(stop));
  }
  theme.negative_ = color(source["diverging"].toObject()["negative"]);
  theme.positive_ = color(source["diverging"].toObject()["positive"]);
  return theme;
}

QColor mixed(const QColor& bottom, const QColor& top, double amount) {
  const auto channel = [amount](int from, int to) {
    return static_cast<int>(std::lround(from + (to - from) * amount));
  };
  return {channel(bottom.red(), top.red()), channel(bottom.green(), top.green()),
          channel(bottom.blue(), top.blue())};
}

QColor Theme::opClassFill(hlo::OpClass op_class) const {
  return mixed(role(Role::kBase), opClass(op_class), dark_ ? 0.16 : 0.10);
}

QColor Theme::opClassOutline(hlo::OpClass op_class) const {
  return mixed(role(Role::kBase), opClass(op_class), 0.55);
}

QColor Theme::heat(double position) const {
  if (std::isnan(position)) return role(Role::kCanvas);
  const double scaled = std::clamp(position, 0.0, 1.0) * static_cast<double>(heat_.size() - 1);
  const auto index = std::min(static_cast<size_t>(scaled), heat_.size() - 2);
  return mixed(heat_[index], heat_[index + 1], scaled - static_cast<double>(index));
}

QColor Theme::divergingTint(double relative_error) const {
  constexpr double kShownAsZero = 0.0005;  // Of one decimal of a per cent.
  if (!(std::abs(relative_error) >= kShownAsZero)) return role(Role::kBase);
  const double strength = std::min(std::abs(relative_error) / 0.30, 1.0);
  return mixed(role(Role::kBase), relative_error < 0 ? negative_ : positive_,
               0.06 + strength * 0.34);
}

namespace {

struct Current {
  Theme light = makeTheme(false);
  Theme dark = makeTheme(true);
  ThemeMode mode = ThemeMode::kLight;
  bool use_dark = false;
  bool system_is_dark = false;
};

Current& current() {
  static Current instance;
  return instance;
}

}  // namespace

const Theme& theme() {
  return current().use_dark ? current().dark : current().light;
}

ThemeMode themeMode() {
  return current().mode;
}

void setThemeMode(ThemeMode mode) {
  Current& state = current();
  state.mode = mode;
  state.use_dark = mode == ThemeMode::kDark || (mode == ThemeMode::kSystem && state.system_is_dark);
  QApplication::setPalette(theme().palette());
  // Windows that exist already would follow only while QApplication::exec() runs.
  for (QWidget* window : QApplication::topLevelWidgets()) window->setPalette(theme().palette());
  emit themeNotifier().changed();
}

ThemeNotifier& themeNotifier() {
  static ThemeNotifier notifier;
  return notifier;
}

void installTheme(ThemeMode mode) {
  // Qt 6.4 has no QStyleHints::colorScheme(): the system's own palette tells, before ours is set.
  current().system_is_dark = QApplication::palette().color(QPalette::Window).lightness() < 128;
  QApplication::setStyle(new Style);
  QApplication::setFont(uiFont());
  setThemeMode(mode);
}

}  // namespace hloscope::ui
