#pragma once

#include <bit>
#include <string_view>
#include <vector>

#include "core/base/hash.h"

namespace hloscope::graph {

/// Collects 64-bit words for a hash; reused, so that hashing allocates nothing in the long run.
class WordBuffer {
 public:
  void clear() { words_.clear(); }
  void add(uint64_t word) { words_.push_back(word); }
  void add(int64_t word) { words_.push_back(static_cast<uint64_t>(word)); }
  void add(const Hash128& hash) {
    words_.push_back(hash.high);
    words_.push_back(hash.low);
  }
  void add(std::string_view text) { add(hash128(text)); }
  [[nodiscard]] Hash128 digest() const {
    static_assert(std::endian::native == std::endian::little, "hashes are stored in databases");
    return hash128(
        {reinterpret_cast<const char*>(words_.data()), words_.size() * sizeof(uint64_t)});
  }

 private:
  std::vector<uint64_t> words_;
};

}  // namespace hloscope::graph
