#include "core/hlo/structure_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hloscope::hlo {

namespace {

struct CallRule {
  Opcode opcode;
  AttrKey key;
};

constexpr CallRule kNeeded[] = {
    {Opcode::kAllReduce, AttrKey::kToApply},
    {Opcode::kAllReduceStart, AttrKey::kToApply},
    {Opcode::kAsyncStart, AttrKey::kCalls},
    {Opcode::kCall, AttrKey::kToApply},
    {Opcode::kCollectiveReduce, AttrKey::kToApply},
    {Opcode::kFusion, AttrKey::kCalls},
    {Opcode::kMap, AttrKey::kToApply},
    {Opcode::kReduce, AttrKey::kToApply},
    {Opcode::kReduceScatter, AttrKey::kToApply},
    {Opcode::kReduceWindow, AttrKey::kToApply},
    {Opcode::kScan, AttrKey::kToApply},
    {Opcode::kScatter, AttrKey::kToApply},
    {Opcode::kSelectAndScatter, AttrKey::kScatter},
    {Opcode::kSelectAndScatter, AttrKey::kSelect},
    {Opcode::kSort, AttrKey::kToApply},
    {Opcode::kWhile, AttrKey::kBody},
    {Opcode::kWhile, AttrKey::kCondition},
};

// By opcode: whether kNeeded has it.
std::array<bool, kOpcodeCount> opcodes_with_calls() {
  std::array<bool, kOpcodeCount> with_calls{};
  for (const CallRule& rule : kNeeded) with_calls[static_cast<size_t>(rule.opcode)] = true;
  with_calls[static_cast<size_t>(Opcode::kConditional)] = true;
  return with_calls;
}

class CallChecker {
 public:
  CallChecker(const Program& program, InstructionId id) : p_(program), id_(id) {}

  Status check() {
    switch (p_[id_].opcode) {
      case Opcode::kFusion:
        return check_fusion();
      case Opcode::kCall:
        return check_count(AttrKey::kToApply, operands());
      case Opcode::kWhile:
        return check_while();
      case Opcode::kConditional:
        return check_conditional();
      case Opcode::kMap:
        return check_count(AttrKey::kToApply, operands());
      case Opcode::kReduce:
      case Opcode::kReduceWindow:
        return check_count(AttrKey::kToApply, operands());
      case Opcode::kSort:
        return check_count(AttrKey::kToApply, 2 * operands());
      case Opcode::kScatter:
        return check_count(AttrKey::kToApply, operands() - 1);
      case Opcode::kSelectAndScatter:
        HLOSCOPE_TRY(check_count(AttrKey::kSelect, 2));
        return check_count(AttrKey::kScatter, 2);
      case Opcode::kScan:
        return check_count(AttrKey::kToApply, operands());
      default:
        return {};
    }
  }

 private:
  size_t operands() const { return p_.operands(id_).size(); }
  std::string text(ShapeId shape) const { return p_.shapes().text(shape, false); }

  Status error(std::string message) const {
    return fail(structure_error(p_, id_, std::move(message)));
  }

  Status check_count(AttrKey key, size_t count) const {
    const ComputationId callee = p_.computation(id_, key);
    const size_t parameters = p_.parameters(callee).size();
    if (parameters == count) return {};
    return error(fmt::format("{} \"{}\" has {} parameters, but {} needs {}", name(key),
                             p_[callee].name, parameters, name(p_[id_].opcode), count));
  }

  // Operands that no parameter reads may be left.
  Status check_fusion() const {
    const ComputationId callee = p_.computation(id_, AttrKey::kCalls);
    if (p_.parameters(callee).size() <= operands()) return {};
    return check_count(AttrKey::kCalls, operands());
  }

  Status check_shape(ShapeId actual, ShapeId expected, std::string_view what) const {
    if (same(actual, expected)) return {};
    return error(fmt::format("{} is {}, not {}", what, text(actual), text(expected)));
  }

  // Dimensions and, up to the width of floats, types: passes may mix precisions.
  bool same(ShapeId a, ShapeId b) const {
    if (a == b) return true;
    const Shape& x = p_.shapes()[a];
    const Shape& y = p_.shapes()[b];
    const bool types = x.element_type == y.element_type ||
                       (is_floating(x.element_type) && is_floating(y.element_type));
    return types && x.dimensions == y.dimensions && x.elements.size() == y.elements.size() &&
           std::equal(x.elements.begin(), x.elements.end(), y.elements.begin(),
                      [this](ShapeId i, ShapeId k) { return same(i, k); });
  }

  Status check_root(AttrKey key, ComputationId callee, ShapeId expected) const {
    return check_shape(p_[p_[callee].root].shape, expected,
                       fmt::format("the root of {} \"{}\"", name(key), p_[callee].name));
  }

