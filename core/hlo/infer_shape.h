#pragma once

#include <span>
#include <string>

#include "core/hlo/program_builder.h"
#include "core/hlo/rhs.h"

namespace hloscope::hlo {

/// The result shape of an instruction whose text has none, from its operands' shapes and
/// attributes. Invalid when there is no rule or the operands do not fit; `problem` may then say
/// why.
[[nodiscard]] ShapeId infer_omitted_shape(ProgramBuilder& builder, const Rhs& rhs,
                                          std::span<const ShapeId> operands, std::string& problem);

}  // namespace hloscope::hlo
