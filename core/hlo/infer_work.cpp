#include <algorithm>

#include "core/hlo/inferrer.h"

namespace hloscope::hlo {

namespace {

bool contains(std::span<const int64_t> list, size_t value) {
  return std::find(list.begin(), list.end(), static_cast<int64_t>(value)) != list.end();
}

// Output positions of a window; -1 when it does not fit.
int64_t window_positions(int64_t size, std::span<const int64_t> w) {
  const auto dilated = [](int64_t n, int64_t dilation, int64_t& out) {
    if (n == 0) {
      out = 0;
      return true;
    }
    return !__builtin_mul_overflow(n - 1, dilation, &out) && !__builtin_add_overflow(out, 1, &out);
  };
  int64_t base = 0;
  int64_t window = 0;
  const bool good = dilated(size, w[4], base) && dilated(w[0], w[5], window) && w[1] > 0 &&
                    !__builtin_add_overflow(base, w[2], &base) &&
                    !__builtin_add_overflow(base, w[3], &base);
  if (!good) return -1;
  return base < window || window == 0 ? 0 : (base - window) / w[1] + 1;
}

// Whether the listed dimensions of two operands exist and pair up.
bool same_sizes(const Shape& lhs, std::span<const int64_t> lhs_dims, const Shape& rhs,
                std::span<const int64_t> rhs_dims) {
  if (lhs_dims.size() != rhs_dims.size()) return false;
  const auto size_of = [](const Shape& shape, int64_t d) {
    return d < 0 || static_cast<size_t>(d) >= shape.rank()
               ? int64_t{-1}
               : shape.dimensions[static_cast<size_t>(d)];
  };
  for (size_t i = 0; i < lhs_dims.size(); ++i) {
    const int64_t size = size_of(lhs, lhs_dims[i]);
    if (size == -1 || size != size_of(rhs, rhs_dims[i])) return false;
  }
  return true;
}

}  // namespace

ShapeId Inferrer::dot() {
  if (!same_sizes(shape(0), ints(AttrKey::kLhsContractingDims), shape(1),
                  ints(AttrKey::kRhsContractingDims)) ||
      !same_sizes(shape(0), ints(AttrKey::kLhsBatchDims), shape(1), ints(AttrKey::kRhsBatchDims))) {
    return {};
  }
  Dims dims;
  const std::span<const int64_t> lhs_batch = ints(AttrKey::kLhsBatchDims);
  for (const int64_t d : lhs_batch) {
    if (d < 0 || static_cast<size_t>(d) >= shape(0).rank()) return {};
    dims.push_back(shape(0).dimensions[static_cast<size_t>(d)]);
  }
  const auto add_free = [&dims](const Shape& side, std::span<const int64_t> batch,
                                std::span<const int64_t> contracting) {
    for (size_t i = 0; i < side.rank(); ++i) {
      if (!contains(batch, i) && !contains(contracting, i)) dims.push_back(side.dimensions[i]);
    }
  };
  add_free(shape(0), lhs_batch, ints(AttrKey::kLhsContractingDims));
  add_free(shape(1), ints(AttrKey::kRhsBatchDims), ints(AttrKey::kRhsContractingDims));
  return array(shape(0).element_type, std::move(dims));
}

// By where the ragged dimension lies: among the free ones the group dimension of rhs disappears,
// among the contracting ones a group dimension is put in front.
ShapeId Inferrer::ragged_dot() {
  const std::span<const int64_t> ragged = ints(AttrKey::kLhsRaggedDims);
  if (ragged.size() != 1 || shape(2).rank() == 0) return {};
  const auto axis = static_cast<size_t>(ragged[0]);
  const std::span<const int64_t> lhs_batch = ints(AttrKey::kLhsBatchDims);
  const std::span<const int64_t> contracting = ints(AttrKey::kLhsContractingDims);
  Dims dims;
  if (contains(contracting, axis)) dims.push_back(shape(2).dimensions.back());
  for (const int64_t d : lhs_batch) {
    if (d < 0 || static_cast<size_t>(d) >= shape(0).rank()) return {};
    dims.push_back(shape(0).dimensions[static_cast<size_t>(d)]);
  }
  for (size_t i = 0; i < shape(0).rank(); ++i) {
    if (!contains(lhs_batch, i) && !contains(contracting, i)) {
      dims.push_back(shape(0).dimensions[i]);
    }
  }
  for (size_t i = 0; i < shape(1).rank(); ++i) {
    if (!contains(ints(AttrKey::kRhsBatchDims), i) &&
        !contains(ints(AttrKey::kRhsContractingDims), i) &&
        !contains(ints(AttrKey::kRhsGroupDims), i)) {
      dims.push_back(shape(1).dimensions[i]);
    }
  }
  return array(shape(0).element_type, std::move(dims));
}

ShapeId Inferrer::convolution() {
  const std::string_view labels = text(AttrKey::kDimLabels);
  const size_t underscore = labels.find('_');
  const size_t arrow = labels.find("->");
  if (underscore == std::string_view::npos || arrow == std::string_view::npos) return {};
  const std::string_view lhs = labels.substr(0, underscore);
  const std::string_view rhs = labels.substr(underscore + 1, arrow - underscore - 1);
  const std::string_view out = labels.substr(arrow + 2);
  const std::span<const int64_t> window = ints(AttrKey::kWindow);
  if (operands_.size() < 2 || shape(0).rank() != lhs.size() || shape(1).rank() != rhs.size() ||
      out.size() != lhs.size() || window.size() != kWindowInts * (lhs.size() - 2)) {
    return {};
  }
  Dims dims;
  for (const char label : out) {
    const size_t in_lhs = lhs.find(label);
    if (label == 'b') {
      const int64_t groups = std::max<int64_t>(1, integer(AttrKey::kBatchGroupCount, 1));
      dims.push_back(shape(0).dimensions[lhs.find('b')] / groups);
    } else if (label == 'f') {
      dims.push_back(shape(1).dimensions[rhs.find('o')]);
    } else {
      const auto spatial = static_cast<size_t>(label - '0');
      if (in_lhs == std::string_view::npos || kWindowInts * spatial >= window.size()) return {};
      const int64_t size = window_positions(shape(0).dimensions[in_lhs],
                                            window.subspan(kWindowInts * spatial, kWindowInts));
      if (size < 0) return {};
      dims.push_back(size);
    }
  }
  return array(shape(0).element_type, std::move(dims));
}

ShapeId Inferrer::reduce() {
  const size_t inputs = operands_.size() / 2;
  const std::span<const int64_t> reduced = ints(AttrKey::kDimensions);
  if (inputs == 0 || operands_.size() % 2 != 0) return {};
  Dims dims;
  std::vector<bool> dynamic;
  for (size_t i = 0; i < shape(0).rank(); ++i) {
    if (contains(reduced, i)) continue;
    dims.push_back(shape(0).dimensions[i]);
    dynamic.push_back(shape(0).is_dynamic(i));
  }
  std::vector<ShapeId> results;
  for (size_t i = 0; i < inputs; ++i) {
    results.push_back(array(shape(inputs + i).element_type, dims, dynamic));
  }
  return one_or_tuple(std::move(results));
}

ShapeId Inferrer::reduce_window() {
  const std::span<const int64_t> window = ints(AttrKey::kWindow);
  if (operands_.size() != 2 || window.size() != kWindowInts * shape(0).rank()) return {};
  Dims dims;
  for (size_t i = 0; i < shape(0).rank(); ++i) {
    dims.push_back(
        window_positions(shape(0).dimensions[i], window.subspan(kWindowInts * i, kWindowInts)));
    if (dims.back() < 0) return {};
  }
  return array(shape(1).element_type, std::move(dims));
}

ShapeId Inferrer::gather() {
  const std::span<const int64_t> sizes = ints(AttrKey::kSliceSizes);
  const std::span<const int64_t> offsets = ints(AttrKey::kOffsetDims);
  const auto vector_dim = static_cast<size_t>(integer(AttrKey::kIndexVectorDim, 0));
  Dims window;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (!contains(ints(AttrKey::kCollapsedSliceDims), i) &&
        !contains(ints(AttrKey::kOperandBatchingDims), i)) {
      window.push_back(sizes[i]);
    }
  }
  Dims batch;
  for (size_t i = 0; i < shape(1).rank(); ++i) {
    if (i != vector_dim) batch.push_back(shape(1).dimensions[i]);
  }
  if (window.size() != offsets.size()) return {};
  Dims dims;
  size_t next_window = 0;
  size_t next_batch = 0;
  for (size_t i = 0; i < window.size() + batch.size(); ++i) {
    const bool is_offset = contains(offsets, i);
    if (is_offset ? next_window >= window.size() : next_batch >= batch.size()) return {};
    dims.push_back(is_offset ? window[next_window++] : batch[next_batch++]);
  }
  return array(shape(0).element_type, std::move(dims));
}

