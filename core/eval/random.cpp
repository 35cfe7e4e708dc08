#include <fmt/format.h>

#include "core/eval/evaluate.h"

namespace hloscope::eval {

namespace {

Scalar random_element(hlo::PrimitiveType type, Rng& rng) {
  const auto number = [&rng] { return rng.uniform() * 4 - 2; };
  switch (domain(type)) {
    case Domain::kFloat:
      return fitted(type, Scalar::of(number()));
    case Domain::kComplex: {
      const double re = number();
      return fitted(type, Scalar::of(std::complex<double>(re, number())));
    }
    case Domain::kInteger:
      break;
  }
  if (type == hlo::PrimitiveType::kPred) return Scalar::of(static_cast<int64_t>(rng.below(2)));
  const bool is_signed = hlo::info(type).type_class == hlo::TypeClass::kSigned;
  // Types of fewer bits wrap around.
  return fitted(type, Scalar::of(static_cast<int64_t>(rng.below(16)) - (is_signed ? 8 : 0)));
}

Error too_large(int64_t count, int64_t most) {
  Error error;
  error.code = ErrorCode::kUnsupported;
  error.message =
      fmt::format("arguments of {} elements are too large, the limit is {}", count, most);
  return error;
}

Result<Value> random_value(const hlo::ShapeTable& shapes, hlo::ShapeId id, Rng& rng) {
  const hlo::Shape& shape = shapes[id];
  if (shape.is_token()) return Value();
  if (shape.is_tuple()) {
    std::vector<Value> elements;
    for (const hlo::ShapeId element : shape.elements) {
      HLOSCOPE_ASSIGN(Value value, random_value(shapes, element, rng));
      elements.push_back(std::move(value));
    }
    return Value::tuple(std::move(elements));
  }
  bool good = shape.is_array() && is_supported(shape.element_type);
  for (size_t d = 0; d < shape.rank(); ++d) good = good && !shape.is_dynamic(d);
  if (!good) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("an argument of type {} cannot be made", shapes.text(id, false)));
  }
  Array array{shape.element_type, shape.dimensions, {}};
  array.elements.resize(static_cast<size_t>(element_count(shape.dimensions)));
  for (Scalar& element : array.elements) element = random_element(array.type, rng);
  return Value(std::move(array));
}

}  // namespace

Result<Value> random_argument(const hlo::ShapeTable& shapes, hlo::ShapeId shape, Rng& rng,
                              int64_t max_elements) {
  const int64_t count = element_count(shapes, shape);
  if (count > max_elements) return fail(too_large(count, max_elements));
  return random_value(shapes, shape, rng);
}

Result<std::vector<Value>> random_arguments(const hlo::Program& program, Rng& rng,
                                            int64_t max_elements) {
  std::vector<Value> out;
  int64_t left = max_elements;
  for (const hlo::InstructionId parameter : program.parameters(program.entry())) {
    HLOSCOPE_ASSIGN(Value value,
                    random_argument(program.shapes(), program[parameter].shape, rng, left));
    left -= value.element_count();
    out.push_back(std::move(value));
  }
  return out;
}

}  // namespace hloscope::eval
