#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/load.h"
#include "core/predict/ensemble.h"

namespace hloscope::cli {

struct PredictOptions : InputOptions {
  std::vector<std::string> model;  ///< A built-in name, or files; empty: the one for the machine.
  std::string kernel;
  std::string filter;
  std::string db;
  size_t top = 0;  ///< 0: not given.
  bool tiles = false;
};

/// The ensemble that the options ask for, of that task. Errors: those of Ensemble::find();
/// kNotFound where no model is built in for the machine; kInvalidInput for a model of another task
/// or of another machine.
[[nodiscard]] Result<std::shared_ptr<const predict::Ensemble>> chosen_ensemble(
    const PredictOptions& options, const sim::Machine& machine, data::Task task);

/// "tpu_v3_fusion@4f1c09ab (3 models), learned from simulated (...) times".
[[nodiscard]] std::string ensemble_text(const predict::Ensemble& ensemble);
/// {"model", "model_hash", "members", "trained_on"}.
[[nodiscard]] nlohmann::ordered_json ensemble_json(const predict::Ensemble& ensemble);

/// Each prints its result, and errors, which set `exit_code`.
void predict_programs(const PredictOptions& options, int& exit_code);
void predict_tiles(const PredictOptions& options, int& exit_code);

}  // namespace hloscope::cli
