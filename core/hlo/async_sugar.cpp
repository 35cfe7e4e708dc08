#include "core/hlo/async_sugar.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/hlo/parse_instruction.h"

namespace hloscope::hlo {

bool has_native_pair(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAllGather:
    case Opcode::kAllReduce:
    case Opcode::kCollectivePermute:
    case Opcode::kCopy:
    case Opcode::kSend:
    case Opcode::kRecv:
      return true;
    default:
      return false;
  }
}

namespace {

using Ids = std::vector<InstructionId>;

bool belongs_to_both(AttrKey key) {
  switch (key) {
    case AttrKey::kMetadata:
    case AttrKey::kOrigin:
    case AttrKey::kBackendConfig:
    case AttrKey::kFrontendAttributes:
    case AttrKey::kStatistics:
      return true;
    default:
      return false;
  }
}

bool belongs_to_start(AttrKey key) {
  switch (key) {
    case AttrKey::kAsyncExecutionThread:
    case AttrKey::kOutputToOperandAliasing:
    case AttrKey::kSharding:
    case AttrKey::kControlPredecessors:
    case AttrKey::kParameterReplication:
      return true;
    default:
      return belongs_to_both(key);
  }
}

// Takes the attributes of the wrapped opcode out of `outer`.
void split_attributes(AttributeList& outer, AttributeList& inner) {
  AttributeList start;
  for (size_t i = 0; i < outer.items.size(); ++i) {
    const AttrKey key = outer.items[i].key();
    const bool to_start = belongs_to_start(key);
    if (to_start) start.add(outer.items[i], outer.places[i]);
    if (to_start && !belongs_to_both(key)) continue;
    inner.add(outer.items[i], outer.places[i]);
    inner.seen.add(key);
  }
  inner.index = outer.index;
  start.seen = outer.seen;
  outer = std::move(start);
}

InstructionId add_parameter(ParseContext& c, ComputationId wrapped, ShapeId shape, int64_t number) {
  NewInstruction parameter;
  parameter.name =
      number == 0 ? "async_param" : c.builder.arena().copy(fmt::format("async_param.{}", number));
  parameter.opcode = Opcode::kParameter;
  parameter.computation = wrapped;
  parameter.shape = shape;
  parameter.number = number;
  return c.builder.add(parameter);
}

// Operands that a later op-update brings are f32[1] until then; call and fusion know their shapes.
void add_late_parameters(ParseContext& c, const Rhs& inner, ComputationId wrapped, Ids& ids) {
  Shape unknown;
  unknown.element_type = PrimitiveType::kF32;
  unknown.dimensions = {1};
  unknown.layout.minor_to_major = {0};
  unknown.has_layout = true;
  std::vector<ShapeId> shapes;
  for (const Attribute& attribute : inner.attributes.items) {
    if (attribute.kind() != AttrKind::kComputations) continue;
    if (inner.opcode != Opcode::kCall && inner.opcode != Opcode::kFusion) continue;
    const ComputationId callee(static_cast<uint32_t>(c.builder.pool(attribute)[0]));
    shapes = parameter_shapes(c, callee);
  }
  const int arity = info(inner.opcode).arity;
  if (arity > 0) {
    shapes.resize(static_cast<size_t>(arity), c.builder.shapes().intern(std::move(unknown)));
  }
  for (size_t i = ids.size(); i < shapes.size(); ++i) {
    ids.push_back(add_parameter(c, wrapped, shapes[i], static_cast<int64_t>(i)));
  }
}

bool check_start_shape(ParseContext& c, const Rhs& rhs) {
  const ShapeTable& shapes = c.builder.shapes();
  const bool good = rhs.has_shape && shapes[rhs.shape].is_tuple() &&
                    shapes[rhs.shape].elements.size() >= 2 &&
                    shapes[shapes[rhs.shape].elements[0]].is_tuple();
  return good ||
         c.lex.fail(rhs.opcode_place,
                    fmt::format("{} needs a shape ((operands...), result, ...)", rhs.opcode_text));
}

bool check_start_operands(ParseContext& c, const Rhs& rhs, const std::vector<ShapeId>& written) {
  const ShapeTable& shapes = c.builder.shapes();
  bool good = written.size() == rhs.operands.size();
  for (size_t i = 0; good && i < written.size(); ++i) {
    good = shapes.compatible(written[i], c.builder.instruction(rhs.operands[i]).shape);
  }
  return good || c.lex.fail(rhs.opcode_place,
                            fmt::format("the operands of {} are not those of its shape {}",
                                        rhs.opcode_text, shapes.text(rhs.shape, false)));
}

bool expand_start(ParseContext& c, Rhs& rhs) {
  if (!check_start_shape(c, rhs)) return false;
  const std::vector<ShapeId> parts = c.builder.shapes()[rhs.shape].elements;
  const std::vector<ShapeId> operands = c.builder.shapes()[parts[0]].elements;
  if (!check_start_operands(c, rhs, operands)) return false;
  const ComputationId wrapped = c.builder.begin_computation({});
  c.unnamed_computations.emplace_back(wrapped, "async_wrapped");
  c.builder.computation(wrapped).is_async_wrapper = true;

  const RhsLease inner(c, rhs.begin);
  inner->opcode = rhs.opcode;
  inner->opcode_place = rhs.opcode_place;
  inner->opcode_text = rhs.opcode_text;
  inner->has_shape = true;
  inner->shape = parts[1];
  split_attributes(rhs.attributes, inner->attributes);
  for (size_t i = 0; i < operands.size(); ++i) {
    inner->operands.push_back(add_parameter(c, wrapped, operands[i], static_cast<int64_t>(i)));
  }
  add_late_parameters(c, *inner, wrapped, inner->operands);
  if (!check_instruction(c, *inner) || !infer_shape(c, *inner)) return false;
  NewInstruction root;
  root.name = c.builder.arena().copy(fmt::format("{}.wrapped", name(inner->opcode)));
  root.opcode = inner->opcode;
  root.computation = wrapped;
  root.shape = inner->shape;
  root.number = inner->attributes.index;
  root.operands = inner->operands;
  root.attributes = inner->attributes.items;
  c.builder.computation(wrapped).root = c.builder.add(root);
  if (const Attribute* thread = rhs.attributes.find(AttrKey::kAsyncExecutionThread)) {
    c.builder.computation(wrapped).execution_thread = thread->text();
  }
  rhs.attributes.add(c.builder.ids<ComputationId>(AttrKey::kCalls, AttrKind::kComputations,
                                                  std::span(&wrapped, 1)),
                     rhs.opcode_place);
  rhs.attributes.seen.add(AttrKey::kCalls);
  rhs.opcode = Opcode::kAsyncStart;
  return true;
}

const Attribute* find(std::span<const Attribute> attributes, AttrKey key) {
  for (const Attribute& attribute : attributes) {
    if (attribute.key() == key) return &attribute;
  }
  return nullptr;
}

// The async-start that a chain of async-updates begins with; invalid if there is none.
InstructionId start_of(const ParseContext& c, InstructionId id) {
  while (id.valid() && c.builder.instruction(id).opcode == Opcode::kAsyncUpdate) {
    id = c.builder.operands(id)[0];
  }
  return id.valid() && c.builder.instruction(id).opcode == Opcode::kAsyncStart ? id
                                                                               : InstructionId();
}

ComputationId wrapped_by(const ParseContext& c, InstructionId start) {
  const Attribute* calls = find(c.builder.attributes(start), AttrKey::kCalls);
  return calls == nullptr ? ComputationId()
                          : ComputationId(static_cast<uint32_t>(c.builder.pool(*calls)[0]));
}

// Gives parameters that a late op-update binds the shapes of its further operands.
void bind_late_operands(ParseContext& c, const Rhs& rhs, ComputationId wrapped, size_t bound) {
  const InstructionId root = c.builder.computation(wrapped).root;
  if (!root.valid()) return;
  const std::span<const InstructionId> parameters = c.builder.operands(root);
  for (size_t i = 1; i < rhs.operands.size() && bound + i - 1 < parameters.size(); ++i) {
    c.builder.instruction(parameters[bound + i - 1]).shape =
        c.builder.instruction(rhs.operands[i]).shape;
  }
}

size_t bound_operands(const ParseContext& c, InstructionId id) {
  size_t count = 0;
  while (c.builder.instruction(id).opcode == Opcode::kAsyncUpdate) {
    count += c.builder.operands(id).size() - 1;
    id = c.builder.operands(id)[0];
  }
  return count + c.builder.operands(id).size();
}

bool expand_rest(ParseContext& c, Rhs& rhs) {
  const Opcode wrapped_opcode = rhs.opcode;
  rhs.opcode = rhs.sugar == AsyncSugar::kUpdate ? Opcode::kAsyncUpdate : Opcode::kAsyncDone;
  AttributeList dropped;
  const bool keeps_calls = wrapped_opcode != Opcode::kFusion;
  split_attributes(rhs.attributes, dropped);
  if (const Attribute* calls = dropped.find(AttrKey::kCalls); calls != nullptr && keeps_calls) {
    rhs.attributes.add(*calls, dropped.place_of(AttrKey::kCalls, rhs.opcode_place));
  }
  if (!check_instruction(c, rhs)) return false;
  const InstructionId start = start_of(c, rhs.operands[0]);
  const InstructionId root = c.builder.computation(wrapped_by(c, start)).root;
  if (root.valid() && c.builder.instruction(root).opcode != wrapped_opcode) {
    return c.lex.fail(rhs.opcode_place, fmt::format("{} continues a chain of {}", rhs.opcode_text,
                                                    name(c.builder.instruction(root).opcode)));
  }
  return true;
}

}  // namespace

