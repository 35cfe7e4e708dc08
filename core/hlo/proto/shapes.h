#pragma once

#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/hlo/shape.h"

namespace hloscope::hlo {

/// Decodes xla.ShapeProto. Errors: kInvalidInput (damaged bytes, unknown element type, negative or
/// too large sizes, layout that does not fit the rank, tuples nested too deeply).
[[nodiscard]] Result<ShapeId> shape_from_wire(std::string_view bytes, ShapeTable& shapes);

struct ProgramShape {
  std::vector<ShapeId> parameters;
  ShapeId result;  ///< Invalid when the message has none.
};
/// Decodes xla.ProgramShapeProto.
[[nodiscard]] Result<ProgramShape> program_shape_from_wire(std::string_view bytes,
                                                           ShapeTable& shapes);

}  // namespace hloscope::hlo
