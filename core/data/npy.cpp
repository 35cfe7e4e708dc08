#include "core/data/npy.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <optional>

namespace hloscope::data {

namespace {

constexpr std::string_view kNpyMagic = "\x93NUMPY";
constexpr size_t kAlignment = 64;  // of the data behind the header
constexpr size_t kMaxRank = 64;    // NumPy's own limit

struct Header {
  std::string descr;
  bool fortran_order = false;
  Shape shape;
};

tl::unexpected<Error> bad_header(std::string_view what) {
  return fail(ErrorCode::kInvalidInput, fmt::format("the .npy header is damaged: {}", what));
}

/// Reads the Python dict of a header: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : rest_(text) {}

  Result<Header> parse() {
    if (!take('{')) return bad_header("'{' is missing");
    while (!take('}')) {
      HLOSCOPE_ASSIGN(const std::string key, quoted());
      if (!take(':')) return bad_header(fmt::format("':' is missing after '{}'", key));
      HLOSCOPE_TRY(value(key));
      if (!take(',') && !next_is('}')) return bad_header("',' or '}' is missing");
    }
    if (!has_descr_ || !has_order_ || !has_shape_) {
      return bad_header("descr, fortran_order or shape is missing");
    }
    return std::move(header_);
  }

 private:
  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) {
      rest_.remove_prefix(1);
    }
  }
  bool next_is(char c) {
    skip_blanks();
    return rest_.starts_with(c);
  }
  bool take(char c) { return next_is(c) && (rest_.remove_prefix(1), true); }
  bool take(std::string_view word) {
    skip_blanks();
    return rest_.starts_with(word) && (rest_.remove_prefix(word.size()), true);
  }

  Result<std::string> quoted() {
    skip_blanks();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    const size_t end =
        quote == '\'' || quote == '"' ? rest_.find(quote, 1) : std::string_view::npos;
    if (end == std::string_view::npos) return bad_header("a quoted word is missing");
    std::string out(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return out;
  }

  Status value(std::string_view key) {
    if (key == "descr") {
      // A list here describes records.
      if (next_is('[')) return fail(ErrorCode::kUnsupported, "arrays of records are not read");
      HLOSCOPE_ASSIGN(header_.descr, quoted());
      has_descr_ = true;
      return {};
    }
    if (key == "fortran_order") {
      header_.fortran_order = take("True");
      has_order_ = header_.fortran_order || take("False");
      return has_order_ ? Status() : bad_header("fortran_order is neither True nor False");
    }
    if (key == "shape") return shape();
    return bad_header(fmt::format("unknown key '{}'", key));
  }

  Status shape() {
    if (!take('(')) return bad_header("shape is no tuple");
    while (!take(')')) {
      skip_blanks();
      size_t size = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
      if (error != std::errc()) return bad_header("a size of the shape is no number");
      rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
      header_.shape.push_back(size);
      if (header_.shape.size() > kMaxRank) return bad_header("more than 64 dimensions");
      if (!take(',') && !next_is(')')) return bad_header("')' is missing after the shape");
    }
    has_shape_ = true;
    return {};
  }

  std::string_view rest_;
  Header header_;
  bool has_descr_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
};

std::optional<ElementType> type_by_descr(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(ElementType::kFloat64); ++i) {
    const auto type = static_cast<ElementType>(i);
    // One-byte types have no byte order: NumPy writes "|", others "<".
    const std::string_view known = descr(type);
    if (name == known) return type;
    if (byte_size(type) == 1 && name.starts_with('<') && name.substr(1) == known.substr(1)) {
      return type;
    }
  }
  return std::nullopt;
}

Result<ElementType> element_type(const std::string& name) {
  if (const auto type = type_by_descr(name)) return *type;
  return fail(ErrorCode::kUnsupported, fmt::format("the element type '{}' is not read", name),
              name.starts_with('>') ? "save it little-endian, e.g. a.astype('<f4')"
                                    : "save it as float32, float64, integers or bool");
}

// The bytes of `data` (first index fastest) in C order.
std::string to_c_order(std::string_view data, const Shape& shape, size_t element_bytes) {
  std::string out(data.size(), '\0');
  std::vector<size_t> strides(shape.size());
  size_t stride = element_bytes;
  for (size_t d = 0; d < shape.size(); ++d) {
    strides[d] = stride;
    stride *= shape[d];
  }
  std::vector<size_t> index(shape.size());
  size_t from = 0;
  for (size_t to = 0; to < out.size(); to += element_bytes) {
    std::memcpy(out.data() + to, data.data() + from, element_bytes);
    for (size_t d = shape.size(); d-- > 0;) {
      from += strides[d];
      if (++index[d] < shape[d]) break;
      from -= strides[d] * shape[d];
      index[d] = 0;
    }
  }
  return out;
}

// The header's text, and the data behind it.
struct Parts {
  std::string_view header;
  std::string_view data;
};

Result<Parts> split(std::string_view bytes) {
  const size_t start = kNpyMagic.size() + 2;
  if (!bytes.starts_with(kNpyMagic) || bytes.size() < start) {
    return fail(ErrorCode::kInvalidInput, "is not in .npy format");
  }
  const int version = bytes[kNpyMagic.size()];
  if (version < 1 || version > 3) {
    return fail(ErrorCode::kUnsupported, fmt::format("version {} of .npy is not read", version));
  }
  const size_t width = version == 1 ? 2 : 4;
  if (bytes.size() < start + width) return bad_header("it is cut");
  size_t length = 0;
  for (size_t i = 0; i < width; ++i) {
    length |= size_t{static_cast<uint8_t>(bytes[start + i])} << (8 * i);
  }
  bytes.remove_prefix(start + width);
  if (length > bytes.size()) return bad_header("it is cut");
  return Parts{bytes.substr(0, length), bytes.substr(length)};
}

}  // namespace

Result<Array> read_npy(std::string_view bytes) {
  HLOSCOPE_ASSIGN(const Parts parts, split(bytes));
  HLOSCOPE_ASSIGN(Header header, HeaderParser(parts.header).parse());
  Array array;
  HLOSCOPE_ASSIGN(array.type, element_type(header.descr));
  HLOSCOPE_ASSIGN(const size_t count, element_count(header.shape));
  const size_t width = byte_size(array.type);
  if (parts.data.size() % width != 0 || parts.data.size() / width != count) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("holds {} bytes, but the shape {} of {} needs {} elements",
                            parts.data.size(), text(header.shape), header.descr, count));
  }
  const bool turn = header.fortran_order && header.shape.size() > 1;
  array.bytes = turn ? to_c_order(parts.data, header.shape, width) : std::string(parts.data);
  array.shape = std::move(header.shape);
  return array;
}

std::string write_npy(const Array& array) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}",
                                   descr(array.type), text(array.shape));
  const auto padded_size = [&header](size_t before) {
    return (before + header.size() + 1 + kAlignment - 1) / kAlignment * kAlignment - before;
  };
  constexpr size_t kLongest = 0xffff;
  size_t width = 2;
  size_t size = padded_size(kNpyMagic.size() + 2 + width);
  if (size > kLongest) {
    width = 4;
    size = padded_size(kNpyMagic.size() + 2 + width);
  }
  header.resize(size - 1, ' ');
  header += '\n';
  std::string out(kNpyMagic);
  out += static_cast<char>(width == 2 ? 1 : 2);
  out += '\0';
  for (size_t i = 0; i < width; ++i) out += static_cast<char>(size >> (8 * i) & 0xff);
  return out + header + array.bytes;
}

}  // namespace hloscope::data
