#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "core/base/result.h"
#include "core/data/data_set.h"
#include "db/database.h"

namespace hloscope::cli {

/// Each adds one subcommand of `dataset`.
void add_dataset_generate(CLI::App& dataset, int& exit_code);
void add_dataset_merge(CLI::App& dataset, int& exit_code);
void add_dataset_import(CLI::App& dataset, int& exit_code);
void add_dataset_export(CLI::App& dataset, int& exit_code);
void add_dataset_split(CLI::App& dataset, int& exit_code);
void add_dataset_rename(CLI::App& dataset, int& exit_code);
void add_dataset_show(CLI::App& dataset, int& exit_code);
void add_dataset_stats(CLI::App& dataset, int& exit_code);

/// "kernel", and of a data set of layouts "graph".
[[nodiscard]] std::string graph_noun(data::Task task);
/// "(not known)" for an empty one.
[[nodiscard]] std::string class_text(const std::string& op_class);

/// Prints a failure and sets `exit_code`; nothing to do for a success.
void settle(const Status& status, int& exit_code);

}  // namespace hloscope::cli
