#include "core/analysis/shape_sizes.h"

#include <algorithm>
#include <cmath>

#include "core/hlo/tpu_layout.h"

namespace hloscope::analysis {

namespace {

constexpr double kPointerBytes = 8;
constexpr double kDimensionBytes = 4;

bool is_dynamic(const hlo::Shape& shape) {
  const auto unbounded = [](int64_t d) { return d == hlo::kUnboundedSize; };
  return std::find(shape.dynamic_dimensions.begin(), shape.dynamic_dimensions.end(), true) !=
             shape.dynamic_dimensions.end() ||
         std::any_of(shape.dimensions.begin(), shape.dimensions.end(), unbounded);
}

double element_count(const hlo::Shape& shape) {
  double count = 1;
  for (int64_t d : shape.dimensions) count *= static_cast<double>(std::max<int64_t>(d, 0));
  return count;
}

ShapeSize array_size(const hlo::Shape& shape) {
  ShapeSize size;
  size.elements = element_count(shape);
  const bool packed = shape.layout.element_size_in_bits > 0;
  const int bits = packed ? hlo::element_bits(shape) : 8 * ((hlo::element_bits(shape) + 7) / 8);
  size.whole.plain = std::ceil(size.elements * bits / 8);
  size.whole.padded = hlo::padded_bytes(shape);
  if (is_dynamic(shape)) {
    size.whole.plain += kDimensionBytes * static_cast<double>(shape.rank());
  }
  size.leaves = size.whole;
  size.leaf_elements = size.elements;
  return size;
}

ShapeSize size_of(const hlo::Shape& shape, const IndexedVector<hlo::ShapeId, ShapeSize>& known) {
  if (shape.is_array()) return array_size(shape);
  ShapeSize size;
  if (shape.is_opaque()) size.whole = size.leaves = {kPointerBytes, kPointerBytes};
  if (shape.is_buffer()) return known[shape.elements.front()];
  if (!shape.is_tuple()) return size;
  const double table = kPointerBytes * static_cast<double>(shape.elements.size());
  size.whole = {table, table};
  for (hlo::ShapeId element : shape.elements) {
    size.leaves += known[element].leaves;
    size.leaf_elements += known[element].leaf_elements;
  }
  return size;
}

}  // namespace

IndexedVector<hlo::ShapeId, ShapeSize> shape_sizes(const hlo::ShapeTable& shapes) {
  IndexedVector<hlo::ShapeId, ShapeSize> sizes;
  sizes.reserve(shapes.size());
  // The elements of a tuple are interned before the tuple itself.
  for (size_t i = 0; i < shapes.size(); ++i)
    sizes.push_back(size_of(shapes[hlo::ShapeId(i)], sizes));
  return sizes;
}

}  // namespace hloscope::analysis
