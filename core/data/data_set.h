#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/hash.h"
#include "core/base/result.h"

namespace hloscope::data {

/// What a data set teaches: to rank the tiles of a kernel, the time of a kernel, or to rank the
/// layouts of a program.
enum class Task : uint8_t { kTile, kFusion, kLayout };
[[nodiscard]] std::string_view name(Task task);  ///< "tile", ...
[[nodiscard]] std::optional<Task> find_task(std::string_view name);

/// Where the times of a data set come from.
struct Target {
  enum class Kind : uint8_t { kSimulated, kCompiler, kMeasured };
  Kind kind = Kind::kSimulated;
  std::string device;       ///< Machine id of simulated times, e.g. "tpu_v3"; else as it is known.
  std::string source_hash;  ///< Of the machine file; empty for others.
  double noise = 0;         ///< Standard deviation of the logarithm of one simulated run.
  int64_t repeats = 1;      ///< A time is the least of so many runs.
  bool operator==(const Target&) const = default;

  /// "simulated (tpu_v3@4f1c09ab, noise 2 %, min of 3)", "measured (TPU v3, imported)".
  [[nodiscard]] std::string label() const;
};
[[nodiscard]] std::string_view name(Target::Kind kind);  ///< "simulated", "compiler", "measured".
[[nodiscard]] std::optional<Target::Kind> find_target_kind(std::string_view name);

/// What a data set is made of. Together with the programs it determines every byte of it.
struct DataSetInfo {
  std::string name;
  Task task = Task::kFusion;
  Target target;
  uint64_t seed = 0;
  std::string settings = "{}";  ///< JSON: how it was generated, or imported from where.
  // Of generated ones: the work is cut in units, and this file has every unit u with
  // u % shard_count == shard_index.
  uint32_t shard_index = 0;
  uint32_t shard_count = 1;
  int64_t unit_count = 0;  ///< Of all shards together.
  bool operator==(const DataSetInfo&) const = default;
};

/// A program that graphs of a data set come from.
struct SourceProgram {
  Hash128 hash;  ///< Of its content; see program_hash().
  std::string name;
  std::string family;     ///< Programs of one family are variants of one model.
  std::string file_path;  ///< As given.
  int64_t instruction_count = 0;
  bool operator==(const SourceProgram&) const = default;
};

/// How the content of a graph is kept.
enum class GraphForm : uint8_t {
  kHlo,       ///< HLO text of the kernel alone; see graph::extract().
  kTpuGraph,  ///< Features only, as TpuGraphs has them; see pack_graph().
};
[[nodiscard]] std::string_view name(GraphForm form);  ///< "hlo", "tpugraph".
[[nodiscard]] std::optional<GraphForm> find_graph_form(std::string_view name);

/// What samples are about: a kernel, or (layout) a whole program.
struct GraphRecord {
  Hash128 hash;  ///< graph::canonical_hash() of a kernel; of features alone: of these.
  std::string label;
  std::string op_class;  ///< As hlo::name() gives it; empty when not known.
  int64_t node_count = 0;
  GraphForm form = GraphForm::kHlo;
  std::string content;
};

/// The lists of a configuration, in the order of features::ConfigurationView: a tile has kernel,
/// output and input bounds; a layout has output, input and kernel order of each configurable node.
/// Of a graph in the form kTpuGraph: one list, the row of features as it is in the file.
using Configuration = std::vector<std::vector<int64_t>>;

/// One time of a graph.
struct Sample {
  Configuration configuration;  ///< Empty where there is none to choose.
  double time_ns = 0;
  std::optional<double> normalizer_ns;  ///< Of the default configuration on the same host.
  bool is_default = false;
};

/// Configurations as bytes for storage: small, and equal for equal ones. Error: kInvalidInput for
/// bytes that pack_configuration() does not write.
[[nodiscard]] std::string pack_configuration(const Configuration& configuration);
[[nodiscard]] Result<Configuration> unpack_configuration(std::string_view bytes);

}  // namespace hloscope::data
