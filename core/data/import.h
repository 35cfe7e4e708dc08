#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/data/data_set.h"
#include "core/data/split.h"
#include "core/sim/machine.h"

namespace hloscope::data {

/// One graph of a foreign file, ready for a data set.
struct ImportedGraph {
  Task task = Task::kTile;
  Target target;
  SourceProgram program;
  GraphRecord graph;
  std::vector<Sample> samples;  ///< Each configuration once, with its least time.
  std::optional<Part> part;     ///< Of a published split, where the file says one.
  double executions = 1;        ///< In one run of the program.
};

/// Takes the graphs of a file one by one; an error ends the import with it.
using ImportSink = std::function<Status(ImportedGraph)>;

/// What of a file was left out, and what else is to be said of it.
struct ImportReport {
  int64_t duplicates = 0;       ///< Times of a configuration that has a lesser one.
  int64_t failed = 0;           ///< Runs that the file marks as failed.
  int64_t too_short = 0;        ///< Times of 1 ns and less, as the loader of TpuGraphs does.
  int64_t without_choice = 0;   ///< Runs without a configuration: only the normalizer is taken.
  int64_t graphs_left_out = 0;  ///< Graphs of which no time is left.
  std::vector<Error> warnings;
  std::vector<std::string> notes;  ///< How well a profile fits its program, in sentences.
};

/// What the user says of the files. A stop asked for ends an import with kCancelled.
struct ImportOptions {
  /// What the times were measured on, e.g. "TPU v3". Empty: as the file says it, or what is known
  /// of its kind.
  std::string device;
  Progress progress;
};
/// Of times that were measured on `device` and come from a file.
[[nodiscard]] Target measured_target(const std::string& device);

/// Which of the readers below takes a file.
enum class ImportKind : uint8_t { kTpuGraph, kTimes, kHloStats, kHlo };
/// By the beginning of its content, and by the name for empty or broken ones; kHlo for what is
/// nothing else. Errors: those of reading the file.
[[nodiscard]] Result<ImportKind> find_import_kind(const std::string& path);

/// An .npz file of TpuGraphs: a graph in the form kTpuGraph, of features alone. The file's name
/// gives the program, see tpugraphs_name(). Without runtimes (the test files of the contest) the
/// graph comes without samples. Beside files that hloscope exported stands their target, which then
/// counts. Errors: those of read_tpugraph(), configuration_of() and target_beside().
[[nodiscard]] Status import_tpugraph(const std::string& path, const ImportOptions& options,
                                     const ImportSink& sink, ImportReport& report);

/// A TuningData or ModuleTuningData file of TpuGraphs. With tile runs: a graph per module, the
/// kernel alone, of one program that stands for the file. With layout runs: a graph per module, the
/// whole of it, see layout_content(). Errors: those of hlo::read_file() and read_layout_tunings();
/// kInvalidInput for a file that has both kinds of runs, or none.
[[nodiscard]] Status import_tuning(const std::string& path, const ImportOptions& options,
                                   const ImportSink& sink, ImportReport& report);

/// Measured times as CSV; a row is one time. Columns by name, others are ignored with a warning:
///   program     path of an HLO file from the folder of the CSV; FILE#N for a module of it
///   kernel      NAME or COMPUTATION/NAME; empty or no column: the only kernel of the program
///   tile        as sim::parse_tile() reads it; empty or no column: as the compiler chose
///   time_ns     number above 0
///   device      optional, one for the whole file
///   is_default  optional, 0 or 1 (false, true): the compiler's own choice
///   repeats     optional: time_ns is the least of so many runs
/// With any tile it is a data set of tiles, else of fusion. Of tiles, rows without a tile give the
/// normalizer of their kernel. Rows of one kernel and tile are reduced to the least time. Errors:
/// kInvalidInput with line and column; those of hlo::read_file().
[[nodiscard]] Status import_times(const std::string& path, const ImportOptions& options,
                                  const ImportSink& sink, ImportReport& report);

/// XProf's table of HLO ops (hlo_stats) with the program that was profiled: task fusion, a graph
/// per kernel with a time. `program`: FILE or FILE#N. Errors: those of measured::read_hlo_stats()
/// and hlo::read_file(); kInvalidInput when the table is of another program.
[[nodiscard]] Status import_hlo_stats(const std::string& path, const std::string& program,
                                      const ImportOptions& options, const ImportSink& sink,
                                      ImportReport& report);

/// Programs as the compiler of a TPU left them (FILE or FILE#N): task fusion, each kernel with the
/// time that the compiler expected; see analysis::compiler_times(). Errors: those of
/// hlo::read_file(); kInvalidInput when no kernel has such a time.
[[nodiscard]] Status import_compiler_times(const std::string& address, const sim::Machine& machine,
                                           const ImportOptions& options, const ImportSink& sink,
                                           ImportReport& report);

/// What the name of a TpuGraphs file says: `npz/tile/xla/train/NAME_HASH.npz`, or all of it in the
/// file name, `tile_xla_train_NAME_HASH.npz`.
struct TpuGraphsName {
  std::string program;  ///< NAME; of layouts HASH belongs to it.
  std::optional<Part> part;
};
[[nodiscard]] TpuGraphsName tpugraphs_name(const std::string& path, Task task);

}  // namespace hloscope::data
