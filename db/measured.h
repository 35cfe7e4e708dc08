#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/hash.h"
#include "core/hlo/read.h"
#include "db/database.h"
#include "db/ids.h"

namespace hloscope::db {

/// The device text of sources that name none (tuning files do not).
inline constexpr std::string_view kDeviceNotStated = "not stated in the file";

/// Where measured times come from: one module of a file, or a file of times of one module.
struct MeasuredSource {
  MeasuredSourceRow id;
  Hash128 hash;  ///< measured_hash(): the same times are stored once, whatever the file is called.
  std::string file_path;
  int module_number = 1;
  std::string device{kDeviceNotStated};
  ProgramRow program;
};

/// One measured time. `kernel` is invalid when the whole program was measured.
struct MeasuredTime {
  KernelRow kernel;
  uint32_t run_index = 0;
  bool is_default = false;
  bool is_reference = false;      ///< Stands for "measured" in comparisons: at most one a kernel.
  std::optional<double> time_ns;  ///< Empty: the run failed, or the file gives it no time.
  std::string bounds;             ///< bounds_text(); empty for layout runs.
  uint64_t layout_hash = 0;       ///< 0 for tile runs.
};

/// `out=12x4x4x3,kernel=3x1x24x3`: the tile of a run, in the order of the file.
[[nodiscard]] std::string bounds_text(const hlo::MeasuredRun& run);
/// Of the module and all its runs.
[[nodiscard]] Hash128 measured_hash(const hlo::Module& module);
/// Of the module and a file of its measured times.
[[nodiscard]] Hash128 measured_hash(const hlo::Module& module, const Hash128& file);

/// Tables measured_sources, measured_runs. Errors as in Programs.
class Measured {
 public:
  explicit Measured(Database& database) : database_(&database) {}

  /// Stores a source with its times; a source that is there already (same hash) only gets the new
  /// file name, and the device where one is stated. The id of `source` is not used.
  [[nodiscard]] Result<MeasuredSourceRow> put(const MeasuredSource& source,
                                              std::span<const MeasuredTime> times);
  [[nodiscard]] Result<std::optional<MeasuredSource>> find(const Hash128& hash) const;
  /// In order of run_index, until the callback returns false.
  [[nodiscard]] Status each_time(MeasuredSourceRow source,
                                 const std::function<bool(const MeasuredTime&)>& callback) const;
  [[nodiscard]] Result<int64_t> count() const;  ///< Measured times in the file.

 private:
  Database* database_;
};

}  // namespace hloscope::db
