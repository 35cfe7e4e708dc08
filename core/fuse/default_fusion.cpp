#include "core/fuse/default_fusion.h"

#include <algorithm>
#include <queue>

namespace hloscope::fuse {

namespace {

/// Edges by the bytes that they save, as far as that is known: what was looked at before its
/// kernels changed is looked at again when it comes up.
class Greedy {
 public:
  explicit Greedy(FusionState& state) : state_(state), looked_at_(state.space().edge_count(), 0) {}

  Status run(const Progress& progress) {
    // What one edge changes can make any edge valid (a cycle is gone) or saving, so that all are
    // looked at again until none is set.
    do {
      set_any_ = false;
      HLOSCOPE_TRY(push_all(progress));
      HLOSCOPE_TRY(drain(progress));
    } while (set_any_);
    return {};
  }

 private:
  struct Entry {
    double bytes_saved;
    EdgeId edge;
    uint32_t version;  // Of looked_at_.
    bool operator<(const Entry& other) const {
      return bytes_saved != other.bytes_saved ? bytes_saved < other.bytes_saved : edge > other.edge;
    }
  };

  static Status check(const Progress& progress, double fraction) {
    if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "fusion was stopped");
    progress.report(fraction, "fusing");
    return {};
  }

  Status push_all(const Progress& progress) {
    const auto edges = static_cast<double>(state_.space().edge_count());
    for (EdgeId edge : state_.space().edges()) {
      if (edge.value % 64 == 0) HLOSCOPE_TRY(check(progress, 0.5 * edge.value / edges));
      push(edge);
    }
    return {};
  }

  void push(EdgeId edge) {
    if (state_.config()[edge.value] != 0) return;
    const FusionState::Outlook outlook = state_.look(edge);
    const uint32_t version = ++looked_at_[edge.value];
    if (outlook.verdict == Verdict::kValid && outlook.bytes_change < 0) {
      entries_.push({-outlook.bytes_change, edge, version});
    }
  }

  Status drain(const Progress& progress) {
    while (!entries_.empty()) {
      const Entry top = entries_.top();
      entries_.pop();
      if (top.version != looked_at_[top.edge.value]) continue;
      HLOSCOPE_TRY(check(progress, 0.5));
      const FusionState::Outlook now = state_.look(top.edge);
      if (now.verdict != Verdict::kValid || now.bytes_change >= 0) continue;
      if (-now.bytes_change < top.bytes_saved) {
        push(top.edge);
        continue;
      }
      set(top.edge);
    }
    return {};
  }

  void set(EdgeId edge) {
    const FlipResult result = state_.flip(edge);
    state_.commit();
    set_any_ = true;
    for (GroupId group : result.added) push_edges_of(group);
  }

  // The savings of the edges that end at a kernel that has changed.
  void push_edges_of(GroupId group) {
    std::vector<EdgeId> edges;
    for (hlo::InstructionId id : state_.group(group).members) {
      const auto at = state_.space().edges_of(id);
      edges.insert(edges.end(), at.begin(), at.end());
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    for (EdgeId edge : edges) push(edge);
  }

  FusionState& state_;
  std::vector<uint32_t> looked_at_;  ///< How often, by EdgeId: only the last entry of it counts.
  std::priority_queue<Entry> entries_;
  bool set_any_ = false;
};

}  // namespace

Status fuse_by_default(FusionState& state, const Progress& progress) {
  return Greedy(state).run(progress);
}

Result<FusionConfig> default_config(const FusionSpace& space, const Progress& progress) {
  FusionState state(space);
  HLOSCOPE_TRY(fuse_by_default(state, progress));
  return state.config();
}

}  // namespace hloscope::fuse
