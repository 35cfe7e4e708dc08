#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/index.h"

namespace hloscope::sim {

/// Positions low .. high-1 along one dimension.
struct Range {
  int64_t low = 0;
  int64_t high = 0;
  [[nodiscard]] int64_t size() const { return high > low ? high - low : 0; }
  bool operator==(const Range&) const = default;
};

struct LoopTag;
using LoopId = Index<LoopTag>;
struct ExtentTag;
using ExtentId = Index<ExtentTag>;

/// Sets of loops as bits; a kernel has at most kMaxLoops.
using LoopSet = uint64_t;
inline constexpr size_t kMaxLoops = 40;
[[nodiscard]] inline LoopSet loop_bit(LoopId loop) {
  return LoopSet{1} << loop.value;
}

/// Sizes are cut here: far above the arrays that a machine's memory holds.
inline constexpr int64_t kMaxExtent = int64_t{1} << 44;
/// The same of products of two of them, so that sums do not overflow.
inline constexpr int64_t kMaxProduct = int64_t{1} << 60;

/// a * b, cut at kMaxProduct either way.
[[nodiscard]] inline int64_t times(int64_t a, int64_t b) {
  int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) {
    return (a < 0) != (b < 0) ? -kMaxProduct : kMaxProduct;
  }
  return std::clamp(product, -kMaxProduct, kMaxProduct);
}

/// a / b for b > 0, rounded down and up.
[[nodiscard]] inline int64_t floor_div(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}
[[nodiscard]] inline int64_t ceil_div(int64_t a, int64_t b) {
  return a / b + (a % b > 0 ? 1 : 0);
}

/// How far a window reaches: position = (out * stride + tap * dilation - pad_low) / base_dilation.
struct WindowReach {
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t pad_low = 0;
  int64_t base_dilation = 1;
  bool operator==(const WindowReach&) const = default;
};

/// Which positions of a dimension one tile needs, as expressions over the loops of the kernel: the
/// image of an output tile, taken back through the operations. Equal expressions have equal ids;
/// operands come before users. All ranges are cut to the size of their dimension.
class Extents {
 public:
  /// Always the same positions.
  ExtentId fixed(int64_t size, Range range);
  ExtentId whole(int64_t size) { return fixed(size, {0, size}); }
  /// The positions of a loop's tile.
  ExtentId loop(int64_t size, LoopId loop);
  /// The positions that windows at `out` with the taps `tap` read; never empty.
  ExtentId window(int64_t size, ExtentId out, ExtentId tap, const WindowReach& reach);
  /// Positions low * factor + offset .. (high - 1) * factor + offset + 1; may be empty (of a piece
  /// of a concatenation).
  ExtentId affine(int64_t size, ExtentId a, int64_t factor, int64_t offset);
  /// Positions counted from the other end.
  ExtentId reversed(int64_t size, ExtentId a);
  /// Of the dimension that was `a` = position / divisor.
  ExtentId quotient(int64_t size, ExtentId a, int64_t divisor);
  /// position % size.
  ExtentId remainder(int64_t size, ExtentId a);
  /// outer * inner_size + inner, as one range (the hull).
  ExtentId joined(int64_t size, ExtentId outer, ExtentId inner, int64_t inner_size);
  /// The smallest range that holds both.
  ExtentId hull(int64_t size, ExtentId a, ExtentId b);

  [[nodiscard]] int64_t size(ExtentId id) const { return nodes_[id].size; }
  [[nodiscard]] LoopSet loops(ExtentId id) const { return nodes_[id].loops; }
  /// The value for the given tiles of the loops (by LoopId).
  [[nodiscard]] Range evaluate(ExtentId id, std::span<const Range> loops) const;

 private:
  enum class Kind : uint8_t {
    kFixed,
    kLoop,
    kWindow,
    kAffine,
    kReversed,
    kQuotient,
    kRemainder,
    kJoined,
    kHull
  };
  struct Node {
    Kind kind = Kind::kFixed;
    int64_t size = 0;
    ExtentId a = {};
    ExtentId b = {};
    int64_t p = 0;  // Low, factor, divisor or inner size.
    int64_t q = 0;  // High or offset.
    WindowReach reach = {};
    LoopSet loops = 0;
    uint32_t weight = 1;  // Nodes that evaluate() goes through.
    bool operator==(const Node&) const = default;
  };
  ExtentId intern(Node node);
  [[nodiscard]] Range raw(const Node& node, std::span<const Range> loops) const;

  IndexedVector<ExtentId, Node> nodes_;
};

}  // namespace hloscope::sim
