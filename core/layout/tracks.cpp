#include "core/layout/tracks.h"

#include <algorithm>

namespace hloscope::layout {

uint32_t pack_tracks(std::vector<TrackSpan>& spans, std::vector<uint32_t>& tracks) {
  constexpr float kClear = 4;
  std::ranges::stable_sort(spans, {}, [](const TrackSpan& s) { return std::min(s.x1, s.x2); });
  std::vector<float> ends;
  for (const TrackSpan& span : spans) {
    const float left = std::min(span.x1, span.x2);
    size_t track = 0;
    while (track < ends.size() && ends[track] + kClear > left) ++track;
    if (track == kMaxTracks) {
      track = static_cast<size_t>(std::ranges::min_element(ends) - ends.begin());
    }
    if (track == ends.size()) ends.push_back(0);
    ends[track] = std::max(span.x1, span.x2);
    tracks[span.edge] = static_cast<uint32_t>(track);
  }
  return static_cast<uint32_t>(ends.size());
}

}  // namespace hloscope::layout
