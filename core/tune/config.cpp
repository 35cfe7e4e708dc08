#include "core/tune/config.h"

#include "core/base/hash.h"
#include "core/data/varint.h"

namespace hloscope::tune {

namespace {

tl::unexpected<Error> damaged() {
  return fail(ErrorCode::kInvalidInput, "a stored configuration is damaged",
              "take the session from a copy of the database");
}

}  // namespace

uint64_t config_hash(const Config& config) {
  return hash64({reinterpret_cast<const char*>(config.data()), config.size() * sizeof(config[0])});
}

std::string encode_config(const Config& config, const Config& base) {
  std::string out;
  size_t last = 0;
  for (size_t i = 0; i < config.size(); ++i) {
    if (config[i] == base[i]) continue;
    data::put_integer(out, static_cast<int64_t>(i - last));
    data::put_integer(out, int64_t{config[i]} - int64_t{base[i]});
    last = i;
  }
  return out;
}

Result<Config> decode_config(std::string_view bytes, const Config& base) {
  Config out = base;
  size_t at = 0;
  while (!bytes.empty()) {
    const std::optional<int64_t> gap = data::take_integer(bytes);
    const std::optional<int64_t> change = data::take_integer(bytes);
    if (!gap || !change || *gap < 0 || static_cast<uint64_t>(*gap) >= out.size() - at) {
      return damaged();
    }
    at += static_cast<size_t>(*gap);
    const int64_t value = int64_t{base[at]} + *change;
    if (value < 0 || value > int64_t{UINT32_MAX}) return damaged();
    out[at] = static_cast<uint32_t>(value);
  }
  return out;
}

}  // namespace hloscope::tune
