#pragma once

#include "core/hlo/program.h"

namespace hloscope::fuse {

/// What an instruction can be inside of a fusion.
enum class Role : uint8_t {
  kNever,     ///< No member of a fusion: parameters, tuples, control flow, collectives, side
              ///< effects, control dependencies, custom-calls, sorts, scatters, dynamic shapes ...
  kConstant,  ///< Of one element.
  kIota,
  kElementwise,  ///< Also convert, copy and what else keeps every element at its place.
  kBroadcast,
  kReorder,  ///< All elements at other places: reshape, transpose, bitcast, reverse.
  kMove,     ///< Some elements at other places: slice, pad, concatenate, dynamic-slice, gather.
  kUpdate,   ///< dynamic-update-slice.
  kReduce,
  kWindow,  ///< reduce-window.
  kMatrix,  ///< Dot and convolution.
};

/// Control dependencies are not looked at here: see FusionSpace.
[[nodiscard]] Role role_of(const hlo::Program& program, hlo::InstructionId id);

/// Whether a producer of operand `index` may move into the fusion of `user`. Not the table of a
/// gather, which is read at places known at run time only; not the array that a
/// dynamic-update-slice changes, which is to stay in place.
[[nodiscard]] bool takes_producer(const hlo::Program& program, hlo::InstructionId user,
                                  size_t index);

/// Reads next to nothing and is worked out again for every user rather than stored: a constant or a
/// broadcast of one element, an iota.
[[nodiscard]] bool is_trivial(const hlo::Program& program, hlo::InstructionId id);

/// Infeed, outfeed, send, recv, collectives, random numbers with a state, custom-calls that say so;
/// not what called computations do.
[[nodiscard]] bool has_side_effect(const hlo::Program& program, hlo::InstructionId id);

}  // namespace hloscope::fuse
