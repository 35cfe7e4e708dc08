#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "db/database.h"
#include "db/ids.h"

namespace hloscope::db {

/// One estimate beside one measured time.
struct ComparePoint {
  std::string program_name;
  std::string program_file;  ///< As opened last.
  int module_number = 1;
  bool is_whole_program = false;  ///< Then there is no kernel: the next four fields are empty.
  Hash128 kernel_hash;
  std::string label;
  std::string op_class;
  std::string instruction_name;  ///< In that program.
  std::string source_kind;       ///< Of the estimate: "simulator", "analytical", "compiler".
  double estimated_ns = 0;
  double measured_ns = 0;
  std::string bounds;  ///< Tile of the measured run; may be empty.
  bool is_default = false;
  std::string measured_file;
  Hash128 measured_source;
  std::string device;
};

struct CompareQuery {
  std::vector<std::string> source_kinds{"simulator", "analytical", "compiler"};
  std::string machine_id;  ///< "tpu_v3"; empty: any.
  /// False: one measured time per source, the default configuration's (else the fastest). True:
  /// every configuration that did not fail.
  bool all_configurations = false;
  bool whole_programs = false;  ///< Programs measured as a whole, in place of kernels.
  int64_t limit = 1'000'000;
};

/// Measured times over all programs in the file, each beside the estimates of the newest finished
/// runs of the asked kinds (those with own fusion where there are such); ordered by program, source
/// and run. Stops when the callback returns false.
[[nodiscard]] Status each_compare_point(const Database& database, const CompareQuery& query,
                                        const std::function<bool(ComparePoint)>& callback);
[[nodiscard]] Result<std::vector<ComparePoint>> compare_points(const Database& database,
                                                               const CompareQuery& query);

}  // namespace hloscope::db
