#include <algorithm>

#include "core/hlo/inferrer.h"
#include "core/hlo/parse_shape.h"

namespace hloscope::hlo {

namespace {

PrimitiveType real_part(PrimitiveType type) {
  if (type == PrimitiveType::kC64) return PrimitiveType::kF32;
  if (type == PrimitiveType::kC128) return PrimitiveType::kF64;
  return type;
}

}  // namespace

ShapeId Inferrer::array(PrimitiveType type, Dims dims, std::vector<bool> dynamic) {
  Shape result;
  result.element_type = type;
  result.has_layout = true;
  result.dimensions = std::move(dims);
  if (std::find(dynamic.begin(), dynamic.end(), true) != dynamic.end()) {
    result.dynamic_dimensions = std::move(dynamic);
  }
  set_default_layout(result);
  return builder_.shapes().intern(std::move(result));
}

ShapeId Inferrer::tuple(std::vector<ShapeId> elements) {
  Shape result;
  result.element_type = PrimitiveType::kTuple;
  result.elements = std::move(elements);
  return builder_.shapes().intern(std::move(result));
}

ShapeId Inferrer::with_type(size_t operand, PrimitiveType type) {
  return array(type, shape(operand).dimensions, shape(operand).dynamic_dimensions);
}

ShapeId Inferrer::one_or_tuple(std::vector<ShapeId> shapes) {
  if (shapes.empty()) return {};
  return shapes.size() == 1 ? shapes[0] : tuple(std::move(shapes));
}

std::span<const int64_t> Inferrer::ints(AttrKey key) const {
  const Attribute* attribute = rhs_.attributes.find(key);
  return attribute == nullptr ? std::span<const int64_t>() : builder_.pool(*attribute);
}

int64_t Inferrer::integer(AttrKey key, int64_t absent) const {
  const Attribute* attribute = rhs_.attributes.find(key);
  return attribute == nullptr ? absent : attribute->integer();
}

std::string_view Inferrer::text(AttrKey key) const {
  const Attribute* attribute = rhs_.attributes.find(key);
  return attribute == nullptr ? std::string_view() : attribute->text();
}

ShapeId Inferrer::root_of(AttrKey key) const {
  const std::span<const int64_t> ids = ints(key);
  if (ids.empty()) return {};
  const ComputationId id(static_cast<uint32_t>(ids[0]));
  return builder_.instruction(builder_.computation(id).root).shape;
}

ShapeId Inferrer::unary() {
  const PrimitiveType type = shape(0).element_type;
  switch (rhs_.opcode) {
    case Opcode::kAbs:
    case Opcode::kReal:
    case Opcode::kImag:
      return with_type(0, real_part(type));
    case Opcode::kIsFinite:
      return with_type(0, PrimitiveType::kPred);
    default:
      return operands_[0];
  }
}

// Scalars and dimensions of size 1 stretch here; the verifier refuses the result later.
ShapeId Inferrer::binary(PrimitiveType type) {
  const Shape& left = shape(0);
  const Shape& right = shape(1);
  if (!left.is_array() || !right.is_array()) return {};
  const bool both_float = is_floating(left.element_type) && is_floating(right.element_type);
  if (left.element_type != right.element_type && !both_float) return {};
  if (left.rank() == 0) return array(type, right.dimensions, right.dynamic_dimensions);
  if (right.rank() == 0) return array(type, left.dimensions, left.dynamic_dimensions);
  if (left.rank() != right.rank()) return {};
  Dims dims;
  std::vector<bool> dynamic;
  for (size_t i = 0; i < left.rank(); ++i) {
    const int64_t a = left.dimensions[i];
    const int64_t b = right.dimensions[i];
    if (a != b && a != 1 && b != 1) return {};
    dims.push_back(a == 1 ? b : a);
    dynamic.push_back(left.is_dynamic(i) || right.is_dynamic(i));
  }
  return array(type, std::move(dims), std::move(dynamic));
}

ShapeId Inferrer::get_tuple_element() {
  const auto index = static_cast<size_t>(rhs_.attributes.index);
  if (!shape(0).is_tuple() || index >= shape(0).elements.size()) return {};
  return shape(0).elements[index];
}

ShapeId Inferrer::transpose() {
  const Shape& operand = shape(0);
  const std::span<const int64_t> order = ints(AttrKey::kDimensions);
  if (order.size() != operand.rank()) return {};
  Dims dims;
  std::vector<bool> dynamic;
  for (const int64_t from : order) {
    if (from < 0 || static_cast<size_t>(from) >= operand.rank()) return {};
    dims.push_back(operand.dimensions[static_cast<size_t>(from)]);
    dynamic.push_back(operand.is_dynamic(static_cast<size_t>(from)));
  }
  return array(operand.element_type, std::move(dims), std::move(dynamic));
}

// XLA takes the dimensions as new leading sizes when it infers the shape of a broadcast.
ShapeId Inferrer::broadcast() {
  if (!shape(0).is_array()) return {};
  const std::span<const int64_t> sizes = ints(AttrKey::kDimensions);
  Dims dims(sizes.begin(), sizes.end());
  if (std::any_of(dims.begin(), dims.end(), [](int64_t size) { return size < 0; })) return {};
  std::vector<bool> dynamic(dims.size(), false);
  for (size_t i = 0; i < shape(0).rank(); ++i) {
    dims.push_back(shape(0).dimensions[i]);
    dynamic.push_back(shape(0).is_dynamic(i));
  }
  return array(shape(0).element_type, std::move(dims), std::move(dynamic));
}

ShapeId Inferrer::concatenate() {
  const std::span<const int64_t> dimensions = ints(AttrKey::kDimensions);
  if (operands_.empty() || dimensions.size() != 1) return {};
  const auto axis = static_cast<size_t>(dimensions[0]);
  Dims dims = shape(0).dimensions;
  if (axis >= dims.size()) return {};
  for (size_t i = 1; i < operands_.size(); ++i) {
    if (shape(i).rank() != dims.size()) return {};
    if (__builtin_add_overflow(dims[axis], shape(i).dimensions[axis], &dims[axis])) return {};
  }
  return array(shape(0).element_type, std::move(dims));
}

ShapeId Inferrer::pad() {
  const std::span<const int64_t> padding = ints(AttrKey::kPadding);
  Dims dims = shape(0).dimensions;
  if (padding.size() != 3 * dims.size()) return {};
  for (size_t i = 0; i < dims.size(); ++i) {
    int64_t inner = 0;
    const int64_t gaps = std::max<int64_t>(dims[i] - 1, 0);
    const bool overflow = __builtin_mul_overflow(gaps, padding[3 * i + 2], &inner) ||
                          __builtin_add_overflow(dims[i], inner, &dims[i]) ||
                          __builtin_add_overflow(dims[i], padding[3 * i], &dims[i]) ||
                          __builtin_add_overflow(dims[i], padding[3 * i + 1], &dims[i]);
    if (overflow || dims[i] < 0) return {};
  }
  return array(shape(0).element_type, std::move(dims), shape(0).dynamic_dimensions);
}

ShapeId Inferrer::set_dimension_size() {
  const std::span<const int64_t> dimensions = ints(AttrKey::kDimensions);
  if (dimensions.size() != 1) return {};
  const auto axis = static_cast<size_t>(dimensions[0]);
  if (axis >= shape(0).rank()) return {};
  std::vector<bool> dynamic(shape(0).rank(), false);
  for (size_t i = 0; i < dynamic.size(); ++i) dynamic[i] = i == axis || shape(0).is_dynamic(i);
  return array(shape(0).element_type, shape(0).dimensions, std::move(dynamic));
}

ShapeId Inferrer::structural() {
  switch (rhs_.opcode) {
    case Opcode::kTuple:
      return tuple({operands_.begin(), operands_.end()});
    case Opcode::kGetTupleElement:
      return get_tuple_element();
    case Opcode::kTranspose:
      return transpose();
    case Opcode::kBroadcast:
      return broadcast();
    case Opcode::kConcatenate:
      return concatenate();
    case Opcode::kPad:
      return pad();
    case Opcode::kSetDimensionSize:
      return set_dimension_size();
    case Opcode::kGetDimensionSize:
      return array(PrimitiveType::kS32, {});
    case Opcode::kPartitionId:
    case Opcode::kReplicaId:
      return array(PrimitiveType::kU32, {});
    case Opcode::kCall:
      return root_of(AttrKey::kToApply);
    case Opcode::kConditional:
      return rhs_.attributes.seen.has(AttrKey::kBranchComputations)
                 ? root_of(AttrKey::kBranchComputations)
                 : root_of(AttrKey::kTrueComputation);
    case Opcode::kMap: {
      const ShapeId root = root_of(AttrKey::kToApply);
      if (!root.valid() || operands_.empty()) return {};
      if (ints(AttrKey::kDimensions).size() != shape(0).rank()) return {};
      return with_type(0, builder_.shapes()[root].element_type);
    }
    case Opcode::kSort:
      return one_or_tuple({operands_.begin(), operands_.end()});
    default:
      return work();
  }
}

ShapeId Inferrer::infer() {
  const OpcodeInfo& about = info(rhs_.opcode);
  if (!about.shape_may_be_omitted ||
      operands_.size() < static_cast<size_t>(std::max(0, about.arity)))
    return {};
  switch (rhs_.opcode) {
    case Opcode::kCompare:
      return binary(PrimitiveType::kPred);
    case Opcode::kComplex: {
      const PrimitiveType part = shape(0).element_type;
      if (part != PrimitiveType::kF32 && part != PrimitiveType::kF64) return {};
      return binary(part == PrimitiveType::kF32 ? PrimitiveType::kC64 : PrimitiveType::kC128);
    }
    case Opcode::kTriangularSolve:
      return text(AttrKey::kTransposeA).empty() ? ShapeId() : operands_[1];
    case Opcode::kClamp:
    case Opcode::kSelect:
      return operands_[1];
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
    case Opcode::kNot:
      if (is_floating(shape(0).element_type) || is_complex(shape(0).element_type)) return {};
      break;
    case Opcode::kCopy:
    case Opcode::kDomain:
    case Opcode::kReverse:
    case Opcode::kCholesky:
    case Opcode::kWhile:
    case Opcode::kSelectAndScatter:
    case Opcode::kBatchNormInference:
      return operands_[0];
    case Opcode::kOptBarrier:
      return {};
    default:
      break;
  }
  if (about.op_class == OpClass::kElementwise && about.arity == 1) return unary();
  if (about.op_class == OpClass::kElementwise && about.arity == 2) {
    return binary(shape(0).element_type);
  }
  return structural();
}

}  // namespace hloscope::hlo
