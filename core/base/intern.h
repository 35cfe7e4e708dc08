#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/index.h"

namespace hloscope {

/// An arena of strings: views stay valid as long as the arena lives (also when it is moved).
class StringArena {
 public:
  StringArena() = default;
  StringArena(StringArena&&) = default;
  StringArena& operator=(StringArena&&) = default;
  ~StringArena();

  std::string_view copy(std::string_view text);

 private:
  std::vector<std::vector<char>> blocks_;
};

struct StringTag;
using StringId = Index<StringTag>;

/// Strings stored once; equal strings have equal ids. Ids count from 0 in order of first use.
class StringTable {
 public:
  StringId intern(std::string_view text);
  [[nodiscard]] std::string_view operator[](StringId id) const { return strings_[id.value]; }
  /// Invalid when the string was never interned.
  [[nodiscard]] StringId find(std::string_view text) const;
  [[nodiscard]] size_t size() const { return strings_.size(); }

 private:
  void grow();
  [[nodiscard]] size_t slot_of(std::string_view text, uint64_t hash) const;

  StringArena arena_;
  std::vector<std::string_view> strings_;
  std::vector<uint64_t> hashes_;
  std::vector<uint32_t> slots_;  // open addressing, id + 1; 0 = free; size is a power of two
};

}  // namespace hloscope
