#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/hlo/parse_instruction.h"

namespace hloscope::hlo {

namespace {

bool check_arity(ParseContext& c, const Rhs& rhs) {
  const int arity = info(rhs.opcode).arity;
  if (arity < 0 || rhs.operands.size() == static_cast<size_t>(arity)) return true;
  return c.lex.fail(rhs.opcode_place,
                    fmt::format("{} takes {} operand{}, but has {}", rhs.opcode_text, arity,
                                arity == 1 ? "" : "s", rhs.operands.size()));
}

bool check_required(ParseContext& c, const Rhs& rhs) {
  const AttrSet& required = attribute_rule(rhs.opcode).required;
  if (rhs.attributes.seen.contains(required)) return true;
  AttrSet missing;
  required.for_each([&](AttrKey key) {
    if (!rhs.attributes.seen.has(key)) missing.add(key);
  });
  return c.lex.fail(rhs.opcode_place,
                    fmt::format("{} needs the attribute {}", rhs.opcode_text, names_of(missing)));
}

const Shape& operand_shape(const ParseContext& c, const Rhs& rhs, size_t i) {
  return c.builder.shapes()[c.builder.instruction(rhs.operands[i]).shape];
}

bool fail_at(ParseContext& c, const Rhs& rhs, AttrKey key, std::string message) {
  return c.lex.fail(rhs.attributes.place_of(key, rhs.opcode_place), std::move(message));
}

enum class Count : uint8_t { kOne, kOneOrNone, kOneOrMore };

// XLA uses only the first dimension of some opcodes and does not look at the rest.
bool check_dimensions(ParseContext& c, const Rhs& rhs, Count allowed) {
  const Attribute* dimensions = rhs.attributes.find(AttrKey::kDimensions);
  if (dimensions == nullptr || dimensions->pool_count() == 1) return true;
  if (allowed == (dimensions->pool_count() == 0 ? Count::kOneOrNone : Count::kOneOrMore)) {
    return true;
  }
  return fail_at(c, rhs, AttrKey::kDimensions,
                 fmt::format("{} has exactly one dimension, not {}", rhs.opcode_text,
                             dimensions->pool_count()));
}

bool check_broadcast(ParseContext& c, const Rhs& rhs) {
  if (rhs.attributes.seen.has(AttrKey::kDimensions) || operand_shape(c, rhs, 0).rank() == 0) {
    return true;
  }
  return c.lex.fail(rhs.opcode_place,
                    "broadcast needs the attribute dimensions, unless its operand is a scalar");
}

bool check_conditional(ParseContext& c, const Rhs& rhs) {
  if (rhs.operands.empty()) {
    return c.lex.fail(rhs.opcode_place, "conditional takes 2 or more operands, but has 0");
  }
  const AttrSet& seen = rhs.attributes.seen;
  const bool by_pred = operand_shape(c, rhs, 0).element_type == PrimitiveType::kPred;
  const bool good =
      by_pred ? seen.has(AttrKey::kTrueComputation) && seen.has(AttrKey::kFalseComputation) &&
                    !seen.has(AttrKey::kBranchComputations)
              : seen.has(AttrKey::kBranchComputations) && !seen.has(AttrKey::kTrueComputation) &&
                    !seen.has(AttrKey::kFalseComputation);
  return good ||
         c.lex.fail(rhs.opcode_place, by_pred ? "a conditional on pred needs true_computation and "
                                                "false_computation, and no branch_computations"
                                              : "a conditional that is not on pred needs "
                                                "branch_computations, and no true_computation");
}

// One scalar index per dimension, or all in one vector.
bool check_indices(ParseContext& c, const Rhs& rhs, size_t before) {
  const size_t count = rhs.operands.size();
  const bool vector = count == before + 1 && operand_shape(c, rhs, before).rank() == 1;
  if (vector || (count > 0 && count == before + operand_shape(c, rhs, 0).rank())) return true;
  return c.lex.fail(rhs.opcode_place,
                    fmt::format("{} takes one index per dimension, or all in a vector; it has {} "
                                "operands",
                                rhs.opcode_text, count));
}

bool check_written_tuple(ParseContext& c, const Rhs& rhs) {
  const ShapeTable& shapes = c.builder.shapes();
  if (!rhs.has_shape) return true;
  if (shapes[rhs.shape].is_tuple() && !shapes[rhs.shape].elements.empty()) return true;
  return c.lex.fail(rhs.opcode_place,
                    fmt::format("the shape of {} is a tuple with the data first", rhs.opcode_text));
}

bool check_layout_constraints(ParseContext& c, const Rhs& rhs) {
  const Attribute* constraints = rhs.attributes.find(AttrKey::kOperandLayoutConstraints);
  if (constraints == nullptr) return true;
  const std::span<const int64_t> shapes = c.builder.pool(*constraints);
  if (shapes.size() != rhs.operands.size()) {
    return fail_at(
        c, rhs, AttrKey::kOperandLayoutConstraints,
        fmt::format("{} layout constraints for {} operands", shapes.size(), rhs.operands.size()));
  }
  for (size_t i = 0; i < shapes.size(); ++i) {
    const ShapeId constraint(static_cast<uint32_t>(shapes[i]));
    const ShapeId actual = c.builder.instruction(rhs.operands[i]).shape;
    if (c.builder.shapes().compatible(constraint, actual)) continue;
    return fail_at(c, rhs, AttrKey::kOperandLayoutConstraints,
                   fmt::format("the layout constraint of operand {} is {}, but the operand is {}",
                               i, c.builder.shapes().text(constraint, false),
                               c.builder.shapes().text(actual, false)));
  }
  return true;
}

bool check_epsilon(ParseContext& c, const Rhs& rhs) {
  const Attribute* epsilon = rhs.attributes.find(AttrKey::kEpsilon);
  if (epsilon == nullptr) return true;
  const double value = epsilon->number();
  return std::isinf(static_cast<float>(value)) == std::isinf(value) ||
         fail_at(c, rhs, AttrKey::kEpsilon, "epsilon is out of range for f32");
}

bool check_global_ids(ParseContext& c, const Rhs& rhs) {
  const Attribute* global = rhs.attributes.find(AttrKey::kUseGlobalDeviceIds);
  if (global == nullptr || !global->boolean()) return true;
  return rhs.attributes.seen.has(AttrKey::kChannelId) ||
         fail_at(c, rhs, AttrKey::kUseGlobalDeviceIds,
                 "use_global_device_ids=true needs a channel_id");
}

bool check_permute(ParseContext& c, const Rhs& rhs) {
  return !rhs.attributes.seen.has(AttrKey::kSliceSizes) || rhs.operands.size() == 4 ||
         fail_at(c, rhs, AttrKey::kSliceSizes,
                 fmt::format("with slice_sizes, {} takes 4 operands, but has {}", rhs.opcode_text,
                             rhs.operands.size()));
}

bool check_tuple(ParseContext& c, const Rhs& rhs) {
  if (!rhs.has_shape) return true;
  const Shape& shape = c.builder.shapes()[rhs.shape];
  if (shape.is_tuple() && shape.elements.size() == rhs.operands.size()) return true;
  return c.lex.fail(rhs.opcode_place,
                    fmt::format("a tuple of {} operands is not {}", rhs.operands.size(),
                                c.builder.shapes().text(rhs.shape, false)));
}

bool check_replication(ParseContext& c, const Rhs& rhs) {
  const Attribute* replication = rhs.attributes.find(AttrKey::kParameterReplication);
  if (replication == nullptr) return true;
  if (rhs.opcode != Opcode::kParameter || !rhs.has_shape) {
    return fail_at(c, rhs, AttrKey::kParameterReplication,
                   "only a parameter has parameter_replication");
  }
  const std::string_view text = replication->text();
  const bool empty = text.find('e') == std::string_view::npos;  // "true" and "false" have one
  const int64_t count = empty ? 0 : 1 + std::count(text.begin(), text.end(), ',');
  const int64_t leaves = c.builder.shapes().leaf_count(rhs.shape);
  return count == leaves ||
         fail_at(c, rhs, AttrKey::kParameterReplication,
                 fmt::format("{} entries for {} leaves of the shape", count, leaves));
}

bool check_by_opcode(ParseContext& c, const Rhs& rhs) {
  switch (rhs.opcode) {
    case Opcode::kAllGather:
    case Opcode::kAllGatherStart:
    case Opcode::kReduceScatter:
      return check_dimensions(c, rhs, Count::kOneOrMore) && check_global_ids(c, rhs);
    case Opcode::kAllReduce:
    case Opcode::kAllReduceStart:
    case Opcode::kCollectiveReduce:
      return check_global_ids(c, rhs);
    case Opcode::kGetDimensionSize:
    case Opcode::kSetDimensionSize:
      return check_dimensions(c, rhs, Count::kOneOrMore);
    case Opcode::kConcatenate:
    case Opcode::kScan:
    case Opcode::kSort:
      return check_dimensions(c, rhs, Count::kOne);
    case Opcode::kAllToAll:
      return check_dimensions(c, rhs, Count::kOneOrNone);
    case Opcode::kAsyncDone:
    case Opcode::kAsyncUpdate:
      return check_async_chain(c, rhs);
    case Opcode::kBatchNormGrad:
    case Opcode::kBatchNormInference:
    case Opcode::kBatchNormTraining:
      return check_epsilon(c, rhs);
    case Opcode::kBroadcast:
      return check_broadcast(c, rhs);
    case Opcode::kCollectivePermute:
    case Opcode::kCollectivePermuteStart:
      return check_permute(c, rhs);
    case Opcode::kConditional:
      return check_conditional(c, rhs);
    case Opcode::kCustomCall:
      return check_layout_constraints(c, rhs);
    case Opcode::kDynamicSlice:
      return check_indices(c, rhs, 1);
    case Opcode::kDynamicUpdateSlice:
      return check_indices(c, rhs, 2);
    case Opcode::kInfeed:
    case Opcode::kRecv:
      return check_written_tuple(c, rhs);
    case Opcode::kTuple:
      return check_tuple(c, rhs);
    default:
      return true;
  }
}

}  // namespace

bool check_instruction(ParseContext& c, Rhs& rhs) {
  return check_required(c, rhs) && check_arity(c, rhs) && check_replication(c, rhs) &&
         check_by_opcode(c, rhs);
}

}  // namespace hloscope::hlo
