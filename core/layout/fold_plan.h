#pragma once

#include <vector>

#include "core/layout/fold.h"

namespace hloscope::layout {

/// Where a drawing is cut, and what each column holds.
struct FoldPlan {
  struct Column {
    uint32_t first_layer = 0;
    uint32_t end_layer = 0;
    float left = 0;  ///< Of what is drawn in it, before it is moved; so are the others.
    float right = 0;
    float top = 0;
    float bottom = 0;
    float dx = 0;  ///< How far it is moved.
    float dy = 0;
  };
  std::vector<Column> columns;
  std::vector<uint32_t> column_of_layer;
};

/// One column, or none for an empty drawing, when folding gains nothing.
[[nodiscard]] FoldPlan plan_fold(const Placement& placement, const FoldOptions& options);

}  // namespace hloscope::layout
