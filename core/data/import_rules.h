#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/data/data_set.h"
#include "core/graph/kernels.h"
#include "core/hlo/read.h"

/// What the importers have in common.
namespace hloscope::data {

/// Times below are none: as the loader of TpuGraphs has it.
inline constexpr int64_t kLeastTimeNs = 2;
/// What TpuGraphs was measured on (arXiv 2308.13490); its files do not say.
inline constexpr const char* kTpuGraphsDevice = "TPU v3";

/// A module of a file that the user named.
struct AddressedModule {
  hlo::ProgramPtr program;
  SourceProgram source;
};
/// All modules of FILE, or the one of FILE#N. Warnings of the file go to `warnings`. Errors: those
/// of hlo::read_file() and hlo::check_address().
[[nodiscard]] Result<std::vector<AddressedModule>> read_modules(const std::string& address,
                                                                std::vector<Error>& warnings,
                                                                const Progress& progress);

/// The record of a program that stands in a file of its own or beside others.
[[nodiscard]] SourceProgram source_of(const hlo::Program& program, const std::string& path,
                                      size_t number, bool is_only);

/// The kernel alone, in the form kHlo. Errors: those of graph::extract().
[[nodiscard]] Result<GraphRecord> kernel_record(const hlo::Program& program,
                                                const graph::Kernel& kernel);

}  // namespace hloscope::data
