#pragma once

#include <optional>
#include <string_view>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/hlo/read.h"

namespace hloscope::analysis {

/// Which kernels are wanted of a program that is not optimised.
enum class KernelChoice : uint8_t {
  kOwnFusion,  ///< Those of fuse::with_own_fusion().
  kRaw,        ///< Every instruction is one.
};

/// How the kernels of a module came about.
enum class KernelOrigin : uint8_t {
  kCompiled,  ///< They stand in the file: an optimised program, or one measured kernel of such.
  kOwnFusion,
  kRaw,
};
[[nodiscard]] std::string_view title(KernelOrigin origin);  ///< "as compiled", "own fusion", "raw"
[[nodiscard]] std::string_view name(KernelOrigin origin);   ///< "compiled", "own_fusion", "raw"

/// A module with the program in which its kernels are found.
struct ShownModule {
  hlo::Module module;        ///< Hash and runs as in the file; the program with own fusion.
  hlo::ProgramPtr original;  ///< As in the file; module.program unless there is own fusion.
  KernelOrigin origin = KernelOrigin::kCompiled;
  KernelChoice choice = KernelChoice::kOwnFusion;  ///< What was wanted.
  /// Why a program that should have own fusion is raw.
  std::optional<Error> fusion_error;
};

/// Modules of tile tuning files (one kernel with runs of its tiles) count as compiled, those of
/// layout tuning files are programs before fusion. A program that cannot be fused is raw and says
/// why. Error: kCancelled.
[[nodiscard]] Result<ShownModule> shown_module(const hlo::Module& module, KernelChoice choice,
                                               const Progress& progress = {});
/// The same with another choice.
[[nodiscard]] Result<ShownModule> shown_module(const ShownModule& shown, KernelChoice choice,
                                               const Progress& progress = {});

}  // namespace hloscope::analysis
