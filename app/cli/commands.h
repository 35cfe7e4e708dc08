#pragma once

#include <CLI/CLI.hpp>

namespace hloscope::cli {

enum ExitCode : int {
  kGood = 0,
  kBadInput = 1,
  kUsage = 2,
  kPaused = 3,  ///< Of `tune`: the session can go on.
};

/// Each adds one subcommand; its callback writes to standard output and sets `exit_code`.
void add_info_command(CLI::App& app, int& exit_code);
void add_check_command(CLI::App& app, int& exit_code);
void add_kernels_command(CLI::App& app, int& exit_code);
void add_costs_command(CLI::App& app, int& exit_code);
void add_runs_command(CLI::App& app, int& exit_code);
void add_runs_rename_command(CLI::App& runs, int& exit_code);
void add_runs_show_commands(CLI::App& runs, int& exit_code);
void add_report_command(CLI::App& app, int& exit_code);
void add_accuracy_command(CLI::App& app, int& exit_code);
void add_calibrate_command(CLI::App& app, int& exit_code);
void add_simulate_command(CLI::App& app, int& exit_code);
void add_tiles_command(CLI::App& app, int& exit_code);
void add_features_command(CLI::App& app, int& exit_code);
void add_bench_command(CLI::App& app, int& exit_code);
void add_dataset_command(CLI::App& app, int& exit_code);
void add_eval_command(CLI::App& app, int& exit_code);
void add_fuse_command(CLI::App& app, int& exit_code);
void add_train_command(CLI::App& app, int& exit_code);
void add_evaluate_command(CLI::App& app, int& exit_code);
void add_experiment_command(CLI::App& app, int& exit_code);
void add_models_command(CLI::App& app, int& exit_code);
void add_ensemble_command(CLI::App& app, int& exit_code);
void add_predict_command(CLI::App& app, int& exit_code);
void add_tune_command(CLI::App& app, int& exit_code);
void add_sessions_command(CLI::App& app, int& exit_code);

}  // namespace hloscope::cli
