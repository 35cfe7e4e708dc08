#include "core/base/intern.h"

#include <algorithm>

#include "core/base/hash.h"

namespace hloscope {

namespace {
constexpr size_t kBlockBytes = size_t{64} * 1024;
}

StringArena::~StringArena() = default;

std::string_view StringArena::copy(std::string_view text) {
  if (text.empty()) return {};
  if (blocks_.empty() || blocks_.back().capacity() - blocks_.back().size() < text.size()) {
    blocks_.emplace_back().reserve(std::max(kBlockBytes, text.size()));
  }
  // Within its capacity a vector does not move its elements, so earlier views stay valid.
  std::vector<char>& block = blocks_.back();
  const size_t begin = block.size();
  block.insert(block.end(), text.begin(), text.end());
  return {block.data() + begin, text.size()};
}

size_t StringTable::slot_of(std::string_view text, uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  while (slots_[slot] != 0) {
    const uint32_t id = slots_[slot] - 1;
    if (hashes_[id] == hash && strings_[id] == text) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

void StringTable::grow() {
  slots_.assign(std::max<size_t>(64, slots_.size() * 2), 0);
  const size_t mask = slots_.size() - 1;
  for (uint32_t id = 0; id < strings_.size(); ++id) {
    size_t slot = hashes_[id] & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = id + 1;
  }
}

StringId StringTable::intern(std::string_view text) {
  if (strings_.size() * 2 >= slots_.size()) grow();
  const uint64_t hash = hash64(text);
  const size_t slot = slot_of(text, hash);
  if (slots_[slot] != 0) return StringId(slots_[slot] - 1);
  strings_.push_back(arena_.copy(text));
  hashes_.push_back(hash);
  slots_[slot] = static_cast<uint32_t>(strings_.size());
  return StringId(strings_.size() - 1);
}

StringId StringTable::find(std::string_view text) const {
  if (slots_.empty()) return {};
  const uint32_t found = slots_[slot_of(text, hash64(text))];
  return found == 0 ? StringId() : StringId(found - 1);
}

}  // namespace hloscope
