#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace hloscope::tune {

/// A point of a Space: one value per dimension, each 0 .. Space::choices() - 1.
using Config = std::vector<uint32_t>;

/// Tells configurations of one space apart.
[[nodiscard]] uint64_t config_hash(const Config& config);

/// Where `config` differs from `base` (of the same size), as few bytes: neighbours of the base take
/// two or three, whatever the number of dimensions.
[[nodiscard]] std::string encode_config(const Config& config, const Config& base);
/// The other way round. Error: kInvalidInput, for bytes that encode_config() does not write.
[[nodiscard]] Result<Config> decode_config(std::string_view bytes, const Config& base);

}  // namespace hloscope::tune
