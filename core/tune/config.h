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

/// A dimension in which a configuration differs from another one, and its value there.
struct ConfigChange {
  uint32_t dimension = 0;
  uint32_t value = 0;
  bool operator==(const ConfigChange&) const = default;
};
/// What decode_config() would change of the base, by dimension: many times faster where dimensions
/// are many and differences few. `out` is overwritten with the first `most` of them; returns how
/// many there are. Errors as there, of what is put out.
[[nodiscard]] Result<size_t> decode_changes(std::string_view bytes, const Config& base, size_t most,
                                            std::vector<ConfigChange>& out);

}  // namespace hloscope::tune
