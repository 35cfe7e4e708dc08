#include "core/predict/example.h"

#include <algorithm>

#include "core/features/node_table.h"

namespace hloscope::predict {

namespace {

template <typename T>
size_t heap_bytes(const std::vector<T>& values) {
  return values.capacity() * sizeof(T);
}

size_t heap_bytes(const std::string& text) {
  return text.capacity() > std::string().capacity() ? text.capacity() + 1 : 0;
}

std::span<const float> row(const std::vector<float>& values, size_t rows, size_t at) {
  const size_t width = values.size() / std::max<size_t>(rows, 1);
  return std::span(values).subspan(at * width, width);
}

}  // namespace

NodeColumns node_columns(bool with_extras) {
  NodeColumns out;
  out.groups = {features::Group::kNode};
  if (with_extras) out.groups.push_back(features::Group::kExtra);
  for (const features::Group group : out.groups) {
    for (const features::NodeFeature& row : features::node_table()) {
      if (row.feature.group != group) continue;
      const size_t offset = out.empty.size();
      out.empty.resize(offset + features::width(row.feature));
      if (row.real == nullptr) features::encode(row.feature, {}, out.empty.data() + offset);
    }
  }
  return out;
}

std::span<const float> Example::tile_row(size_t sample) const {
  return row(tile_features, samples(), sample);
}

std::span<const float> Example::estimate_row(size_t sample) const {
  return row(estimates, samples(), sample);
}

size_t Example::fastest() const {
  return static_cast<size_t>(std::min_element(times_ns.begin(), times_ns.end()) - times_ns.begin());
}

size_t Example::bytes() const {
  return sizeof(Example) + heap_bytes(label) + heap_bytes(op_class) + heap_bytes(seen_in) +
         heap_bytes(opcodes) + node_features.bytes() + heap_bytes(operand_offsets) +
         heap_bytes(operands) + heap_bytes(static_features) + heap_bytes(tile_features) +
         layouts.bytes() + heap_bytes(times_ns) + heap_bytes(analytical_ns) + heap_bytes(estimates);
}

}  // namespace hloscope::predict