ShapeId Inferrer::scatter() {
  if (operands_.size() % 2 == 0) return {};
  return one_or_tuple(
      {operands_.begin(), operands_.begin() + static_cast<std::ptrdiff_t>(operands_.size() / 2)});
}

ShapeId Inferrer::fft() {
  const std::string_view kind = text(AttrKey::kFftType);
  const std::span<const int64_t> length = ints(AttrKey::kFftLength);
  Dims dims = shape(0).dimensions;
  if (dims.empty() || length.empty()) return {};
  const PrimitiveType type = shape(0).element_type;
  if (kind == "RFFT") {
    dims.back() = length.back() == 0 ? 0 : length.back() / 2 + 1;
    const bool wide = type == PrimitiveType::kF64;
    return array(wide ? PrimitiveType::kC128 : PrimitiveType::kC64, std::move(dims));
  }
  if (kind == "IRFFT") {
    dims.back() = length.back();
    const bool wide = type == PrimitiveType::kC128;
    return array(wide ? PrimitiveType::kF64 : PrimitiveType::kF32, std::move(dims));
  }
  return operands_[0];
}

ShapeId Inferrer::batch_norm() {
  const auto feature = static_cast<size_t>(integer(AttrKey::kFeatureIndex, 0));
  if (feature >= shape(0).rank()) return {};
  const ShapeId vector = array(shape(0).element_type, {shape(0).dimensions[feature]});
  return tuple({operands_[0], vector, vector});
}

