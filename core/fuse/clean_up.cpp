#include "core/fuse/clean_up.h"

#include <algorithm>
#include <unordered_map>

#include "core/fuse/opcode_rules.h"
#include "core/graph/callee_order.h"

namespace hloscope::fuse {

using hlo::AttrKey;
using hlo::ComputationId;
using hlo::InstructionId;
using hlo::Opcode;

namespace {

constexpr size_t kMaxInstructions = 2'000'000;

bool is_inlinable(const Draft& draft, DraftId id) {
  if (draft.opcode(id) != Opcode::kCall) return false;
  const auto frontend = draft.source.text(draft.nodes[id].origin, AttrKey::kFrontendAttributes);
  return frontend.find("inlineable=\"false\"") == std::string_view::npos;
}

// Copies the body of a call behind `order`; the value that stands for the call.
DraftId copy_body(Draft& draft, DraftId call, std::vector<DraftId>& order) {
  const ComputationId callee =
      draft.source.computation(draft.nodes[call].origin, AttrKey::kToApply);
  std::unordered_map<DraftId, DraftId> copies;
  const auto copied = [&copies](const std::vector<DraftId>& ids) {
    std::vector<DraftId> out;
    out.reserve(ids.size());
    for (DraftId id : ids) out.push_back(copies.at(id));
    return out;
  };
  for (DraftId id : draft.computations[callee].order) {
    const hlo::Instruction& origin = draft.origin(id);
    if (origin.opcode == Opcode::kParameter) {
      copies[id] = draft.nodes[call].operands[static_cast<size_t>(origin.number)];
      continue;
    }
    const DraftNode& node = draft.nodes[id];
    const DraftId copy =
        draft.nodes.push_back({node.origin, copied(node.operands), copied(node.predecessors)});
    copies[id] = copy;
    order.push_back(copy);
  }
  return copies.at(draft.computations[callee].root);
}

// Follows replacements; ids of nodes made later stand for themselves.
void redirect(const IndexedVector<DraftId, DraftId>& replaced, DraftId& id) {
  if (replaced.contains(id) && replaced[id].valid()) id = replaced[id];
}

void redirect(const IndexedVector<DraftId, DraftId>& replaced, DraftNode& node) {
  for (DraftId& operand : node.operands) redirect(replaced, operand);
  for (DraftId& before : node.predecessors) redirect(replaced, before);
}

Status inline_into(Draft& draft, ComputationId id,
                   const IndexedVector<DraftId, uint8_t>& has_control) {
  const std::vector<DraftId> old = std::move(draft.computations[id].order);
  IndexedVector<DraftId, DraftId> replaced(draft.nodes.size());
  std::vector<DraftId> order;
  order.reserve(old.size());
  for (DraftId node : old) {
    redirect(replaced, draft.nodes[node]);
    const bool controlled = has_control.contains(node) && has_control[node] != 0;
    if (!controlled && is_inlinable(draft, node)) {
      replaced[node] = copy_body(draft, node, order);
    } else {
      order.push_back(node);
    }
    if (draft.nodes.size() > kMaxInstructions) {
      return fail(ErrorCode::kUnsupported,
                  "with its calls inlined the program has more than 2 million instructions",
                  "open a part of the program, or one without nested calls");
    }
  }
  redirect(replaced, draft.computations[id].root);
  draft.computations[id].order = std::move(order);
  return {};
}

bool same_shape(const Draft& draft, hlo::ShapeId a, hlo::ShapeId b) {
  if (a == b) return true;
  const hlo::Shape& x = draft.source.shapes()[a];
  const hlo::Shape& y = draft.source.shapes()[b];
  return x.is_array() && y.is_array() && draft.source.shapes().compatible(a, b) &&
         x.layout == y.layout;
}

// The value that a tuple or an element of a tuple stands for; invalid when it stands for itself.
DraftId tuple_value(const Draft& draft, DraftId id) {
  const DraftNode& node = draft.nodes[id];
  const hlo::ShapeId shape = draft.origin(id).shape;
  if (draft.opcode(id) == Opcode::kGetTupleElement) {
    const DraftId tuple = node.operands[0];
    if (draft.opcode(tuple) != Opcode::kTuple) return {};
    const DraftId value = draft.nodes[tuple].operands[static_cast<size_t>(draft.origin(id).number)];
    return same_shape(draft, draft.origin(value).shape, shape) ? value : DraftId();
  }
  if (draft.opcode(id) != Opcode::kTuple || node.operands.empty()) return {};
  for (size_t i = 0; i < node.operands.size(); ++i) {
    const DraftId element = node.operands[i];
    if (draft.opcode(element) != Opcode::kGetTupleElement ||
        draft.origin(element).number != static_cast<int64_t>(i) ||
        draft.nodes[element].operands[0] != draft.nodes[node.operands[0]].operands[0]) {
      return {};
    }
  }
  const DraftId whole = draft.nodes[node.operands[0]].operands[0];
  return same_shape(draft, draft.origin(whole).shape, shape) ? whole : DraftId();
}

using Effects = IndexedVector<ComputationId, uint8_t>;

bool has_effect(const hlo::Program& program, const Effects& effects, InstructionId id) {
  const auto called = program.called(id);
  return has_side_effect(program, id) ||
         std::any_of(called.begin(), called.end(),
                     [&effects](ComputationId callee) { return effects[callee] != 0; });
}

// Side effects of each computation with all that it calls.
Effects computations_with_effects(const hlo::Program& program) {
  Effects effects(program.computation_count(), 0);
  graph::CalleeOrder order(program, graph::Follow::kAll);
  for (ComputationId root : program.computations()) {
    for (ComputationId id : order.visit(root)) {
      const auto& instructions = program[id].instructions;
      const bool any = std::any_of(
          instructions.begin(), instructions.end(),
          [&](InstructionId instruction) { return has_effect(program, effects, instruction); });
      effects[id] = any ? 1 : 0;
    }
  }
  return effects;
}

}  // namespace

Status inline_calls(Draft& draft) {
  const auto has_control = controlled(draft);
  graph::CalleeOrder order(draft.source, graph::Follow::kAll);
  for (ComputationId id : order.visit(draft.source.entry())) {
    HLOSCOPE_TRY(inline_into(draft, id, has_control));
  }
  return {};
}

void simplify_tuples(Draft& draft) {
  const auto has_control = controlled(draft);
  IndexedVector<DraftId, DraftId> replaced(draft.nodes.size());
  for (DraftComputation& computation : draft.computations) {
    std::vector<DraftId> order;
    for (DraftId id : computation.order) {
      redirect(replaced, draft.nodes[id]);
      const DraftId value = has_control[id] != 0 ? DraftId() : tuple_value(draft, id);
      if (value.valid()) {
        replaced[id] = value;
      } else {
        order.push_back(id);
      }
    }
    redirect(replaced, computation.root);
    computation.order = std::move(order);
  }
}

void eliminate_dead_code(Draft& draft) {
  const auto effects = computations_with_effects(draft.source);
  const auto is_needed = [&](DraftId id) {
    return draft.opcode(id) == Opcode::kParameter ||
           has_effect(draft.source, effects, draft.nodes[id].origin);
  };
  const auto has_control = controlled(draft);
  IndexedVector<DraftId, uint8_t> live(draft.nodes.size(), 0);
  for (DraftComputation& computation : draft.computations) {
    live[computation.root] = 1;
    std::vector<DraftId>& order = computation.order;
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      if (live[*it] == 0 && has_control[*it] == 0 && !is_needed(*it)) continue;
      live[*it] = 1;
      for (DraftId operand : draft.nodes[*it].operands) live[operand] = 1;
    }
    std::erase_if(order, [&live](DraftId id) { return live[id] == 0; });
  }
}

Result<hlo::ProgramPtr> clean_up(const hlo::Program& program) {
  Draft draft(program);
  HLOSCOPE_TRY(inline_calls(draft));
  simplify_tuples(draft);
  eliminate_dead_code(draft);
  duplicate_cheap(draft);
  eliminate_dead_code(draft);
  return write(draft);
}

}  // namespace hloscope::fuse
