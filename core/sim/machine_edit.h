#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/sim/machine.h"

namespace hloscope::sim {

/// Where a constant stands in forms, and what it is called there.
struct ConstantInfo {
  std::string_view key;    ///< In the machine file: "clock_ghz".
  std::string_view title;  ///< "Clock".
  std::string_view group;  ///< "Core", "Memory" ...
  bool is_timed = true;    ///< False: for the reader; no time of one core depends on it.
};
/// Every constant of the shipped files, group by group.
[[nodiscard]] const std::vector<ConstantInfo>& constant_infos();

/// How well a constant is known.
enum class Grade : uint8_t {
  kPublished,  ///< In a document, or worked out from one.
  kFitted,     ///< To measured runs.
  kAssumed,
};
[[nodiscard]] Grade grade(const Constant& constant);

/// The machine as text of a machine file, as resources/machines: what find_machine() reads.
[[nodiscard]] std::string machine_json(const Machine& machine);

/// Other values by name of constant.
using NewValues = std::map<std::string, double, std::less<>>;

/// `base` with other values of some constants, whose source then says that they were changed; with
/// a hash, an id and a title of its own. Without values: `base` itself. Errors: kInvalidInput, as
/// for a machine file, for values that no machine can have and for unknown names.
[[nodiscard]] Result<Machine> changed_machine(const Machine& base, const NewValues& values);
/// The same under an id and a title that the user gave, to be saved.
[[nodiscard]] Result<Machine> named_machine(const Machine& machine, std::string_view title);

}  // namespace hloscope::sim
