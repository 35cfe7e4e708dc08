#include "core/data/split.h"

#include <array>

namespace hloscope::data {

namespace {

constexpr std::array<std::string_view, kPartCount> kPartNames{"train", "valid", "test"};

}  // namespace

std::string_view name(Part part) {
  return kPartNames[static_cast<size_t>(part)];
}

std::optional<Part> find_part(std::string_view name) {
  for (size_t i = 0; i < kPartCount; ++i) {
    if (kPartNames[i] == name) return static_cast<Part>(i);
  }
  return std::nullopt;
}

}  // namespace hloscope::data
