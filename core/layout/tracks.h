#pragma once

#include <cstdint>
#include <vector>

namespace hloscope::layout {

/// A horizontal piece of line between two x positions, in either order.
struct TrackSpan {
  float x1 = 0;
  float x2 = 0;
  uint32_t edge = 0;
};

inline constexpr uint32_t kMaxTracks = 12;

/// Gives spans that overlap different tracks (first fit from the left, at most kMaxTracks, then
/// they share): tracks[span.edge]. Reorders `spans`. Returns the number of tracks used.
uint32_t pack_tracks(std::vector<TrackSpan>& spans, std::vector<uint32_t>& tracks);

}  // namespace hloscope::layout
