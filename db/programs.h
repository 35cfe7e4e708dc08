#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/hash.h"
#include "db/database.h"
#include "db/ids.h"

namespace hloscope::db {

/// A program that has been opened. Times are UTC, `2026-01-31T23:59:59Z`.
struct ProgramInfo {
  ProgramRow id;
  Hash128 content_hash;
  std::string name;        ///< Its own.
  std::string given_name;  ///< By the user; empty: none. Not written by put().
  std::string file_path;   ///< As opened last.
  int module_number = 1;   ///< N of FILE#N.
  int64_t instruction_count = 0;
  int64_t computation_count = 0;
  int64_t kernel_count = 0;  ///< As shown last.
  std::string first_opened;
  std::string last_opened;
};

/// What lists show.
[[nodiscard]] inline const std::string& shown_name(const ProgramInfo& program) {
  return program.given_name.empty() ? program.name : program.given_name;
}

/// One place of a kernel in a program, which has the kernels that it was shown with last: as they
/// stand in it, or of own fusion.
struct ProgramKernel {
  KernelRow kernel;
  std::string instruction_name;
  double executions = 1;  ///< Per run of the program.
  bool operator==(const ProgramKernel&) const = default;
};

/// Table family programs, program_kernels. Errors of every function: kIo, kInvalidInput (damaged
/// file), kReadOnly for the writing ones.
class Programs {
 public:
  explicit Programs(Database& database) : database_(&database) {}

  /// Inserts, or updates the row of the same content; id, first_opened and last_opened of `info`
  /// are not used: the clock says when.
  [[nodiscard]] Result<ProgramRow> put(const ProgramInfo& info);
  /// Replaces the kernels of a program, in program order; writes nothing when they are the same.
  [[nodiscard]] Status set_kernels(ProgramRow program, const std::vector<ProgramKernel>& kernels);

  [[nodiscard]] Result<std::optional<ProgramInfo>> find(const Hash128& content_hash) const;
  [[nodiscard]] Result<std::vector<ProgramKernel>> kernels(ProgramRow program) const;
  /// Empty: its own name again. Returns the given name before. kNotFound: there is no such program.
  [[nodiscard]] Result<std::string> rename(ProgramRow program, std::string_view name);
  /// The program opened last comes first.
  [[nodiscard]] Result<std::vector<ProgramInfo>> list(const Page& page = {}) const;

 private:
  Database* database_;
};

}  // namespace hloscope::db
