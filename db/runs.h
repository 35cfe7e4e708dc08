#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/hash.h"
#include "db/database.h"
#include "db/ids.h"

namespace hloscope::db {

/// What computed the times of a run. Measured times are never a run: see measured.h.
inline constexpr std::string_view kAnalytical = "analytical";
inline constexpr std::string_view kSimulator = "simulator";
/// The estimates that the compiler wrote into the program: analysis::compiler_times().
inline constexpr std::string_view kCompiler = "compiler";
/// Of a learned model, which the settings name: {"model": "tpu_v3_fusion", "model_hash": "..."}.
inline constexpr std::string_view kPredicted = "predicted";

/// The settings of runs over kernels of hloscope's own fusion; others with the same "kernels" are
/// too. All else is over the kernels as they stand in the program.
inline constexpr std::string_view kOwnFusionSettings = R"({"kernels":"own fusion"})";

enum class RunState { kRunning, kFinished, kFailed };
[[nodiscard]] std::string_view name(RunState state);  ///< "running", ...

/// What a run is determined by.
struct RunKey {
  ProgramRow program;
  std::string source_kind;  ///< kAnalytical, kSimulator, kCompiler, kPredicted; never "measured".
  std::string machine_id;   ///< "tpu_v3"
  Hash128 machine_hash;     ///< Of the machine file.
  std::string settings = "{}";  ///< JSON.
  std::string tool_version;
};

struct RunInfo {
  RunId id;
  RunKey key;
  std::string name;          ///< That the user gave; empty: none.
  std::string program_name;  ///< That the user gave, else its own.
  std::string program_file;  ///< As opened last.
  int module_number = 1;
  RunState state = RunState::kRunning;
  std::string started;       ///< UTC, `2026-01-31T23:59:59Z`.
  std::string finished;      ///< Empty while running.
  int64_t kernel_count = 0;  ///< Distinct kernels with a time.
  double total_ns = 0;       ///< Kernels times executions; 0 until finished.
};

/// Computed time of one execution of a kernel.
struct KernelTime {
  KernelRow kernel;
  double time_ns = 0;
  double compute_ns = 0;
  double memory_ns = 0;
  // In callbacks valid until the callback returns.
  std::string_view bound;      ///< "memory", ...
  std::string_view tile = {};  ///< `out=12x4x4x3`; empty: not cut in tiles, or not known.
  std::optional<double> vmem_bytes = std::nullopt;
};

/// Tables runs, kernel_times. Errors as in Programs; kNotFound for an unknown run.
class Runs {
 public:
  explicit Runs(Database& database) : database_(&database) {}

  [[nodiscard]] Result<RunId> start(const RunKey& key);
  /// Each kernel once per run; fastest when sorted by kernel.
  [[nodiscard]] Status add_times(RunId run, std::span<const KernelTime> times);
  /// `times_hash` tells runs of one key apart whose times differ.
  [[nodiscard]] Status finish(RunId run, double total_ns, const Hash128& times_hash);
  [[nodiscard]] Status fail(RunId run);
  /// Times included.
  [[nodiscard]] Status remove(RunId run);
  /// Empty: no name. Returns the name before.
  [[nodiscard]] Result<std::string> rename(RunId run, std::string_view name);

  /// The finished run with this key and these times, if there is one.
  [[nodiscard]] Result<std::optional<RunId>> find(const RunKey& key,
                                                  const Hash128& times_hash) const;
  [[nodiscard]] Result<RunInfo> get(RunId run) const;
  /// Newest first.
  [[nodiscard]] Result<std::vector<RunInfo>> list(const Page& page = {}) const;
  /// In order of kernel row, until the callback returns false.
  [[nodiscard]] Status each_time(RunId run,
                                 const std::function<bool(const KernelTime&)>& callback) const;

 private:
  Database* database_;
};

}  // namespace hloscope::db
