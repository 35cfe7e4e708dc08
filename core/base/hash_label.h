#pragma once

#include <string>
#include <string_view>

#include "core/base/hash.h"

namespace hloscope {

/// "tpu_v3@4f1c09ab": a name and the first digits of the hash of what it stands for.
[[nodiscard]] std::string hash_label(std::string_view name, const Hash128& hash);

}  // namespace hloscope
