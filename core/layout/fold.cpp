#include "core/layout/fold.h"

#include <algorithm>
#include <cmath>

#include "core/layout/fold_plan.h"
#include "core/layout/layered.h"

namespace hloscope::layout {
namespace {

constexpr float kTrackPitch = 5;
constexpr float kTrackMargin = 14;
constexpr size_t kMaxTracks = 16;
constexpr float kCorner = 6;

/// Moves boxes and lines to the columns of a plan.
class Folder {
 public:
  Folder(Placement in, const FoldPlan& plan) : in_(std::move(in)), plan_(plan) {}

  Placement run() {
    find_tracks();
    place_columns();
    for (Box& box : in_.boxes) {
      box.rect = moved(box.rect, plan_.columns[plan_.column_of_layer[box.layer]]);
    }
    points_.reserve(in_.points.size());
    for (Route& route : in_.routes) reroute(route);
    in_.points = std::move(points_);
    in_.columns = static_cast<uint32_t>(plan_.columns.size());
    set_bounds();
    return std::move(in_);
  }

 private:
  using Column = FoldPlan::Column;

  uint32_t column_of(BoxId box) const { return plan_.column_of_layer[in_.boxes[box].layer]; }

  static Rect moved(const Rect& r, const Column& c) {
    return {r.left + c.dx, r.top + c.dy, r.right + c.dx, r.bottom + c.dy};
  }
  static Point moved(Point p, const Column& c) { return {p.x + c.dx, p.y + c.dy}; }

  /// x of a line at a height that it passes.
  static float x_at(std::span<const Point> line, float y) {
    for (size_t i = 1; i < line.size(); ++i) {
      if (line[i].y < y) continue;
      const Point a = line[i - 1];
      const Point b = line[i];
      if (b.y <= a.y || y <= a.y) return y <= a.y ? a.x : b.x;
      return a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y);
    }
    return line.back().x;
  }

  /// Lines that leave a column at the same x share a track.
  void find_tracks() {
    leaving_.resize(plan_.columns.size());
    for (const Route& route : in_.routes) {
      const uint32_t last = column_of(route.to);
      for (uint32_t c = column_of(route.from); c < last; ++c) {
        leaving_[c].push_back(x_at(in_.line(route), plan_.columns[c].bottom));
      }
    }
    for (auto& xs : leaving_) {
      // The rightmost line turns first.
      std::ranges::sort(xs, std::greater());
      // clang-tidy cannot read std::ranges::unique of this standard library.
      xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
    }
  }

  float track_offset(uint32_t column, float x) const {
    const auto& xs = leaving_[column];
    const auto at = std::ranges::lower_bound(xs, x, std::greater()) - xs.begin();
    return kTrackMargin + kTrackPitch * static_cast<float>(static_cast<size_t>(at) % kMaxTracks);
  }

  float tracks_width(uint32_t column) const {
    return kTrackPitch * static_cast<float>(std::min(leaving_[column].size(), kMaxTracks));
  }

  void place_columns() {
    float x = 0;
    for (uint32_t c = 0; c < plan_.columns.size(); ++c) {
      Column& column = plan_.columns[c];
      column.dx = x - column.left;
      column.dy = -column.top;
      gutter_.push_back(x + column.right - column.left);
      x = gutter_.back() + 2 * kTrackMargin + tracks_width(c);
    }
  }

  void add(Point p) {
    if (points_.size() == first_ || !(points_.back() == p)) points_.push_back(p);
  }

  /// A right-angled turn at `corner` on the way to `next`, rounded.
  void turn(Point corner, Point next) {
    const Point before = points_.back();
    const auto near = [&corner](Point other) {
      const float length = std::hypot(other.x - corner.x, other.y - corner.y);
      const float t = length == 0 ? 0 : std::min(kCorner, length / 2) / length;
      return Point{corner.x + (other.x - corner.x) * t, corner.y + (other.y - corner.y) * t};
    };
    add(near(before));
    const float k = 0.3F;
    const Point a = near(before);
    const Point b = near(next);
    add({corner.x + (a.x + b.x - 2 * corner.x) * k, corner.y + (a.y + b.y - 2 * corner.y) * k});
    add(b);
  }

  /// From the bottom of column c, at x, around its right side to the top of the next one.
  void add_way_around(uint32_t c, float x_out, float x_in) {
    const float offset = track_offset(c, x_out);
    const Column& from = plan_.columns[c];
    const Column& to = plan_.columns[c + 1];
    const float below = from.bottom + from.dy + offset;
    const float above = to.top + to.dy - offset;
    const float side = gutter_[c] + offset;
    const Point end{x_in + to.dx, to.top + to.dy};
    add({x_out + from.dx, from.bottom + from.dy});
    turn({x_out + from.dx, below}, {side, below});
    turn({side, below}, {side, above});
    turn({side, above}, {end.x, above});
    turn({end.x, above}, end);
    add(end);
  }

  void reroute(Route& route) {
    const auto line = in_.line(route);
    first_ = points_.size();
    uint32_t c = column_of(route.from);
    const uint32_t last = column_of(route.to);
    for (size_t i = 0; i < line.size(); ++i) {
      while (c < last && line[i].y > plan_.columns[c].bottom) {
        add_way_around(c, x_at(line, plan_.columns[c].bottom),
                       x_at(line, plan_.columns[c + 1].top));
        ++c;
      }
      // What lies in the gap that was cut is replaced by the way around.
      if (line[i].y >= plan_.columns[c].top) add(moved(line[i], plan_.columns[c]));
    }
    route.first_point = static_cast<uint32_t>(first_);
    route.point_count = static_cast<uint32_t>(points_.size() - first_);
  }

  void set_bounds() {
    Rect bounds = in_.boxes[BoxId(0)].rect;
    const auto include = [&bounds](float left, float top, float right, float bottom) {
      bounds = {std::min(bounds.left, left), std::min(bounds.top, top),
                std::max(bounds.right, right), std::max(bounds.bottom, bottom)};
    };
    for (const Box& box : in_.boxes) {
      include(box.rect.left, box.rect.top, box.rect.right, box.rect.bottom);
    }
    for (const Point p : in_.points) include(p.x, p.y, p.x, p.y);
    in_.bounds = bounds;
  }

  Placement in_;
  FoldPlan plan_;
  std::vector<std::vector<float>> leaving_;  ///< By column: x of lines that go on, from the right.
  std::vector<float> gutter_;                ///< By column: where the space at its right begins.
  std::vector<Point> points_;
  size_t first_ = 0;
};

}  // namespace

Placement fold(Placement tall, const FoldOptions& options) {
  const FoldPlan plan = plan_fold(tall, options);
  if (plan.columns.size() < 2) return tall;
  return Folder(std::move(tall), plan).run();
}

Result<Placement> FoldedLayout::place(const Graph& graph, const Progress& progress) const {
  HLOSCOPE_ASSIGN(Placement placement, inner_->place(graph, progress));
  if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "layout was cancelled");
  return fold(std::move(placement), options_);
}

std::unique_ptr<const Strategy> standard_layout() {
  return std::make_unique<FoldedLayout>(std::make_unique<LayeredLayout>());
}

}  // namespace hloscope::layout
