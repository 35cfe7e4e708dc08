#pragma once

#include <CLI/CLI.hpp>

#include "db/example_choice.h"

namespace hloscope::cli {

/// FILE, --split and --hold-out-configurations.
void add_source_options(CLI::App& command, db::ExampleChoice& source);

}  // namespace hloscope::cli
