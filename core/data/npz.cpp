#include "core/data/npz.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zip.h>

#include <algorithm>

#include "core/base/file_bytes.h"
#include "core/data/npy.h"

namespace hloscope::data {

namespace {

constexpr std::string_view kSuffix = ".npy";
constexpr size_t kChunk = size_t{1} << 20;
// 1980-01-01, the first day that zip knows: files do not depend on when they were written.
constexpr uint16_t kFirstDosDate = 1 << 5 | 1;

tl::unexpected<Error> fail_in(const std::string& path, ErrorCode code, std::string message,
                              std::string hint = {}) {
  Error error;
  error.code = code;
  error.file = path;
  error.message = std::move(message);
  error.hint = std::move(hint);
  return fail(std::move(error));
}

std::string text_of(int zip_code) {
  zip_error_t error;
  zip_error_init_with_code(&error, zip_code);
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

struct ZipFileCloser {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
struct ArchiveDiscarder {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};

// Reads in pieces, as the size that a damaged zip states may be anything; the checksum is compared
// at the end.
Result<std::string> unpack(zip_t* archive, uint64_t index) {
  const std::unique_ptr<zip_file_t, ZipFileCloser> file(zip_fopen_index(archive, index, 0));
  if (!file) {
    const int code = zip_error_code_zip(zip_get_error(archive));
    const bool unknown = code == ZIP_ER_COMPNOTSUPP || code == ZIP_ER_NOPASSWD;
    return fail(unknown ? ErrorCode::kUnsupported : ErrorCode::kInvalidInput,
                fmt::format("cannot be unpacked: {}", zip_strerror(archive)));
  }
  zip_stat_t stat;
  const bool known = zip_stat_index(archive, index, 0, &stat) == 0 && (stat.valid & ZIP_STAT_SIZE);
  size_t piece = known ? static_cast<size_t>(std::min<uint64_t>(stat.size + 1, kChunk)) : kChunk;
  std::string out;
  while (true) {
    const size_t before = out.size();
    if (before > kMaxFileBytes) return fail(ErrorCode::kUnsupported, "has more than 8 GiB");
    out.resize(before + piece);
    const zip_int64_t got = zip_fread(file.get(), out.data() + before, piece);
    if (got < 0) {
      return fail(ErrorCode::kInvalidInput,
                  fmt::format("is cut or damaged: {}", zip_file_strerror(file.get())),
                  "compare the size of the file with that of the original");
    }
    out.resize(before + static_cast<size_t>(got));
    if (got == 0) return out;
    piece = kChunk;
  }
}

std::string wanted_text(const WantedShape& wanted) {
  std::vector<std::string> sizes;
  for (const WantedSize& size : wanted) sizes.push_back(size ? fmt::format("{}", *size) : "*");
  return fmt::format("({})", fmt::join(sizes, ", "));
}

Status check_shape(const Shape& shape, const WantedShape& wanted) {
  bool good = shape.size() == wanted.size();
  for (size_t i = 0; good && i < shape.size(); ++i) good = !wanted[i] || *wanted[i] == shape[i];
  if (good) return {};
  return fail(ErrorCode::kInvalidInput,
              fmt::format("has the shape {}, expected {}", text(shape), wanted_text(wanted)));
}

template <typename T>
Result<Values<T>> checked(const NpzFile& file, std::string_view name, const WantedShape& wanted,
                          Result<std::vector<T>> (*convert)(const Array&)) {
  HLOSCOPE_ASSIGN(Array array, file.array(name));
  if (auto status = check_shape(array.shape, wanted); !status) {
    return fail(file.located(std::move(status).error(), name));
  }
  auto values = convert(array);
  if (!values) return fail(file.located(std::move(values).error(), name));
  return Values<T>{std::move(array.shape), std::move(*values)};
}

}  // namespace

struct NpzFile::Archive {
  std::string bytes;
  zip_t* zip = nullptr;

  Archive() = default;
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;
  ~Archive() {
    if (zip != nullptr) zip_discard(zip);
  }
};

Result<NpzFile> NpzFile::open(const std::string& path) {
  NpzFile out;
  out.path_ = path;
  out.archive_ = std::make_shared<Archive>();
  HLOSCOPE_ASSIGN(out.archive_->bytes, read_file_bytes(path));
  const std::string& bytes = out.archive_->bytes;
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  // libzip takes an empty file for an empty archive.
  const bool is_zip = bytes.starts_with("PK");
  if (source != nullptr && is_zip)
    out.archive_->zip = zip_open_from_source(source, ZIP_RDONLY, &error);
  if (out.archive_->zip == nullptr) {
    std::string message = is_zip ? fmt::format("is cut or damaged: {}", zip_error_strerror(&error))
                                 : std::string("is not an .npz file");
    if (source != nullptr) zip_source_free(source);
    zip_error_fini(&error);
    return fail_in(path, ErrorCode::kInvalidInput, std::move(message),
                   "compare its size with that of the original");
  }
  const zip_int64_t count = zip_get_num_entries(out.archive_->zip, 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const char* name = zip_get_name(out.archive_->zip, static_cast<zip_uint64_t>(i), 0);
    std::string_view stem = name == nullptr ? "" : name;
    if (stem.ends_with(kSuffix)) stem.remove_suffix(kSuffix.size());
    out.names_.emplace_back(stem);
  }
  return out;
}

bool NpzFile::contains(std::string_view name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

Error NpzFile::located(Error error, std::string_view name) const {
  error.file = path_;
  error.message = fmt::format("array '{}' {}", name, error.message);
  return error;
}

Result<Array> NpzFile::array(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) {
    return fail_in(path_, ErrorCode::kNotFound, fmt::format("there is no array '{}'", name),
                   names_.empty() ? std::string("the file has no arrays")
                                  : fmt::format("there are {}", fmt::join(names_, ", ")));
  }
  auto bytes = unpack(archive_->zip, static_cast<uint64_t>(found - names_.begin()));
  if (!bytes) return fail(located(std::move(bytes).error(), name));
  auto array = read_npy(*bytes);
  if (!array) return fail(located(std::move(array).error(), name));
  return std::move(*array);
}

Result<Values<float>> NpzFile::floats(std::string_view name, const WantedShape& wanted) const {
  return checked<float>(*this, name, wanted, data::floats);
}

Result<Values<int64_t>> NpzFile::integers(std::string_view name, const WantedShape& wanted) const {
  return checked<int64_t>(*this, name, wanted, data::integers);
}

Status write_npz(const std::string& path, std::span<const NamedArray> arrays) {
  if (arrays.empty()) return fail_in(path, ErrorCode::kInvalidInput, "no arrays to write");
  int code = 0;
  std::unique_ptr<zip_t, ArchiveDiscarder> archive(
      zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
  if (!archive) {
    return fail_in(path, ErrorCode::kIo, fmt::format("cannot be written: {}", text_of(code)));
  }
  const auto refused = [&] {
    return fail_in(path, ErrorCode::kIo,
                   fmt::format("cannot be written: {}", zip_strerror(archive.get())));
  };
  std::vector<std::string> files;  // libzip reads them when it closes
  files.reserve(arrays.size());
  for (const NamedArray& one : arrays) {
    const std::string& bytes = files.emplace_back(write_npy(one.array));
    zip_source_t* source = zip_source_buffer(archive.get(), bytes.data(), bytes.size(), 0);
    const std::string name = one.name + std::string(kSuffix);
    const zip_int64_t index = zip_file_add(archive.get(), name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
      zip_source_free(source);
      return refused();
    }
    const auto at = static_cast<zip_uint64_t>(index);
    zip_set_file_compression(archive.get(), at, ZIP_CM_DEFLATE, 6);
    zip_file_set_dostime(archive.get(), at, 0, kFirstDosDate, 0);
  }
  if (zip_close(archive.get()) != 0) return refused();
  archive.release();  // zip_close() has freed it
  return {};
}

}  // namespace hloscope::data
