// Rates of stored tuning sessions: tune_db_bench
// Stores model trials of a program with 8,000 edges in batches, as a session does, reads them with
// and without their configurations, and goes on with 100,000. Works in a temporary folder.

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "core/base/rng.h"
#include "db/session_lease.h"
#include "tests/bench/must.h"

using namespace hloscope;
using testing::must;

namespace {

constexpr size_t kDimensions = 8000;
constexpr uint64_t kTrials = 100'000;
constexpr uint64_t kBatch = 250;
/// Edges that the search is away from where it began.
constexpr size_t kMostChanges = 400;

void timed(std::string_view what, double rows, const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  fmt::print("{:<40} {:9.1f} ms {:12.0f} trials/s\n", what, seconds.count() * 1e3,
             rows / seconds.count());
}

db::NewSession new_session() {
  db::NewSession out;
  out.program = "bench";
  out.hlo_text = "HloModule bench";
  out.settings.space = tune::SpaceKind::kFusion;
  out.settings.budget.trials = kTrials;
  return out;
}

void store_trials(db::StoredTrials& trials) {
  Rng rng(1);
  tune::Config config(kDimensions);
  for (uint32_t& bit : config) bit = static_cast<uint32_t>(rng.below(2));
  tune::SessionState state;
  std::vector<tune::Trial> batch;
  const size_t window = kMostChanges * 2;  // Half of these edges differ in the long run.
  while (state.trials < kTrials) {
    config[rng.below(window)] ^= 1;
    tune::Trial& trial = batch.emplace_back();
    trial.number = state.trials++;
    trial.config = config;
    trial.predicted_ns = 1e6 + 1e5 * rng.uniform();
    if (batch.size() < kBatch) continue;
    must(trials.append(batch, state));
    batch.clear();
  }
}

void run(db::Database& database) {
  db::TuneSessions sessions(database);
  const db::TuneSessionRow id = must(sessions.create(new_session()));
  db::SessionLease lease = must(db::SessionLease::take(database, id));
  db::StoredTrials trials(lease);
  const auto count = static_cast<double>(kTrials);
  timed("100,000 trials stored, 250 at a time", count, [&] { store_trials(trials); });
  uint64_t sum = 0;
  const auto add = [&sum](const tune::Trial& trial) {
    sum += trial.number;
    return true;
  };
  timed("all read with their configurations", count,
        [&] { must(sessions.each_trial(id, 0, add)); });
  timed("all read without", count, [&] { must(sessions.each_trial(id, 0, add, false)); });
  timed("the last 100 read", 100,
        [&] { must(sessions.each_trial(id, kTrials - 100, add, false)); });
  timed("the best 10 by prediction", 10, [&] { sum += must(trials.best_predicted(10)).size(); });
  timed("the session read", 1, [&] { sum += must(sessions.get(id)).progress.trials; });
  fmt::print("{} bytes a trial\n", std::filesystem::file_size(database.path()) / kTrials);
}

}  // namespace

int main() {
  std::string folder = (std::filesystem::temp_directory_path() / "tune_db_bench_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return 1;
  {
    db::Database database = must(db::Database::open(folder + "/tune.hloscope"));
    run(database);
  }
  std::filesystem::remove_all(folder);
  return 0;
}
