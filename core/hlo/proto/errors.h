#pragma once

#include <string>
#include <utility>

#include "core/base/result.h"

namespace hloscope::hlo {

/// What a proto says is wrong.
[[nodiscard]] inline tl::unexpected<Error> bad(std::string message) {
  return fail(ErrorCode::kInvalidInput, std::move(message));
}

}  // namespace hloscope::hlo
