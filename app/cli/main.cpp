#include <clocale>
#include <cstdio>
#include <iostream>
#include <new>
#include <string_view>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/whole_number.h"

namespace {

// CLI11 says of a wrong name only that a subcommand is required.
bool names_unknown_command(CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return false;
  const std::vector<CLI::App*> commands = app.get_subcommands([](CLI::App*) { return true; });
  const std::string_view name = argv[1];
  for (const CLI::App* command : commands) {
    if (command->get_name() == name) return false;
  }
  std::cerr << "error: no command is called '" << name << "'\n  hint: the commands are";
  for (const CLI::App* command : commands) std::cerr << " " << command->get_name();
  std::cerr << "\n";
  return true;
}

void set_up(CLI::App& app) {
  app.require_subcommand(1);
  app.set_version_flag("--version", "hloscope-cli " HLOSCOPE_VERSION);
  app.footer(
      "Examples:\n"
      "  hloscope-cli info program.hlo\n"
      "  hloscope-cli kernels program.hlo --top 10 --sort analytical --machine tpu_v3\n"
      "  hloscope-cli check *.hlo *.pb\n"
      "A module of a file with several is named FILE#N, N from 1.\n"
      "Exit codes: 0 good, 1 bad input, 2 wrong usage. Help of a command: hloscope-cli COMMAND "
      "--help");
}

void add_commands(CLI::App& app, int& exit_code) {
  using namespace hloscope::cli;
  add_info_command(app, exit_code);
  add_check_command(app, exit_code);
  add_kernels_command(app, exit_code);
  add_costs_command(app, exit_code);
  add_runs_command(app, exit_code);
  add_report_command(app, exit_code);
  add_accuracy_command(app, exit_code);
  add_calibrate_command(app, exit_code);
  add_simulate_command(app, exit_code);
  add_tiles_command(app, exit_code);
  add_features_command(app, exit_code);
  add_bench_command(app, exit_code);
  add_dataset_command(app, exit_code);
  add_eval_command(app, exit_code);
  add_fuse_command(app, exit_code);
  add_train_command(app, exit_code);
  add_evaluate_command(app, exit_code);
  add_experiment_command(app, exit_code);
  add_models_command(app, exit_code);
  add_ensemble_command(app, exit_code);
  add_predict_command(app, exit_code);
  add_tune_command(app, exit_code);
  add_sessions_command(app, exit_code);
  check_values(app);
}

bool is_written() {
  std::cout.flush();
  if (std::cout && std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  std::fputs("error: the output could not be written completely\n", stderr);
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace hloscope::cli;
  std::setlocale(LC_CTYPE, "");

  CLI::App app{
      "hloscope-cli: reads XLA HLO programs, lists their kernels and estimates their time on a "
      "TPU.",
      "hloscope-cli"};
  set_up(app);
  int exit_code = kGood;
  add_commands(app, exit_code);
  if (names_unknown_command(app, argc, argv)) return kUsage;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kGood : kUsage;
  } catch (const std::bad_alloc&) {
    std::fputs("error: there is not enough memory\n", stderr);
    return kBadInput;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return kBadInput;
  }
  return is_written() ? exit_code : kBadInput;
}
