#include "core/layout/balance.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace hloscope::layout {
namespace {

/// Usual width of a box with its gap over usual height of a layer, and the shape of a window.
constexpr double kBoxAspect = 3;
constexpr double kWindowAspect = 1.6;
/// Of one layer: lines to the lower ones pass between the boxes of all the others.
constexpr uint32_t kMostRows = 12;

/// Sets of connected boxes, with path halving.
class Components {
 public:
  Components(size_t boxes, const std::vector<Link>& links) : parent_(boxes) {
    std::iota(parent_.begin(), parent_.end(), 0U);
    for (const Link& link : links) {
      const uint32_t a = find(link.from.value);
      const uint32_t b = find(link.to.value);
      // The smaller number is the root, whatever the order of links.
      parent_[std::max(a, b)] = std::min(a, b);
    }
  }
  uint32_t find(uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

 private:
  std::vector<uint32_t> parent_;
};

/// A connected part: how many boxes it has in each of its layers.
struct Part {
  std::vector<uint32_t> boxes;
  uint32_t top = UINT32_MAX;
  std::vector<uint32_t> width;
};

std::vector<Part> parts_of(const IndexedVector<BoxId, Box>& boxes, const std::vector<Link>& links) {
  Components components(boxes.size(), links);
  std::vector<uint32_t> part_of(boxes.size(), UINT32_MAX);
  std::vector<Part> parts;
  for (uint32_t i = 0; i < boxes.size(); ++i) {
    uint32_t& part = part_of[components.find(i)];
    if (part == UINT32_MAX) {
      part = static_cast<uint32_t>(parts.size());
      parts.emplace_back();
    }
    parts[part].boxes.push_back(i);
    parts[part].top = std::min(parts[part].top, boxes[BoxId(i)].layer);
  }
  for (Part& part : parts) {
    for (const uint32_t i : part.boxes) {
      const uint32_t row = boxes[BoxId(i)].layer - part.top;
      if (row >= part.width.size()) part.width.resize(row + 1, 0);
      ++part.width[row];
    }
  }
  return parts;
}

/// Puts the small parts on shelves beside the largest one: parts of a shelf begin in the same
/// layer, and a shelf begins below the one before. Without shelves each part would push the next
/// one a little further to the side.
class Spreader {
 public:
  Spreader(IndexedVector<BoxId, Box>& boxes, std::vector<Part> parts)
      : boxes_(boxes), parts_(std::move(parts)) {}

  void run() {
    if (parts_.size() < 2) return;
    const auto largest =
        std::ranges::max_element(parts_, {}, [](const Part& part) { return part.boxes.size(); });
    std::iter_swap(parts_.begin(), largest);
    const auto key = [](const Part& part) {
      return std::tuple(-static_cast<int64_t>(part.width.size()), part.top, part.boxes[0]);
    };
    std::sort(parts_.begin() + 1, parts_.end(),
              [&](const Part& a, const Part& b) { return key(a) < key(b); });
    tops_.assign(parts_.size(), 0);
    const auto total = static_cast<double>(boxes_.size());
    const auto even = static_cast<size_t>(std::sqrt(total * kBoxAspect / kWindowAspect));
    const size_t rows = std::max(even, parts_[0].width.size());
    auto limit = static_cast<size_t>(total / static_cast<double>(rows)) + 2;
    while (fill_shelves(limit) > rows && limit < boxes_.size()) limit += 1 + limit / 4;
    for (size_t i = 0; i < parts_.size(); ++i) {
      for (const uint32_t box : parts_[i].boxes) {
        uint32_t& layer = boxes_[BoxId(box)].layer;
        layer = layer - parts_[i].top + tops_[i];
      }
    }
  }

 private:
  /// Boxes of the largest part in the fullest of some layers.
  size_t taken(size_t first, size_t count) const {
    const auto& width = parts_[0].width;
    size_t most = 0;
    for (size_t i = first; i < std::min(first + count, width.size()); ++i) {
      most = std::max<size_t>(most, width[i]);
    }
    return most;
  }

  /// Finds the layer of each part; returns the number of layers used.
  size_t fill_shelves(size_t limit) {
    size_t row = 0;
    for (size_t i = 1; i < parts_.size();) {
      const size_t height = parts_[i].width.size();
      size_t used = taken(row, height);
      const size_t first = i;
      for (; i < parts_.size(); ++i) {
        const size_t width = *std::ranges::max_element(parts_[i].width);
        if (i > first && used + width > limit) break;
        used += width;
        tops_[i] = static_cast<uint32_t>(row);
      }
      row += height;
    }
    return row;
  }

  IndexedVector<BoxId, Box>& boxes_;
  std::vector<Part> parts_;  ///< The largest one first, then by height.
  std::vector<uint32_t> tops_;
};

/// How many boxes a layer may have: not more than if the drawing were a square, and not much more
/// than others have.
uint32_t width_limit(size_t boxes, size_t layers) {
  const auto n = static_cast<double>(boxes);
  const double square = 0.9 * std::sqrt(n);
  const double usual = 4 * n / static_cast<double>(std::max<size_t>(1, layers));
  return static_cast<uint32_t>(std::max(12.0, std::ceil(std::min(square, usual))));
}

uint32_t split_wide_layers(IndexedVector<BoxId, Box>& boxes) {
  std::vector<uint32_t> count;
  for (const Box& box : boxes) {
    if (box.layer >= count.size()) count.resize(box.layer + 1, 0);
    ++count[box.layer];
  }
  const uint32_t most = width_limit(boxes.size(), count.size());
  std::vector<uint32_t> first_row(count.size());
  std::vector<uint32_t> rows(count.size());
  uint32_t next = 0;
  for (size_t i = 0; i < count.size(); ++i) {
    first_row[i] = next;
    rows[i] = count[i] > most + most / 2 ? (count[i] + most - 1) / most : count[i] > 0;
    rows[i] = std::min(rows[i], kMostRows);
    next += rows[i];
  }
  std::vector<uint32_t> seen(count.size(), 0);
  for (Box& box : boxes) {
    const uint32_t old = box.layer;
    box.layer = first_row[old] + seen[old]++ % rows[old];
  }
  return next;
}

}  // namespace

uint32_t balance_layers(IndexedVector<BoxId, Box>& boxes, const std::vector<Link>& links) {
  if (boxes.empty()) return 0;
  Spreader(boxes, parts_of(boxes, links)).run();
  return split_wide_layers(boxes);
}

}  // namespace hloscope::layout
