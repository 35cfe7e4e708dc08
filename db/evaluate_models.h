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
  std::string_view key;    ///< In JSON: "top1_slowdown".
  bool is_fraction = false;
  bool is_better_high = false;
};

/// One model over all examples of the part, and over those of each program.
struct EvaluatedModel {
  std::string name;
  std::string kind;  ///< "learned", "analytical", "linear", "guess".
  bool trained_with_this_split = true;
  std::string training;   ///< Of learned ones: JSON of StoredModel::training; else empty.
  size_t kernels = 0;     ///< Examples that were judged.
  size_t skipped = 0;     ///< Without a score for each sample.
  size_t with_value = 0;  ///< Of the judged: ranked by 10 configurations or more; of 5 µs and more.
  std::vector<std::optional<double>> values;                 ///< By metric.
  std::vector<std::vector<std::optional<double>>> programs;  ///< By program, then by metric.
};

struct Evaluation {
  std::string task;         ///< "tile", ...
  std::string label;        ///< Where the times come from.
  std::string target_kind;  ///< "measured", ...
  std::string split;
  std::string part;
  size_t examples = 0;
  std::vector<EvaluationMetric> metrics;
  std::vector<std::string> programs;
  std::vector<size_t> program_examples;  ///< By program.
  std::vector<EvaluatedModel> models;    ///< Those asked for, then the controls.
};

/// Models and controls (analytical, scaled by class, linear regression; of layouts a guess) on one
/// part of a data set; what the page Data and the command `evaluate` show. Scales and regression
/// are fitted on the training part. Errors: those of the data set and of the models, which name the
/// file; kInvalidInput for an empty part; kCancelled.
[[nodiscard]] Result<Evaluation> evaluate_models(const EvaluationOrder& order,
                                                 const Progress& progress = {});

}  // namespace hloscope::db
