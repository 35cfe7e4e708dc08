#include "core/eval/op_call.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/hlo/structure_calls.h"

namespace hloscope::eval {

namespace {

std::string operations_hint(int64_t all) {
  return fmt::format("the limit is {} operations on elements: a smaller program, or a higher limit",
                     all);
}

// The scalars that a value holds: itself, or the elements of a flat tuple.
Status scalars_of(const Value& value, std::span<Scalar> out) {
  if (value.is_array() && value.array().dimensions.empty() && out.size() == 1) {
    out[0] = value.array().elements[0];
    return {};
  }
  if (value.is_tuple() && value.elements().size() == out.size()) {
    for (size_t i = 0; i < out.size(); ++i) {
      HLOSCOPE_TRY(scalars_of(value.elements()[i], out.subspan(i, 1)));
    }
    return {};
  }
  return fail(ErrorCode::kInvalidInput, "a computation does not give the scalars that it should");
}

}  // namespace

Status Budget::spend(int64_t operations) {
  if (operations > operations_) {
    operations_ = 0;
    return fail(ErrorCode::kUnsupported, "the program takes too many operations to be evaluated",
                operations_hint(all_operations_));
  }
  operations_ -= operations;
  since_poll_ += operations;
  if (since_poll_ < kBetweenPolls) return {};
  since_poll_ = 0;
  if (progress_.stop_requested()) return fail(ErrorCode::kCancelled, "the evaluation was stopped");
  progress_.report(1 - static_cast<double>(operations_) / static_cast<double>(all_operations_),
                   "evaluating");
  return {};
}

Status Budget::check(double operations) const {
  if (operations <= static_cast<double>(operations_)) return {};
  return fail(ErrorCode::kUnsupported,
              fmt::format("an instruction takes {:.3g} operations, more than are left of the limit",
                          operations),
              operations_hint(all_operations_));
}

Status Budget::hold(int64_t elements) {
  if (elements > all_elements_ - elements_) {
    return fail(ErrorCode::kUnsupported, "the arrays of the program are too large to be evaluated",
                fmt::format("the limit is {} elements at a time", all_elements_));
  }
  elements_ += elements;
  return {};
}

Result<const Array*> OpCall::array(size_t i) const {
  if (i >= operands_.size() || !operands_[i].is_array()) {
    return fail(invalid(fmt::format("needs an array as operand {}", i)));
  }
  return &operands_[i].array();
}

Result<int64_t> OpCall::integer(size_t i, size_t element) const {
  HLOSCOPE_ASSIGN(const Array* from, array(i));
  if (domain(from->type) != Domain::kInteger || element >= from->elements.size()) {
    return fail(invalid(fmt::format("needs an integer as operand {}", i)));
  }
  const int64_t value = from->elements[element].i;
  // Indices of u64 beyond int64 are beyond every array.
  const bool wraps = from->type == hlo::PrimitiveType::kU64 && value < 0;
  return wraps ? INT64_MAX : value;
}

Result<Array> OpCall::new_array(hlo::ShapeId id) const {
  const hlo::Shape& shape = program_.shape(id);
  if (!shape.is_array() || !is_supported(shape.element_type)) {
    return fail(unsupported(fmt::format("gives {}", program_.shapes().text(id, false))));
  }
  const bool is_dynamic =
      std::find(shape.dynamic_dimensions.begin(), shape.dynamic_dimensions.end(), true) !=
      shape.dynamic_dimensions.end();
  if (is_dynamic) return fail(unsupported("has a dynamic size"));
  const int64_t count = element_count(shape.dimensions);
  HLOSCOPE_TRY(budget_.spend(count));
  HLOSCOPE_TRY(budget_.hold(count));
  budget_.release(count);  // Held by the frame once it is a value.
  Array out{shape.element_type, shape.dimensions, {}};
  out.elements.resize(static_cast<size_t>(count));
  return out;
}

Result<std::vector<Array>> OpCall::new_arrays() const {
  std::vector<Array> out;
  if (!shape().is_tuple()) {
    HLOSCOPE_ASSIGN(Array array, new_array());
    out.push_back(std::move(array));
    return out;
  }
  for (const hlo::ShapeId element : shape().elements) {
    HLOSCOPE_ASSIGN(Array array, new_array(element));
    out.push_back(std::move(array));
  }
  return out;
}

Value OpCall::value_of(std::vector<Array> arrays) const {
  if (!shape().is_tuple() && arrays.size() == 1) return Value(std::move(arrays[0]));
  std::vector<Value> elements;
  for (Array& array : arrays) elements.emplace_back(std::move(array));
  return Value::tuple(std::move(elements));
}

Result<ScalarFunction> OpCall::function(hlo::AttrKey key) const {
  const hlo::ComputationId id = program_.computation(id_, key);
  if (!id.valid()) return fail(invalid(fmt::format("has no {}", name(key))));
  if (auto flat = ScalarFunction::compile(program_, id)) return std::move(*flat);
  const hlo::Shape& root = program_.shape(program_[id].root);
  const size_t results = root.is_tuple() ? root.elements.size() : 1;
  std::vector<hlo::PrimitiveType> types;
  for (const hlo::InstructionId parameter : program_.parameters(id)) {
    const hlo::Shape& shape = program_.shape(parameter);
    if (!shape.is_array() || shape.rank() != 0) {
      return fail(invalid("applies a computation whose parameters are no scalars"));
    }
    types.push_back(shape.element_type);
  }
  const auto run = [this, id, types](std::span<const Scalar> in, std::span<Scalar> out) -> Status {
    std::vector<Value> arguments;
    for (size_t i = 0; i < types.size(); ++i) arguments.emplace_back(Array{types[i], {}, {in[i]}});
    HLOSCOPE_ASSIGN(const Value value, run_(id, arguments));
    return scalars_of(value, out);
  };
  return ScalarFunction::general(results, 1, run);
}

Error OpCall::invalid(const std::string& what) const {
  return hlo::structure_error(
      program_, id_, fmt::format("{} \"{}\" {}", name(opcode()), program_[id_].name, what));
}

Error OpCall::unsupported(const std::string& what) const {
  Error error = invalid(what);
  error.code = ErrorCode::kUnsupported;
  error.hint = "this cannot be evaluated";
  return error;
}

Status OpCall::require(bool good, const char* what) const {
  if (good) return {};
  return fail(invalid(what));
}

}  // namespace hloscope::eval
