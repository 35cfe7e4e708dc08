#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/rng.h"

namespace hloscope::tune {

/// The state of a strategy as bytes: 8 per number, little-endian.
class StateWriter {
 public:
  void put(uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8) bytes_ += static_cast<char>(value >> shift & 0xff);
  }
  void put(double value) { put(std::bit_cast<uint64_t>(value)); }
  void put(const Rng& rng) {
    for (const uint64_t word : rng.state()) put(word);
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads what StateWriter wrote. After the last value, end() tells whether all was there.
class StateReader {
 public:
  explicit StateReader(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] uint64_t word() {
    if (bytes_.size() < 8) {
      is_cut_ = true;
      return 0;
    }
    uint64_t out = 0;
    for (size_t i = 8; i-- > 0;) out = out << 8 | static_cast<uint8_t>(bytes_[i]);
    bytes_.remove_prefix(8);
    return out;
  }
  [[nodiscard]] double real() { return std::bit_cast<double>(word()); }
  void read(Rng& rng) {
    std::array<uint64_t, 4> state{};
    for (uint64_t& one : state) one = word();
    if (state != std::array<uint64_t, 4>{}) return rng.set_state(state);
    is_cut_ = true;
  }
  /// Numbers that follow each other, each of 8 bytes: never more than there are bytes.
  [[nodiscard]] size_t count() {
    const uint64_t out = word();
    if (out <= bytes_.size() / 8) return static_cast<size_t>(out);
    is_cut_ = true;
    return 0;
  }
  /// Error: kInvalidInput.
  [[nodiscard]] Status end() const {
    if (!is_cut_ && bytes_.empty()) return {};
    return fail(ErrorCode::kInvalidInput, "the stored state of the search is damaged",
                "duplicate the session and run it from the start");
  }

 private:
  std::string_view bytes_;
  bool is_cut_ = false;
};

}  // namespace hloscope::tune
