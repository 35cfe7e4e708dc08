#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/layout/placement.h"

namespace hloscope::ui {

/// Finds the rectangles that meet a rectangle: a uniform grid whose cells list what touches them.
class GridIndex {
 public:
  GridIndex() = default;
  explicit GridIndex(std::span<const layout::Rect> rects);

  /// Appends the numbers of all rectangles that meet `area`, each once, to `found`.
  void query(const layout::Rect& area, std::vector<uint32_t>& found) const;

 private:
  struct Cells {
    int left, top, right, bottom;  ///< Inclusive.
  };
  [[nodiscard]] Cells cellsOf(const layout::Rect& rect) const;
  [[nodiscard]] size_t cell(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(columns_) + static_cast<size_t>(x);
  }

  std::vector<layout::Rect> rects_;
  layout::Rect bounds_;
  float cell_size_ = 1;
  int columns_ = 0;
  int rows_ = 0;
  std::vector<uint32_t> first_;  ///< By cell: where its entries begin.
  std::vector<uint32_t> entries_;
};

}  // namespace hloscope::ui
