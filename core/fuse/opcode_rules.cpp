#include "core/fuse/opcode_rules.h"

#include <algorithm>

#include "core/graph/async_pairs.h"

namespace hloscope::fuse {

using hlo::InstructionId;
using hlo::Opcode;
using hlo::Shape;

namespace {

bool is_static_array(const Shape& shape) {
  return shape.is_array() &&
         std::find(shape.dynamic_dimensions.begin(), shape.dynamic_dimensions.end(), true) ==
             shape.dynamic_dimensions.end();
}

bool reads_static_arrays(const hlo::Program& program, InstructionId id) {
  const auto operands = program.operands(id);
  return std::all_of(operands.begin(), operands.end(), [&](InstructionId operand) {
    return is_static_array(program.shape(operand));
  });
}

// A reduction of several arrays has a tuple as its result.
bool has_fusable_result(const hlo::Program& program, InstructionId id) {
  const Shape& shape = program.shape(id);
  if (!shape.is_tuple()) return is_static_array(shape);
  if (program[id].opcode != Opcode::kReduce) return false;
  return std::all_of(shape.elements.begin(), shape.elements.end(), [&](hlo::ShapeId element) {
    return is_static_array(program.shapes()[element]);
  });
}

Role role_of_opcode(const hlo::Program& program, InstructionId id) {
  const Opcode opcode = program[id].opcode;
  switch (opcode) {
    case Opcode::kConstant:
      return program.shape(id).element_count() == 1 ? Role::kConstant : Role::kNever;
    case Opcode::kIota:
      return Role::kIota;
    case Opcode::kBroadcast:
      return Role::kBroadcast;
    case Opcode::kCopy:
      return Role::kElementwise;
    case Opcode::kBitcastConvert:
      return program.shape(id).dimensions == program.shape(program.operands(id)[0]).dimensions
                 ? Role::kElementwise
                 : Role::kReorder;
    case Opcode::kReshape:
    case Opcode::kTranspose:
    case Opcode::kBitcast:
    case Opcode::kReverse:
      return Role::kReorder;
    case Opcode::kSlice:
    case Opcode::kPad:
    case Opcode::kConcatenate:
    case Opcode::kDynamicSlice:
    case Opcode::kGather:
      return Role::kMove;
    case Opcode::kDynamicUpdateSlice:
      return Role::kUpdate;
    case Opcode::kReduce:
      return Role::kReduce;
    case Opcode::kReduceWindow:
      return Role::kWindow;
    case Opcode::kDot:
    case Opcode::kConvolution:
      return Role::kMatrix;
    case Opcode::kRng:
    case Opcode::kRngBitGenerator:
      return Role::kNever;
    default:
      return hlo::info(opcode).op_class == hlo::OpClass::kElementwise ? Role::kElementwise
                                                                      : Role::kNever;
  }
}

}  // namespace

Role role_of(const hlo::Program& program, InstructionId id) {
  if (!has_fusable_result(program, id) || !reads_static_arrays(program, id)) return Role::kNever;
  return role_of_opcode(program, id);
}

bool takes_producer(const hlo::Program& program, InstructionId user, size_t index) {
  const Opcode opcode = program[user].opcode;
  return index != 0 || (opcode != Opcode::kGather && opcode != Opcode::kDynamicUpdateSlice);
}

bool is_trivial(const hlo::Program& program, InstructionId id) {
  switch (role_of(program, id)) {
    case Role::kConstant:
    case Role::kIota:
      return true;
    case Role::kBroadcast:
      return program.shape(program.operands(id)[0]).element_count() == 1;
    default:
      return false;
  }
}

bool has_side_effect(const hlo::Program& program, InstructionId id) {
  const Opcode opcode = program[id].opcode;
  switch (opcode) {
    case Opcode::kInfeed:
    case Opcode::kOutfeed:
    case Opcode::kRng:
    case Opcode::kRngGetAndUpdateState:
      return true;
    case Opcode::kCustomCall:
      return program.flag(id, hlo::AttrKey::kCustomCallHasSideEffect);
    default:
      return hlo::info(opcode).op_class == hlo::OpClass::kCollective ||
             graph::is_async_start(opcode) || graph::is_async_end(opcode);
  }
}

}  // namespace hloscope::fuse
