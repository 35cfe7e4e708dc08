#include "core/accuracy/machine_file.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/base/file_bytes.h"
#include "core/sim/builtin_machines.h"
#include "core/sim/machine.h"

namespace hloscope::accuracy {

namespace {

constexpr size_t kMaxMachineBytes = size_t{16} << 20;
constexpr double kWholeNumbers = 1e15;

using Json = nlohmann::ordered_json;

// 200, not 200.0, as in the shipped files.
Json number(double value) {
  if (value == std::round(value) && std::abs(value) < kWholeNumbers) {
    return static_cast<int64_t>(value);
  }
  return value;
}

}  // namespace

Result<std::string> machine_text(std::string_view id_or_path) {
  for (std::string_view text : sim::builtin_machine_files()) {
    const auto machine = sim::parse_machine(text, "built-in machine");
    if (machine && machine->id == id_or_path) return std::string(text);
  }
  return read_file_bytes(std::string(id_or_path), kMaxMachineBytes);
}

Result<std::string> with_new_constants(std::string_view text,
                                       std::span<const NewConstant> constants,
                                       std::string_view source) {
  HLOSCOPE_TRY(sim::parse_machine(text, "machine file"));
  Json root = Json::parse(text);
  for (const NewConstant& constant : constants) {
    Json& entry = root["constants"][std::string(constant.name)];
    entry["value"] = number(constant.value);
    entry["source"] = source;
  }
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

double rounded(double value) {
  return std::strtod(fmt::format("{:.4g}", value).c_str(), nullptr);
}

}  // namespace hloscope::accuracy
