#pragma once

#include "core/hlo/parse_context.h"

namespace hloscope::hlo {

/// `[ROOT] NAME = rhs`, added to the computation of the current scope.
[[nodiscard]] bool parse_instruction(ParseContext& c);
/// `[SHAPE] OPCODE ( args ) (, attribute)*`. Nested operands have no attributes.
[[nodiscard]] bool parse_rhs(ParseContext& c, Rhs& rhs, bool with_attributes);
/// Checks a parsed right-hand side, completes its shape and adds it. The name is given later.
[[nodiscard]] bool add_instruction(ParseContext& c, Rhs& rhs, std::string_view name,
                                   InstructionId& id);

/// `%word` or `word`; a word without % may not be reserved.
[[nodiscard]] bool parse_name(ParseContext& c, std::string_view& name, std::string_view what);
/// Whether the word is a keyword or an element type.
[[nodiscard]] bool is_reserved(std::string_view word);
/// Names that XLA refuses: types, and a "__" prefix other than "__xla_".
[[nodiscard]] bool check_new_name(ParseContext& c, std::string_view name);

/// `( operand, ... )`.
[[nodiscard]] bool parse_operands(ParseContext& c, Rhs& rhs);
/// The instruction of that name in the current scope.
[[nodiscard]] bool find_operand(ParseContext& c, std::string_view name, InstructionId& id);

/// `(, name=value)*`; `allowed` are the keys that the instruction may have.
[[nodiscard]] bool parse_attributes(ParseContext& c, Rhs& rhs, const AttrSet& allowed);

/// Sets rhs.shape where the text has none.
[[nodiscard]] bool infer_shape(ParseContext& c, Rhs& rhs);
/// What XLA checks of single opcodes while reading: list lengths, required attributes, arity.
[[nodiscard]] bool check_instruction(ParseContext& c, Rhs& rhs);

/// Turns "op-start", "op-update" and "op-done" into async ops around a computation of their own.
[[nodiscard]] bool expand_async_sugar(ParseContext& c, Rhs& rhs);
/// Checks async-update and async-done against the chain they belong to.
[[nodiscard]] bool check_async_chain(ParseContext& c, const Rhs& rhs);
/// The shapes of the parameters of a computation, by number.
[[nodiscard]] std::vector<ShapeId> parameter_shapes(const ParseContext& c, ComputationId id);
/// The attributes that a sugared start may have: those of the wrapped opcode and of async-start.
[[nodiscard]] AttrSet async_attributes(const Rhs& rhs);

}  // namespace hloscope::hlo
