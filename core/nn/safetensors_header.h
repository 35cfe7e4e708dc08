#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace hloscope::nn {

/// A tensor as the header describes it, not yet checked against the data.
struct TensorEntry {
  std::string name;
  std::string dtype;
  std::vector<uint64_t> shape;
  std::array<uint64_t, 2> data_offsets{};  ///< begin and end, from the end of the header
};

struct SafeTensorsHeader {
  std::map<std::string, std::string> metadata;
  std::vector<TensorEntry> tensors;
};

/// Parses the JSON of a .safetensors header. Anything but an object of tensors (dtype, shape and
/// data_offsets, each once) and of __metadata__ (strings) is refused at the first byte that does
/// not fit, so memory stays in proportion to what is good. Error: kInvalidInput.
[[nodiscard]] Result<SafeTensorsHeader> parse_safetensors_header(std::string_view json);

}  // namespace hloscope::nn
