#pragma once

#include <QString>

namespace hloscope::ui {

/// What a path leads to, by the first bytes of the file: where it is to be opened.
enum class FileKind {
  kProgram,   ///< A program, or a table of measured times: found out by reading it.
  kDatabase,  ///< A results file or a data set.
  kArchive,   ///< A zip archive: an .npz file of TpuGraphs.
  kModel,     ///< A learned model, .safetensors.
  kFolder,
};
[[nodiscard]] FileKind kindOf(const QString& path);

/// What can be opened, in a sentence.
[[nodiscard]] QString openableKinds();

}  // namespace hloscope::ui
