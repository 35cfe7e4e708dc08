#include "core/hlo/sniff.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/hlo/shape.h"

namespace hloscope::hlo {

namespace {

constexpr size_t kLookedAt = 4096;

constexpr std::string_view kToHlo =
    "get HLO from JAX with jax.jit(f).lower(x).as_text(dialect=\"hlo\") or .compile().as_text()";

struct Magic {
  std::string_view bytes;
  std::string_view format;
  std::string_view hint;
};

constexpr Magic kMagics[] = {
    {"ML\xefR", "MLIR bytecode (StableHLO or MHLO)", kToHlo},
    {"PK\x03\x04", "a zip archive (or .npz)", "unpack it, or open .npz files on the data page"},
    {"SQLite format 3", "an SQLite database", "open it with File > Open database"},
    {"\x7f"
     "ELF",
     "an ELF program", ""},
    {"\x89PNG", "a picture", ""},
    {"%PDF", "a PDF document", ""},
    {"\x28\xb5\x2f\xfd", "a zstd archive", "unpack it with zstd -d"},
    {"\xfd"
     "7zXZ",
     "an xz archive", "unpack it with xz -d"},
    {"BZh", "a bzip2 archive", "unpack it with bzip2 -d"},
    {"\xff\xfe", "UTF-16 text", "save the file as UTF-8"},
    {"\xfe\xff", "UTF-16 text", "save the file as UTF-8"},
};

// The text without leading blanks and line comments.
std::string_view first_words(std::string_view text) {
  for (;;) {
    const size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return {};
    text.remove_prefix(begin);
    if (!text.starts_with("//") && !text.starts_with('#')) return text;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
}

bool looks_like_mlir(std::string_view text) {
  constexpr std::string_view kStarts[] = {"module @",  "module {",       "module attributes",
                                          "func.func", "builtin.module", "func @"};
  return std::any_of(std::begin(kStarts), std::end(kStarts),
                     [text](std::string_view start) { return text.starts_with(start); });
}

bool looks_like_proto_text(std::string_view text) {
  const std::string_view word = text.substr(0, text.find_first_of(" :{\n"));
  const size_t next = text.find_first_not_of(' ', word.size());
  if (next == std::string_view::npos) return false;
  if (word == "hlo_module") return text[next] == '{' || text[next] == ':';
  return (word == "name" || word == "id") && text[next] == ':';
}

// Latin text in UTF-16 has a NUL in every other byte.
bool looks_like_utf16(std::string_view bytes) {
  constexpr size_t kUnits = 16;
  if (bytes.size() < 2 * kUnits) return false;
  for (const size_t high : {size_t{0}, size_t{1}}) {
    size_t i = 0;
    while (i < kUnits && bytes[2 * i + high] == '\0' && bytes[2 * i + 1 - high] != '\0') ++i;
    if (i == kUnits) return true;
  }
  return false;
}

Error unsupported(std::string_view what, std::string_view hint) {
  Error error;
  error.code = ErrorCode::kUnsupported;
  error.message = fmt::format("this is {}, not HLO", what);
  error.hint = std::string(hint);
  return error;
}

}  // namespace

bool looks_binary(std::string_view bytes) {
  constexpr char kEscape = 0x1b;  // coloured logs
  // Damaged text is still text: its error has a line and a column. A HloModuleProto can begin with
  // a newline and a name, but not with a blank behind the name.
  if (first_words(bytes.substr(0, kLookedAt)).starts_with("HloModule ")) return false;
  const std::string_view head = bytes.substr(0, kLookedAt);
  return std::any_of(head.begin(), head.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && !(byte >= '\t' && byte <= '\r') && c != kEscape;
  });
}

std::optional<Error> foreign_format(std::string_view bytes) {
  for (const Magic& magic : kMagics) {
    if (bytes.starts_with(magic.bytes)) return unsupported(magic.format, magic.hint);
  }
  if (looks_like_utf16(bytes)) return unsupported("UTF-16 text", "save the file as UTF-8");
  const std::string_view text = first_words(bytes.substr(0, kLookedAt));
  if (looks_like_mlir(text)) return unsupported("StableHLO or other MLIR text", kToHlo);
  if (looks_like_proto_text(text)) {
    return unsupported("a protobuf in text form", "use the binary .pb, or HLO text");
  }
  if (text.starts_with("<!DOCTYPE") || text.starts_with("<html")) {
    return unsupported("an HTML page", "was it downloaded without signing in?");
  }
  if (text.starts_with("; ModuleID")) return unsupported("LLVM IR", kToHlo);
  return std::nullopt;
}

bool has_signs_of_hlo(std::string_view text) {
  if (text.find("HloModule") != std::string_view::npos) return true;
  if (text.find("ENTRY") != std::string_view::npos) return true;
  constexpr std::string_view kTypeLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
  for (size_t bracket = text.find('['); bracket != std::string_view::npos;
       bracket = text.find('[', bracket + 1)) {
    const std::string_view before = text.substr(0, bracket);
    if (type_by_name(before.substr(before.find_last_not_of(kTypeLetters) + 1))) return true;
  }
  return false;
}

}  // namespace hloscope::hlo
