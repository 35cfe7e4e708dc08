#pragma once

#include <filesystem>
#include <optional>

#include "core/base/result.h"
#include "core/data/data_set.h"

namespace hloscope::data {

/// Beside exported files stands where their times come from, as the files themselves cannot say it:
/// simulated times that are imported again must not pass for measured ones. The file is JSON and
/// lies in the folder that holds train, valid and test.
inline constexpr const char* kTargetFile = "hloscope_target.json";

/// Error: kIo.
[[nodiscard]] Status write_target_file(const std::filesystem::path& folder, const Target& target);
/// Of the folder above that of `file`; nothing where there is no such file. Errors: kIo;
/// kInvalidInput when it is damaged.
[[nodiscard]] Result<std::optional<Target>> target_beside(const std::filesystem::path& file);

}  // namespace hloscope::data
