#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/base/hash.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/data/program_list.h"
#include "core/fuse/fusion_space.h"

namespace hloscope::data {

/// What is worked out once for all fusion configurations of a program. Shared by threads.
class PreparedProgram {
 public:
  /// Reads the program; cleans it up unless it is compiled. Errors: those of read_program() and
  /// fuse::clean_up().
  [[nodiscard]] static Result<std::shared_ptr<PreparedProgram>> prepare(
      const ListedProgram& program);

  [[nodiscard]] const Hash128& hash() const { return hash_; }  ///< SourceProgram::hash.
  [[nodiscard]] bool is_compiled() const { return space_ == nullptr; }
  [[nodiscard]] const hlo::Program& program() const { return *program_; }
  /// Not of compiled ones.
  [[nodiscard]] const fuse::FusionSpace& space() const { return *space_; }

  /// The canonical hash of the kernel with these members, as remember() was told.
  [[nodiscard]] std::optional<Hash128> known_hash(std::span<const hlo::InstructionId> members);
  void remember(std::span<const hlo::InstructionId> members, const Hash128& hash);
  /// Kernels that give no samples.
  [[nodiscard]] bool is_unused(const Hash128& hash);
  void remember_unused(const Hash128& hash);

 private:
  PreparedProgram() = default;

  Hash128 hash_;
  hlo::ProgramPtr program_;
  std::unique_ptr<fuse::FusionSpace> space_;
  std::mutex mutex_;
  std::unordered_map<Hash128, Hash128> hashes_;
  std::unordered_set<Hash128> unused_;
};

/// Prepared programs, those used last; as many as memory should hold.
class ProgramCache {
 public:
  /// Programs of together at most `instructions` (about 2 KB each, spaces included), but always the
  /// one asked for last.
  explicit ProgramCache(std::span<const ListedProgram> programs, int64_t instructions = 1'000'000)
      : programs_(programs), limit_(instructions) {}

  /// By position. Used by one thread at a time.
  [[nodiscard]] Result<std::shared_ptr<PreparedProgram>> get(uint32_t position);

 private:
  struct Entry {
    uint32_t position = 0;
    std::shared_ptr<PreparedProgram> program;
  };
  void make_room();

  std::span<const ListedProgram> programs_;
  int64_t limit_;
  std::vector<Entry> entries_;  ///< Used last: at the end.
};

}  // namespace hloscope::data
