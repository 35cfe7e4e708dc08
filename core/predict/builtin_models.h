#pragma once

#include <span>
#include <string_view>

namespace hloscope::predict {

/// A .safetensors file of resources/models, built into the program.
struct BuiltinModel {
  std::string_view name;  ///< Of the file without its ending: "tpu_v3_fusion-1".
  std::string_view bytes;
};

/// By name. Empty in a program that was built without any.
[[nodiscard]] std::span<const BuiltinModel> builtin_model_files();

}  // namespace hloscope::predict
