#include <algorithm>
#include <array>
#include <iostream>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/load.h"
#include "app/cli/text_table.h"
#include "db/export_runs.h"
#include "db/store.h"

namespace hloscope::cli {

namespace {

struct RunsOptions {
  std::string db;
  bool json = false;
  bool csv = false;
  int64_t top = 1000;
};

TextTable to_table(const std::vector<db::RunInfo>& runs) {
  constexpr std::array kNumbers = {"run", "kernels", "total µs"};
  std::vector<TextTable::Column> columns;
  for (const std::string_view title : db::kRunColumns) {
    const bool is_number = std::find(kNumbers.begin(), kNumbers.end(), title) != kNumbers.end();
    columns.push_back(
        {std::string(title), is_number ? TextTable::Align::kRight : TextTable::Align::kLeft});
  }
  TextTable table(std::move(columns));
  for (const db::RunInfo& run : runs) table.add_row(db::run_cells(run));
  return table;
}

Result<std::vector<db::RunInfo>> read_runs(const RunsOptions& options) {
  const std::filesystem::path path =
      options.db.empty() ? db::default_path() : std::filesystem::path(options.db);
  HLOSCOPE_ASSIGN(db::Database database, db::Database::open(path, db::OpenMode::kReadOnly));
  return db::list_runs(database, {.count = options.top});
}

void run_runs(const RunsOptions& options, int& exit_code) {
  const auto runs = read_runs(options);
  if (!runs) {
    if (options.json) std::cout << "[]\n";
    print_error(runs.error());
    exit_code = kBadInput;
    return;
  }
  if (options.json) {
    std::cout << db::runs_json(*runs);
  } else if (options.csv) {
    std::cout << db::runs_csv(*runs);
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
      "  [{\"run\": 1, \"name\": \"\", \"source\": \"simulator\", \"program\": \"...\", \"file\": "
      "\"...\", "
      "\"module_number\": 1, \"machine\": \"tpu_v3\",\n    \"machine_hash\": \"...\", "
      "\"settings\": {}, "
      "\"tool_version\": \"0.1.0\", \"state\": \"finished\",\n    \"started\": "
      "\"2026-01-31T23:59:58Z\", \"finished\": \"2026-01-31T23:59:59Z\", \"distinct_kernels\": 12, "
      "\"total_ns\": 1e6}]");
  add_runs_rename_command(*command, exit_code);
  add_runs_show_commands(*command, exit_code);
  command->callback([options, command, &exit_code] {
    if (command->get_subcommands().empty()) run_runs(*options, exit_code);
  });
}

}  // namespace hloscope::cli
