#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/dataset.h"
#include "app/cli/json_text.h"
#include "app/cli/printable.h"
#include "app/cli/text_table.h"
#include "db/export_runs.h"
#include "db/measured_list.h"
#include "db/run_kernels.h"
#include "db/store.h"

namespace hloscope::cli {

namespace {

using nlohmann::ordered_json;

constexpr size_t kRunKernelsShown = 20;

struct StoredOptions {
  std::string db;
  bool json = false;
  int64_t first = 0;
  int64_t second = 0;  ///< 0: none.
  size_t limit = 0;    ///< 0: not given.
};

Result<db::Database> open_stored(const StoredOptions& options) {
  const std::filesystem::path path =
      options.db.empty() ? db::default_path() : std::filesystem::path(options.db);
  return db::Database::open(path, db::OpenMode::kReadOnly);
}

/// One run, or two that are compared; the kernels that weigh most come first.
struct ShownRuns {
  db::RunInfo first;
  std::optional<db::RunInfo> second;
  std::vector<db::RunKernel> kernels;

  [[nodiscard]] double ratio() const { return second->total_ns / first.total_ns; }
};

std::optional<double> ratio_of(const db::RunKernel& kernel) {
  if (!kernel.first || !kernel.second || kernel.first->time_ns <= 0) return std::nullopt;
  return kernel.second->time_ns / kernel.first->time_ns;
}

/// What the kernel adds to one run of the program.
std::optional<double> difference_of(const db::RunKernel& kernel) {
  if (!kernel.first || !kernel.second || !(kernel.executions > 0)) return std::nullopt;
  return (kernel.second->time_ns - kernel.first->time_ns) * kernel.executions;
}

std::optional<double> all_of(const db::RunKernel& kernel) {
  if (!kernel.first || !(kernel.executions > 0)) return std::nullopt;
  return kernel.first->time_ns * kernel.executions;
}

double weight_of(const db::RunKernel& kernel, bool is_pair) {
  return std::abs((is_pair ? difference_of(kernel) : all_of(kernel)).value_or(-1));
}

Result<ShownRuns> read_runs_shown(const StoredOptions& options) {
  HLOSCOPE_ASSIGN(db::Database database, open_stored(options));
  const db::Runs runs(database);
  ShownRuns out;
  HLOSCOPE_ASSIGN(out.first, runs.get(db::RunId{options.first}));
  db::RunId second;
  if (options.second > 0) {
    second = db::RunId{options.second};
    HLOSCOPE_ASSIGN(out.second, runs.get(second));
  }
  HLOSCOPE_ASSIGN(out.kernels, db::run_kernels(database, out.first.id, second));
  const bool is_pair = out.second.has_value();
  std::ranges::stable_sort(out.kernels, std::greater<>(), [is_pair](const db::RunKernel& kernel) {
    return weight_of(kernel, is_pair);
  });
  return out;
}

ordered_json time_json(const std::optional<db::RunTime>& time) {
  if (!time) return nullptr;
  return {{"time_ns", time->time_ns},
          {"compute_ns", time->compute_ns},
          {"memory_ns", time->memory_ns},
          {"bound", time->bound},
          {"tile", time->tile}};
}

ordered_json kernel_json(const db::RunKernel& kernel, bool is_pair) {
  ordered_json out = {{"kernel", kernel.instruction_name},
                      {"label", kernel.label},
                      {"class", kernel.op_class},
                      {"executions", kernel.executions},
                      {"first", time_json(kernel.first)}};
  if (!is_pair) {
    out["all_ns"] = or_null(all_of(kernel));
    return out;
  }
  out["second"] = time_json(kernel.second);
  out["ratio"] = or_null(ratio_of(kernel));
  out["difference_ns"] = or_null(difference_of(kernel));
  return out;
}

ordered_json shown_json(const ShownRuns& shown, size_t limit) {
  const auto run = [](const db::RunInfo& info) {
    return ordered_json::parse(db::runs_json({&info, 1})).front();
  };
  ordered_json out = {{"first", run(shown.first)}};
  out["second"] = shown.second ? run(*shown.second) : ordered_json();
  out["ratio"] = shown.second ? ordered_json(shown.ratio()) : ordered_json();
  out["kernel_count"] = shown.kernels.size();
  out["kernels_in_both"] = std::ranges::count_if(
      shown.kernels, [](const auto& kernel) { return kernel.first && kernel.second; });
  auto kernels = ordered_json::array();
  for (const db::RunKernel& kernel : shown.kernels) {
    if (limit > 0 && kernels.size() == limit) break;
    kernels.push_back(kernel_json(kernel, shown.second.has_value()));
  }
  out["kernels"] = std::move(kernels);
  return out;
}

std::string head_text(const ShownRuns& shown) {
  const auto line = [](const db::RunInfo& run) {
    const std::string text = fmt::format(
        "run {}{}: {}, {}, {}, {}, total {} µs", run.id.value,
        run.name.empty() ? "" : " (" + run.name + ")", run.key.source_kind, run.program_name,
        run.key.machine_id, counted(run.kernel_count, "distinct kernel", "distinct kernels"),
        microseconds(run.total_ns));
    return printable(text) + "\n";
  };
  std::string out = line(shown.first);
  if (!shown.second) return out;
  return out + line(*shown.second) +
         fmt::format("ratio {:.3f} ({:+.1f} %)\n", shown.ratio(), (shown.ratio() - 1) * 100);
}

std::string or_dash(const std::optional<double>& time_ns) {
  return time_ns ? microseconds(*time_ns) : "-";
}

std::optional<double> time_of(const std::optional<db::RunTime>& time) {
  return time ? std::optional(time->time_ns) : std::nullopt;
}

std::vector<std::string> kernel_cells(const db::RunKernel& kernel, bool is_pair) {
  std::vector<std::string> cells{or_dash(time_of(kernel.first))};
  if (is_pair) {
    const auto ratio = ratio_of(kernel);
    cells.push_back(or_dash(time_of(kernel.second)));
    cells.push_back(ratio ? fmt::format("{:.3f}", *ratio) : "-");
    const auto difference = difference_of(kernel);
    cells.push_back(difference ? (*difference > 0 ? "+" : "") + microseconds(*difference) : "-");
  } else {
    cells.push_back(or_dash(all_of(kernel)));
  }
  cells.push_back(kernel.executions > 0 ? fmt::format("{:g}", kernel.executions) : "-");
  const std::string name = kernel.instruction_name.empty() ? kernel.label : kernel.instruction_name;
  cells.push_back(shortened(name, 40));
  return cells;
}

std::string shown_text(const ShownRuns& shown, size_t limit) {
  const bool is_pair = shown.second.has_value();
  std::vector<TextTable::Column> columns;
  if (is_pair) {
    columns = {{fmt::format("Run {} µs", shown.first.id.value)},
               {fmt::format("Run {} µs", shown.second->id.value)},
               {"Ratio"},
               {"All, difference µs"}};
  } else {
    columns = {{"Time µs"}, {"All µs"}};
  }
  columns.push_back({"Executions"});
  columns.push_back({"Kernel", TextTable::Align::kLeft});
  TextTable table(columns);
  for (const db::RunKernel& kernel : shown.kernels) {
    if (table.rows() == limit) break;
    table.add_row(kernel_cells(kernel, is_pair));
  }
  std::string out = head_text(shown) + "\n" + table.text();
  if (table.rows() < shown.kernels.size()) {
    out += fmt::format("... {} more; --limit N shows N\n",
                       grouped(shown.kernels.size() - table.rows()));
  }
  return out;
}

Status show_runs(const StoredOptions& options) {
  HLOSCOPE_ASSIGN(const ShownRuns shown, read_runs_shown(options));
  if (options.json) {
    std::cout << json_text(shown_json(shown, options.limit)) << "\n";
  } else {
    std::cout << shown_text(shown, options.limit > 0 ? options.limit : kRunKernelsShown);
  }
  return {};
}

Status list_programs(const StoredOptions& options) {
  HLOSCOPE_ASSIGN(db::Database database, open_stored(options));
  HLOSCOPE_ASSIGN(const auto programs, db::Programs(database).list());
  using enum TextTable::Align;
  TextTable table({{"Program", kLeft},
                   {"Instructions"},
                   {"Computations"},
                   {"Kernels"},
                   {"Last opened", kLeft},
                   {"File", kLeft}});
  auto list = ordered_json::array();
  for (const db::ProgramInfo& program : programs) {
    const std::string file = db::module_path(program.file_path, program.module_number);
    table.add_row({shortened(db::shown_name(program), 40), grouped(program.instruction_count),
                   grouped(program.computation_count), grouped(program.kernel_count),
                   program.last_opened, file});
    list.push_back({{"program", db::shown_name(program)},
                    {"instructions", program.instruction_count},
                    {"computations", program.computation_count},
                    {"kernels", program.kernel_count},
                    {"first_opened", program.first_opened},
                    {"last_opened", program.last_opened},
                    {"content_hash", program.content_hash.hex()},
                    {"file", program.file_path},
                    {"module_number", program.module_number}});
  }
  std::cout << (options.json ? json_text(list) + "\n" : table.text());
  return {};
}

Status list_measured(const StoredOptions& options) {
  HLOSCOPE_ASSIGN(db::Database database, open_stored(options));
  HLOSCOPE_ASSIGN(const auto sources, db::list_measured_sources(database));
  using enum TextTable::Align;
  TextTable table({{"Program", kLeft},
                   {"Device", kLeft},
                   {"Kernels"},
                   {"Runs"},
                   {"With a time"},
                   {"File", kLeft}});
  auto list = ordered_json::array();
  for (const db::MeasuredSourceInfo& of : sources) {
    const std::string file = db::module_path(of.source.file_path, of.source.module_number);
    table.add_row({shortened(of.program_name, 40), of.source.device, grouped(of.kernels),
                   grouped(of.runs), grouped(of.timed), file});
    list.push_back({{"program", of.program_name},
                    {"device", of.source.device},
                    {"kernels", of.kernels},
                    {"runs", of.runs},
                    {"timed", of.timed},
                    {"content_hash", of.source.hash.hex()},
                    {"file", of.source.file_path},
                    {"module_number", of.source.module_number}});
  }
  std::cout << (options.json ? json_text(list) + "\n" : table.text());
  return {};
}

CLI::App& add_stored(CLI::App& runs, const char* name, const char* what,
                     const std::shared_ptr<StoredOptions>& options, int& exit_code,
                     Status (*act)(const StoredOptions&)) {
  CLI::App& command = *runs.add_subcommand(name, what);
  command.add_option("--db", options->db, "database (default: the one the window uses)");
  command.add_flag("--json", options->json, "write JSON");
  command.callback([options, act, &exit_code] { settle(act(*options), exit_code); });
  return command;
}

}  // namespace

void add_runs_show_commands(CLI::App& runs, int& exit_code) {
  const auto make = [] { return std::make_shared<StoredOptions>(); };
  const auto shown = make();
  CLI::App& show = add_stored(runs, "show", "the kernels of a run, or of two that are compared",
                              shown, exit_code, show_runs);
  const CLI::Range at_least_one(int64_t{1}, std::numeric_limits<int64_t>::max());
  show.add_option("RUN", shown->first, "number of the run, as in the list")
      ->required()
      ->check(at_least_one);
  show.add_option("SECOND", shown->second, "compared with the first one")->check(at_least_one);
  show.add_option("--limit", shown->limit, "kernels (default: 20 in text, all in JSON)")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 31));
  show.footer(
      "Of two runs the kernels come first that change the program's time most; ratio: second by "
      "first.\n"
      "Example: hloscope-cli runs show 1 4 --json\n"
      "  {\"first\": {\"run\": 1, ...}, \"second\": {...}, \"ratio\": 0.91, \"kernel_count\": 80, "
      "\"kernels_in_both\": 80,\n   \"kernels\": [{\"kernel\": \"fusion.1\", \"label\": \"add\", "
      "\"class\": \"elementwise\", \"executions\": 2,\n   \"first\": {\"time_ns\": 1e3, "
      "\"compute_ns\": 900, \"memory_ns\": 800, \"bound\": \"VALU\", \"tile\": \"out=1x8\"},\n   "
      "\"second\": {...}, \"ratio\": 0.9, \"difference_ns\": -200}]}");
  add_stored(runs, "programs", "the programs that were opened", make(), exit_code, list_programs);
  add_stored(runs, "measured", "the sources of measured times that are stored", make(), exit_code,
             list_measured);
}

}  // namespace hloscope::cli
