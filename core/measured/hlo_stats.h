#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/hash.h"
#include "core/base/progress.h"
#include "core/base/result.h"

namespace hloscope::measured {

/// A row of XProf's table of HLO ops (hlo_stats): one instruction of a profiled program, aggregated
/// over all cores and steps.
struct HloStat {
  std::string program;     ///< Name or number as the file has it; empty where it has none.
  std::string name;        ///< Of the instruction, without a leading %.
  std::string category;    ///< XProf's own, e.g. "convolution fusion".
  std::string expression;  ///< The instruction's HLO with layouts; may be empty.
  int64_t occurrences = 0;
  /// Measured, the mean of one occurrence without what it calls; with it in a file that has no self
  /// times.
  double time_ns = 0;
  double total_ns = 0;  ///< Of all occurrences.
};

struct HloStats {
  std::string file;
  Hash128 hash;  ///< Of the file's bytes, unpacked.
  std::vector<HloStat> rows;
};

/// Whether the bytes (unpacked) begin as a JSON or CSV table of HLO ops does. Looks at the
/// beginning only.
[[nodiscard]] bool looks_like_hlo_stats(std::string_view bytes);

/// Reads the JSON that XProf exports (a DataTable of Google Charts, or an array of which the first
/// table of HLO ops is taken) or CSV with a header line; for the columns see find_columns(). gzip
/// is unpacked. Rows of instructions that never ran are left out. `file` stands in messages.
/// Errors: kInvalidInput with the line or the row number (broken JSON, missing columns, a row with
/// too few cells, a number that is negative or none), kCancelled.
[[nodiscard]] Result<HloStats> parse_hlo_stats(std::string_view bytes, const std::string& file,
                                               const Progress& progress = {});
/// Also the errors of read_file_bytes().
[[nodiscard]] Result<HloStats> read_hlo_stats(const std::string& path,
                                              const Progress& progress = {});

}  // namespace hloscope::measured
