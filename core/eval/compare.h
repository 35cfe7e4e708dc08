#pragma once

#include <string>

#include "core/eval/value.h"

namespace hloscope::eval {

/// How far two floating-point elements may be apart: |a - b| <= absolute + relative * |b|. Integers
/// and pred must be equal; NaN equals NaN, and an infinity itself.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
};

struct Difference {
  int64_t count = 0;        ///< Elements that are further apart than allowed.
  double max_absolute = 0;  ///< Of all finite pairs of elements, allowed or not.
  std::string first;  ///< Of the elements above: where, and both values. Or what else differs.
  [[nodiscard]] bool none() const { return first.empty(); }
};

/// Compares two values of one shape, `a` against the reference `b`. Different shapes are a
/// difference.
[[nodiscard]] Difference compare(const Value& a, const Value& b, const Tolerance& tolerance = {});

}  // namespace hloscope::eval
