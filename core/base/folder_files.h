#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace hloscope {

/// The regular files in a folder and all folders in it, sorted; hidden ones (whose names begin with
/// a full stop) are left out, and folders that may not be read. Error: kIo.
[[nodiscard]] Result<std::vector<std::string>> files_below(const std::string& folder);

}  // namespace hloscope
