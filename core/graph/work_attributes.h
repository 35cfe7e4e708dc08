#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "core/hlo/program.h"

namespace hloscope::graph {

/// Whether an attribute of an instruction says something about its work, so that kernels that
/// differ in it are different kernels. False also for a value that means the same as leaving the
/// attribute out.
[[nodiscard]] bool changes_work(const hlo::Attribute& attribute, hlo::Opcode opcode);

/// Number and size of the groups in `{{0,1},{2,3}}` or `[2,2]<=[4]`; nothing for other forms.
[[nodiscard]] std::optional<std::pair<int64_t, int64_t>> replica_group_sizes(std::string_view text);

}  // namespace hloscope::graph
