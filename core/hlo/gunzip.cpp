#include "core/hlo/gunzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

namespace hloscope::hlo {

namespace {

constexpr size_t kMaxBytes = size_t{2} << 30;
constexpr size_t kChunk = size_t{1} << 20;
constexpr int kGzipOnly = 16;  // added to the window bits: no zlib streams

class Inflater {
 public:
  Inflater() { ready_ = inflateInit2(&stream_, MAX_WBITS + kGzipOnly) == Z_OK; }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Appends up to kChunk bytes to `out`; Z_OK, Z_STREAM_END or an error of zlib.
  int step(std::string& out) {
    const size_t before = out.size();
    out.resize(before + kChunk);
    stream_.next_out = reinterpret_cast<Bytef*>(out.data() + before);
    stream_.avail_out = kChunk;
    const int status = ready_ ? inflate(&stream_, Z_NO_FLUSH) : Z_MEM_ERROR;
    out.resize(before + kChunk - stream_.avail_out);
    return status;
  }

  void set_input(std::string_view bytes) {
    // zlib does not write through next_in.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
  }
  [[nodiscard]] size_t input_left() const { return stream_.avail_in; }
  void reset() { inflateReset(&stream_); }

 private:
  z_stream stream_{};
  bool ready_ = false;
};

}  // namespace

Result<std::string> gunzip(std::string_view bytes, const Progress& progress) {
  if (bytes.size() > std::numeric_limits<uInt>::max()) {
    return fail(ErrorCode::kInvalidInput, "this gzip file is larger than 4 GiB");
  }
  Inflater inflater;
  inflater.set_input(bytes);
  std::string out;
  for (;;) {
    if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
    const size_t before = out.size();
    const int status = inflater.step(out);
    if (out.size() > kMaxBytes) {
      return fail(ErrorCode::kInvalidInput, "this gzip file unpacks to more than 2 GiB");
    }
    if (status == Z_STREAM_END) {
      if (inflater.input_left() == 0) break;
      inflater.reset();
    } else if (status != Z_OK || (out.size() == before && inflater.input_left() == 0)) {
      return fail(ErrorCode::kInvalidInput, "this gzip file is damaged or cut off",
                  "copy or download it again");
    }
  }
  out.shrink_to_fit();
  return out;
}

}  // namespace hloscope::hlo
