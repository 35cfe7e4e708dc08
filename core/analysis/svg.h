#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Pieces of SVG pictures. Colours are roles of a page's style sheet ("var(--ink, #1d2430)"), so
/// that a picture within a page follows its light or dark colours and one on its own is light.
namespace hloscope::analysis::svg {

/// For HTML and XML, in text and in attributes. What neither may hold (control characters, bytes
/// that are not UTF-8) becomes U+FFFD.
[[nodiscard]] std::string escaped(std::string_view text);

/// "var(--grid, #e9ecf0)": of ink, muted, grid, paper, accent, a class ("class0" by OpClass), a
/// part
/// ("part0" by TimePart) or a source ("source0" by TimeSource).
[[nodiscard]] std::string colour(std::string_view role);
[[nodiscard]] std::string colour(std::string_view family, size_t index);

/// Where a chart draws, in pixels.
struct Frame {
  double left = 72;
  double top = 16;
  double width = 600;
  double height = 300;
  [[nodiscard]] double right() const { return left + width; }
  [[nodiscard]] double bottom() const { return top + height; }
};

/// Values along an axis.
struct Scale {
  double low = 0;
  double high = 1;
  bool is_log = false;
  /// 0 at low, 1 at high.
  [[nodiscard]] double part(double value) const;
  /// At most about `most`: powers of ten, or multiples of 1, 2 or 5.
  [[nodiscard]] std::vector<double> ticks(size_t most = 8) const;
};
/// From low to high, both widened by a factor; 0.1 to 10 where they are no range.
[[nodiscard]] Scale log_scale(double low, double high, double margin = 1.35);

[[nodiscard]] std::string line(double x1, double y1, double x2, double y2,
                               std::string_view attributes);
[[nodiscard]] std::string text(double x, double y, std::string_view content,
                               std::string_view attributes);
/// With a title that shows when the mouse rests on it; none if empty.
[[nodiscard]] std::string rect(const Frame& place, std::string_view attributes,
                               std::string_view title = {});
/// A circle, square, triangle, diamond, cross, star or bar of about the same area, by position.
inline constexpr size_t kMarkerCount = 7;
[[nodiscard]] std::string marker(size_t shape, double x, double y, double radius,
                                 std::string_view attributes, std::string_view title = {});

/// Dashes of a line ("6 3"), by position: six that differ, the first is solid.
[[nodiscard]] std::string_view dashes(size_t index);

/// Grid lines, numbers and the title (with unit) of an axis below or to the left of the frame.
[[nodiscard]] std::string x_axis(const Frame& frame, const Scale& scale, std::string_view title);
[[nodiscard]] std::string y_axis(const Frame& frame, const Scale& scale, std::string_view title);

/// Who can not see a picture has its title and what it says.
struct Head {
  double width = 720;
  double height = 400;
  std::string title;
  std::string description;
};
/// The whole document around `body`.
[[nodiscard]] std::string document(const Head& head, std::string_view body);

/// A line of names with what stands before each of them, wrapped at the width.
struct LegendEntry {
  std::string sample;  ///< SVG around (0, 0), at most 16 wide.
  std::string name;
};
[[nodiscard]] std::string legend(const Frame& place, std::span<const LegendEntry> entries);

}  // namespace hloscope::analysis::svg
