#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "core/base/rng.h"
#include "core/data/split.h"

namespace hloscope::testing {

/// `count` programs p0, p1 ... of different content, without families.
inline std::vector<data::SourceProgram> programs_of(size_t count) {
  std::vector<data::SourceProgram> out(count);
  for (size_t i = 0; i < count; ++i) {
    out[i].name = fmt::format("p{}", i);
    out[i].hash = hash128(out[i].name);
  }
  return out;
}

/// The same with the families of `families`, in order.
inline std::vector<data::SourceProgram> programs_of(const std::vector<std::string>& families) {
  std::vector<data::SourceProgram> out = programs_of(families.size());
  for (size_t i = 0; i < families.size(); ++i) out[i].family = families[i];
  return out;
}

template <typename T>
void shuffle(std::vector<T>& values, Rng& rng) {
  for (size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[rng.below(i)]);
}

inline int64_t count_of(std::span<const data::Part> parts, data::Part part) {
  return std::ranges::count(parts, part);
}

}  // namespace hloscope::testing
