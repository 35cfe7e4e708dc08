#include "ui/pages/tune/trial_configs.h"

#include <algorithm>
#include <limits>
#include <unordered_set>
#include <utility>

#include "core/base/cancellable_lock.h"
#include "core/base/write_file.h"
#include "core/graph/kernels.h"
#include "core/hlo/print.h"
#include "core/hlo/read.h"
#include "db/export_session.h"

namespace hloscope::ui {
namespace {

constexpr size_t kMostShown = 6;  ///< Differences in one text.

/// Whether the first trial is the default, and edges need no names: then what is stored says all.
bool needsNoSpace(const tune::Settings& settings) {
  const tune::StrategyKind strategy = settings.strategy.kind;
  const bool begins_with_default =
      !settings.strategy.random_start &&
      (strategy == tune::StrategyKind::kAnnealing || strategy == tune::StrategyKind::kGenetic);
  return settings.space == tune::SpaceKind::kFusion && begins_with_default;
}

Error noSpace() {
  Error error;
  error.code = ErrorCode::kUnsupported;
  error.message = "the search space of this session cannot be made again";
  error.hint = "run hloscope-cli tune with the same settings to see why";
  return error;
}

Error noFile(const std::filesystem::path& path) {
  Error error;
  error.code = ErrorCode::kNotFound;
  error.message = "the results file is gone";
  error.file = path.string();
  error.hint = "put it back and try again";
  return error;
}

std::vector<std::string> changedKernels(const hlo::Program& tuned, const hlo::Program& start,
                                        size_t& count) {
  struct HashOf {
    size_t operator()(const Hash128& hash) const { return static_cast<size_t>(hash.low); }
  };
  std::unordered_set<Hash128, HashOf> before;
  for (const graph::Kernel& kernel : graph::kernels(start).kernels) before.insert(kernel.hash);
  std::vector<std::string> changed;
  const graph::KernelList kernels = graph::kernels(tuned);
  count = kernels.kernels.size();
  for (const graph::Kernel& kernel : kernels.kernels) {
    if (before.count(kernel.hash) > 0) continue;
    changed.emplace_back(tuned[kernel.instruction].name);
  }
  return changed;
}

}  // namespace

std::string differenceText(std::span<const tune::ConfigChange> changes, size_t count,
                           const tune::Config& base, const std::vector<std::string>& names,
                           bool is_fusion) {
  if (changes.empty()) return "the default";
  std::string text;
  for (const tune::ConfigChange& change : changes.first(std::min(kMostShown, changes.size()))) {
    const size_t d = change.dimension;
    if (!text.empty()) text += is_fusion ? " " : ", ";
    if (is_fusion) {
      text += (change.value != 0 ? "+" : "\u2212") + std::to_string(d);
      continue;
    }
    const uint32_t before = d < base.size() ? base[d] : 0;
    text += (d < names.size() ? names[d] : std::to_string(d)) + " " + std::to_string(before) +
            "\u2192" + std::to_string(change.value);
  }
  if (count > kMostShown) text += " \u2026 (" + std::to_string(count) + ")";
  return text;
}

Result<db::Database*> TrialConfigReader::open() {
  HLOSCOPE_ASSIGN(db::Database* const database, file_.open());
  if (file_.generation() != file_generation_) known_.clear();
  file_generation_ = file_.generation();
  if (database == nullptr) return fail(noFile(file_.path()));
  return database;
}

Result<TrialConfigReader::Known*> TrialConfigReader::known(db::TuneSessions& sessions,
                                                           int64_t session) {
  if (const auto found = known_.find(session); found != known_.end()) return &found->second;
  HLOSCOPE_ASSIGN(const db::SessionInfo info, sessions.get(db::TuneSessionRow{session}));
  Known known;
  known.settings = info.settings;
  return &known_.emplace(session, std::move(known)).first->second;
}

Status TrialConfigReader::makeSpace(db::TuneSessions& sessions, int64_t session, Known& known,
                                    const Progress& progress) {
  if (known.is_made) return {};
  const db::TuneSessionRow row{session};
  progress.report(0, "making its search space");
  HLOSCOPE_ASSIGN(const std::string text, sessions.hlo_text(row));
  HLOSCOPE_ASSIGN(const tune::Recorded recorded, sessions.recorded(row));
  HLOSCOPE_ASSIGN(hlo::ProgramPtr program, hlo::parse_program(text));
  if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
  auto problem = tune::make_problem(program, known.settings.for_space(), recorded, progress);
  if (!problem && problem.error().code == ErrorCode::kCancelled) return fail(problem.error());
  known.is_made = true;
  // Without a space (a machine file that is gone) configurations are plain numbers.
  if (!problem) return {};
  known.space = std::move(problem->space);
  known.base = known.space->default_config();
  for (size_t d = 0; d < known.space->dimensions(); ++d) {
    known.dimension_names.push_back(known.space->dimension_name(d));
  }
  return {};
}

void TrialConfigReader::append(TrialConfigs& configs, std::span<const tune::ConfigChange> changes,
                               size_t count, Known& known) {
  configs.changed.push_back(static_cast<uint32_t>(count));
  if (known.settings.space != tune::SpaceKind::kTiles || !known.space) {
    const bool is_fusion = known.settings.space == tune::SpaceKind::kFusion;
    configs.config.push_back(
        differenceText(changes, count, known.base, known.dimension_names, is_fusion));
    return;
  }
  tune::Config config = known.base;
  for (const tune::ConfigChange& change : changes) {
    if (change.dimension < config.size()) config[change.dimension] = change.value;
  }
  configs.config.push_back(known.space->text(config));
  configs.append_tile(configs.config.back());
}

Result<ConfigChunk> TrialConfigReader::configs(const Wanted& wanted, const Progress& progress) {
  HLOSCOPE_ASSIGN(const auto lock, lock_or_cancel(mutex_, progress));
  const int64_t session = wanted.session;
  // The file may have been away and come back while nothing was read here.
  if (std::exchange(list_generation_, wanted.generation) != wanted.generation) file_.leave();
  HLOSCOPE_ASSIGN(db::Database* const database, open());
  db::TuneSessions sessions(*database);
  HLOSCOPE_ASSIGN(Known* const about, known(sessions, session));
  if (!needsNoSpace(about->settings)) HLOSCOPE_TRY(makeSpace(sessions, session, *about, progress));
  ConfigChunk chunk;
  chunk.session = session;
  chunk.generation = wanted.generation;
  chunk.from = wanted.from;
  // A tile is written as a whole.
  const bool is_tile = about->settings.space == tune::SpaceKind::kTiles;
  const size_t most_changes = is_tile ? std::numeric_limits<size_t>::max() : kMostShown;
  HLOSCOPE_TRY(sessions.each_change(
      db::TuneSessionRow{session}, wanted.from, about->base, most_changes,
      [&](std::span<const tune::ConfigChange> changes, size_t count) {
        if (chunk.configs.config.size() == wanted.most || progress.stop_requested()) return false;
        append(chunk.configs, changes, count, *about);
        return true;
      }));
  if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
  chunk.configs.config_order.extend(chunk.configs.config);
  return chunk;
}

Result<TrialConfigReader::WithSpace> TrialConfigReader::openWithSpace(int64_t session,
                                                                      const Progress& progress) {
  HLOSCOPE_ASSIGN(db::Database* const database, open());
  db::TuneSessions sessions(*database);
  HLOSCOPE_ASSIGN(Known* const about, known(sessions, session));
  HLOSCOPE_TRY(makeSpace(sessions, session, *about, progress));
  if (!about->space) return fail(noSpace());
  return WithSpace{*database, *about};
}

Result<TunedProgram> TrialConfigReader::program(int64_t session, uint64_t number,
                                                const Progress& progress) {
  HLOSCOPE_ASSIGN(const auto lock, lock_or_cancel(mutex_, progress));
  HLOSCOPE_ASSIGN(const WithSpace opened, openWithSpace(session, progress));
  HLOSCOPE_ASSIGN(const tune::Trial trial,
                  db::TuneSessions(opened.database).trial(db::TuneSessionRow{session}, number));
  HLOSCOPE_ASSIGN(const hlo::ProgramPtr tuned, opened.about.space->program(trial.config));
  TunedProgram result;
  result.text = hlo::print(*tuned);
  if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
  HLOSCOPE_ASSIGN(const hlo::ProgramPtr start, opened.about.space->program(opened.about.base));
  result.changed = changedKernels(*tuned, *start, result.kernels);
  // Hashes do not know tiles: of a kernel's tiles it is the kernel itself.
  if (opened.about.settings.space == tune::SpaceKind::kTiles && trial.config != opened.about.base) {
    result.changed = {opened.about.settings.kernel};
  }
  return result;
}

Status TrialConfigReader::save(int64_t session, ExportFormat format,
                               const std::filesystem::path& file, const Progress& progress) {
  HLOSCOPE_ASSIGN(const auto lock, lock_or_cancel(mutex_, progress));
  HLOSCOPE_ASSIGN(const WithSpace opened, openWithSpace(session, progress));
  HLOSCOPE_ASSIGN(const db::SessionInfo info,
                  db::TuneSessions(opened.database).get(db::TuneSessionRow{session}));
  if (format == ExportFormat::kOptuna) {
    return db::export_optuna(opened.database, info, *opened.about.space, file);
  }
  HLOSCOPE_ASSIGN(const std::string text,
                  format == ExportFormat::kCsv
                      ? db::trials_csv(opened.database, info, *opened.about.space)
                      : db::session_export_json(opened.database, info, *opened.about.space));
  return write_file(file.string(), text);
}

}  // namespace hloscope::ui
