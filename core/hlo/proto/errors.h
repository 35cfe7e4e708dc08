#pragma once

#include <string>

#include "core/base/result.h"

namespace hloscope::hlo {

/// What a proto says is wrong.
[[nodiscard]] tl::unexpected<Error> bad(std::string message);

}  // namespace hloscope::hlo
