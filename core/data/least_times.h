#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/data/data_set.h"

namespace hloscope::data {

/// Collects samples; of those with one configuration the least time is kept, in the place of the
/// first.
class LeastTimes {
 public:
  void add(Sample sample);
  [[nodiscard]] std::vector<Sample>& samples() { return samples_; }
  [[nodiscard]] int64_t duplicates() const { return duplicates_; }

 private:
  std::vector<Sample> samples_;
  std::map<std::string, size_t> place_;  // By packed configuration.
  int64_t duplicates_ = 0;
};

}  // namespace hloscope::data
