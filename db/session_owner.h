#pragma once

#include <cstdint>
#include <string>

namespace hloscope::db {

/// A process, told apart from others that get its number later.
struct SessionOwner {
  int64_t pid = 0;
  int64_t start = 0;  ///< Of the process, in clock ticks since the system started.
  std::string host;   ///< For people.
  std::string place;  ///< Boot of the system and space of process numbers: where `pid` means it.
  bool operator==(const SessionOwner&) const = default;
};

[[nodiscard]] SessionOwner this_process();

enum class Liveness : uint8_t {
  kAlive,
  kGone,
  kElsewhere,  ///< Cannot be known from here.
};
[[nodiscard]] Liveness liveness(const SessionOwner& owner);

}  // namespace hloscope::db
