#include "core/eval/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/eval/index_walk.h"

namespace hloscope::eval {

namespace {

class Comparison {
 public:
  explicit Comparison(const Tolerance& tolerance) : tolerance_(tolerance) {}

  void values(const Value& a, const Value& b, const std::string& path) {
    if (a.is_array() && b.is_array()) {
      arrays(a.array(), b.array(), path);
      return;
    }
    for (size_t i = 0; i < a.elements().size(); ++i) {
      values(a.elements()[i], b.elements()[i], fmt::format("{}element {} ", path, i));
    }
  }
  Difference result;

 private:
  void arrays(const Array& a, const Array& b, const std::string& path) {
    for (IndexWalk walk(a.dimensions); !walk.done(); walk.next()) {
      const Scalar x = a.elements[walk.position()];
      const Scalar y = b.elements[walk.position()];
      if (are_close(a.type, x, y)) continue;
      ++result.count;
      if (!result.first.empty()) continue;
      result.first = fmt::format("{}at [{}]: {} instead of {}", path, fmt::join(walk.index(), ","),
                                 element_text(a.type, x), element_text(a.type, y));
    }
  }

  bool are_close(hlo::PrimitiveType type, Scalar x, Scalar y) {
    switch (domain(type)) {
      case Domain::kInteger:
        return x.i == y.i;
      case Domain::kFloat:
        return numbers_are_close(x.re, y.re);
      case Domain::kComplex:
        break;
    }
    // The parts may differ by what the whole number allows.
    const double size = std::abs(y.complex());
    return numbers_are_close(x.re, y.re, size) && numbers_are_close(x.im, y.im, size);
  }

  bool numbers_are_close(double x, double y) { return numbers_are_close(x, y, std::abs(y)); }
  bool numbers_are_close(double x, double y, double size) {
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    if (std::isinf(x) || std::isinf(y)) return x == y;
    const double apart = std::abs(x - y);
    result.max_absolute = std::max(result.max_absolute, apart);
    return apart <= tolerance_.absolute + tolerance_.relative * size;
  }

  Tolerance tolerance_;
};

}  // namespace

Difference compare(const Value& a, const Value& b, const Tolerance& tolerance) {
  Comparison comparison(tolerance);
  const std::string shape = shape_text(a);
  if (shape != shape_text(b)) {
    comparison.result.count = b.element_count();
    comparison.result.first = fmt::format("{} instead of {}", shape, shape_text(b));
    return comparison.result;
  }
  comparison.values(a, b, "");
  return comparison.result;
}

}  // namespace hloscope::eval
