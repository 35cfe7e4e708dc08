#include "app/cli/accuracy.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <fstream>

namespace hloscope::cli {

std::string percent(std::optional<double> fraction) {
  if (!fraction) return "-";
  return fmt::format("{:.1f} %", *fraction * 100);
}

nlohmann::ordered_json or_null(const std::optional<double>& value) {
  if (!value) return nullptr;
  return *value;
}

void add_origin(nlohmann::ordered_json& out, const AccuracyOptions& options,
                const sim::Machine& machine) {
  out["model"] = accuracy::name(options.model);
  out["machine"] = machine.id;
  out["machine_hash"] = machine.hash.hex();
}

Status write_text_file(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (file) return {};
  return fail(ErrorCode::kIo, fmt::format("cannot write {}", path),
              "is there such a folder, may you write to it, is there room?");
}

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
