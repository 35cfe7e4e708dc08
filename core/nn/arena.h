#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "core/nn/aligned.h"

namespace hloscope::nn {

/// Memory that is handed out piece by piece and taken back as a whole. Blocks are kept between
/// resets and joined to one, so that a step that needs no more than an earlier one allocates
/// nothing.
class Arena {
 public:
  /// `n` elements, aligned to kAlignmentBytes, not initialised; valid until reset().
  template <typename T>
  std::span<T> allocate(size_t n) {
    static_assert(std::is_trivially_destructible_v<T>);
    return {static_cast<T*>(allocate_bytes(n * sizeof(T))), n};
  }
  /// Takes everything back. What was handed out must not be used any more.
  void reset();
  /// Bytes of all blocks; stays the same from step to step once warm.
  [[nodiscard]] size_t capacity_bytes() const;

 private:
  using Block = AlignedVector<std::byte>;
  void* allocate_bytes(size_t bytes);
  void add_block(size_t bytes);

  std::vector<Block> blocks_;
  size_t used_bytes_ = 0;  // of the last block
};

}  // namespace hloscope::nn
