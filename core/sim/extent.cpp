#include "core/sim/extent.h"

#include <algorithm>
#include <bit>

namespace hloscope::sim {

namespace {

// An expression of more nodes than this is taken whole: where each step needs the last one in
// several ways their number doubles with every step.
constexpr uint32_t kMaxWeight = 2048;

int64_t cut(int64_t size) {
  return std::clamp<int64_t>(size, 0, kMaxExtent);
}

Range clip(Range range, int64_t size) {
  return {std::clamp<int64_t>(range.low, 0, size), std::clamp<int64_t>(range.high, 0, size)};
}

// A window that lies in the padding altogether still moves one position.
Range at_least_one(Range range, int64_t size) {
  Range out = clip(range, size);
  if (out.size() > 0 || size == 0) return out;
  out.low = std::min(out.low, size - 1);
  out.high = out.low + 1;
  return out;
}

}  // namespace

ExtentId Extents::intern(Node node) {
  node.size = cut(node.size);
  for (ExtentId part : {node.a, node.b}) {
    if (!part.valid()) continue;
    node.loops |= nodes_[part].loops;
    node.weight += nodes_[part].weight;
  }
  if (node.weight > kMaxWeight) return whole(node.size);
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[ExtentId(i)] == node) return ExtentId(i);
  }
  return nodes_.push_back(node);
}

ExtentId Extents::fixed(int64_t size, Range range) {
  const Range r = clip(range, cut(size));
  return intern({.kind = Kind::kFixed, .size = size, .p = r.low, .q = r.high});
}

ExtentId Extents::loop(int64_t size, LoopId loop) {
  return intern({.kind = Kind::kLoop, .size = size, .p = loop.value, .loops = loop_bit(loop)});
}

ExtentId Extents::window(int64_t size, ExtentId out, ExtentId tap, const WindowReach& reach) {
  constexpr int64_t kMost = kMaxExtent / 2;
  const WindowReach cut_reach = {
      .stride = std::clamp<int64_t>(reach.stride, 1, kMost),
      .dilation = std::clamp<int64_t>(reach.dilation, 1, kMost),
      .pad_low = std::clamp(reach.pad_low, -kMost, kMost),
      .base_dilation = std::clamp<int64_t>(reach.base_dilation, 1, kMost)};
  return intern({.kind = Kind::kWindow, .size = size, .a = out, .b = tap, .reach = cut_reach});
}

ExtentId Extents::affine(int64_t size, ExtentId a, int64_t factor, int64_t offset) {
  if (factor == 1 && offset == 0 && nodes_[a].size == cut(size)) return a;
  factor = std::clamp<int64_t>(factor, 1, kMaxExtent);
  offset = std::clamp(offset, -kMaxExtent, kMaxExtent);
  return intern({.kind = Kind::kAffine, .size = size, .a = a, .p = factor, .q = offset});
}

ExtentId Extents::reversed(int64_t size, ExtentId a) {
  return intern({.kind = Kind::kReversed, .size = size, .a = a});
}

ExtentId Extents::quotient(int64_t size, ExtentId a, int64_t divisor) {
  if (divisor <= 1 && nodes_[a].size == cut(size)) return a;
  return intern(
      {.kind = Kind::kQuotient, .size = size, .a = a, .p = std::max<int64_t>(divisor, 1)});
}

ExtentId Extents::remainder(int64_t size, ExtentId a) {
  if (nodes_[a].size == cut(size)) return a;
  return intern({.kind = Kind::kRemainder, .size = size, .a = a});
}

ExtentId Extents::joined(int64_t size, ExtentId outer, ExtentId inner, int64_t inner_size) {
  if (nodes_[outer].size == 1) return inner;
  if (cut(inner_size) == 1) return outer;
  return intern(
      {.kind = Kind::kJoined, .size = size, .a = outer, .b = inner, .p = cut(inner_size)});
}

ExtentId Extents::hull(int64_t size, ExtentId a, ExtentId b) {
  if (a == b) return a;
  return intern({.kind = Kind::kHull, .size = size, .a = a, .b = b});
}

Range Extents::raw(const Node& n, std::span<const Range> loops) const {
  if (n.kind == Kind::kFixed) return {n.p, n.q};
  if (n.kind == Kind::kLoop) return loops[static_cast<size_t>(n.p)];
  const Range a = evaluate(n.a, loops);
  const Range b = n.b.valid() ? evaluate(n.b, loops) : Range{};
  switch (n.kind) {
    case Kind::kAffine:
      return {times(a.low, n.p) + n.q,
              a.size() == 0 ? times(a.low, n.p) + n.q : times(a.high - 1, n.p) + n.q + 1};
    case Kind::kReversed:
      return {n.size - a.high, n.size - a.low};
    case Kind::kQuotient:
      return {a.low / n.p, ceil_div(a.high, n.p)};
    case Kind::kRemainder: {
      if (n.size <= 0) return {};
      const bool one_group = a.low / n.size == std::max(a.high - 1, a.low) / n.size;
      return one_group ? Range{a.low % n.size, a.low % n.size + a.size()} : Range{0, n.size};
    }
    case Kind::kJoined:
      if (a.size() == 0 || b.size() == 0) return {};
      return {times(a.low, n.p) + b.low, times(a.high - 1, n.p) + b.high};
    case Kind::kHull:
      if (a.size() == 0) return b;
      if (b.size() == 0) return a;
      return {std::min(a.low, b.low), std::max(a.high, b.high)};
    case Kind::kWindow: {
      const WindowReach& w = n.reach;
      const int64_t first = times(a.low, w.stride) + times(b.low, w.dilation) - w.pad_low;
      const int64_t last = times(a.high - 1, w.stride) + times(b.high - 1, w.dilation) - w.pad_low;
      return at_least_one({ceil_div(first, w.base_dilation), floor_div(last, w.base_dilation) + 1},
                          n.size);
    }
    case Kind::kFixed:
    case Kind::kLoop:
      break;
  }
  return {};
}

Range Extents::evaluate(ExtentId id, std::span<const Range> loops) const {
  const Node& node = nodes_[id];
  return clip(raw(node, loops), node.size);
}

}  // namespace hloscope::sim
