#include "core/layout/fold_plan.h"

#include <algorithm>
#include <cmath>

namespace hloscope::layout {
namespace {

constexpr float kGutter = 40;  ///< Usual space between columns.

class Planner {
 public:
  Planner(const Placement& placement, const FoldOptions& options)
      : placement_(placement), options_(options) {
    measure_layers();
    count_lines();
  }

  FoldPlan run() const {
    const FoldPlan whole = cut(1);
    // More columns are wider and less tall: the first number that is wide enough, or one less.
    uint32_t low = 1;
    uint32_t high = std::max(1U, placement_.layer_count / options_.least_layers);
    while (low < high) {
      const uint32_t middle = (low + high) / 2;
      if (aspect(cut(middle)) >= options_.aspect) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    const FoldPlan folded = std::max(cut(low), cut(std::max(1U, low - 1)),
                                     [this](auto& a, auto& b) { return scale(a) < scale(b); });
    return scale(folded) >= options_.least_gain * scale(whole) ? folded : whole;
  }

 private:
  struct Layer {
    float left = INFINITY;
    float right = -INFINITY;
    float top = INFINITY;
    float bottom = -INFINITY;
  };

  void measure_layers() {
    layers_.resize(placement_.layer_count);
    for (const Box& box : placement_.boxes) {
      Layer& layer = layers_[box.layer];
      layer = {std::min(layer.left, box.rect.left), std::max(layer.right, box.rect.right),
               std::min(layer.top, box.rect.top), std::max(layer.bottom, box.rect.bottom)};
    }
    // Lines count for the layer that they are nearest to from below.
    for (const Route& route : placement_.routes) {
      uint32_t l = placement_.boxes[route.from].layer;
      for (const Point p : placement_.line(route)) {
        while (l + 1 < layers_.size() && p.y >= layers_[l + 1].top) ++l;
        layers_[l].left = std::min(layers_[l].left, p.x);
        layers_[l].right = std::max(layers_[l].right, p.x);
      }
    }
  }

  /// Lines that pass from each layer to the next one.
  void count_lines() {
    lines_.assign(layers_.size() + 1, 0);
    for (const Route& route : placement_.routes) {
      ++lines_[placement_.boxes[route.from].layer];
      --lines_[placement_.boxes[route.to].layer];
    }
    for (size_t i = 1; i < lines_.size(); ++i) lines_[i] += lines_[i - 1];
  }

  FoldPlan cut(uint32_t count) const {
    FoldPlan plan;
    if (layers_.empty()) return plan;
    const auto n = static_cast<uint32_t>(layers_.size());
    uint32_t first = 0;
    for (uint32_t i = 1; i <= count && first < n; ++i) {
      const uint32_t end = i == count ? n : best_cut(first, n, i, count);
      plan.columns.push_back(column(first, end));
      first = end;
    }
    plan.column_of_layer.reserve(n);
    for (uint32_t c = 0; c < plan.columns.size(); ++c) {
      plan.column_of_layer.insert(plan.column_of_layer.end(),
                                  plan.columns[c].end_layer - plan.columns[c].first_layer, c);
    }
    return plan;
  }

  /// Near an equal share of the layers, where the fewest lines pass.
  uint32_t best_cut(uint32_t first, uint32_t n, uint32_t i, uint32_t count) const {
    const auto ideal = static_cast<uint32_t>(static_cast<uint64_t>(n) * i / count);
    const uint32_t reach = n / count / 12;
    const uint32_t from = std::max(first + 1, ideal > reach ? ideal - reach : 1);
    const uint32_t to = std::min(n - 1, std::max(ideal + reach, from));
    uint32_t best = std::min(from, n);
    for (uint32_t l = from; l <= to; ++l) {
      if (lines_[l - 1] < lines_[best - 1]) best = l;
    }
    return best;
  }

  FoldPlan::Column column(uint32_t first, uint32_t end) const {
    FoldPlan::Column c;
    c.first_layer = first;
    c.end_layer = end;
    c.top = layers_[first].top;
    c.bottom = layers_[end - 1].bottom;
    c.left = INFINITY;
    c.right = -INFINITY;
    for (uint32_t l = first; l < end; ++l) {
      c.left = std::min(c.left, layers_[l].left);
      c.right = std::max(c.right, layers_[l].right);
    }
    return c;
  }

  static Size size(const FoldPlan& plan) {
    Size size{0, 1};
    for (const FoldPlan::Column& c : plan.columns) {
      size.width += c.right - c.left + kGutter;
      size.height = std::max(size.height, c.bottom - c.top);
    }
    return size;
  }
  static double aspect(const FoldPlan& plan) { return size(plan).width / size(plan).height; }

  /// How large the drawing appears where it is to fit, up to a factor.
  double scale(const FoldPlan& plan) const {
    const Size s = size(plan);
    return std::min(options_.aspect / s.width, 1.0 / s.height);
  }

  const Placement& placement_;
  const FoldOptions& options_;
  std::vector<Layer> layers_;
  std::vector<int64_t> lines_;
};

}  // namespace

FoldPlan plan_fold(const Placement& placement, const FoldOptions& options) {
  return Planner(placement, options).run();
}

}  // namespace hloscope::layout
