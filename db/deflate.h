#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace hloscope::db {

/// Of what is packed.
inline constexpr size_t kMaxContentBytes = size_t{1} << 30;

/// Bytes as zlib (RFC 1950) packs them. Errors: kInvalidInput for more than kMaxContentBytes.
[[nodiscard]] Result<std::string> deflated(std::string_view bytes);
/// What was packed. Errors: kInvalidInput for damaged or cut bytes and for other bytes behind them.
[[nodiscard]] Result<std::string> inflated(std::string_view packed);

}  // namespace hloscope::db
