#pragma once

#include <string_view>

#include "core/base/result.h"

namespace hloscope::db {

/// Refuses what cannot be a name that a user gives to a data set, run, program or session: more
/// than 200 characters, control characters (line ends as well), or bytes that are not UTF-8.
/// `what` says of what it is: "data set". An empty name is left to the caller.
[[nodiscard]] Status check_given_name(std::string_view what, std::string_view name);

}  // namespace hloscope::db
