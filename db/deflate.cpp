#include "db/deflate.h"

#include <zlib.h>

#include <algorithm>

namespace hloscope::db {
namespace {

// zlib does not write through its input.
const Bytef* input(std::string_view bytes) {
  return reinterpret_cast<const Bytef*>(bytes.data());
}

Bytef* output(std::string& bytes) {
  return reinterpret_cast<Bytef*>(bytes.data());
}

}  // namespace

Result<std::string> deflated(std::string_view bytes) {
  if (bytes.size() > kMaxContentBytes) {
    return fail(ErrorCode::kInvalidInput, "a graph of more than 1 GiB cannot be stored");
  }
  std::string packed(compressBound(bytes.size()), '\0');
  uLongf size = packed.size();
  const int code =
      compress2(output(packed), &size, input(bytes), bytes.size(), Z_DEFAULT_COMPRESSION);
  if (code != Z_OK) return fail(ErrorCode::kInternal, "zlib has no memory to pack a graph");
  packed.resize(size);
  return packed;
}

Result<std::string> inflated(std::string_view packed) {
  // HLO text packs to about a fifth; a second try is rare.
  size_t room = std::min(kMaxContentBytes, packed.size() * 8 + 1024);
  while (true) {
    std::string bytes(room, '\0');
    uLongf size = bytes.size();
    uLong used = packed.size();
    const int code = uncompress2(output(bytes), &size, input(packed), &used);
    if (code == Z_OK && used == packed.size()) {
      bytes.resize(size);
      return bytes;
    }
    if (code != Z_BUF_ERROR || room == kMaxContentBytes) {
      return fail(ErrorCode::kInvalidInput, "it cannot be unpacked");
    }
    room = std::min(kMaxContentBytes, room * 8);
  }
}

}  // namespace hloscope::db
