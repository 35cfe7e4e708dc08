#pragma once

#include <optional>
#include <string>

#include "core/base/hash.h"
#include "db/database.h"
#include "db/ids.h"

namespace hloscope::db {

/// A kernel, equal for every program that holds it.
struct KernelInfo {
  KernelRow id;
  Hash128 hash;  ///< graph::canonical_hash().
  std::string label;
  std::string opcode;
  std::string op_class;
  int64_t instruction_count = 0;
  std::string shape;     ///< Of the result, as HLO text.
  std::string hlo_text;  ///< Empty when not kept.
};

/// Table kernels. Errors as in Programs.
class Kernels {
 public:
  explicit Kernels(Database& database) : database_(&database) {}

  /// The row with this hash: the one that is there, or a new one of `info` (its id is not used).
  [[nodiscard]] Result<KernelRow> put(const KernelInfo& info);
  [[nodiscard]] Result<std::optional<KernelInfo>> find(const Hash128& hash) const;

 private:
  Database* database_;
};

}  // namespace hloscope::db
