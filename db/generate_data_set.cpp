#include "db/generate_data_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "core/data/generate.h"
#include "core/data/unit_plan.h"
#include "db/merge_data_sets.h"
#include "db/programs.h"

namespace hloscope::db {

namespace {

// Units that are worked on between two looks at the result: enough that a large one does not keep
// the other threads waiting for long, few enough to hold in memory.
constexpr size_t kUnitsPerThread = 16;

Error other_work(const std::filesystem::path& part, std::string_view what) {
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = fmt::format("was begun with {}", what);
  error.file = part.string();
  error.hint = "give the same command again to go on with it, or delete the file to begin anew";
  return error;
}

/// The part file and what is known of it.
class Work {
 public:
  Work(Database database, const Generation& generation)
      : database_(std::move(database)), generation_(generation) {}

  /// Begins the data set, or checks that what is there is the same and reads how far it has come.
  Status resume(const data::DataSetInfo& info) {
    HLOSCOPE_ASSIGN(const auto found, sets_.find());
    if (!found) {
      HLOSCOPE_ASSIGN(const std::vector<ProgramInfo> results, Programs(database_).list({1, 0}));
      if (!results.empty()) return fail(other_work(database_.path(), "results of other work"));
      return begin(info);
    }
    data::DataSetInfo wanted = info;
    wanted.unit_count = found->unit_count;  // Less when it was ended by graph_limit.
    if (*found != wanted) return fail(other_work(database_.path(), "other settings"));
    HLOSCOPE_ASSIGN(const std::vector<data::SourceProgram> programs, sets_.programs());
    if (!std::equal(programs.begin(), programs.end(), generation_.programs.begin(),
                    generation_.programs.end(),
                    [](const data::SourceProgram& a, const data::ListedProgram& b) {
                      return a.hash == b.source.hash && a.family == b.source.family;
                    })) {
      return fail(other_work(database_.path(), "other programs"));
    }
    HLOSCOPE_ASSIGN(const int64_t last, sets_.last_unit());
    next_unit_ = last + 1;
    return sets_.each_hash([this](GraphRow graph, const Hash128& hash) {
      known_.emplace(hash, graph);
      return true;
    });
  }

  [[nodiscard]] int64_t next_unit() const { return next_unit_; }
  [[nodiscard]] bool is_known(const Hash128& hash) const { return known_.contains(hash); }
  [[nodiscard]] bool is_enough() const {
    return generation_.graph_limit &&
           static_cast<int64_t>(known_.size()) >= *generation_.graph_limit;
  }

  /// All of a unit, or nothing.
  Status add(const Unit& unit, const data::GeneratedUnit& generated) {
    HLOSCOPE_ASSIGN(Writing writing, Writing::begin(database_));
    HLOSCOPE_TRY(check_alone());
    for (const data::GeneratedGraph& one : generated.new_graphs) {
      // Another unit of the same round may have had it too.
      if (is_known(one.graph.hash)) continue;
      HLOSCOPE_ASSIGN(known_[one.graph.hash], sets_.put_graph(one.graph, unit.number, one.samples));
    }
    for (const data::MetKernel& kernel : generated.kernels) {
      const auto graph = known_.find(kernel.hash);
      if (graph == known_.end()) {
        return fail(ErrorCode::kInternal, "a kernel was met that is not stored");
      }
      const double executions = unit.configuration == 0 ? kernel.executions : 0;
      HLOSCOPE_TRY(sets_.add_sighting({graph->second, unit.program, 1, executions}));
    }
    HLOSCOPE_TRY(sets_.add_unit(unit));
    HLOSCOPE_TRY(writing.commit());
    next_unit_ = unit.number + 1;
    return {};
  }

  /// Nothing more is to come than units before `unit_count`.
  Status finish(int64_t unit_count) {
    HLOSCOPE_ASSIGN(Writing writing, Writing::begin(database_));
    HLOSCOPE_TRY(check_alone());
    HLOSCOPE_TRY(sets_.set_unit_count(unit_count));
    HLOSCOPE_TRY(sets_.finish());
    return writing.commit();
  }

  [[nodiscard]] Result<DataSetCounts> counts() const { return sets_.counts(); }

 private:
  /// Two runs of one command would each take the other's units for missing.
  [[nodiscard]] Status check_alone() const {
    HLOSCOPE_ASSIGN(const int64_t last, sets_.last_unit());
    if (last + 1 == next_unit_) return {};
    Error error;
    error.code = ErrorCode::kIo;
    error.message = "another run is writing the same data set";
    error.file = database_.path().string();
    error.hint = "wait until it ends, or name another output";
    return fail(std::move(error));
  }

  Status begin(const data::DataSetInfo& info) {
    std::vector<data::SourceProgram> programs;
    for (const data::ListedProgram& program : generation_.programs) {
      programs.push_back(program.source);
    }
    HLOSCOPE_ASSIGN(Writing writing, Writing::begin(database_));
    HLOSCOPE_TRY(sets_.create(info, programs));
    return writing.commit();
  }

