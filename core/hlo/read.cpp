#include "core/hlo/read.h"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "core/base/file_bytes.h"
#include "core/hlo/gunzip.h"
#include "core/hlo/parse_module.h"
#include "core/hlo/proto_read.h"
#include "core/hlo/sniff.h"
#include "core/hlo/text_parts.h"

namespace hloscope::hlo {

namespace {

using Source = std::shared_ptr<const std::string>;

// Spans hold 32-bit offsets.
constexpr size_t kMaxTextBytes = std::numeric_limits<uint32_t>::max() - 1;
// About what an instruction takes in printed HLO, for reserving memory.
constexpr size_t kBytesPerInstruction = 96;

// A message that quotes a name of a megabyte keeps its beginning and its end.
std::string shortened(const std::string& message) {
  constexpr size_t kShown = 200;
  if (message.size() <= 3 * kShown) return message;
  return message.substr(0, kShown) + " ... " + message.substr(message.size() - kShown);
}

Error error_of(const Source& source, const Lexer& lex, const Lexer::Failure& failure) {
  return error_at(*source, lex.offset(failure.at), shortened(failure.message), failure.hint);
}

// The parser can say little that helps about Python, JSON or prose.
Error with_kinds_read(Error error, std::string_view text) {
  if (error.code != ErrorCode::kInvalidInput || has_signs_of_hlo(text)) return error;
  if (error.hint.empty()) {
    error.hint =
        "this does not look like HLO; files of HLO text, HloProto, HloModuleProto, HloSnapshot and "
        "TpuGraphs tuning are read";
  }
  return error;
}

// The end of the module that begins at `begin`, or a little more: for an estimate of its size.
size_t estimated_end(std::string_view text, size_t begin, size_t end) {
  return std::min(text.substr(0, end).find("\nHloModule ", begin), end);
}

class TextReader {
 public:
  TextReader(Source source, std::string_view stem, const ReadOptions& options,
             const Progress& progress, File& file)
      : source_(std::move(source)),
        stem_(stem),
        options_(options),
        progress_(progress),
        file_(file) {}

  Status read_part(const TextPart& part) {
    Lexer lex(*source_, part.begin, part.end, line_at(part.begin));
    while (!lex.at_end()) {
      HLOSCOPE_TRY(read_module(lex, part));
    }
    if (lex.failed()) return fail(error_of(source_, lex, lex.failure()));
    return {};
  }

 private:
  // Parses one module and moves `lex` behind it.
  Status read_module(Lexer& lex, const TextPart& part) {
    if (progress_.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
    const size_t begin = lex.offset(lex.position());
    progress_.report(static_cast<double>(begin) / static_cast<double>(source_->size()),
                     "reading HLO text");
    ProgramBuilder builder(source_);
    builder.reserve((estimated_end(*source_, begin, part.end) - begin) / kBytesPerInstruction);
    const std::string_view name = part.name.empty() ? stem_ : part.name;
    ParseContext context(std::move(lex), builder, options_, progress_);
    const bool parsed = parse_module(context, name);
    lex = std::move(context.lex);
    if (progress_.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
    if (!parsed) return fail(error_of(source_, lex, lex.failure()));
    for (const Lexer::Failure& warning : context.warnings) {
      file_.warnings.push_back(error_of(source_, lex, warning));
    }
    HLOSCOPE_ASSIGN(ProgramPtr program, builder.finish());
    const size_t end = lex.offset(lex.position());
    Module module;
    module.program = std::move(program);
    module.content_hash = hash128(std::string_view(*source_).substr(begin, end - begin));
    file_.modules.push_back(std::move(module));
    return {};
  }

  uint32_t line_at(size_t offset) {
    line_ += static_cast<uint32_t>(
        std::count(source_->begin() + static_cast<std::ptrdiff_t>(at_),
                   source_->begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
    at_ = offset;
    return line_;
  }

  Source source_;
  std::string_view stem_;
  const ReadOptions& options_;
  const Progress& progress_;
  File& file_;
  size_t at_ = 0;
  uint32_t line_ = 1;
};

Status read_text(std::string bytes, std::string_view stem, const ReadOptions& options,
                 const Progress& progress, File& file) {
  if (bytes.size() > kMaxTextBytes) {
    return fail(ErrorCode::kUnsupported, "HLO text of more than 4 GiB is not read");
  }
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (bytes.starts_with(kByteOrderMark)) bytes.replace(0, kByteOrderMark.size(), "   ");
  const std::vector<TextPart> parts = split_text(bytes);
  const auto source = std::make_shared<const std::string>(std::move(bytes));
  TextReader reader(source, stem, options, progress, file);
  for (const TextPart& part : parts) {
    Status status = reader.read_part(part);
    if (!status) return fail(with_kinds_read(std::move(status).error(), *source));
  }
  if (!file.modules.empty()) return {};
  return fail(ErrorCode::kInvalidInput, "there is no HLO in this file",
              "it holds only comments and blank lines");
}

Status read_content(std::string bytes, std::string_view stem, const ReadOptions& options,
                    const Progress& progress, File& file) {
  if (bytes.empty()) return fail(ErrorCode::kInvalidInput, "the file is empty");
  if (is_gzip(bytes)) {
    HLOSCOPE_ASSIGN(bytes, gunzip(bytes, progress));
  }
  if (auto foreign = foreign_format(bytes)) return fail(std::move(*foreign));
  if (!looks_binary(bytes)) return read_text(std::move(bytes), stem, options, progress, file);
  HLOSCOPE_ASSIGN(File proto, read_proto(bytes, progress));
  file.kind = proto.kind;
  file.modules = std::move(proto.modules);
  file.warnings = std::move(proto.warnings);
  return {};
}

}  // namespace

std::string_view name(FileKind kind) {
  constexpr std::array<std::string_view, 6> kNames = {
      "HLO text", "HloProto", "HloModuleProto", "HloSnapshot", "TuningData", "ModuleTuningData"};
  return kNames[static_cast<size_t>(kind)];
}

Result<File> read_bytes(std::string bytes, std::string_view name, const ReadOptions& options,
                        const Progress& progress) {
  File file;
  file.path = std::string(name);
  file.bytes = bytes.size();
  const std::string base = std::filesystem::path(name).filename().string();
  const std::string stem = base.substr(0, base.find('.'));
  Status status = read_content(std::move(bytes), stem, options, progress, file);
  if (!status) {
    Error error = std::move(status).error();
    error.file = file.path;
    return fail(std::move(error));
  }
  for (Error& warning : file.warnings) warning.file = file.path;
  return file;
}

Result<File> read_file(const std::filesystem::path& path, const ReadOptions& options,
                       const Progress& progress) {
  HLOSCOPE_ASSIGN(std::string bytes, read_file_bytes(path.string()));
  return read_bytes(std::move(bytes), path.string(), options, progress);
}

Result<ProgramPtr> parse_program(std::string text, std::string_view name) {
  HLOSCOPE_ASSIGN(File file, read_bytes(std::move(text), name));
  if (file.modules.size() != 1) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("expected one module, but there are {}", file.modules.size()));
  }
  return file.modules.front().program;
}

}  // namespace hloscope::hlo
