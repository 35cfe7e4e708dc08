#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/data/data_set.h"
#include "core/hlo/program.h"

namespace hloscope::data {

/// A program to generate samples from.
struct ListedProgram {
  SourceProgram source;      ///< file_path is FILE or FILE#N.
  bool is_compiled = false;  ///< Its kernels are given: nothing to choose. See KernelList.
};

struct ProgramList {
  /// Sorted by family, then name, then hash: the same whatever order the files came in.
  std::vector<ListedProgram> programs;
  std::vector<std::string> repeated;  ///< Files with a program that another one has too.
  std::vector<Error> unreadable;      ///< Files in folders that are no HLO.
};

/// All modules of `paths`; folders are searched with all their folders. In folders, what is no HLO
/// is left out; a named file must be readable. Programs of one content (text and proto of it, say)
/// count once: the first path in alphabetical order stands for them. Errors: those of
/// hlo::read_file; kNotFound when there is no program at all; kCancelled.
[[nodiscard]] Result<ProgramList> list_programs(std::span<const std::string> paths,
                                                const Progress& progress = {});

/// Reads one again. Error: kInvalidInput when its content is not what it was.
[[nodiscard]] Result<hlo::ProgramPtr> read_program(const SourceProgram& source);

/// Hash of the HLO text without header, metadata and large constants: the same for text and proto
/// of one program.
[[nodiscard]] Hash128 program_hash(const hlo::Program& program);

/// The name of a file without folder, up to its first full stop: that of the program in it.
[[nodiscard]] std::string name_of_file(const std::string& path);

/// The model that a program is a variant of, from its name: the words (between `_`, `-` and `.`)
/// before the first that tells the variant: a number or size (`128`, `4x4`), a type (`bf16`), or
/// one of batch, train, inference, before, after, optimized and the like. `resnet50_train` is of
/// the family `resnet50`.
[[nodiscard]] std::string family_of(std::string_view program_name);

}  // namespace hloscope::data
