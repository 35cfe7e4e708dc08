#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/json_text.h"
#include "app/cli/load.h"
#include "app/cli/text_table.h"
#include "db/store.h"

namespace hloscope::cli {

namespace {

struct RunsOptions {
  std::string db;
  bool json = false;
  bool csv = false;
  int64_t top = 1000;
};

nlohmann::ordered_json to_json(const db::RunInfo& run) {
  return {{"run", run.id.value},
          {"source", run.key.source_kind},
          {"program", run.program_name},
          {"file", run.program_file},
          {"module_number", run.module_number},
          {"machine", run.key.machine_id},
          {"machine_hash", run.key.machine_hash.hex()},
          {"settings", nlohmann::ordered_json::parse(run.key.settings, nullptr, false)},
          {"tool_version", run.key.tool_version},
          {"state", db::name(run.state)},
          {"started", run.started},
          {"finished", run.finished},
          {"distinct_kernels", run.kernel_count},
          {"total_ns", run.total_ns}};
}

/// "own fusion", or nothing: kernels as they stand in the file.
std::string fusion_of(const db::RunInfo& run) {
  const auto settings = nlohmann::ordered_json::parse(run.key.settings, nullptr, false);
  return settings.is_object() ? settings.value("kernels", std::string()) : std::string();
}

TextTable to_table(const std::vector<db::RunInfo>& runs) {
  using enum TextTable::Align;
  TextTable table({{"run"},
                   {"source", kLeft},
                   {"program", kLeft},
                   {"machine", kLeft},
                   {"machine file", kLeft},
                   {"kernels"},
                   {"fusion", kLeft},
                   {"total µs"},
                   {"state", kLeft},
                   {"finished", kLeft},
                   {"file", kLeft}});
  constexpr size_t kShownHashDigits = 8;
  for (const db::RunInfo& run : runs) {
    table.add_row({fmt::format("{}", run.id.value), run.key.source_kind, run.program_name,
                   run.key.machine_id, run.key.machine_hash.hex().substr(0, kShownHashDigits),
                   fmt::format("{}", run.kernel_count), fusion_of(run), microseconds(run.total_ns),
                   std::string(db::name(run.state)), run.finished,
                   run.module_number == 1
                       ? run.program_file
                       : fmt::format("{}#{}", run.program_file, run.module_number)});
  }
  return table;
}

Result<std::vector<db::RunInfo>> read_runs(const RunsOptions& options) {
  const std::filesystem::path path =
      options.db.empty() ? db::default_path() : std::filesystem::path(options.db);
  HLOSCOPE_ASSIGN(db::Database database, db::Database::open(path, db::OpenMode::kReadOnly));
  return db::list_runs(database, {.count = options.top});
}

void run(const RunsOptions& options, int& exit_code) {
  const auto runs = read_runs(options);
  if (!runs) {
    if (options.json) std::cout << "[]\n";
    print_error(runs.error());
    exit_code = kBadInput;
    return;
  }
  if (options.json) {
    auto list = nlohmann::ordered_json::array();
    for (const db::RunInfo& info : *runs) list.push_back(to_json(info));
    std::cout << json_text(list) << "\n";
  } else if (options.csv) {
    std::cout << to_table(*runs).csv();
  } else if (runs->empty()) {
    std::cout << "no runs stored yet: open a program in hloscope, or use 'kernels FILE --db DB'\n";
  } else {
    std::cout << to_table(*runs).text();
  }
}

}  // namespace

void add_runs_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RunsOptions>();
  CLI::App* command = app.add_subcommand("runs", "the runs stored in a results database");
  command->add_option("--db", options->db, "database (default: the one the window uses)");
  command->add_option("--top", options->top, "only the newest N")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 31))
      ->capture_default_str();
  auto* json = command->add_flag("--json", options->json, "write JSON");
  command->add_flag("--csv", options->csv, "write CSV")->excludes(json);
  command->footer(
      "settings: {\"kernels\": \"own fusion\"} where the program is not optimised and hloscope "
      "fused it.\n"
      "Example: hloscope-cli runs --json\n"
      "  [{\"run\": 1, \"source\": \"simulator\", \"program\": \"...\", \"file\": \"...\", "
      "\"module_number\": 1, \"machine\": \"tpu_v3\",\n    \"machine_hash\": \"...\", "
      "\"settings\": {}, "
      "\"tool_version\": \"0.1.0\", \"state\": \"finished\",\n    \"started\": "
      "\"2026-01-31T23:59:58Z\", \"finished\": \"2026-01-31T23:59:59Z\", \"distinct_kernels\": 12, "
      "\"total_ns\": 1e6}]");
  command->callback([options, &exit_code] { run(*options, exit_code); });
}

}  // namespace hloscope::cli
