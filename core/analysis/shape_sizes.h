#pragma once

#include "core/base/index.h"
#include "core/hlo/program.h"

namespace hloscope::analysis {

/// Bytes of an access, without and with the padding of TPU tiles.
struct Bytes {
  double plain = 0;
  double padded = 0;

  Bytes& operator+=(const Bytes& other) {
    plain += other.plain;
    padded += other.padded;
    return *this;
  }
  friend Bytes operator+(Bytes a, const Bytes& b) { return a += b; }
  friend Bytes operator*(double factor, const Bytes& b) {
    return {factor * b.plain, factor * b.padded};
  }
};

/// Sizes of one shape as XLA's cost analysis takes them.
struct ShapeSize {
  Bytes whole;          ///< As an operand: 8 per tuple element (a table of pointers), 8 for opaque.
  Bytes leaves;         ///< As a result: the sum over the leaves of a tuple.
  double elements = 0;  ///< Of an array, bounds of dynamic dimensions.
  double leaf_elements = 0;  ///< Sum over the leaves.
};

/// Sizes of every shape of a program, computed once per distinct shape. Rules of XLA that differ
/// from ShapeTable::byte_size: a type under 8 bits takes a byte unless its layout says otherwise;
/// a dynamic array has 4 bytes per dimension more (its sizes at run time); opaque is a pointer.
[[nodiscard]] IndexedVector<hlo::ShapeId, ShapeSize> shape_sizes(const hlo::ShapeTable& shapes);

}  // namespace hloscope::analysis
