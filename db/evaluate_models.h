#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/training_session.h"

// The window includes this: nothing here may need feature.h, whose `slots` is a macro of Qt.
namespace hloscope::db {

struct EvaluationOrder {
  ExampleChoice examples;
  std::string part = "test";
  /// .safetensors files, or names of built-in models, which predict together.
  std::vector<std::string> models;
  size_t threads = 0;  ///< 0: all.
};

struct EvaluationMetric {
  std::string_view title;  ///< "top 1"
  bool is_fraction = false;
  bool is_better_high = false;
};

/// One model over all examples of the part, and over those of each program.
struct EvaluatedModel {
  std::string name;
  std::string kind;  ///< "learned", "analytical", "linear", "guess".
  bool trained_with_this_split = true;
  std::vector<std::optional<double>> values;                 ///< By metric.
  std::vector<std::vector<std::optional<double>>> programs;  ///< By program, then by metric.
};

struct Evaluation {
  std::string task;   ///< "tile", ...
  std::string label;  ///< Where the times come from.
  std::string split;
  std::string part;
  size_t examples = 0;
  std::vector<EvaluationMetric> metrics;
  std::vector<std::string> programs;
  std::vector<size_t> program_examples;  ///< By program.
  std::vector<EvaluatedModel> models;    ///< Those asked for, then the controls.
};

/// Models and controls (analytical, scaled by class, linear regression; of layouts a guess) on one
/// part of a data set. Scales and regression are fitted on the training part. Errors: those of the
/// data set and of the models, which name the file; kInvalidInput for an empty part; kCancelled.
[[nodiscard]] Result<Evaluation> evaluate_models(const EvaluationOrder& order,
                                                 const Progress& progress = {});

}  // namespace hloscope::db
