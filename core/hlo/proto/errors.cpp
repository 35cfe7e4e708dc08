#include "core/hlo/proto/errors.h"

#include <utility>

namespace hloscope::hlo {

tl::unexpected<Error> bad(std::string message) {
  return fail(ErrorCode::kInvalidInput, std::move(message));
}

}  // namespace hloscope::hlo
