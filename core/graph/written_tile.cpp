#include "core/graph/written_tile.h"

namespace hloscope::graph {

std::string_view written_tile(const hlo::Program& program, hlo::InstructionId kernel) {
  const std::string_view all = program.text(kernel, hlo::AttrKey::kFrontendAttributes);
  constexpr std::string_view kName = "hloscope_tile=\"";
  const size_t begin = all.find(kName);
  // Not the end of another name.
  if (begin == std::string_view::npos || begin == 0 ||
      std::string_view("{, ").find(all[begin - 1]) == std::string_view::npos) {
    return {};
  }
  const std::string_view value = all.substr(begin + kName.size());
  return value.substr(0, value.find('"'));
}

}  // namespace hloscope::graph
