#include "app/cli/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <string>

namespace hloscope::cli {

Progress terminal_progress() {
  if (isatty(STDERR_FILENO) == 0) return {};
  return Progress({}, [last = -1](double fraction, std::string_view what) mutable {
    const int percent = static_cast<int>(std::lround(fraction * 100));
    if (percent == last) return;
    last = percent;
    const std::string line = percent < 100 ? fmt::format("{:3d} % {}", percent, what) : "";
    std::fprintf(stderr, "\r%-40.40s%s", line.c_str(), line.empty() ? "\r" : "");
  });
}

}  // namespace hloscope::cli
