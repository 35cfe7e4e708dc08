#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace hloscope::predict {

/// What a model is, for people: where it comes from, what it learned, how good it was.
struct ModelCard {
  std::string name;  ///< Of a built-in model, or the path of a file.
  bool is_builtin = false;
  size_t members = 1;      ///< Trained models that predict together.
  std::string task;        ///< "tile", "fusion", "layout".
  std::string machine;     ///< That times were learned of; may be empty.
  std::string trained_on;  ///< "simulated (tpu_v3@4f1c09ab)"; may be empty.
  std::string data_set;    ///< May be empty, as the rest.
  std::string split;
  std::string validation;      ///< "MAPE 12.3 %", "kendall_tau 0.812"; of each member.
  size_t parameters = 0;       ///< Of one member.
  bool is_calibrated = false;  ///< Its spread was fitted.
  bool knows_far = false;      ///< It tells kernels unlike those it learned from.
  /// Every property of the file, or of the first member: architecture and training, as
  /// "training.best_step".
  std::vector<std::pair<std::string, std::string>> properties;

  /// Gives times of kernels: can be what the window predicts with.
  [[nodiscard]] bool predicts_times() const { return task == "fusion"; }
};

/// The models that are built in, by name. Errors: those of Ensemble::builtin().
[[nodiscard]] Result<std::vector<ModelCard>> builtin_cards();
/// Errors: those of load_model().
[[nodiscard]] Result<ModelCard> card_of_file(const std::string& path);

}  // namespace hloscope::predict
