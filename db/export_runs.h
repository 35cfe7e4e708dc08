#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/runs.h"

namespace hloscope::db {

/// Columns of a list of runs, as the command line and the window write it.
inline constexpr std::array<std::string_view, 12> kRunColumns = {
    "run",     "name",   "source",   "program", "machine",  "machine file",
    "kernels", "fusion", "total µs", "state",   "finished", "file"};

/// The cells of a run under kRunColumns.
[[nodiscard]] std::vector<std::string> run_cells(const RunInfo& run);

/// "own fusion", or nothing: kernels as they stand in the file.
[[nodiscard]] std::string fusion_of(const RunInfo& run);
/// The model of predicted times, else nothing.
struct RunModel {
  std::string name;
  std::string hash;
};
[[nodiscard]] RunModel model_of(const RunInfo& run);

/// `file.pb`, or `file.pb#2` of another module than the first.
[[nodiscard]] std::string module_path(const std::string& file, int module_number);

/// RFC 4180, with a header line.
[[nodiscard]] std::string runs_csv(std::span<const RunInfo> runs);
/// An array of objects.
[[nodiscard]] std::string runs_json(std::span<const RunInfo> runs);

}  // namespace hloscope::db
