#include "db/export_runs.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "db/csv_cell.h"

namespace hloscope::db {
namespace {

using nlohmann::ordered_json;

constexpr size_t kShownHashDigits = 8;

std::string microseconds(double time_ns) {
  const double us = time_ns / 1000;
  return fmt::format("{:.{}f}", us, std::abs(us) < 9.995 ? 2 : 1);
}

std::string setting(const RunInfo& run, const char* key) {
  const auto settings = ordered_json::parse(run.key.settings, nullptr, false);
  if (!settings.is_object() || !settings.contains(key)) return {};
  return settings[key].is_string() ? settings[key].get<std::string>() : std::string();
}

ordered_json to_json(const RunInfo& run) {
  return {{"run", run.id.value},
          {"name", run.name},
          {"source", run.key.source_kind},
          {"program", run.program_name},
          {"file", run.program_file},
          {"module_number", run.module_number},
          {"machine", run.key.machine_id},
          {"machine_hash", run.key.machine_hash.hex()},
          {"settings", ordered_json::parse(run.key.settings, nullptr, false)},
          {"tool_version", run.key.tool_version},
          {"state", name(run.state)},
          {"started", run.started},
          {"finished", run.finished},
          {"distinct_kernels", run.kernel_count},
          {"total_ns", run.total_ns}};
}

template <typename Cells>
std::string csv_line(const Cells& cells) {
  std::string line;
  for (const auto& cell : cells) line += csv_cell(cell) + ",";
  line.back() = '\n';
  return line;
}

}  // namespace

std::string fusion_of(const RunInfo& run) {
  return setting(run, "kernels");
}

RunModel model_of(const RunInfo& run) {
  return {setting(run, "model"), setting(run, "model_hash")};
}

std::string module_path(const std::string& file, int module_number) {
  return module_number == 1 ? file : fmt::format("{}#{}", file, module_number);
}

std::vector<std::string> run_cells(const RunInfo& run) {
  return {std::to_string(run.id.value),
          run.name,
          run.key.source_kind,
          run.program_name,
          run.key.machine_id,
          run.key.machine_hash.hex().substr(0, kShownHashDigits),
          std::to_string(run.kernel_count),
          fusion_of(run),
          microseconds(run.total_ns),
          std::string(name(run.state)),
          run.finished,
          module_path(run.program_file, run.module_number)};
}

std::string runs_csv(std::span<const RunInfo> runs) {
  std::string out = csv_line(kRunColumns);
  for (const RunInfo& run : runs) out += csv_line(run_cells(run));
  return out;
}

std::string runs_json(std::span<const RunInfo> runs) {
  auto list = ordered_json::array();
  for (const RunInfo& run : runs) list.push_back(to_json(run));
  // Bytes that are not UTF-8 (file names) become U+FFFD: the text can always be parsed.
  return list.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace hloscope::db
