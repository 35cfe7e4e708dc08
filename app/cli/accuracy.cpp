#include "app/cli/accuracy.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

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

}  // namespace hloscope::cli