  Database database_;
  DataSets sets_{database_};
  const Generation& generation_;
  std::unordered_map<Hash128, GraphRow> known_;
  int64_t next_unit_ = 0;
};

/// Works through the units of a shard, a round of some at a time.
class Generator {
 public:
  Generator(const Generation& generation, Work& work, ThreadPool& pool, const Progress& progress)
      : generation_(generation),
        work_(work),
        pool_(pool),
        progress_(progress),
        cache_(generation.programs),
        plan_(generation.programs, generation.configurations) {}

  [[nodiscard]] int64_t unit_count() const { return plan_.size(); }

  /// The number of units that make the data set: all, or up to the one that reached the limit.
  Result<int64_t> run() {
    const int64_t stride = generation_.info.shard_count;
    int64_t next = generation_.info.shard_index;
    while (next < work_.next_unit()) next += stride;
    const size_t round_size = kUnitsPerThread * pool_.threads();
    while (next < unit_count() && !work_.is_enough()) {
      std::vector<int64_t> round;
      for (; next < unit_count() && round.size() < round_size; next += stride) {
        round.push_back(next);
      }
      HLOSCOPE_TRY(run_round(round));
    }
    return work_.is_enough() ? work_.next_unit() : unit_count();
  }

 private:
  using Made = Result<data::GeneratedUnit>;

  Status run_round(const std::vector<int64_t>& round) {
    std::vector<data::PlannedUnit> planned;
    std::vector<std::shared_ptr<data::PreparedProgram>> programs;
    for (const int64_t number : round) {
      planned.push_back(plan_.unit(number));
      HLOSCOPE_ASSIGN(programs.emplace_back(), cache_.get(planned.back().program));
    }
    const Progress stop = progress_.part(0, 0);
    std::vector<Made> made(round.size());
    pool_.parallel_for(round.size(), [&](size_t i) {
      made[i] = data::generate_unit(
          *programs[i], planned[i].configuration, generation_.sampling,
          [this](const Hash128& hash) { return work_.is_known(hash); }, stop);
    });
    for (size_t i = 0; i < round.size() && !work_.is_enough(); ++i) {
      HLOSCOPE_TRY(made[i]);
      const auto [program, configuration] = planned[i];
      const auto kernels = static_cast<int64_t>(made[i]->kernels.size());
      HLOSCOPE_TRY(work_.add({round[i], program, configuration, kernels}, *made[i]));
    }
    progress_.report(static_cast<double>(work_.next_unit()) / static_cast<double>(unit_count()),
                     "fusing and timing kernels");
    return {};
  }

  const Generation& generation_;
  Work& work_;
  ThreadPool& pool_;
  const Progress& progress_;
  data::ProgramCache cache_;
  data::UnitPlan plan_;
};

Result<DataSetCounts> generate_part(const Generation& generation, const std::filesystem::path& part,
                                    ThreadPool& pool, const Progress& progress) {
  HLOSCOPE_ASSIGN(Database database, Database::open(part));
  HLOSCOPE_TRY(database.writable());
  Work work(std::move(database), generation);
  Generator generator(generation, work, pool, progress);
  data::DataSetInfo info = generation.info;
  info.unit_count = generator.unit_count();
  HLOSCOPE_TRY(work.resume(info));
  HLOSCOPE_ASSIGN(const int64_t unit_count, generator.run());
  HLOSCOPE_TRY(work.finish(unit_count));
  return work.counts();
}

Status move_into_place(const std::filesystem::path& part, const std::filesystem::path& to) {
  std::error_code code;
  std::filesystem::rename(part, to, code);
  if (!code) return {};
  return fail(ErrorCode::kIo, fmt::format("can't rename {} to {} ({})", part.string(), to.string(),
                                          code.message()));
}

}  // namespace

std::filesystem::path part_path(const std::filesystem::path& to) {
  std::filesystem::path part = to;
  part += ".part";
  return part;
}

Result<DataSetCounts> generate_data_set(const Generation& generation,
                                        const std::filesystem::path& to, ThreadPool& pool,
                                        const Progress& progress) {
  const std::filesystem::path part = part_path(to);
  HLOSCOPE_ASSIGN(const DataSetCounts counts,
                  generate_part(generation, part, pool, progress.part(0, 0.97)));
  if (generation.info.shard_count > 1) {
    HLOSCOPE_TRY(move_into_place(part, to));
    return counts;
  }
  // So that what shards give together and what one run gives are written in the same way.
  HLOSCOPE_TRY(merge_data_sets(std::span(&part, 1), to, progress.part(0.97, 1)));
  std::error_code code;
  std::filesystem::remove(part, code);
  return counts;
}

}  // namespace hloscope::db
