#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/nn/safetensors.h"
#include "core/predict/model.h"
#include "core/predict/novelty.h"
#include "core/predict/spread_fit.h"

namespace hloscope::predict {

/// A model with what is needed to use it.
struct StoredModel {
  Model<float> model;
  std::string normaliser;  ///< JSON object of the normaliser of its inputs.
  std::string training;    ///< JSON object: data set, seed, split, metrics.
  /// Tells kernels unlike those of the training; none in files of older versions.
  std::optional<Novelty> novelty = std::nullopt;
  /// Of the ensemble that the model is a part of, where it was fitted.
  std::optional<SpreadFit> spread = std::nullopt;
};

/// The content of a .safetensors file: a tensor for each parameter, and as metadata "architecture"
/// (ModelOptions), "input_widths", "feature_table" (features::table_hash()), "estimate_table"
/// (estimate_table_hash()), "normaliser" and "training". A checkpoint adds the state of the
/// optimiser (nn::save_adam).
[[nodiscard]] nn::SafeTensors model_content(const StoredModel& stored);
/// Errors: kUnsupported (made with another table of features or of estimates), kInvalidInput
/// (metadata missing or damaged; options that do not fit together; a tensor missing or of another
/// shape).
[[nodiscard]] Result<StoredModel> model_from(const nn::SafeTensors& content);

/// The bytes of that file. Error: kInvalidInput (`normaliser` or `training` is not a JSON object).
[[nodiscard]] Result<std::string> format_model(const StoredModel& stored);
/// Takes the place of the file as a whole. Errors: kIo, kInvalidInput (`normaliser` or `training`
/// is not a JSON object).
[[nodiscard]] Status save_model(const std::string& path, const StoredModel& stored);
/// Errors as nn::read_safetensors and model_from; they name the file.
[[nodiscard]] Result<StoredModel> load_model(const std::string& path);

}  // namespace hloscope::predict
