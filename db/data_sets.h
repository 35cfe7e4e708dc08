#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/data_set.h"
#include "core/data/split.h"
#include "db/database.h"
#include "db/ids.h"

namespace hloscope::db {

enum class DataSetState { kUnfinished, kFinished };

/// A graph as it stands in the file.
struct StoredGraph {
  GraphRow id;  ///< Positions in a finished data set: 1, 2, ...
  data::GraphRecord record;
  int64_t first_unit = 0;  ///< Where it was met first.
};

/// Where a graph stands in lists by graph: 0, 1, ...
[[nodiscard]] inline uint32_t position(GraphRow graph) {
  return static_cast<uint32_t>(graph.value - 1);
}

/// Where a graph was met.
struct Sighting {
  GraphRow graph;
  uint32_t program = 0;           ///< Position in programs().
  int64_t count = 0;              ///< Units.
  double default_executions = 0;  ///< In one run of the program with its default fusion.
  bool operator==(const Sighting&) const = default;
};

/// A piece of the work of generating, done as a whole or not at all.
struct Unit {
  int64_t number = 0;
  uint32_t program = 0;       ///< Position in programs().
  int64_t configuration = 0;  ///< 0: the default fusion.
  int64_t kernel_count = 0;   ///< Distinct kernels met.
  bool operator==(const Unit&) const = default;
};

/// Counts that a progress line and statistics show.
struct DataSetCounts {
  int64_t units = 0;    ///< Done.
  int64_t kernels = 0;  ///< Met, over all units; of these `graphs` differ.
  int64_t graphs = 0;
  int64_t samples = 0;

  /// Of the kernels met, those that were met before; 0 when none were met.
  [[nodiscard]] double repeated_share() const;
};

/// The data set of a file: tables data_set, data_set_*. The writing functions belong in a
/// transaction (see Writing). Errors of every function: kIo, kInvalidInput (damaged file),
/// kReadOnly for the writing ones; kNotFound where the file holds no data set.
class DataSets {
 public:
  explicit DataSets(Database& database) : database_(&database) {}

  /// Makes the data set of this file, unfinished. kInvalidInput when there is one already, and for
  /// two programs of one content.
  [[nodiscard]] Status create(const data::DataSetInfo& info,
                              std::span<const data::SourceProgram> programs);
  /// Returns the name before. kInvalidInput: the name is empty.
  [[nodiscard]] Result<std::string> rename(std::string_view name);
  /// Of a data set that ends before all planned units.
  [[nodiscard]] Status set_unit_count(int64_t unit_count);
  [[nodiscard]] Status finish();

  /// Empty: the file holds no data set.
  [[nodiscard]] Result<std::optional<data::DataSetInfo>> find() const;
  [[nodiscard]] Result<data::DataSetInfo> info() const;
  [[nodiscard]] Result<DataSetState> state() const;
  [[nodiscard]] Result<std::vector<data::SourceProgram>> programs() const;
  [[nodiscard]] Result<DataSetCounts> counts() const;
  /// counts().graphs alone, which is quick: the graphs have the rows 1 to this.
  [[nodiscard]] Result<int64_t> graph_count() const;

  /// A new program behind those there are, or the position of the one of this content.
  [[nodiscard]] Result<uint32_t> put_program(const data::SourceProgram& program);
  /// A new graph with its samples; with a hash that is there already: adds only those samples whose
  /// configuration is new, and of equal ones keeps the least time. kInvalidInput for times that are
  /// negative or no number, and for contents of more than 1 GiB.
  [[nodiscard]] Result<GraphRow> put_graph(const data::GraphRecord& graph, int64_t first_unit,
                                           std::span<const data::Sample> samples);
  [[nodiscard]] Result<std::optional<GraphRow>> find_graph(const Hash128& hash) const;
  /// Adds to the count and executions of what is there.
  [[nodiscard]] Status add_sighting(const Sighting& sighting);
  [[nodiscard]] Status add_unit(const Unit& unit);

  /// The greatest number of a stored unit; -1 where there is none.
  [[nodiscard]] Result<int64_t> last_unit() const;

  /// In ascending order, until the callback returns false. Graphs with their content unpacked.
  [[nodiscard]] Status each_unit(const std::function<bool(const Unit&)>& callback) const;
  [[nodiscard]] Status each_graph(const std::function<bool(StoredGraph)>& callback) const;
  [[nodiscard]] Status each_hash(
      const std::function<bool(GraphRow, const Hash128&)>& callback) const;
  [[nodiscard]] Status each_sighting(const std::function<bool(const Sighting&)>& callback) const;
  [[nodiscard]] Status each_sample(
      const std::function<bool(GraphRow, const data::Sample&)>& callback) const;
  [[nodiscard]] Result<std::vector<data::Sample>> samples(GraphRow graph) const;
  /// By ascending program.
  [[nodiscard]] Result<std::vector<Sighting>> sightings(GraphRow graph) const;
  /// kNotFound: the data set has no such row.
  [[nodiscard]] Result<StoredGraph> graph(GraphRow row) const;

  /// Stores a split under its name, in place of one of that name. kInvalidInput when it has not a
  /// part for each program and each graph.
  [[nodiscard]] Status put_split(const data::Split& split);
  [[nodiscard]] Result<std::vector<std::string>> split_names() const;
  /// With a part for each program and each graph. kNotFound: no split has that name.
  [[nodiscard]] Result<data::Split> split(std::string_view name) const;

 private:
  /// kNotFound without a data set.
  [[nodiscard]] Status check_there() const;
  [[nodiscard]] Status check_writable() const;

  Database* database_;
  /// Whether check_there() found it: looked up once, not for each row that is written. Data sets
  /// are never removed, and a file whose data set was not committed is thrown away.
  mutable bool is_there_ = false;
};

/// All that is written until commit() is there as a whole or not at all.
class Writing {
 public:
  [[nodiscard]] static Result<Writing> begin(Database& database);
  Writing(Writing&&) noexcept;
  Writing& operator=(Writing&&) = delete;
  ~Writing();
  [[nodiscard]] Status commit();

 private:
  struct State;
  explicit Writing(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace hloscope::db
