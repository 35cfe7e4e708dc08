#include "core/nn/arena.h"

#include <algorithm>

namespace hloscope::nn {

namespace {

constexpr size_t kFirstBlockBytes = size_t{1} << 16;

}  // namespace

void* Arena::allocate_bytes(size_t bytes) {
  const size_t rounded = (bytes + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
  if (blocks_.empty() || rounded > blocks_.back().size() - used_bytes_) add_block(rounded);
  void* place = blocks_.back().data() + used_bytes_;
  used_bytes_ += rounded;
  return place;
}

void Arena::add_block(size_t bytes) {
  blocks_.emplace_back(std::max({bytes, capacity_bytes(), kFirstBlockBytes}));
  used_bytes_ = 0;
}

void Arena::reset() {
  if (blocks_.size() > 1) {
    const size_t all = capacity_bytes();
    blocks_.clear();
    add_block(all);
  }
  used_bytes_ = 0;
}

size_t Arena::capacity_bytes() const {
  size_t bytes = 0;
  for (const Block& block : blocks_) bytes += block.size();
  return bytes;
}

}  // namespace hloscope::nn