ShapeId Inferrer::topk() {
  Dims dims = shape(0).dimensions;
  if (dims.empty() || integer(AttrKey::kK, 0) > dims.back()) return {};
  dims.back() = integer(AttrKey::kK, 0);
  const ShapeId values = array(shape(0).element_type, dims);
  return tuple({values, array(PrimitiveType::kS32, dims)});
}

// The root of to_apply is (outputs..., carries...); outputs are stacked along the dimension.
ShapeId Inferrer::scan() {
  const ShapeId root = root_of(AttrKey::kToApply);
  const std::span<const int64_t> dimensions = ints(AttrKey::kDimensions);
  if (!root.valid() || !builder_.shapes()[root].is_tuple()) return root;
  if (dimensions.size() != 1 || operands_.empty()) return {};
  const auto axis = static_cast<size_t>(dimensions[0]);
  if (axis >= shape(0).rank()) return {};
  const int64_t length = shape(0).dimensions[axis];
  std::vector<ShapeId> elements = builder_.shapes()[root].elements;
  const auto carries = static_cast<size_t>(integer(AttrKey::kNumCarries, 0));
  for (size_t i = 0; i + carries < elements.size(); ++i) {
    const Shape& output = builder_.shapes()[elements[i]];
    Dims dims = output.dimensions;
    if (axis > dims.size()) return {};
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), length);
    elements[i] = array(output.element_type, std::move(dims));
  }
  return tuple(std::move(elements));
}

ShapeId Inferrer::work() {
  switch (rhs_.opcode) {
    case Opcode::kDot:
    case Opcode::kScaledDot:
      return dot();
    case Opcode::kRaggedDot:
      return ragged_dot();
    case Opcode::kConvolution:
      return convolution();
    case Opcode::kReduce:
      return reduce();
    case Opcode::kReduceWindow:
      return reduce_window();
    case Opcode::kGather:
      return gather();
    case Opcode::kScatter:
      return scatter();
    case Opcode::kFft:
      return fft();
    case Opcode::kBatchNormTraining:
    case Opcode::kBatchNormGrad:
      return batch_norm();
    case Opcode::kTopk:
      return topk();
    case Opcode::kScan:
      return scan();
    default:
      return {};
  }
}

}  // namespace hloscope::hlo
