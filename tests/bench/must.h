#pragma once

#include <fmt/format.h>

#include <cstdlib>

#include "core/base/result.h"

namespace hloscope::testing {

/// The value; an error ends the benchmark.
template <typename T>
T must(Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "{}\n", result.error().format());
  std::exit(1);
}

inline void must(const Status& status) {
  if (status) return;
  fmt::print(stderr, "{}\n", status.error().format());
  std::exit(1);
}

}  // namespace hloscope::testing
