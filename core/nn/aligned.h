#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace hloscope::nn {

/// Alignment of every matrix: a cache line, which is also the widest vector register.
inline constexpr size_t kAlignmentBytes = 64;

/// Allocator of memory aligned to kAlignmentBytes.
template <typename T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <typename U>
  explicit AlignedAllocator(const AlignedAllocator<U>& /*other*/) {}
  T* allocate(size_t n) {
    return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{kAlignmentBytes}));
  }
  void deallocate(T* p, size_t /*n*/) { ::operator delete (p, std::align_val_t{kAlignmentBytes}); }
  bool operator==(const AlignedAllocator&) const = default;
};

template <typename T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace hloscope::nn
