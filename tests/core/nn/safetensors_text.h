#pragma once

#include <cstring>
#include <string>

#include "core/nn/safetensors.h"

namespace hloscope::testing {

/// A safetensors file: length of the header, header, data.
inline std::string file_of(const std::string& header, const std::string& data = {}) {
  const uint64_t length = header.size();
  std::string out(8, '\0');
  std::memcpy(out.data(), &length, 8);
  return out + header + data;
}

/// What reading a file says; "read" when nothing.
inline std::string message(const std::string& file) {
  const auto content = nn::parse_safetensors(file);
  return content ? "read" : content.error().message;
}

}  // namespace hloscope::testing
