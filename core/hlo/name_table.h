#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace hloscope::hlo {

/// A fast hash for short texts inside one run of the parser; never stored.
[[nodiscard]] inline uint32_t quick_hash(std::string_view text) {
  constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15ULL;
  const char* p = text.data();
  size_t n = text.size();
  uint64_t h = n * kMultiplier;
  const auto mix = [&h](uint64_t v) {
    h = (h ^ v) * kMultiplier;
    h ^= h >> 29;
  };
  for (; n >= 8; p += 8, n -= 8) {
    uint64_t v = 0;
    std::memcpy(&v, p, 8);
    mix(v);
  }
  if (n >= 4) {
    uint32_t low = 0;
    uint32_t high = 0;
    std::memcpy(&low, p, 4);
    std::memcpy(&high, p + n - 4, 4);
    mix(uint64_t{high} << 32 | low);
  } else if (n > 0) {
    const auto byte = [p](size_t i) { return uint64_t{static_cast<uint8_t>(p[i])}; };
    mix(byte(0) | byte(n / 2) << 8 | byte(n - 1) << 16);
  }
  return static_cast<uint32_t>(h >> 32);
}

/// Text -> 32-bit value, by open addressing. clear() takes no time, so that one table serves one
/// computation after the other. Keys are not copied.
class NameTable {
 public:
  static constexpr uint32_t kMissing = ~0U;

  NameTable() : slots_(64) {}

  void clear() {
    count_ = 0;
    if (++generation_ == 0) {
      slots_.assign(slots_.size(), Slot());
      generation_ = 1;
    }
  }
  [[nodiscard]] uint32_t find(std::string_view name) const {
    const Slot& slot = slots_[slot_of(name, quick_hash(name))];
    return slot.generation == generation_ ? slot.value : kMissing;
  }
  /// False, and nothing changes, when the name is there already.
  bool insert(std::string_view name, uint32_t value) {
    if (2 * count_ >= slots_.size()) grow();
    const uint32_t hash = quick_hash(name);
    Slot& slot = slots_[slot_of(name, hash)];
    if (slot.generation == generation_) return false;
    slot = {name, hash, value, generation_};
    ++count_;
    return true;
  }

 private:
  struct Slot {
    std::string_view name;
    uint32_t hash = 0;
    uint32_t value = 0;
    uint32_t generation = 0;
  };

  [[nodiscard]] size_t slot_of(std::string_view name, uint32_t hash) const {
    const size_t mask = slots_.size() - 1;
    size_t at = hash & mask;
    while (slots_[at].generation == generation_ &&
           (slots_[at].hash != hash || slots_[at].name != name)) {
      at = (at + 1) & mask;
    }
    return at;
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.generation == generation_) slots_[slot_of(slot.name, slot.hash)] = slot;
    }
  }

  std::vector<Slot> slots_;
  size_t count_ = 0;
  uint32_t generation_ = 1;
};

}  // namespace hloscope::hlo
