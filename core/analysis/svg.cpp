#include "core/analysis/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace hloscope::analysis::svg {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr double kLetterWidth = 6.8;

/// Bytes of the UTF-8 character at a position; 0: none.
size_t character_length(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xF5 ? 0 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || length == 0 || at + length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
  }
  const unsigned char second = byte(at + 1);
  // Overlong forms, surrogates, and what lies behind the last character.
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0)) return 0;
  if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90)) return 0;
  // U+FFFE and U+FFFF are no characters of XML.
  if (first == 0xEF && second == 0xBF && byte(at + 2) >= 0xBE) return 0;
  return length;
}

std::string_view escape_of(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      break;
  }
  const bool is_control = static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
  return is_control ? kReplacement : std::string_view();
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kRoles = {
    {{"ink", "#1d2430"},
     {"muted", "#566171"},
     {"grid", "#e9ecf0"},
     {"paper", "#ffffff"},
     {"accent", "#1f66d1"}}};
constexpr std::array<std::string_view, 7> kClassColours = {
    "#b2330a", "#15735c", "#96429a", "#3a98e8", "#ae9010", "#211d6c", "#8f969f"};
constexpr std::array<std::string_view, 7> kPartColours = {
    "#b2330a", "#15735c", "#3a98e8", "#6f63a8", "#8f969f", "#c5cbd4", "#211d6c"};
constexpr std::array<std::string_view, 5> kSourceColours = {"#1e2530", "#0e9384", "#c77700",
                                                            "#2b6cd4", "#a8326b"};

std::string titled(std::string_view tag, std::string_view attributes, std::string_view title) {
  if (title.empty()) return fmt::format("<{} {}/>\n", tag, attributes);
  return fmt::format("<{0} {1}><title>{2}</title></{0}>\n", tag, attributes, escaped(title));
}

std::string tick_text(double value) {
  if (value == 0) return "0";  // Not "-0".
  if (std::abs(value) < 1e8) return fmt::format("{:.9g}", value);
  return fmt::format("{:g}", value);
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const size_t length = character_length(text, i);
    const std::string_view escape = length == 1 ? escape_of(text[i]) : std::string_view();
    if (length == 0) {
      out += kReplacement;
    } else if (!escape.empty()) {
      out += escape;
    } else {
      out += text.substr(i, length);
    }
    i += std::max<size_t>(length, 1);
  }
  return out;
}

std::string colour(std::string_view role) {
  for (const auto& [name, value] : kRoles) {
    if (name == role) return fmt::format("var(--{}, {})", name, value);
  }
  return "currentColor";
}

std::string colour(std::string_view family, size_t index) {
  std::string_view value = kSourceColours[index % kSourceColours.size()];
  if (family == "class") value = kClassColours[index % kClassColours.size()];
  if (family == "part") value = kPartColours[index % kPartColours.size()];
  return fmt::format("var(--{}{}, {})", family, index, value);
}

double Scale::part(double value) const {
  if (is_log) return std::log(value / low) / std::log(high / low);
  return (value - low) / (high - low);
}

std::vector<double> Scale::ticks(size_t most) const {
  std::vector<double> out;
  if (is_log) {
    const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
    const int step = 1 + (last - first) / static_cast<int>(most);
    for (int power = first; power <= last; power += step) out.push_back(std::pow(10, power));
    return out;
  }
  if (!(high > low)) return out;
  const double rough = (high - low) / static_cast<double>(most);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double digit = rough / power;
  const double step = power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
  for (double n = std::ceil(low / step - 1e-9); n * step <= high * (1 + 1e-12); ++n) {
    out.push_back(n * step);
  }
  return out;
}

Scale log_scale(double low, double high, double margin) {
  if (!(low > 0) || !(high >= low) || !std::isfinite(high)) return {0.1, 10, true};
  return {low / margin, high * margin, true};
}

std::string line(double x1, double y1, double x2, double y2, std::string_view attributes) {
  return fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" {}/>\n", x1, y1,
                     x2, y2, attributes);
}

std::string text(double x, double y, std::string_view content, std::string_view attributes) {
  return fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" {}>{}</text>\n", x, y, attributes,
                     escaped(content));
}