AttrSet async_attributes(const Rhs& rhs) {
  AttrSet set = attribute_rule(rhs.opcode).allowed;
  set.add(AttrKey::kAsyncExecutionThread);
  set.add(AttrKey::kOutputToOperandAliasing);
  // Dumps of 2022-03 to 2024-01 repeat everything on updates and dones.
  if (rhs.sugar != AsyncSugar::kStart) set.add(AttrKey::kCalls);
  return set;
}

bool expand_async_sugar(ParseContext& c, Rhs& rhs) {
  return rhs.sugar == AsyncSugar::kStart ? expand_start(c, rhs) : expand_rest(c, rhs);
}

bool check_async_chain(ParseContext& c, const Rhs& rhs) {
  const InstructionId start = rhs.operands.empty() ? InstructionId() : start_of(c, rhs.operands[0]);
  if (!start.valid()) {
    return c.lex.fail(
        rhs.opcode_place,
        fmt::format("operand 0 of {} must be an async-start or async-update", rhs.opcode_text));
  }
  const ComputationId wrapped = wrapped_by(c, start);
  const Attribute* calls = rhs.attributes.find(AttrKey::kCalls);
  if (calls != nullptr && c.builder.pool(*calls)[0] != wrapped.value) {
    return c.lex.fail(rhs.attributes.place_of(AttrKey::kCalls, rhs.opcode_place),
                      "this is not the computation that the async-start calls");
  }
  const Attribute* thread = rhs.attributes.find(AttrKey::kAsyncExecutionThread);
  if (thread != nullptr && thread->text() != c.builder.computation(wrapped).execution_thread) {
    return c.lex.fail(rhs.attributes.place_of(AttrKey::kAsyncExecutionThread, rhs.opcode_place),
                      "this is not the execution thread of the async-start");
  }
  if (rhs.opcode == Opcode::kAsyncUpdate && rhs.operands.size() > 1) {
    bind_late_operands(c, rhs, wrapped, bound_operands(c, rhs.operands[0]));
  }
  return true;
}

}  // namespace hloscope::hlo
