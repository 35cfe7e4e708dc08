#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/tune/settings.h"

namespace hloscope::cli {

/// What `tune tiles|program-tiles|fusion|layout` take; what is not given is as in
/// tune::default_settings().
struct TuneOptions {
  std::string file;
  std::string kernel;
  std::optional<std::string> machine;
  std::optional<std::string> default_tiles;
  std::optional<std::string> strategy;
  std::optional<uint64_t> seed;
  std::optional<std::string> start;
  std::optional<double> temperature;
  std::optional<double> cooling;
  std::optional<uint64_t> restart_trials;
  std::optional<uint64_t> population;
  std::optional<double> mutation;
  std::optional<std::string> evaluator;
  std::vector<std::string> models;
  std::optional<std::string> measure;  ///< "none" for none.
  std::optional<uint64_t> top_k;
  std::optional<uint64_t> refine;
  std::optional<double> compile_s;
  std::optional<uint64_t> repeats;
  std::optional<uint64_t> trials;
  std::optional<double> time_s;
  std::optional<double> hardware_s;
  std::string name;
  std::string db;
  bool queue = false;
  bool json = false;
};

void add_tune_options(CLI::App& command, tune::SpaceKind space, TuneOptions& options);

/// Errors: kInvalidInput for unknown names.
[[nodiscard]] Result<tune::Settings> settings_of(const TuneOptions& options, tune::SpaceKind space);

}  // namespace hloscope::cli
