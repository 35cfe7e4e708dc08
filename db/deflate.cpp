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

/// Used again for every graph of a thread: to make one takes longer than to pack a small graph.
class Deflater {
 public:
  Deflater() { is_ready_ = deflateInit(&stream_, Z_DEFAULT_COMPRESSION) == Z_OK; }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  /// Into `packed`, which has room for it; the size, or 0 when there is no memory.
  size_t pack(std::string_view bytes, std::string& packed) {
    if (!is_ready_ || deflateReset(&stream_) != Z_OK) return 0;
    stream_.next_in = const_cast<Bytef*>(input(bytes));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    stream_.next_out = output(packed);
    stream_.avail_out = static_cast<uInt>(packed.size());
    return deflate(&stream_, Z_FINISH) == Z_STREAM_END ? stream_.total_out : 0;
  }

 private:
  z_stream stream_{};
  bool is_ready_ = false;
};

}  // namespace

Result<std::string> deflated(std::string_view bytes) {
  if (bytes.size() > kMaxContentBytes) {
    return fail(ErrorCode::kInvalidInput, "a graph of more than 1 GiB cannot be stored");
  }
  thread_local Deflater deflater;
  std::string packed(compressBound(bytes.size()), '\0');
  packed.resize(deflater.pack(bytes, packed));
  if (packed.empty()) return fail(ErrorCode::kInternal, "zlib has no memory to pack a graph");
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
