#include "core/sim/machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/file_bytes.h"
#include "core/sim/builtin_machines.h"

namespace hloscope::sim {

namespace {

constexpr size_t kMaxMachineBytes = size_t{16} << 20;

// What any unit of a machine file is far inside of.
constexpr double kLeastValue = 1e-9;
constexpr double kMostValue = 1e18;

using Json = nlohmann::json;

// What the timing models need: a file without one of these is not a machine. The first ones divide
// something or are nothing without a value, so that they must not be 0.
constexpr std::array<std::string_view, 20> kNotZero = {
    "clock_ghz",
    "mxu_count",
    "mxu_rows",
    "mxu_columns",
    "mxu_rows_per_cycle",
    "f32_passes_default",
    "f32_passes_high",
    "f32_passes_highest",
    "vreg_sublanes",
    "vreg_lanes",
    "valu_ops_per_cycle",
    "eup_vregs_per_cycle",
    "vector_loads_per_cycle",
    "vector_stores_per_cycle",
    "hbm_bytes_per_s",
    "hbm_efficiency",
    "link_bytes_per_s",
    "host_bytes_per_s",
    "vmem_bytes",
    "vector_tile_bytes",
};
constexpr std::array<std::string_view, 23> kMayBeZero = {
    "vmem_reserved_bytes",
    "f16_unpack_cycles",
    "f16_pack_cycles",
    "tile_choice_cycles",
    "launch_ns",
    "dma_latency_ns",
    "dma_issue_cycles",
    "dma_read_run_ns",
    "dma_write_run_ns",
    "dma_free_stride_bytes",
    "dma_free_run_bytes",
    "hbm_mixed_penalty",
    "iteration_cycles",
    "mxu_weight_load_cycles",
    "mxu_tail_cycles",
    "mxu_split_tail_cycles",
    "mxu_accumulate_cycles",
    "mxu_row_group_cycles",
    "transpose_cycles",
    "reduction_row_cycles",
    "reduction_tail_cycles",
    "link_latency_ns",
    "host_latency_ns",
};

constexpr std::string_view kConstantHint =
    "a constant is written as {\"value\": 0.94, \"unit\": \"GHz\", \"source\": \"where from, or "
    "assumed: why\"}";

Error invalid(std::string_view file, std::string message, std::string_view hint = {}) {
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = std::move(message);
  error.file = file;
  error.hint = hint;
  return error;
}

std::optional<std::string> text_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

Result<Constant> parse_constant(const Json& json, const std::string& key, std::string_view file) {
  const auto missing = [&](std::string_view part) {
    return fail(invalid(file, fmt::format("constant \"{}\" has no {}", key, part), kConstantHint));
  };
  if (!json.is_object()) {
    return fail(invalid(file, fmt::format("constant \"{}\" is not an object", key), kConstantHint));
  }
  const auto value = json.find("value");
  if (value == json.end() || !value->is_number()) return missing("number \"value\"");
  auto unit = text_at(json, "unit");
  if (!unit) return missing("text \"unit\"");
  auto source = text_at(json, "source");
  if (!source || source->empty()) return missing("text \"source\"");
  const auto number = value->get<double>();
  if (!(number == 0 || (number >= kLeastValue && number <= kMostValue))) {
    return fail(invalid(file, fmt::format("the value of \"{}\" is neither 0 nor from {:g} to {:g}",
                                          key, kLeastValue, kMostValue)));
  }
  return Constant{number, std::move(*unit), std::move(*source)};
}

// The library tells where a text ends to be JSON by exception only.
Result<Json> parse_json(std::string_view text, std::string_view file) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& problem) {
    Error error = invalid(file, "the machine file is not valid JSON");
    const std::string_view before = text.substr(0, problem.byte > 0 ? problem.byte - 1 : 0);
    error.line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
    const size_t line_start = before.rfind('\n') + 1;  // 0 without a line end: npos + 1.
    error.column = 1 + static_cast<int>(before.size() - line_start);
    return fail(error);
  }
}