  Status check_parameter(AttrKey key, ComputationId callee, size_t i, ShapeId expected) const {
    return check_shape(p_[p_.parameters(callee)[i]].shape, expected,
                       fmt::format("parameter {} of {} \"{}\"", i, name(key), p_[callee].name));
  }

  Status check_pred_root(AttrKey key) const {
    const ComputationId callee = p_.computation(id_, key);
    const Shape& root = p_.shape(p_[callee].root);
    if (root.element_type == PrimitiveType::kPred && root.rank() == 0) return {};
    return error(fmt::format("the root of {} \"{}\" is {}, not pred[]", name(key), p_[callee].name,
                             text(p_[p_[callee].root].shape)));
  }

  Status check_while() const {
    const ShapeId state = p_[p_.operands(id_)[0]].shape;
    for (const AttrKey key : {AttrKey::kCondition, AttrKey::kBody}) {
      HLOSCOPE_TRY(check_count(key, 1));
      HLOSCOPE_TRY(check_parameter(key, p_.computation(id_, key), 0, state));
    }
    HLOSCOPE_TRY(check_pred_root(AttrKey::kCondition));
    HLOSCOPE_TRY(check_root(AttrKey::kBody, p_.computation(id_, AttrKey::kBody), state));
    return check_shape(p_[id_].shape, state, "the result of the loop");
  }

  Status check_conditional() const {
    const std::span<const ComputationId> branches = p_.called(id_);
    if (branches.empty() || branches.size() + 1 != operands()) {
      return error(fmt::format("a conditional with {} branches and {} operands", branches.size(),
                               operands()));
    }
    for (size_t i = 0; i < branches.size(); ++i) {
      const std::string what = fmt::format("branch {} \"{}\"", i, p_[branches[i]].name);
      if (p_.parameters(branches[i]).size() != 1) {
        return error(what + " does not have exactly one parameter");
      }
      HLOSCOPE_TRY(check_shape(p_[p_.parameters(branches[i])[0]].shape,
                               p_[p_.operands(id_)[i + 1]].shape, "the parameter of " + what));
      HLOSCOPE_TRY(
          check_shape(p_[p_[branches[i]].root].shape, p_[id_].shape, "the root of " + what));
    }
    return {};
  }

  const Program& p_;
  InstructionId id_;
};

Status check_present(const Program& program, InstructionId id) {
  for (const CallRule& rule : kNeeded) {
    if (rule.opcode != program[id].opcode) continue;
    const Attribute* attribute = program.find(id, rule.key);
    if (attribute == nullptr || attribute->pool_count() != 1) {
      return fail(structure_error(
          program, id,
          fmt::format("{} needs one computation as {}", name(rule.opcode), name(rule.key))));
    }
  }
  for (const ComputationId callee : program.called(id)) {
    if (callee.value >= program.computation_count()) {
      return fail(structure_error(program, id, "a called computation is missing"));
    }
  }
  return {};
}

// Depth-first over the call graph without recursion; finds the call that closes a cycle.
class RecursionChecker {
 public:
  explicit RecursionChecker(const Program& program)
      : p_(program), marks_(program.computation_count(), Mark::kNew) {}

  Status check() {
    for (const ComputationId start : p_.computations()) {
      stack_.push_back({start, false});
      while (!stack_.empty()) HLOSCOPE_TRY(step());
    }
    return {};
  }

 private:
  enum class Mark : uint8_t { kNew, kOpen, kDone };
  struct Step {
    ComputationId computation;
    bool leave;
  };

  Status step() {
    const auto [computation, leave] = stack_.back();
    stack_.pop_back();
    Mark& mark = marks_[computation.value];
    if (leave) {
      mark = Mark::kDone;
      return {};
    }
    if (mark != Mark::kNew) return {};
    mark = Mark::kOpen;
    stack_.push_back({computation, true});
    for (const InstructionId id : p_[computation].instructions) HLOSCOPE_TRY(push_callees(id));
    return {};
  }

  Status push_callees(InstructionId id) {
    for (const ComputationId callee : p_.called(id)) {
      if (marks_[callee.value] == Mark::kOpen) {
        return fail(structure_error(
            p_, id, fmt::format("computation \"{}\" calls itself", p_[callee].name)));
      }
      stack_.push_back({callee, false});
    }
    return {};
  }

  const Program& p_;
  std::vector<Mark> marks_;
  std::vector<Step> stack_;
};

}  // namespace

Status check_calls(const Program& program) {
  const std::array<bool, kOpcodeCount> with_calls = opcodes_with_calls();
  bool any = false;
  for (const InstructionId id : program.instructions()) {
    const bool needs_call = with_calls[static_cast<size_t>(program[id].opcode)];
    if (!needs_call && program.called(id).empty()) continue;
    HLOSCOPE_TRY(check_present(program, id));
    HLOSCOPE_TRY(CallChecker(program, id).check());
    any = true;
  }
  return any ? RecursionChecker(program).check() : Status();
}

}  // namespace hloscope::hlo
