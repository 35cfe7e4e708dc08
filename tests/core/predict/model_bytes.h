#pragma once

#include <string>

#include "core/nn/safetensors.h"
#include "core/predict/learned.h"

namespace hloscope::testing {

inline std::string bytes_of(const predict::StoredModel& stored) {
  return *nn::format_safetensors(predict::model_content(stored));
}

}  // namespace hloscope::testing
