#include "core/data/least_times.h"

namespace hloscope::data {

void LeastTimes::add(Sample sample) {
  const auto [at, is_new] =
      place_.try_emplace(pack_configuration(sample.configuration), samples_.size());
  if (is_new) {
    samples_.push_back(std::move(sample));
    return;
  }
  ++duplicates_;
  Sample& kept = samples_[at->second];
  const bool is_default = kept.is_default || sample.is_default;
  if (sample.time_ns < kept.time_ns) kept = std::move(sample);
  kept.is_default = is_default;
}

}  // namespace hloscope::data
