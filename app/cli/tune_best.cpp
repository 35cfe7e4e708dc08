#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "app/cli/dataset.h"
#include "app/cli/json_text.h"
#include "app/cli/terminal.h"
#include "app/cli/tune.h"
#include "app/cli/tune_config_rows.h"
#include "app/cli/whole_number.h"
#include "core/base/write_file.h"
#include "core/hlo/print.h"
#include "db/run_session.h"

namespace hloscope::cli {

namespace {

using nlohmann::ordered_json;

struct BestOptions : SessionOptions {
  std::optional<uint64_t> trial;
  std::string output;
  size_t limit = 20;  ///< Of the choices, in text.
  bool all = false;
};

/// A trial with its configuration in words.
struct Chosen {
  db::SessionInfo session;
  tune::Trial trial;
  std::string config;
  std::vector<ConfigRow> choices;
};

Result<uint64_t> number_of(const BestOptions& options, const db::SessionInfo& session) {
  if (options.trial) return *options.trial;
  if (session.progress.best) return *session.progress.best;
  return fail(ErrorCode::kNotFound,
              fmt::format("tuning session {} has no trial with a time", session.id.value),
              "'hloscope-cli tune run' tries some");
}

ordered_json or_source(const std::optional<double>& time_ns, const std::string& source) {
  return time_ns ? ordered_json(source) : ordered_json();
}

ordered_json to_json(const Chosen& chosen, const std::string& output) {
  const tune::Trial& trial = chosen.trial;
  const db::SessionInfo& session = chosen.session;
  return {{"session", session.id.value},
          {"name", session.name},
          {"trial", trial.number},
          {"config", chosen.config},
          {"choices", config_json(chosen.choices)},
          {"predicted_ns", or_null(trial.predicted_ns)},
          {"predicted_source", or_source(trial.predicted_ns, session.search_source)},
          {"hardware_ns", or_null(trial.hardware_ns)},
          {"hardware_source", or_source(trial.hardware_ns, default_source(session))},
          {"default_ns", or_null(session.progress.baseline_ns)},
          {"default_source", default_source(session)},
          {"output", output.empty() ? ordered_json() : ordered_json(output)}};
}

void print(const Chosen& chosen, const BestOptions& options) {
  const tune::Trial& trial = chosen.trial;
  const db::SessionInfo& session = chosen.session;
  std::cout << fmt::format("trial {} of session {} ({})\n", trial.number, session.id.value,
                           session.name);
  const auto line = [](const char* what, std::optional<double> time_ns, const std::string& source) {
    if (time_ns) std::cout << fmt::format("{}: {}, {}\n", what, time_text(time_ns), source);
  };
  line("time", trial.predicted_ns, session.search_source);
  line("time", trial.hardware_ns, default_source(session));
  line("default", session.progress.baseline_ns, default_source(session));
  if (session.settings.space == tune::SpaceKind::kTiles) {
    std::cout << chosen.config << "\n";
  } else {
    const size_t limit = options.all ? chosen.choices.size() : options.limit;
    std::cout << config_table(chosen.choices, session.settings.space, limit);
  }
  if (!options.output.empty()) std::cerr << fmt::format("wrote {}\n", options.output);
}

Status best(const BestOptions& options) {
  HLOSCOPE_ASSIGN(db::Database database, open_sessions(options.db, db::OpenMode::kReadOnly));
  const db::TuneSessions sessions(database);
  Chosen chosen;
  HLOSCOPE_ASSIGN(chosen.session, sessions.find(options.session));
  HLOSCOPE_ASSIGN(const uint64_t number, number_of(options, chosen.session));
  HLOSCOPE_ASSIGN(chosen.trial, sessions.trial(chosen.session.id, number));
  const std::string inputs[] = {chosen.session.file_path, options.db};
  if (!options.output.empty()) HLOSCOPE_TRY(check_output(options.output, inputs));
  HLOSCOPE_ASSIGN(const tune::Problem problem,
                  db::stored_problem(database, chosen.session, terminal_progress()));
  clear_terminal_progress();
  chosen.config = problem.space->text(chosen.trial.config);
  chosen.choices = config_rows(*problem.space, chosen.session.settings, chosen.trial.config);
  if (!options.output.empty()) {
    HLOSCOPE_ASSIGN(const hlo::ProgramPtr program, problem.space->program(chosen.trial.config));
    HLOSCOPE_TRY(write_file(options.output, hlo::print(*program)));
  }
  if (options.json) {
    std::cout << json_text(to_json(chosen, options.output)) << "\n";
  } else {
    print(chosen, options);
  }
  return {};
}

}  // namespace

void add_tune_best(CLI::App& tune, int& exit_code) {
  const auto options = std::make_shared<BestOptions>();
  CLI::App& command = *tune.add_subcommand("best", "the best configuration, or the tuned program");
  add_session_options(command, *options);
  command.add_option("--trial", options->trial, "another than the best");
  command.add_option("-o,--output", options->output,
                     "write the tuned program to this file, as HLO");
  command.add_option("--limit", options->limit, "rows of the table in text")
      ->check(above_zero())
      ->capture_default_str();
  command.add_flag("--all", options->all, "all rows of the table");
  command.footer(
      "Tiles stand in it as frontend attributes of their kernels.\n"
      "Example: hloscope-cli tune best 1 --db tune.hloscope -o tuned.hlo --json\n"
      "  {\"session\": 1, \"name\": \"...\", \"trial\": 423, \"config\": \"0110...\", "
      "\"choices\": [{\"of\": \"edge 0: a -> b\", \"choice\": \"apart\", \"default\": \"fused\"}], "
      "\"predicted_ns\": 1e5, \"predicted_source\": \"predicted (...)\",\n   \"hardware_ns\": 1e5, "
      "\"hardware_source\": \"simulated (...)\", \"default_ns\": 2e5, \"default_source\": "
      "\"simulated (...)\",\n   \"output\": \"tuned.hlo\"}");
  command.callback([options, &exit_code] { settle(best(*options), exit_code); });
}

}  // namespace hloscope::cli
