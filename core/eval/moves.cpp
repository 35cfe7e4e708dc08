#include <algorithm>

#include "core/eval/ops.h"

namespace hloscope::eval {

namespace {

using hlo::AttrKey;

Status check_same_type(const OpCall& call, const Array& from, const Array& to) {
  return call.require(from.type == to.type, "changes the type of its operand");
}

// The dimensions of an array as they follow each other in memory.
Dims physical(const Dims& dimensions, const hlo::Layout& layout) {
  Dims out;
  for (size_t i = dimensions.size(); i-- > 0;) {
    out.push_back(dimensions[at(layout.minor_to_major[i])]);
  }
  return out;
}

// The elements of an array in the order of memory, or (`back`) the other way round.
void reorder(const std::vector<Scalar>& from, std::vector<Scalar>& to, const hlo::Shape& shape,
             bool back) {
  Dims logical(shape.rank(), 0);
  for (IndexWalk walk(physical(shape.dimensions, shape.layout)); !walk.done(); walk.next()) {
    for (size_t k = 0; k < logical.size(); ++k) {
      logical[at(shape.layout.minor_to_major[logical.size() - 1 - k])] = walk.index()[k];
    }
    const size_t position = *position_of(shape.dimensions, logical);
    if (back) {
      to[position] = from[walk.position()];
    } else {
      to[walk.position()] = from[position];
    }
  }
}

// Elements of one width as elements of another: the first has the lowest bits.
Status change_width(const OpCall& call, const Array& from, Array& to) {
  const int in = hlo::info(from.type).bits;
  const int out = hlo::info(to.type).bits;
  if (in > 64 || out > 64) return fail(call.unsupported("has elements of more than 64 bits"));
  const auto in_bits = static_cast<int64_t>(from.elements.size()) * in;
  HLOSCOPE_TRY(call.require(
      in_bits == static_cast<int64_t>(to.elements.size()) * out && (in % out == 0 || out % in == 0),
      "has a result of another size than its operand"));
  const auto wide = static_cast<size_t>(std::max(in, out) / std::min(in, out));
  for (size_t i = 0; i < to.elements.size(); ++i) {
    uint64_t bits = 0;
    if (out >= in) {
      for (size_t k = 0; k < wide; ++k) {
        bits |= to_bits(from.type, from.elements[i * wide + k]) << (k * static_cast<size_t>(in));
      }
    } else {
      bits = to_bits(from.type, from.elements[i / wide]) >> (i % wide * static_cast<size_t>(out));
    }
    to.elements[i] = from_bits(to.type, bits);
  }
  return {};
}

// Whether `small` with one more minor dimension of `ratio` is `large`.
bool is_split_of(const Dims& small, const Dims& large, int64_t ratio) {
  return large.size() == small.size() + 1 && large.back() == ratio &&
         std::equal(small.begin(), small.end(), large.begin());
}

}  // namespace

Result<Value> bitcast(const OpCall& call) {
  HLOSCOPE_ASSIGN(const Array* from, call.array(0));
  HLOSCOPE_ASSIGN(Array out, call.new_array());
  const hlo::Shape& source = call.program().shape(call.program().operands(call.id())[0]);
  Array in_memory{from->type, {}, std::vector<Scalar>(from->elements.size())};
  reorder(from->elements, in_memory.elements, source, false);
  Array changed{out.type, {}, std::vector<Scalar>(out.elements.size())};
  if (from->type == out.type) {
    HLOSCOPE_TRY(call.require(from->elements.size() == out.elements.size(),
                              "has a result of another size than its operand"));
    changed.elements = std::move(in_memory.elements);
  } else {
    HLOSCOPE_TRY(change_width(call, in_memory, changed));
  }
  reorder(changed.elements, out.elements, call.shape(), true);
  return Value(std::move(out));
}

Result<Value> bitcast_convert(const OpCall& call) {
  HLOSCOPE_ASSIGN(const Array* from, call.array(0));
  HLOSCOPE_ASSIGN(Array out, call.new_array());
  const int in_bits = hlo::info(from->type).bits;
  const int out_bits = hlo::info(out.type).bits;
  const bool fits = in_bits == out_bits ? from->dimensions == out.dimensions
                    : in_bits > out_bits
                        ? is_split_of(from->dimensions, out.dimensions, in_bits / out_bits)
                        : is_split_of(out.dimensions, from->dimensions, out_bits / in_bits);
  HLOSCOPE_TRY(call.require(fits, "has a shape that does not fit its operand"));
  if (from->type == out.type) return call.operand(0);
  HLOSCOPE_TRY(change_width(call, *from, out));
  return Value(std::move(out));
}

Result<Value> broadcast(const OpCall& call) {
  HLOSCOPE_ASSIGN(const Array* from, call.array(0));
  HLOSCOPE_ASSIGN(Array out, call.new_array());
  HLOSCOPE_TRY(check_same_type(call, *from, out));
  const auto dims = call.ints(AttrKey::kDimensions);
  bool fits = dims.size() == from->dimensions.size() && are_dimensions(dims, out.dimensions.size());
  for (size_t d = 0; fits && d < dims.size(); ++d) {
    fits = from->dimensions[d] == out.dimensions[at(dims[d])];
  }
  HLOSCOPE_TRY(call.require(fits, "has dimensions that do not fit its operand"));
  HLOSCOPE_TRY(remap(call, *from, out, [&](const Dims& index, Dims& source) {
    for (size_t d = 0; d < dims.size(); ++d) source[d] = index[at(dims[d])];
  }));
  return Value(std::move(out));
}

Result<Value> concatenate(const OpCall& call) {
  HLOSCOPE_ASSIGN(Array out, call.new_array());
  const auto dims = call.ints(AttrKey::kDimensions);
  HLOSCOPE_TRY(call.require(dims.size() == 1 && are_dimensions(dims, out.dimensions.size()),
                            "has a dimension that its operands do not have"));
  const size_t along = at(dims[0]);
  int64_t offset = 0;
  for (size_t k = 0; k < call.operands().size(); ++k) {
    HLOSCOPE_ASSIGN(const Array* from, call.array(k));
    HLOSCOPE_TRY(check_same_type(call, *from, out));
    HLOSCOPE_TRY(call.require(from->dimensions.size() == out.dimensions.size(),
                              "has operands of different ranks"));
    for (IndexWalk walk(from->dimensions); !walk.done(); walk.next()) {
      Dims index = walk.index();
      index[along] += offset;
      const auto position = position_of(out.dimensions, index);
      HLOSCOPE_TRY(call.require(position.has_value(), "has a result too small for its operands"));
      out.elements[*position] = from->elements[walk.position()];
    }
    offset += from->dimensions[along];
  }
  HLOSCOPE_TRY(call.require(offset == out.dimensions[along], "has a result of another size"));
  return Value(std::move(out));
}

Result<Value> iota(const OpCall& call) {
  HLOSCOPE_ASSIGN(Array out, call.new_array());
  const int64_t along = call.program().integer(call.id(), AttrKey::kIotaDimension).value_or(0);
  HLOSCOPE_TRY(call.require(along >= 0 && at(along) < out.dimensions.size(),
                            "counts along a dimension that it does not have"));
  for (IndexWalk walk(out.dimensions); !walk.done(); walk.next()) {
    out.elements[walk.position()] =
        converted(hlo::PrimitiveType::kS64, out.type, Scalar::of(walk.index()[at(along)]));
  }
  return Value(std::move(out));
}

Result<Value> reshape(const OpCall& call) {
  HLOSCOPE_ASSIGN(const Array* from, call.array(0));
  HLOSCOPE_ASSIGN(Array out, call.new_array());
  HLOSCOPE_TRY(check_same_type(call, *from, out));
  HLOSCOPE_TRY(call.require(from->elements.size() == out.elements.size(),
                            "has a result of another size than its operand"));
  out.elements = from->elements;
  return Value(std::move(out));
}

Result<Value> reverse(const OpCall& call) {
  HLOSCOPE_ASSIGN(const Array* from, call.array(0));
  HLOSCOPE_ASSIGN(Array out, call.new_array());
  HLOSCOPE_TRY(check_same_type(call, *from, out));
  const auto dims = call.ints(AttrKey::kDimensions);
  HLOSCOPE_TRY(call.require(
      from->dimensions == out.dimensions && are_dimensions(dims, out.dimensions.size()),
      "has dimensions that do not fit its operand"));
  HLOSCOPE_TRY(remap(call, *from, out, [&](const Dims& index, Dims& source) {
    source = index;
    for (const int64_t d : dims) source[at(d)] = out.dimensions[at(d)] - 1 - index[at(d)];
  }));
  return Value(std::move(out));
}

Result<Value> slice(const OpCall& call) {
  HLOSCOPE_ASSIGN(const Array* from, call.array(0));
  HLOSCOPE_ASSIGN(Array out, call.new_array());
  HLOSCOPE_TRY(check_same_type(call, *from, out));
  const auto ints = call.ints(AttrKey::kSlice);
  bool fits =
      ints.size() == 3 * out.dimensions.size() && from->dimensions.size() == out.dimensions.size();
  for (size_t d = 0; fits && d < out.dimensions.size(); ++d) {
    const int64_t* s = &ints[3 * d];
    fits = s[0] >= 0 && s[1] >= s[0] && s[1] <= from->dimensions[d] && s[2] > 0 &&
           (s[1] - s[0]) / s[2] + ((s[1] - s[0]) % s[2] != 0 ? 1 : 0) == out.dimensions[d];
  }
  HLOSCOPE_TRY(call.require(fits, "has bounds that do not fit its operand and its result"));
  HLOSCOPE_TRY(remap(call, *from, out, [&](const Dims& index, Dims& source) {
    for (size_t d = 0; d < index.size(); ++d) source[d] = ints[3 * d] + index[d] * ints[3 * d + 2];
  }));
  return Value(std::move(out));
}

Result<Value> transpose(const OpCall& call) {
  HLOSCOPE_ASSIGN(const Array* from, call.array(0));
  HLOSCOPE_ASSIGN(Array out, call.new_array());
  HLOSCOPE_TRY(check_same_type(call, *from, out));
  const auto dims = call.ints(AttrKey::kDimensions);
  bool fits = dims.size() == out.dimensions.size() && from->dimensions.size() == dims.size() &&
              are_dimensions(dims, dims.size());
  for (size_t d = 0; fits && d < dims.size(); ++d) {
    fits = out.dimensions[d] == from->dimensions[at(dims[d])];
  }
  HLOSCOPE_TRY(call.require(fits, "has dimensions that do not fit its operand"));
  HLOSCOPE_TRY(remap(call, *from, out, [&](const Dims& index, Dims& source) {
    for (size_t d = 0; d < dims.size(); ++d) source[at(dims[d])] = index[d];
  }));
  return Value(std::move(out));
}

}  // namespace hloscope::eval
