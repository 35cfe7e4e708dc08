#pragma once

#include <algorithm>
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

/// Text -> 32-bit value, by open addressing over 8-byte slots. clear() takes hardly any time, so
/// that one table serves one computation after the other. Keys are not copied.
class NameTable {
 public:
  static constexpr uint32_t kMissing = ~0U;

  NameTable() : slots_(kSmallest) {}

  void clear() {
    entries_.clear();
    mask_ = kSmallest - 1;
    std::fill_n(slots_.begin(), kSmallest, Slot());
  }
  [[nodiscard]] uint32_t find(std::string_view name) const {
    const Slot& slot = slots_[slot_of(name, quick_hash(name))];
    return slot.entry == kFree ? kMissing : entries_[slot.entry].value;
  }
  /// False, and nothing changes, when the name is there already.
  bool insert(std::string_view name, uint32_t value) {
    if (2 * entries_.size() > mask_) grow();
    const uint32_t hash = quick_hash(name);
    Slot& slot = slots_[slot_of(name, hash)];
    if (slot.entry != kFree) return false;
    slot = {hash, static_cast<uint32_t>(entries_.size())};
    entries_.push_back({name.data(), static_cast<uint32_t>(name.size()), value, hash});
    return true;
  }

 private:
  static constexpr size_t kSmallest = 64;
  static constexpr size_t kGrowth = 4;
  static constexpr uint32_t kFree = ~0U;
  struct Slot {
    uint32_t hash = 0;
    uint32_t entry = kFree;
  };
  struct Entry {
    const char* data;
    uint32_t size;
    uint32_t value;
    uint32_t hash;
  };

  [[nodiscard]] bool holds(const Slot& slot, std::string_view name, uint32_t hash) const {
    if (slot.hash != hash) return false;
    const Entry& entry = entries_[slot.entry];
    return entry.size == name.size() && std::memcmp(entry.data, name.data(), name.size()) == 0;
  }
  [[nodiscard]] size_t slot_of(std::string_view name, uint32_t hash) const {
    size_t at = hash & mask_;
    while (slots_[at].entry != kFree && !holds(slots_[at], name, hash)) at = (at + 1) & mask_;
    return at;
  }
  void grow() {
    const size_t size = kGrowth * (mask_ + 1);
    mask_ = size - 1;
    if (slots_.size() < size) slots_.resize(size);
    std::fill_n(slots_.begin(), size, Slot());
    for (uint32_t i = 0; i < entries_.size(); ++i) {
      size_t at = entries_[i].hash & mask_;
      while (slots_[at].entry != kFree) at = (at + 1) & mask_;
      slots_[at] = {entries_[i].hash, i};
    }
  }

  std::vector<Slot> slots_;  // the first mask_ + 1 are in use
  size_t mask_ = kSmallest - 1;
  std::vector<Entry> entries_;
};

}  // namespace hloscope::hlo
