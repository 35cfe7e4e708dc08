#include "ui/graph/grid_index.h"

#include <algorithm>
#include <cmath>

namespace hloscope::ui {

namespace {

layout::Rect boundsOf(std::span<const layout::Rect> rects) {
  layout::Rect bounds = rects.empty() ? layout::Rect() : rects[0];
  for (const layout::Rect& r : rects) {
    bounds = {std::min(bounds.left, r.left), std::min(bounds.top, r.top),
              std::max(bounds.right, r.right), std::max(bounds.bottom, r.bottom)};
  }
  return bounds;
}

}  // namespace

GridIndex::GridIndex(std::span<const layout::Rect> rects)
    : rects_(rects.begin(), rects.end()), bounds_(boundsOf(rects)) {
  if (rects_.empty()) return;
  // About four rectangles a cell if they were spread evenly.
  const double area = std::max(1.0, static_cast<double>(bounds_.width()) * bounds_.height());
  const double cells = std::max(1.0, static_cast<double>(rects_.size()) / 4);
  cell_size_ = static_cast<float>(std::max(64.0, std::sqrt(area / cells)));
  columns_ = static_cast<int>(bounds_.width() / cell_size_) + 1;
  rows_ = static_cast<int>(bounds_.height() / cell_size_) + 1;
  first_.assign(cell(0, rows_) + 1, 0);
  const auto for_cells = [this](const layout::Rect& rect, auto&& visit) {
    const Cells range = cellsOf(rect);
    for (int y = range.top; y <= range.bottom; ++y) {
      for (int x = range.left; x <= range.right; ++x) visit(cell(x, y));
    }
  };
  for (const layout::Rect& rect : rects_) {
    for_cells(rect, [this](size_t c) { ++first_[c + 1]; });
  }
  for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  entries_.resize(first_.back());
  std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
  for (uint32_t i = 0; i < rects_.size(); ++i) {
    for_cells(rects_[i], [&](size_t c) { entries_[next[c]++] = i; });
  }
}

GridIndex::Cells GridIndex::cellsOf(const layout::Rect& rect) const {
  const auto column = [this](float x) {
    return std::clamp(static_cast<int>((x - bounds_.left) / cell_size_), 0, columns_ - 1);
  };
  const auto row = [this](float y) {
    return std::clamp(static_cast<int>((y - bounds_.top) / cell_size_), 0, rows_ - 1);
  };
  return {column(rect.left), row(rect.top), column(rect.right), row(rect.bottom)};
}

void GridIndex::query(const layout::Rect& area, std::vector<uint32_t>& found) const {
  if (rects_.empty()) return;
  const auto meets = [&](const layout::Rect& r) {
    return r.left <= area.right && area.left <= r.right && r.top <= area.bottom &&
           area.top <= r.bottom;
  };
  if (!meets(bounds_)) return;
  const Cells range = cellsOf(area);
  for (int y = range.top; y <= range.bottom; ++y) {
    for (int x = range.left; x <= range.right; ++x) {
      const size_t c = cell(x, y);
      for (uint32_t i = first_[c]; i < first_[c + 1]; ++i) {
        const layout::Rect& rect = rects_[entries_[i]];
        // Listed in several cells: it counts in the first one that the query visits.
        const Cells own = cellsOf(rect);
        if (std::max(own.left, range.left) != x || std::max(own.top, range.top) != y) continue;
        if (meets(rect)) found.push_back(entries_[i]);
      }
    }
  }
}

}  // namespace hloscope::ui