// A constant means the same in every file only in the unit of the shipped ones.
Status check_units(const Machine& machine, std::string_view file) {
  for (const auto& [name, known] : builtin_machines().front().constants) {
    const auto found = machine.constants.find(name);
    if (found == machine.constants.end() || found->second.unit == known.unit) continue;
    return fail(invalid(file,
                        fmt::format("the unit of \"{}\" is \"{}\", it must be \"{}\"", name,
                                    found->second.unit, known.unit),
                        "give the value in that unit"));
  }
  return {};
}

Result<double> required(const Machine& machine, std::string_view key, std::string_view file) {
  const auto found = machine.constants.find(std::string(key));
  if (found == machine.constants.end()) {
    return fail(invalid(file, fmt::format("constant \"{}\" is missing", key),
                        "start from a copy of one of the files in resources/machines"));
  }
  return found->second.value;
}

Status check_required(const Machine& machine, std::string_view file) {
  for (std::string_view key : kNotZero) {
    HLOSCOPE_ASSIGN(const double value, required(machine, key, file));
    if (value == 0) {
      return fail(invalid(file, fmt::format("constant \"{}\" must not be 0", key)));
    }
  }
  for (std::string_view key : kMayBeZero) HLOSCOPE_TRY(required(machine, key, file));
  const double reserved = machine["vmem_reserved_bytes"];
  if (reserved >= machine["vmem_bytes"]) {
    return fail(invalid(file, "\"vmem_reserved_bytes\" leaves nothing of \"vmem_bytes\""));
  }
  return {};
}

std::string known_ids() {
  std::vector<std::string> ids;
  for (const Machine& machine : builtin_machines()) ids.push_back(machine.id);
  return fmt::format("known machines: {}; or give the path of a machine file (JSON)",
                     fmt::join(ids, ", "));
}

std::vector<Machine> parse_builtin_machines() {
  std::vector<Machine> machines;
  for (std::string_view text : builtin_machine_files()) {
    auto machine = parse_machine(text, "built-in machine");
    assert(machine && "a shipped machine file is damaged");
    if (machine) machines.push_back(std::move(*machine));
  }
  return machines;
}

}  // namespace

double Machine::operator[](std::string_view name) const {
  const auto found = constants.find(std::string(name));
  assert(found != constants.end() && "unknown machine constant");
  return found == constants.end() ? 0.0 : found->second.value;
}

Result<Machine> parse_machine(std::string_view json, std::string_view name) {
  HLOSCOPE_ASSIGN(const Json root, parse_json(json, name));
  if (!root.is_object()) return fail(invalid(name, "the machine file is not a JSON object"));
  Machine machine;
  auto id = text_at(root, "id");
  if (!id || id->empty()) return fail(invalid(name, "text \"id\" is missing"));
  auto title = text_at(root, "title");
  if (!title) return fail(invalid(name, "text \"title\" is missing"));
  machine.id = std::move(*id);
  machine.title = std::move(*title);
  const auto constants = root.find("constants");
  if (constants == root.end() || !constants->is_object()) {
    return fail(invalid(name, "object \"constants\" is missing"));
  }
  for (const auto& [key, value] : constants->items()) {
    HLOSCOPE_ASSIGN(machine.constants[key], parse_constant(value, key, name));
  }
  HLOSCOPE_TRY(check_required(machine, name));
  machine.hash = hash128(json);
  return machine;
}

const std::vector<Machine>& builtin_machines() {
  static const std::vector<Machine> machines = parse_builtin_machines();
  return machines;
}

Result<Machine> find_machine(std::string_view id_or_path) {
  for (const Machine& machine : builtin_machines()) {
    if (machine.id == id_or_path) return machine;
  }
  const std::string path(id_or_path);
  Result<std::string> text = read_file_bytes(path, kMaxMachineBytes);
  if (!text && text.error().code == ErrorCode::kNotFound) {
    return fail(ErrorCode::kNotFound, fmt::format("no machine \"{}\"", id_or_path), known_ids());
  }
  HLOSCOPE_TRY(text);
  HLOSCOPE_ASSIGN(Machine machine, parse_machine(*text, id_or_path));
  HLOSCOPE_TRY(check_units(machine, id_or_path));
  return machine;
}

}  // namespace hloscope::sim
