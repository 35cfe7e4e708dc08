#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/hlo/program_builder.h"
#include "core/hlo/rhs.h"

namespace hloscope::hlo {

/// Works out the result shape of one instruction from its operands. Each rule returns an invalid id
/// when the operands do not fit it. Rules: openxla/xla, xla/service/shape_inference.cc.
class Inferrer {
 public:
  Inferrer(ProgramBuilder& builder, const Rhs& rhs, std::span<const ShapeId> operands)
      : builder_(builder), rhs_(rhs), operands_(operands) {}

  [[nodiscard]] ShapeId infer();

 private:
  using Dims = std::vector<int64_t>;

  // Shapes
  [[nodiscard]] const Shape& shape(size_t operand) const {
    return builder_.shapes()[operands_[operand]];
  }
  [[nodiscard]] ShapeId array(PrimitiveType type, Dims dims, std::vector<bool> dynamic = {});
  [[nodiscard]] ShapeId tuple(std::vector<ShapeId> elements);
  [[nodiscard]] ShapeId with_type(size_t operand, PrimitiveType type);
  /// The shape alone, or a tuple when there are several.
  [[nodiscard]] ShapeId one_or_tuple(std::vector<ShapeId> shapes);

  // Attributes
  [[nodiscard]] std::span<const int64_t> ints(AttrKey key) const;
  [[nodiscard]] int64_t integer(AttrKey key, int64_t absent) const;
  [[nodiscard]] std::string_view text(AttrKey key) const;
  /// The shape of the root of the first computation of the attribute.
  [[nodiscard]] ShapeId root_of(AttrKey key) const;

  // Elementwise and structural opcodes: infer_rules.cpp
  [[nodiscard]] ShapeId unary();
  [[nodiscard]] ShapeId binary(PrimitiveType type);
  [[nodiscard]] ShapeId structural();
  [[nodiscard]] ShapeId get_tuple_element();
  [[nodiscard]] ShapeId transpose();
  [[nodiscard]] ShapeId broadcast();
  [[nodiscard]] ShapeId concatenate();
  [[nodiscard]] ShapeId pad();
  [[nodiscard]] ShapeId set_dimension_size();

  // Opcodes that compute: infer_work.cpp
  [[nodiscard]] ShapeId work();
  [[nodiscard]] ShapeId dot();
  [[nodiscard]] ShapeId ragged_dot();
  [[nodiscard]] ShapeId convolution();
  [[nodiscard]] ShapeId reduce();
  [[nodiscard]] ShapeId reduce_window();
  [[nodiscard]] ShapeId gather();
  [[nodiscard]] ShapeId scatter();
  [[nodiscard]] ShapeId fft();
  [[nodiscard]] ShapeId batch_norm();
  [[nodiscard]] ShapeId topk();
  [[nodiscard]] ShapeId scan();

  ProgramBuilder& builder_;
  const Rhs& rhs_;
  std::span<const ShapeId> operands_;
};

}  // namespace hloscope::hlo
