#pragma once

#include <string>
#include <string_view>

#include "core/base/progress.h"
#include "core/base/result.h"

namespace hloscope::hlo {

[[nodiscard]] inline bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b");
}
/// Unpacks gzip, also several streams one after the other. Errors: kInvalidInput for damaged or cut
/// data and for more than 2 GiB, kCancelled.
[[nodiscard]] Result<std::string> gunzip(std::string_view bytes, const Progress& progress);

}  // namespace hloscope::hlo
