#include "core/data/program_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <tuple>

#include "core/base/folder_files.h"
#include "core/graph/kernels.h"
#include "core/hlo/address.h"
#include "core/hlo/print.h"
#include "core/hlo/read.h"

namespace hloscope::data {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 24> kVariantWords{
    "batch",    "bs",     "train",   "training",  "inference",     "infer",  "eval",  "serving",
    "generate", "decode", "prefill", "step",      "sample",        "before", "after", "cpu",
    "tpu",      "gpu",    "module",  "optimized", "optimizations", "fwd",    "bwd",   "remat"};

// A size, count or type: `128`, `4x4`, `bf16`, `f32`.
bool is_variant(std::string_view word) {
  if (word.find_first_not_of("0123456789x") == std::string_view::npos) return true;
  for (std::string_view type : {"bf16", "f16", "f32", "f64", "s8", "fp8", "int8"}) {
    if (word == type) return true;
  }
  return std::find(kVariantWords.begin(), kVariantWords.end(), word) != kVariantWords.end();
}

struct FoundFile {
  std::string path;
  bool is_named = false;  ///< By the user; else found in a folder.
};

Result<std::vector<FoundFile>> find_files(std::span<const std::string> paths) {
  std::vector<FoundFile> files;
  for (const std::string& path : paths) {
    std::error_code code;
    if (fs::is_directory(path, code)) {
      HLOSCOPE_ASSIGN(const std::vector<std::string> found, files_below(path));
      for (const std::string& file : found) files.push_back({file, false});
    } else {
      files.push_back({path, true});
    }
  }
  std::sort(files.begin(), files.end(), [](const FoundFile& a, const FoundFile& b) {
    return std::tuple(a.path, !a.is_named) < std::tuple(b.path, !b.is_named);
  });
  return files;
}

ListedProgram listed(const hlo::Module& module, const std::string& path, size_t number,
                     bool is_only) {
  const hlo::Program& program = *module.program;
  ListedProgram out;
  out.source.hash = program_hash(program);
  out.source.name = is_only ? name_of_file(path) : std::string(program.name());
  out.source.family = family_of(name_of_file(path));
  out.source.file_path = is_only ? path : fmt::format("{}#{}", path, number);
  out.source.instruction_count = static_cast<int64_t>(program.instruction_count());
  out.is_compiled = graph::is_optimized(program);
  return out;
}

Status add_file(const std::string& address_text, std::vector<ListedProgram>& out) {
  const hlo::FileAddress address = hlo::parse_address(address_text);
  HLOSCOPE_ASSIGN(const hlo::File file, hlo::read_file(address.path));
  HLOSCOPE_TRY(hlo::check_address(address, file.modules.size()));
  for (size_t i = 0; i < file.modules.size(); ++i) {
    if (address.module && *address.module != i + 1) continue;
    out.push_back(listed(file.modules[i], address.path, i + 1, file.modules.size() == 1));
  }
  return {};
}

void drop_repeated(ProgramList& list) {
  std::map<Hash128, size_t> first;
  std::vector<ListedProgram> kept;
  for (ListedProgram& program : list.programs) {
    if (first.try_emplace(program.source.hash, kept.size()).second) {
      kept.push_back(std::move(program));
    } else {
      list.repeated.push_back(program.source.file_path);
    }
  }
  list.programs = std::move(kept);
}

}  // namespace

Hash128 program_hash(const hlo::Program& program) {
  hlo::PrintOptions options;
  options.metadata = false;
  options.large_constants = false;  // XLA leaves them out of its text.
  std::string text = hlo::print(program, options);
  text.erase(0, text.find('\n'));  // The header: name, and what protos do not keep alike.
  return hash128(text);
}

std::string name_of_file(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  return name.substr(0, name.find('.'));
}

std::string family_of(std::string_view program_name) {
  std::string family;
  size_t at = 0;
  while (at <= program_name.size()) {
    const size_t end = std::min(program_name.find_first_of("_-.", at), program_name.size());
    const std::string_view word = program_name.substr(at, end - at);
    if (at > 0 && is_variant(word)) break;
    if (at > 0) family += program_name[at - 1];
    family += word;
    at = end + 1;
  }
  return family;
}

Result<ProgramList> list_programs(std::span<const std::string> paths, const Progress& progress) {
  HLOSCOPE_ASSIGN(const std::vector<FoundFile> files, find_files(paths));
  ProgramList list;
  for (size_t i = 0; i < files.size(); ++i) {
    if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
    progress.report(static_cast<double>(i) / static_cast<double>(files.size()), "reading programs");
    if (i > 0 && files[i].path == files[i - 1].path) continue;
    Status added = add_file(files[i].path, list.programs);
    if (added) continue;
    if (files[i].is_named) return fail(std::move(added).error());
    list.unreadable.push_back(std::move(added).error());
  }
  if (list.programs.empty()) {
    return fail(ErrorCode::kNotFound, "there is no HLO program in what was given",
                "give HLO files (text or proto), or folders with such files");
  }
  drop_repeated(list);
  const auto key = [](const ListedProgram& p) {
    return std::tie(p.source.family, p.source.name, p.source.hash);
  };
  std::sort(list.programs.begin(), list.programs.end(),
            [&key](const ListedProgram& a, const ListedProgram& b) { return key(a) < key(b); });
  return list;
}

Result<hlo::ProgramPtr> read_program(const SourceProgram& source) {
  const hlo::FileAddress address = hlo::parse_address(source.file_path);
  HLOSCOPE_ASSIGN(const hlo::File file, hlo::read_file(address.path));
  HLOSCOPE_TRY(hlo::check_address(address, file.modules.size()));
  hlo::ProgramPtr program = file.modules[address.module.value_or(1) - 1].program;
  if (program_hash(*program) == source.hash) return program;
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = "the program is no longer the one that the data set was begun with";
  error.file = source.file_path;
  error.hint = "put the old file back, or begin a new data set";
  return fail(std::move(error));
}

}  // namespace hloscope::data
