#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "core/analysis/report.h"

namespace hloscope::analysis {

namespace {

using hlo::InstructionId;
using hlo::Opcode;
using hlo::Program;

constexpr size_t kMaxFollowers = 2;

// "3×3" of a convolution or reduce-window; empty without a window.
std::string window_text(const Program& program, InstructionId id) {
  const std::span<const int64_t> window = program.ints(id, hlo::AttrKey::kWindow);
  std::string out;
  for (size_t i = 0; i < window.size(); i += hlo::kWindowInts) {
    out += fmt::format("{}{}", i == 0 ? "" : "×", window[i]);
  }
  return out;
}

std::string dimensions_text(const hlo::Shape& shape) {
  return fmt::format("[{}]", fmt::join(shape.dimensions, ","));
}

// What makes a kernel what it is: lower rank wins. Plumbing never names a kernel unless alone.
int hero_rank(Opcode opcode) {
  switch (opcode) {
    case Opcode::kConvolution:
    case Opcode::kDot:
    case Opcode::kRaggedDot:
    case Opcode::kScaledDot:
      return 0;
    case Opcode::kCustomCall:
    case Opcode::kSort:
    case Opcode::kTopk:
    case Opcode::kFft:
    case Opcode::kCholesky:
    case Opcode::kTriangularSolve:
      return 1;
    case Opcode::kReduceWindow:
    case Opcode::kSelectAndScatter:
    case Opcode::kScatter:
    case Opcode::kReduce:
      return 2;
    case Opcode::kGather:
    case Opcode::kDynamicUpdateSlice:
    case Opcode::kDynamicSlice:
    case Opcode::kRngBitGenerator:
      return 3;
    default:
      break;
  }
  switch (hlo::info(opcode).op_class) {
    case hlo::OpClass::kCollective:
      return 1;
    case hlo::OpClass::kElementwise:
      return opcode == Opcode::kConvert ? 6 : 4;
    case hlo::OpClass::kDataMovement:
      return opcode == Opcode::kBitcast || opcode == Opcode::kBroadcast ? 7 : 5;
    default:
      return 8;
  }
}

std::string reducer_name(const Program& program, InstructionId id) {
  const hlo::ComputationId reducer = program.computation(id, hlo::AttrKey::kToApply);
  return reducer.valid() ? std::string(hlo::name(program[program[reducer].root].opcode)) : "";
}

std::string hero_text(const Program& program, InstructionId id) {
  const Opcode opcode = program[id].opcode;
  const std::string_view opcode_name = hlo::name(opcode);
  switch (opcode) {
    case Opcode::kConvolution: {
      const std::string window = window_text(program, id);
      return window.empty() ? "conv" : "conv " + window;
    }
    case Opcode::kReduceWindow:
      return fmt::format("reduce-window {} {}", reducer_name(program, id),
                         window_text(program, id));
    case Opcode::kReduce:
      return fmt::format(
          "reduce {} → {}", reducer_name(program, id),
          program.shape(id).is_tuple() ? "tuple" : dimensions_text(program.shape(id)));
    case Opcode::kCustomCall:
      return std::string(program.text(id, hlo::AttrKey::kCustomCallTarget));
    default:
      if (program.shape(id).is_array() &&
          hlo::info(opcode).op_class != hlo::OpClass::kElementwise) {
        return fmt::format("{} {}", opcode_name, dimensions_text(program.shape(id)));
      }
      return std::string(opcode_name);
  }
}

std::string body_label(const Program& program, hlo::ComputationId body) {
  const auto instructions = program[body].instructions;
  InstructionId hero = program[body].root;
  for (InstructionId id : instructions) {
    if (hero_rank(program[id].opcode) < hero_rank(program[hero].opcode)) hero = id;
  }
  std::vector<Opcode> followers;
  for (InstructionId id : instructions) {
    const Opcode opcode = program[id].opcode;
    const bool notable = hero_rank(opcode) <= 4 && opcode != program[hero].opcode;
    if (!notable || id < hero) continue;
    if (std::find(followers.begin(), followers.end(), opcode) == followers.end()) {
      followers.push_back(opcode);
    }
  }
  std::string out = hero_text(program, hero);
  for (size_t i = 0; i < std::min(followers.size(), kMaxFollowers); ++i) {
    out += fmt::format(" + {}", hlo::name(followers[i]));
  }
  if (followers.size() > kMaxFollowers) out += " + …";
  return out;
}

}  // namespace

std::string kernel_label(const Program& program, const graph::Kernel& kernel) {
  if (kernel.body.valid()) return body_label(program, kernel.body);
  return hero_text(program, kernel.instruction);
}

}  // namespace hloscope::analysis
