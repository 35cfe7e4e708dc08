#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/tune/space.h"
#include "db/tuning.h"

namespace hloscope::db {

/// Up to so many dimensions a configuration is written as Space::text(), in larger spaces as its
/// differences to that of trial 0: "12=1 40=0".
inline constexpr size_t kMostDimensionsInText = 64;

/// All trials as CSV (RFC 4180), with a header: trial, config or changes, predicted_ns,
/// hardware_ns, measured_as, booked_ns, error, accepted, temperature, at_s.
[[nodiscard]] Result<std::string> trials_csv(Database& database, const SessionInfo& session,
                                             const tune::Space& space);
/// The session and the same of each trial.
[[nodiscard]] Result<std::string> session_export_json(Database& database,
                                                      const SessionInfo& session,
                                                      const tune::Space& space);

/// Up to so many dimensions, those that trials change most often, are parameters of a study.
inline constexpr size_t kMostParameters = 100;

/// A file that Optuna 3 and 4 read as RDB storage. The study NAME has every trial with the time
/// that the search went by; NAME (measured) those that were measured, where a model searched. An
/// existing file is replaced. Errors: kIo, kInvalidInput for an existing file that is in use.
[[nodiscard]] Status export_optuna(Database& database, const SessionInfo& session,
                                   const tune::Space& space, const std::filesystem::path& target);

}  // namespace hloscope::db
