#include "core/base/hash_label.h"

#include <fmt/format.h>

namespace hloscope {

std::string hash_label(std::string_view name, const Hash128& hash) {
  constexpr size_t kDigits = 8;
  return fmt::format("{}@{}", name, hash.hex().substr(0, kDigits));
}

}  // namespace hloscope
