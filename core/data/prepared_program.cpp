#include "core/data/prepared_program.h"

#include <algorithm>

#include "core/fuse/clean_up.h"

namespace hloscope::data {

namespace {

Hash128 hash_of(std::span<const hlo::InstructionId> members) {
  return hash128({reinterpret_cast<const char*>(members.data()), members.size_bytes()});
}

}  // namespace

Result<std::shared_ptr<PreparedProgram>> PreparedProgram::prepare(const ListedProgram& program) {
  auto out = std::shared_ptr<PreparedProgram>(new PreparedProgram);
  out->hash_ = program.source.hash;
  HLOSCOPE_ASSIGN(out->program_, read_program(program.source));
  if (program.is_compiled) return out;
  HLOSCOPE_ASSIGN(out->program_, fuse::clean_up(*out->program_));
  out->space_ = std::make_unique<fuse::FusionSpace>(out->program_);
  return out;
}

std::optional<Hash128> PreparedProgram::known_hash(std::span<const hlo::InstructionId> members) {
  const Hash128 key = hash_of(members);
  const std::scoped_lock lock(mutex_);
  const auto found = hashes_.find(key);
  return found != hashes_.end() ? std::optional(found->second) : std::nullopt;
}

void PreparedProgram::remember(std::span<const hlo::InstructionId> members, const Hash128& hash) {
  const Hash128 key = hash_of(members);
  const std::scoped_lock lock(mutex_);
  hashes_.emplace(key, hash);
}

bool PreparedProgram::is_unused(const Hash128& hash) {
  const std::scoped_lock lock(mutex_);
  return unused_.contains(hash);
}

void PreparedProgram::remember_unused(const Hash128& hash) {
  const std::scoped_lock lock(mutex_);
  unused_.insert(hash);
}

Result<std::shared_ptr<PreparedProgram>> ProgramCache::get(uint32_t position) {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& e) { return e.position == position; });
  if (found != entries_.end()) {
    std::rotate(found, found + 1, entries_.end());
    return entries_.back().program;
  }
  HLOSCOPE_ASSIGN(std::shared_ptr<PreparedProgram> program,
                  PreparedProgram::prepare(programs_[position]));
  entries_.push_back({position, program});
  make_room();
  return program;
}

void ProgramCache::make_room() {
  int64_t kept = 0;
  size_t first = entries_.size();
  while (first > 0) {
    kept += programs_[entries_[first - 1].position].source.instruction_count;
    if (kept > limit_ && first < entries_.size()) break;
    --first;
  }
  entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(first));
}

}  // namespace hloscope::data
