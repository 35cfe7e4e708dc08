#include "core/hlo/proto_read.h"

#include <optional>

#include "core/hlo/proto/modules.h"
#include "core/hlo/proto/tuning.h"
#include "core/hlo/proto/wire.h"

namespace hloscope::hlo {

namespace {

constexpr uint32_t kFirstField = 1;  // the module, or what holds it, in every wrapper

/// The submessages in field 1.
std::vector<std::string_view> children(std::string_view bytes) {
  std::vector<std::string_view> out;
  WireReader reader(bytes);
  while (reader.next()) {
    if (reader.field().is_bytes(kFirstField)) out.push_back(reader.field().bytes);
  }
  return out;
}

bool holds_module(std::string_view bytes) {
  for (std::string_view child : children(bytes)) {
    if (looks_like_module(child)) return true;
  }
  return false;
}

std::optional<FileKind> kind_of(std::string_view bytes) {
  if (looks_like_module(bytes)) return FileKind::kHloModuleProto;
  if (holds_module(bytes)) {
    return looks_like_module_tuning(bytes) ? FileKind::kModuleTuningData : FileKind::kHloProto;
  }
  const std::vector<std::string_view> parts = children(bytes);
  for (std::string_view part : parts) {
    if (!holds_module(part)) continue;
    const bool tuning = parts.size() > 1 || looks_like_module_tuning(part);
    return tuning ? FileKind::kTuningData : FileKind::kHloSnapshot;
  }
  return std::nullopt;
}

Status add_module(std::string_view bytes, const Progress& progress, File& file) {
  HLOSCOPE_ASSIGN(ProgramPtr program, module_from_wire(bytes, progress));
  Module module;
  module.program = std::move(program);
  module.content_hash = hash128(bytes);
  file.modules.push_back(std::move(module));
  return {};
}

/// HloProto, and each ModuleTuningData: the module in field 1.
Status add_wrapped(std::string_view bytes, const Progress& progress, File& file) {
  for (std::string_view module : children(bytes)) {
    HLOSCOPE_TRY(add_module(module, progress, file));
  }
  return {};
}

Status add_tuned(std::string_view bytes, const Progress& progress, File& file) {
  const size_t before = file.modules.size();
  HLOSCOPE_TRY(add_wrapped(bytes, progress, file));
  if (file.modules.size() == before) {
    return fail(ErrorCode::kInvalidInput, "a ModuleTuningData without a module");
  }
  HLOSCOPE_ASSIGN(file.modules.back().runs, runs_from_wire(bytes));
  return {};
}

Status add_modules(std::string_view bytes, const Progress& progress, File& file) {
  const std::vector<std::string_view> parts = children(bytes);
  switch (file.kind) {
    case FileKind::kHloModuleProto:
      return add_module(bytes, progress, file);
    case FileKind::kHloProto:
      return add_wrapped(bytes, progress, file);
    case FileKind::kModuleTuningData:
      return add_tuned(bytes, progress, file);
    case FileKind::kHloSnapshot:
      for (std::string_view part : parts) HLOSCOPE_TRY(add_wrapped(part, progress, file));
      return {};
    default:
      break;
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    progress.report(static_cast<double>(i) / static_cast<double>(parts.size()), "reading modules");
    HLOSCOPE_TRY(add_tuned(parts[i], progress, file));
  }
  return {};
}

}  // namespace

Result<File> read_proto(std::string_view bytes, const Progress& progress) {
  const std::optional<FileKind> kind = kind_of(bytes);
  if (!kind) {
    const bool whole = is_wire_message(bytes);
    return fail(ErrorCode::kInvalidInput,
                whole ? "a protobuf file without an HLO module"
                      : "neither HLO text nor a known protobuf message, or cut too early",
                "expected HloProto, HloModuleProto, HloSnapshot, TuningData or ModuleTuningData");
  }
  if (!is_wire_message(bytes)) {
    return fail(ErrorCode::kInvalidInput, "the protobuf file is cut or damaged",
                "compare its size with that of the original");
  }
  File file;
  file.kind = *kind;
  file.bytes = bytes.size();
  HLOSCOPE_TRY(add_modules(bytes, progress, file));
  return file;
}

}  // namespace hloscope::hlo