std::string rect(const Frame& place, std::string_view attributes, std::string_view title) {
  return titled("rect",
                fmt::format("x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" {}",
                            place.left, place.top, place.width, place.height, attributes),
                title);
}

std::string marker(size_t shape, double x, double y, double radius, std::string_view attributes,
                   std::string_view title) {
  // Of radius 1, so that all have the area of the circle, about.
  constexpr std::array<std::string_view, kMarkerCount> kPaths = {
      "M-1 0A1 1 0 1 1 1 0A1 1 0 1 1-1 0Z",
      "M-.89-.89H.89V.89H-.89Z",
      "M0-1.5 1.3.8H-1.3Z",
      "M0-1.25 1.25 0 0 1.25-1.25 0Z",
      "M-.4-1.2H.4V-.4H1.2V.4H.4V1.2H-.4V.4H-1.2V-.4H-.4Z",
      "M0-1.5 .4-.4 1.5 0 .4.4 0 1.5-.4.4-1.5 0-.4-.4Z",
      "M-1.4-.5H1.4V.5H-1.4Z"};
  return titled("path",
                fmt::format("transform=\"translate({:.2f} {:.2f}) scale({:.2f})\" d=\"{}\" "
                            "vector-effect=\"non-scaling-stroke\" {}",
                            x, y, radius, kPaths[shape % kMarkerCount], attributes),
                title);
}

std::string_view dashes(size_t index) {
  constexpr std::array<std::string_view, 6> kDashes = {"none",    "7 3", "2 3",
                                                       "9 3 2 3", "4 2", "12 4 2 2 2 4"};
  return kDashes[index % kDashes.size()];
}

std::string x_axis(const Frame& frame, const Scale& scale, std::string_view title) {
  const std::string grid = fmt::format("stroke=\"{}\"", colour("grid"));
  const std::string label = fmt::format("text-anchor=\"middle\" fill=\"{}\"", colour("muted"));
  std::string out;
  for (const double value : scale.ticks()) {
    const double x = frame.left + frame.width * scale.part(value);
    out += line(x, frame.top, x, frame.bottom(), grid);
    out += text(x, frame.bottom() + 15, tick_text(value), label);
  }
  return out + text(frame.left + frame.width / 2, frame.bottom() + 33, title, label);
}

std::string y_axis(const Frame& frame, const Scale& scale, std::string_view title) {
  const std::string grid = fmt::format("stroke=\"{}\"", colour("grid"));
  const std::string label = fmt::format("text-anchor=\"end\" fill=\"{}\"", colour("muted"));
  std::string out;
  for (const double value : scale.ticks(6)) {
    const double y = frame.bottom() - frame.height * scale.part(value);
    out += line(frame.left, y, frame.right(), y, grid);
    out += text(frame.left - 6, y + 4, tick_text(value), label);
  }
  const double centre = frame.top + frame.height / 2;
  return out + text(16, centre, title,
                    fmt::format("text-anchor=\"middle\" fill=\"{}\" "
                                "transform=\"rotate(-90 16 {:.2f})\"",
                                colour("muted"), centre));
}

std::string document(const Head& head, std::string_view body) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{0:g}\" height=\"{1:g}\" "
      "viewBox=\"0 0 {0:g} {1:g}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<title>{2}</title>\n<desc>{3}</desc>\n"
      "<rect width=\"{0:g}\" height=\"{1:g}\" fill=\"{4}\"/>\n{5}</svg>\n",
      head.width, head.height, escaped(head.title), escaped(head.description), colour("paper"),
      body);
}

std::string legend(const Frame& place, std::span<const LegendEntry> entries) {
  constexpr double kLine = 18;
  double x = place.left;
  double y = place.top;
  std::string out;
  for (const LegendEntry& entry : entries) {
    const double width = 24 + kLetterWidth * static_cast<double>(entry.name.size()) + 14;
    if (x > place.left && x + width > place.right()) {
      x = place.left;
      y += kLine;
    }
    out +=
        fmt::format("<g transform=\"translate({:.2f} {:.2f})\">{}</g>\n", x + 8, y, entry.sample);
    out += text(x + 22, y + 4, entry.name, fmt::format("fill=\"{}\"", colour("ink")));
    x += width;
  }
  return out;
}

}  // namespace hloscope::analysis::svg
