#include "core/predict/layout_rows.h"

#include <algorithm>
#include <cassert>
#include <string_view>

namespace hloscope::predict {

namespace {

constexpr int64_t kLeastValue = -1;
constexpr int64_t kMostValue = kLeastValue + int64_t{kLayoutValues} - 1;

}  // namespace

void one_hot(const NodeLayout& layout, std::span<float> out) {
  assert(out.size() == kLayoutColumns);
  std::fill(out.begin(), out.end(), 0.0F);
  for (size_t i = 0; i < layout.size(); ++i) {
    out[i * kLayoutValues + static_cast<size_t>(layout[i] - kLeastValue)] = 1;
  }
}

uint32_t LayoutRows::number_of(const NodeLayout& layout) {
  const auto [at, is_new] = known_.try_emplace(layout, static_cast<uint32_t>(layouts_.size()));
  if (is_new) layouts_.push_back(layout);
  return at->second;
}

bool LayoutRows::add_sample(std::span<const int64_t> values) {
  constexpr size_t kWidth = data::kTpuLayoutFeatures;
  if (values.size() != nodes_.size() * kWidth) return false;
  if (!std::all_of(values.begin(), values.end(),
                   [](int64_t value) { return value >= kLeastValue && value <= kMostValue; })) {
    return false;
  }
  NodeLayout layout;
  for (size_t begin = 0; begin < values.size(); begin += kWidth) {
    for (size_t i = 0; i < kWidth; ++i) layout[i] = static_cast<int8_t>(values[begin + i]);
    numbers_.push_back(number_of(layout));
  }
  return true;
}

LayoutRows LayoutRows::only(std::span<const uint32_t> samples) const {
  LayoutRows out(nodes_);
  for (const uint32_t at : samples) {
    for (const uint32_t number : sample(at)) {
      out.numbers_.push_back(out.number_of(layouts_[number]));
    }
  }
  out.finish();
  return out;
}

Hash128 LayoutRows::sample_hash(size_t at) const {
  std::string bytes;
  for (const uint32_t number : sample(at)) {
    for (const int8_t value : layouts_[number]) bytes.push_back(static_cast<char>(value));
  }
  return hash128(bytes);
}

void LayoutRows::finish() {
  known_.clear();
  layouts_.shrink_to_fit();
  numbers_.shrink_to_fit();
}

size_t LayoutRows::bytes() const {
  return (nodes_.capacity() + numbers_.capacity()) * sizeof(uint32_t) +
         layouts_.capacity() * sizeof(NodeLayout);
}

}  // namespace hloscope::predict
