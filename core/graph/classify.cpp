#include "core/graph/classify.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/graph/kernels.h"

namespace hloscope::graph {

using hlo::InstructionId;
using hlo::OpClass;
using hlo::Opcode;

namespace {

/// Position in the order of the class comment; larger wins.
int rank(OpClass op_class) {
  switch (op_class) {
    case OpClass::kMatmulConv:
      return 4;
    case OpClass::kCollective:
      return 3;
    case OpClass::kReduction:
      return 2;
    case OpClass::kElementwise:
      return 1;
    default:
      return 0;
  }
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

bool contains(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

/// "conv" as in convolution, but not as in convert.
bool names_convolution(std::string_view text) {
  for (size_t at = text.find("conv"); at != std::string_view::npos;
       at = text.find("conv", at + 1)) {
    if (!text.substr(at).starts_with("convert")) return true;
  }
  return false;
}

}  // namespace

bool is_free(Opcode opcode) {
  switch (opcode) {
    case Opcode::kParameter:
    case Opcode::kConstant:
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
    case Opcode::kBitcast:
    case Opcode::kAfterAll:
    case Opcode::kOptBarrier:
    case Opcode::kAddDependency:
    case Opcode::kDomain:
    case Opcode::kPartitionId:
    case Opcode::kReplicaId:
    case Opcode::kGetDimensionSize:
      return true;
    default:
      return false;
  }
}

bool is_control_flow(Opcode opcode) {
  return opcode == Opcode::kWhile || opcode == Opcode::kConditional || opcode == Opcode::kCall;
}

OpClass custom_call_class(std::string_view target) {
  static constexpr std::array<std::string_view, 5> kProducts = {"dot", "gemm", "matmul", "attn",
                                                                "attention"};
  const std::string name = lower(target);
  const auto named = [&name](std::string_view word) { return contains(name, word); };
  if (std::any_of(kProducts.begin(), kProducts.end(), named) || names_convolution(name)) {
    return OpClass::kMatmulConv;
  }
  return contains(name, "topk") || contains(name, "sort") ? OpClass::kReduction
                                                          : OpClass::kDataMovement;
}

Classifier::Classifier(const hlo::Program& program)
    : program_(program),
      order_(program, Follow::kInlined),
      classes_(program.computation_count(), OpClass::kDataMovement) {}

OpClass Classifier::of_instruction(InstructionId id) const {
  const Opcode opcode = program_[id].opcode;
  if (inlines_callees(opcode)) {
    OpClass best = OpClass::kDataMovement;
    for (hlo::ComputationId callee : program_.called(id)) {
      if (rank(classes_[callee]) > rank(best)) best = classes_[callee];
    }
    return best;
  }
  switch (opcode) {
    case Opcode::kCustomCall:
      return custom_call_class(program_.text(id, hlo::AttrKey::kCustomCallTarget));
    case Opcode::kMap:
    case Opcode::kRngGetAndUpdateState:
      return OpClass::kElementwise;
    case Opcode::kIota:
      return OpClass::kDataMovement;
    default:
      return is_free(opcode) ? OpClass::kDataMovement : hlo::info(opcode).op_class;
  }
}

OpClass Classifier::of_computation(hlo::ComputationId computation) const {
  OpClass best = OpClass::kDataMovement;
  for (InstructionId id : program_[computation].instructions) {
    const OpClass candidate = of_instruction(id);
    if (rank(candidate) > rank(best)) best = candidate;
  }
  return best;
}

OpClass Classifier::of(InstructionId kernel) {
  if (inlines_callees(program_[kernel].opcode)) {
    for (hlo::ComputationId callee : program_.called(kernel)) {
      for (hlo::ComputationId inner : order_.visit(callee)) classes_[inner] = of_computation(inner);
    }
  }
  return of_instruction(kernel);
}

}  // namespace hloscope::graph
