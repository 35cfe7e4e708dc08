#pragma once

#include <memory>

#include "core/layout/placement.h"

namespace hloscope::layout {

struct FoldOptions {
  double aspect = 1.6;         ///< Width to height that the drawing is to have.
  double least_gain = 1.3;     ///< How much larger it must get in a window of that shape.
  uint32_t least_layers = 16;  ///< In one column.
};

/// Cuts a drawing that is much taller than wide between layers and puts the parts side by side, as
/// newspaper columns: programs are deep, screens are not. Cuts lie where few lines cross; the lines
/// that do run below the column, up between the columns and into the next one from above.
[[nodiscard]] Placement fold(Placement tall, const FoldOptions& options = {});

/// A layout whose result is folded.
class FoldedLayout : public Strategy {
 public:
  explicit FoldedLayout(std::unique_ptr<const Strategy> inner, FoldOptions options = {})
      : inner_(std::move(inner)), options_(options) {}
  [[nodiscard]] Result<Placement> place(const Graph& graph,
                                        const Progress& progress) const override;

 private:
  std::unique_ptr<const Strategy> inner_;
  FoldOptions options_;
};

/// What the program uses for kernel graphs: layered and folded.
[[nodiscard]] std::unique_ptr<const Strategy> standard_layout();

}  // namespace hloscope::layout
