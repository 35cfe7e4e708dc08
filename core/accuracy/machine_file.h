#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace hloscope::accuracy {

/// The JSON text of a machine, as sim::find_machine() reads it. Errors: those of reading a file.
[[nodiscard]] Result<std::string> machine_text(std::string_view id_or_path);

struct NewConstant {
  std::string_view name;
  double value = 0;
};

/// The machine file `text` with new values, which say where they come from; everything else is
/// kept, in its order. Error: kInvalidInput for a text that is not a machine.
[[nodiscard]] Result<std::string> with_new_constants(std::string_view text,
                                                     std::span<const NewConstant> constants,
                                                     std::string_view source);

/// To 4 significant digits: a fit tells no more.
[[nodiscard]] double rounded(double value);

}  // namespace hloscope::accuracy
