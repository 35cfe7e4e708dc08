#pragma once

#include <cstddef>
#include <string>

#include "core/base/result.h"

namespace hloscope {

/// Larger files are refused before memory is taken for them.
inline constexpr size_t kMaxFileBytes = size_t{8} << 30;

/// All bytes of a file, or of a pipe that somebody writes to (`<(zcat a.gz)`, /dev/stdin). Never
/// waits for a writer that is not there, and never reads devices, which may have no end. Errors:
/// kNotFound, kIo, kUnsupported (devices, sockets, more than `max_bytes`).
[[nodiscard]] Result<std::string> read_file_bytes(const std::string& path,
                                                  size_t max_bytes = kMaxFileBytes);

}  // namespace hloscope
