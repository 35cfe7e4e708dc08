#pragma once

#include "core/base/result.h"
#include "core/fuse/draft.h"

namespace hloscope::fuse {

/// Puts the bodies of calls in their place, innermost first. Calls that take part in control
/// dependencies or that say inlineable="false" stay. Error: kUnsupported when the program would
/// grow beyond 2 million instructions.
[[nodiscard]] Status inline_calls(Draft& draft);

/// An element of a tuple that is made in the same computation is taken directly; a tuple of all
/// elements of another one, in order, is that one. Where layouts differ nothing is changed.
void simplify_tuples(Draft& draft);

/// Drops what the root does not need and what has no side effect. Parameters stay.
void eliminate_dead_code(Draft& draft);

/// Gives every user that can be fused its own copy of cheap producers, so that each copy can be
/// fused with its only user:
/// - constants and broadcasts of one element, iotas;
/// - broadcasts, and single operations of one operand (convert, negate, slice ..., but no
///   transcendental functions) that read no more than they write, when their operand stands in
///   memory anyway (a parameter, a result of something that cannot be fused) or is smaller.
/// A copy reads no more bytes than the value that it replaces.
void duplicate_cheap(Draft& draft);

/// All of them in this order, and dead code once more: the program that FusionSpace starts from.
/// Errors: those of inline_calls() and of hlo::check_structure().
[[nodiscard]] Result<hlo::ProgramPtr> clean_up(const hlo::Program& program);

}  // namespace hloscope::fuse
