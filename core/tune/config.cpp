#include "core/tune/config.h"

#include <algorithm>
#include <limits>

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

Result<size_t> decode_changes(std::string_view bytes, const Config& base, size_t most,
                              std::vector<ConfigChange>& out) {
  out.clear();
  size_t at = 0;
  while (!bytes.empty()) {
    if (out.size() == most) {
      // Two numbers each, of which only the last byte has no mark.
      const auto ends = std::count_if(bytes.begin(), bytes.end(), [](char byte) {
        return (static_cast<unsigned char>(byte) & 0x80U) == 0;
      });
      return most + static_cast<size_t>(ends) / 2;
    }
    const std::optional<int64_t> gap = data::take_integer(bytes);
    const std::optional<int64_t> change = data::take_integer(bytes);
    if (!gap || !change || *gap < 0 || static_cast<uint64_t>(*gap) >= base.size() - at) {
      return damaged();
    }
    at += static_cast<size_t>(*gap);
    const int64_t value = int64_t{base[at]} + *change;
    if (value < 0 || value > int64_t{UINT32_MAX}) return damaged();
    out.push_back({static_cast<uint32_t>(at), static_cast<uint32_t>(value)});
  }
  return out.size();
}

Result<Config> decode_config(std::string_view bytes, const Config& base) {
  std::vector<ConfigChange> changes;
  HLOSCOPE_TRY(decode_changes(bytes, base, std::numeric_limits<size_t>::max(), changes));
  Config out = base;
  for (const ConfigChange& change : changes) out[change.dimension] = change.value;
  return out;
}

}  // namespace hloscope::tune
