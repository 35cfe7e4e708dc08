#include "db/data_set_statistics.h"

#include <utility>

namespace hloscope::db {

namespace {

// Reports how many of `all` things went by, and whether to go on.
class Steps {
 public:
  Steps(Progress progress, int64_t all) : progress_(std::move(progress)), all_(all) {}
  [[nodiscard]] bool next() {
    if (++done_ % 1024 != 0) return true;
    progress_.report(static_cast<double>(done_) / static_cast<double>(all_), "counting");
    return !progress_.stop_requested();
  }

 private:
  Progress progress_;
  int64_t all_;
  int64_t done_ = 0;
};

}  // namespace

Result<data::Statistics> data_set_statistics(const DataSets& data_sets, const data::Split* split,
                                             const Progress& progress) {
  HLOSCOPE_ASSIGN(const std::vector<data::SourceProgram> programs, data_sets.programs());
  HLOSCOPE_ASSIGN(const DataSetCounts counts, data_sets.counts());
  data::StatisticsCounter counter(programs, split);
  HLOSCOPE_TRY(data_sets.each_unit([&](const Unit& unit) {
    counter.add_unit(unit.kernel_count);
    return !progress.stop_requested();
  }));
  Steps graphs(progress.part(0, 0.5), counts.graphs);
  HLOSCOPE_TRY(data_sets.each_graph([&](const StoredGraph& graph) {
    counter.add_graph(graph.record);
    return graphs.next();
  }));
  Steps samples(progress.part(0.5, 1), counts.samples);
  HLOSCOPE_TRY(data_sets.each_sample([&](GraphRow graph, const data::Sample& sample) {
    counter.add_sample(position(graph), sample.time_ns);
    return samples.next();
  }));
  HLOSCOPE_TRY(data_sets.each_sighting([&](const Sighting& sighting) {
    counter.add_sighting(sighting.program, position(sighting.graph));
    return !progress.stop_requested();
  }));
  if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "stopped");
  return counter.finish();
}

}  // namespace hloscope::db
