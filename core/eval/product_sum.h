#pragma once

#include <algorithm>

#include "core/eval/value.h"

namespace hloscope::eval {

/// A sum of products of elements of one type each, rounded once at the end. pred: or of ands.
class ProductSum {
 public:
  ProductSum(hlo::PrimitiveType operands, hlo::PrimitiveType result)
      : domain_(domain(operands)), operands_(operands), result_(result) {}

  void clear() { sum_ = Scalar(); }
  void add(Scalar x, Scalar y) {
    switch (domain_) {
      case Domain::kInteger:
        sum_.i = static_cast<int64_t>(static_cast<uint64_t>(sum_.i) +
                                      static_cast<uint64_t>(x.i) * static_cast<uint64_t>(y.i));
        return;
      case Domain::kFloat:
        sum_.re += x.re * y.re;
        return;
      case Domain::kComplex:
        sum_ = Scalar::of(sum_.complex() + x.complex() * y.complex());
        return;
    }
  }
  [[nodiscard]] Scalar value() const {
    if (domain_ != domain(result_)) return converted(operands_, result_, sum_);
    return fitted(result_, sum_);
  }

 private:
  Domain domain_;
  hlo::PrimitiveType operands_;
  hlo::PrimitiveType result_;
  Scalar sum_;
};

}  // namespace hloscope::eval
