#include "core/hlo/proto/async_wrappers.h"

#include <algorithm>
#include <vector>

#include "core/hlo/async_sugar.h"

namespace hloscope::hlo {

namespace {

/// What is known of one computation.
struct Contents {
  uint32_t instructions = 0;
  uint32_t callers = 0;
};

const Attribute* find(std::span<const Attribute> attributes, AttrKey key) {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [key](const Attribute& a) { return a.key() == key; });
  return found == attributes.end() ? nullptr : &*found;
}

std::string_view text_of(std::span<const Attribute> attributes, AttrKey key) {
  const Attribute* attribute = find(attributes, key);
  return attribute == nullptr ? std::string_view() : attribute->text();
}

std::vector<Contents> count_contents(const ProgramBuilder& builder) {
  std::vector<Contents> out(builder.computation_count());
  for (uint32_t i = 0; i < builder.instruction_count(); ++i) {
    const InstructionId id(i);
    ++out[builder.instruction(id).computation.value].instructions;
    for (const Attribute& attribute : builder.attributes(id)) {
      if (attribute.kind() != AttrKind::kComputations) continue;
      for (const int64_t callee : builder.pool(attribute)) {
        ++out[static_cast<size_t>(callee)].callers;
      }
    }
  }
  return out;
}

bool can_be_sugared(Opcode opcode) {
  switch (opcode) {
    case Opcode::kParameter:
    case Opcode::kConstant:
    case Opcode::kAsyncStart:
    case Opcode::kAsyncUpdate:
    case Opcode::kAsyncDone:
      return false;
    default:
      return !has_native_pair(opcode);
  }
}

/// The attributes that the text writes once for the start and the operation.
bool shared_attributes_agree(const ProgramBuilder& builder, InstructionId start,
                             InstructionId root) {
  constexpr AttrKey kShared[] = {AttrKey::kMetadata, AttrKey::kOrigin, AttrKey::kBackendConfig,
                                 AttrKey::kFrontendAttributes, AttrKey::kStatistics};
  constexpr AttrKey kOfStartOnly[] = {AttrKey::kSharding, AttrKey::kControlPredecessors,
                                      AttrKey::kOutputToOperandAliasing};
  const auto of_start = builder.attributes(start);
  const auto of_root = builder.attributes(root);
  return std::all_of(
             std::begin(kShared), std::end(kShared),
             [&](AttrKey key) { return text_of(of_start, key) == text_of(of_root, key); }) &&
         std::all_of(std::begin(kOfStartOnly), std::end(kOfStartOnly),
                     [&](AttrKey key) { return find(of_root, key) == nullptr; });
}

/// The root takes the parameters in order, and the shape of the start says the same.
bool passes_through(const ProgramBuilder& builder, InstructionId start, InstructionId root,
                    uint32_t instructions) {
  const auto operands = builder.operands(root);
  if (operands.size() + 1 != instructions) return false;
  const Shape& shape = builder.shapes()[builder.instruction(start).shape];
  if (!shape.is_tuple() || shape.elements.size() < 2) return false;
  const Shape& inputs = builder.shapes()[shape.elements[0]];
  if (!inputs.is_tuple() || inputs.elements.size() != operands.size() ||
      shape.elements[1] != builder.instruction(root).shape) {
    return false;
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    const Instruction& parameter = builder.instruction(operands[i]);
    const bool good = parameter.opcode == Opcode::kParameter &&
                      parameter.number == static_cast<int64_t>(i) &&
                      parameter.shape == inputs.elements[i];
    if (!good) return false;
  }
  return true;
}

}  // namespace

void mark_async_wrappers(ProgramBuilder& builder) {
  const std::vector<Contents> contents = count_contents(builder);
  for (uint32_t i = 0; i < builder.instruction_count(); ++i) {
    const InstructionId start(i);
    if (builder.instruction(start).opcode != Opcode::kAsyncStart) continue;
    const Attribute* calls = find(builder.attributes(start), AttrKey::kCalls);
    if (calls == nullptr) continue;
    const ComputationId id(static_cast<uint32_t>(builder.pool(*calls).front()));
    Computation& wrapped = builder.computation(id);
    const std::string_view thread =
        text_of(builder.attributes(start), AttrKey::kAsyncExecutionThread);
    wrapped.is_async_wrapper =
        contents[id.value].callers == 1 &&
        can_be_sugared(builder.instruction(wrapped.root).opcode) &&
        wrapped.execution_thread == (thread.empty() ? "main" : thread) &&
        passes_through(builder, start, wrapped.root, contents[id.value].instructions) &&
        shared_attributes_agree(builder, start, wrapped.root);
  }
}

}  // namespace hloscope::hlo
