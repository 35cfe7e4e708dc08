#pragma once

#include <string>

#include "core/hlo/read.h"
#include "db/tuning.h"

namespace hloscope::db {

/// What a session of this module is made from. A kernel that is alone in its program need not be
/// named. Recorded runs, where the settings ask for them, are those of the file, or else of
/// `database`. `address`: FILE or FILE#N, as opened. Errors: those of tune::check_settings(),
/// recorded_tiles() and tune::find_tile_kernel(); kNotFound for an unknown machine.
[[nodiscard]] Result<NewSession> new_session(const hlo::Module& module, std::string address,
                                             tune::Settings settings, Database& database);

/// The name of the kernel that is alone in its program; empty where there are several.
[[nodiscard]] Result<std::string> only_kernel(const hlo::ProgramPtr& program);

/// The measured tiles that came with a module; without runs where there are none.
[[nodiscard]] tune::Recorded recorded_runs(const hlo::Module& module, const std::string& address);

/// FILE or FILE#N with a single module. Errors: those of hlo::read_file(); kInvalidInput for a file
/// with several modules.
[[nodiscard]] Result<hlo::Module> read_module(const std::string& address);

}  // namespace hloscope::db
