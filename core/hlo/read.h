#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/hash.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/hlo/program.h"

namespace hloscope::hlo {

/// A runtime of a TPU that stands in a TpuGraphs tuning file (tuning.proto). Times are what the
/// file says was measured; it names no device.
struct MeasuredRun {
  uint32_t run_index = 0;  ///< Position among the module's runs in the file.
  bool is_default = false;
  bool failed = false;  ///< The file marks the run as an error; time_ns is then meaningless.
  int64_t time_ns = 0;
  /// Tile bounds in the file's own order (physical major to minor); empty when not given.
  std::vector<int64_t> output_bounds;
  std::vector<int64_t> kernel_bounds;
  std::vector<int64_t> input_bounds;
  std::vector<int64_t> iteration_bounds;
  /// Hash of the layout configuration; 0 for tile runs.
  uint64_t layout_hash = 0;
};

struct Module {
  ProgramPtr program;
  Hash128 content_hash;           ///< Of the module's own bytes in the file.
  std::vector<MeasuredRun> runs;  ///< Only in tuning files.
};

enum class FileKind {
  kText,
  kHloProto,
  kHloModuleProto,
  kHloSnapshot,
  kTuningData,
  kModuleTuningData,
};
[[nodiscard]] std::string_view name(FileKind kind);

/// Everything read from one file.
struct File {
  std::string path;
  FileKind kind = FileKind::kText;
  uint64_t bytes = 0;
  std::vector<Module> modules;  ///< At least one. Module N (from 1) is addressed as FILE#N.
  std::vector<Error> warnings;  ///< Things kept but not understood, e.g. unknown attributes.
};

struct ReadOptions {
  bool strict = false;  ///< Unknown attributes are errors, as in XLA.
};

/// Reads a file of any supported kind; the kind is found from the content, never from the name.
/// gzip is unpacked on the way. Errors: kNotFound, kIo, kInvalidInput (with position), kUnsupported
/// (StableHLO and other known foreign formats; the hint names the way to HLO), kCancelled.
[[nodiscard]] Result<File> read_file(const std::filesystem::path& path,
                                     const ReadOptions& options = {},
                                     const Progress& progress = {});
/// The same for bytes in memory; `name` stands in messages.
[[nodiscard]] Result<File> read_bytes(std::string bytes, std::string_view name,
                                      const ReadOptions& options = {},
                                      const Progress& progress = {});
/// HLO text with exactly one module: for tests and for pasted text.
[[nodiscard]] Result<ProgramPtr> parse_program(std::string text, std::string_view name = "text");

}  // namespace hloscope::hlo
