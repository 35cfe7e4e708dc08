#include "ui/graph/frame_colours.h"

#include <algorithm>
#include <cmath>

namespace hloscope::ui {

namespace {

/// Relative luminance and contrast as WCAG 2.1 defines them.
double luminance(const QColor& color) {
  const auto linear = [](double c) {
    return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
         0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
  const double la = luminance(a);
  const double lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

constexpr double kFullTintAt = 0.30;

}  // namespace

FrameColours::FrameColours(const Theme& theme)
    : canvas(theme.role(Role::kCanvas).rgb()),
      base(theme.role(Role::kBase).rgb()),
      text(theme.role(Role::kText).rgb()),
      muted(theme.role(Role::kTextMuted).rgb()),
      faint(theme.role(Role::kTextFaint).rgb()),
      edge(theme.role(Role::kEdge).rgb()),
      edge_faint(theme.role(Role::kEdgeFaint).rgb()),
      accent(theme.role(Role::kAccent).rgb()),
      border(theme.role(Role::kBorder).rgb()) {
  for (int i = 0; i < hlo::kOpClassCount; ++i) {
    const auto op_class = static_cast<hlo::OpClass>(i);
    Class& c = classes[static_cast<size_t>(i)];
    c.strong = theme.opClass(op_class).rgb();
    c.fill = theme.opClassFill(op_class).rgb();
    c.outline = theme.opClassOutline(op_class).rgb();
    c.ink = theme.opClassLetterInk(op_class).rgb();
    c.letter = theme.opClassLetter(op_class).at(0);
  }
  for (size_t i = 0; i < heat.size(); ++i) {
    const double position = static_cast<double>(i) / 255;
    const QColor color = theme.heat(position);
    heat[i] = color.rgb();
    heat_outline[i] = mixed(color, theme.role(Role::kText), 0.35).rgb();
    heat_takes_text[i] =
        contrast(color, theme.role(Role::kText)) >= contrast(color, theme.role(Role::kBase));
    diverging[i] = theme.divergingTint((2 * position - 1) * kFullTintAt).rgb();
  }
}

FrameColours::Node FrameColours::node(const GraphNode& node, const GraphColouring* colouring,
                                      size_t index) const {
  const Class& c = of(node.op_class);
  if (colouring == nullptr) return {c.fill, c.outline, text, muted, c.strong, true};
  const float value = colouring->value[index];
  if (std::isnan(value)) return {canvas, edge_faint, text, muted, edge_faint, false};
  const bool diverges = colouring->scale == GraphColouring::Scale::kDiverging;
  const double position = diverges ? (value / kFullTintAt + 1) / 2 : static_cast<double>(value);
  const auto i = static_cast<size_t>(std::clamp(position, 0.0, 1.0) * 255);
  if (diverges) return {diverging[i], c.outline, text, muted, diverging[i], true};
  const QRgb ink = heat_takes_text[i] ? text : base;
  return {heat[i], heat_outline[i], ink, ink, heat[i], true};
}

}  // namespace hloscope::ui
