#include "ui/pages/tune/trial_reader.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "core/base/write_file.h"
#include "core/graph/kernels.h"
#include "core/hlo/print.h"
#include "core/hlo/read.h"
#include "db/export_session.h"

namespace hloscope::ui {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr uint32_t kMostShown = 6;  ///< Differences in one text.

/// A space needs no model: the cheapest evaluator that gives the same one.
tune::Settings for_space(tune::Settings settings) {
  const bool replays =
      settings.search.kind == tune::EvaluatorKind::kRecorded ||
      (settings.measure && settings.measure->kind == tune::EvaluatorKind::kRecorded);
  settings.measure.reset();
  settings.search = {};
  settings.search.kind =
      replays ? tune::EvaluatorKind::kRecorded : tune::EvaluatorKind::kAnalytical;
  if (!settings.budget.trials) settings.budget.trials = 1;
  return settings;
}

Error no_space() {
  Error error;
  error.code = ErrorCode::kUnsupported;
  error.message = "the search space of this session cannot be made again";
  error.hint = "run hloscope-cli tune with the same settings to see why";
  return error;
}

std::vector<std::string> changed_kernels(const hlo::Program& tuned, const hlo::Program& start,
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

std::string difference_text(const tune::Config& config, const tune::Config& base,
                            const std::vector<std::string>& names, bool is_fusion,
                            uint32_t& changed) {
  changed = 0;
  std::string text;
  for (size_t d = 0; d < config.size() && d < base.size(); ++d) {
    if (config[d] == base[d]) continue;
    if (++changed > kMostShown) continue;
    if (!text.empty()) text += is_fusion ? " " : ", ";
    if (is_fusion) {
      text += (config[d] != 0 ? "+" : "\u2212") + std::to_string(d);
    } else {
      text += (d < names.size() ? names[d] : std::to_string(d)) + " " + std::to_string(base[d]) +
              "\u2192" + std::to_string(config[d]);
    }
  }
  if (changed == 0) return "the default";
  if (changed > kMostShown) text += " \u2026";
  if (changed > kMostShown) text += " (" + std::to_string(changed) + ")";
  return text;
}

Status TrialReader::open() {
  if (database_) return {};
  // Not read-only: an older file has no tables of sessions until it is brought to this version.
  HLOSCOPE_ASSIGN(db::Database opened, db::Database::open(path_));
  database_.emplace(std::move(opened));
  return {};
}

Result<std::vector<db::SessionInfo>> TrialReader::sessions() {
  const std::lock_guard lock(mutex_);
  std::error_code ignored;
  if (path_.empty() || !std::filesystem::exists(path_, ignored)) {
    return std::vector<db::SessionInfo>();
  }
  HLOSCOPE_TRY(open());
  return db::TuneSessions(*database_).list();
}

Result<TrialReader::Known*> TrialReader::known(int64_t session, const Progress& progress) {
  if (const auto found = known_.find(session); found != known_.end()) return &found->second;
  const db::TuneSessions sessions(*database_);
  const db::TuneSessionRow row{session};
  HLOSCOPE_ASSIGN(const db::SessionInfo info, sessions.get(row));
  HLOSCOPE_ASSIGN(const std::string text, sessions.hlo_text(row));
  HLOSCOPE_ASSIGN(const tune::Recorded recorded, sessions.recorded(row));
  Known known;
  known.settings = info.settings;
  known.facts.is_tile = info.settings.space == tune::SpaceKind::kTiles;
  known.facts.space_count = info.space_count.value_or(0);
  known.facts.recorded = recorded.runs.size();
  for (const tune::Recorded::Run& run : recorded.runs) {
    if (!run.time_ns) continue;
    double& best = known.facts.best_known_ns;
    best = best > 0 ? std::min(best, *run.time_ns) : *run.time_ns;
  }
  HLOSCOPE_ASSIGN(hlo::ProgramPtr program, hlo::parse_program(text));
  auto problem = tune::make_problem(program, for_space(info.settings), recorded, progress);
  if (!problem && problem.error().code == ErrorCode::kCancelled) return fail(problem.error());
  // Without a space (a machine file that is gone) configurations are plain numbers.
  if (problem) {
    known.space = std::move(problem->space);
    known.base = known.space->default_config();
    if (const auto count = known.space->count()) known.facts.space_count = *count;
    for (size_t d = 0; d < known.space->dimensions(); ++d) {
      known.dimension_names.push_back(known.space->dimension_name(d));
    }
  }
  return &known_.emplace(session, std::move(known)).first->second;
}

void TrialReader::append(TrialColumns& columns, const tune::Trial& trial,
                         const Known& known) const {
  const auto number = static_cast<uint32_t>(columns.size());
  columns.predicted_ns.push_back(trial.predicted_ns.value_or(kNone));
  columns.hardware_ns.push_back(trial.hardware_ns.value_or(kNone));
  columns.booked_ns.push_back(trial.booked_ns);
  columns.temperature.push_back(trial.temperature);
  columns.at_s.push_back(trial.at_s);
  columns.measured_as.push_back(static_cast<uint32_t>(trial.measured_as));
  columns.accepted.push_back(trial.accepted ? 1 : 0);
  if (!trial.error.empty()) columns.errors.emplace(number, trial.error);
  uint32_t changed = 0;
  const tune::Config base = known.base.empty() ? tune::Config(trial.config.size(), 0) : known.base;
  std::string text = difference_text(trial.config, base, known.dimension_names,
                                     known.settings.space == tune::SpaceKind::kFusion, changed);
  if (known.facts.is_tile && known.space) {
    text = known.space->text(trial.config);
    columns.append_tile(text);
  }
  columns.config.push_back(std::move(text));
  columns.changed.push_back(changed);
}

Result<TrialChunk> TrialReader::trials(int64_t session, uint64_t from, uint64_t most,
                                       bool with_measured, const Progress& progress) {
  const std::lock_guard lock(mutex_);
  HLOSCOPE_TRY(open());
  HLOSCOPE_ASSIGN(Known * facts, known(session, progress));
  const db::TuneSessions sessions(*database_);
  const db::TuneSessionRow row{session};
  TrialChunk chunk;
  chunk.session = session;
  chunk.from = from;
  chunk.facts = facts->facts;
  HLOSCOPE_TRY(sessions.each_trial(row, from, [&](const tune::Trial& trial) {
    if (chunk.trials.size() == most) {
      chunk.more = true;
      return false;
    }
    append(chunk.trials, trial, *facts);
    return !progress.stop_requested();
  }));
  if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
  chunk.trials.config_order.extend(chunk.trials.config);
  if (!with_measured) return chunk;
  HLOSCOPE_ASSIGN(const std::vector<tune::Trial> measured, sessions.measured_trials(row));
  chunk.has_measured = true;
  for (const tune::Trial& trial : measured) {
    chunk.measured.push_back(
        {static_cast<uint32_t>(trial.number), static_cast<uint32_t>(trial.measured_as),
         trial.hardware_ns.value_or(kNone), trial.booked_ns, trial.at_s, trial.error});
  }
  return chunk;
}

Result<TunedProgram> TrialReader::program(int64_t session, uint64_t number,
                                          const Progress& progress) {
  const std::lock_guard lock(mutex_);
  HLOSCOPE_TRY(open());
  HLOSCOPE_ASSIGN(Known * facts, known(session, progress));
  if (!facts->space) return fail(no_space());
  HLOSCOPE_ASSIGN(const tune::Trial trial,
                  db::TuneSessions(*database_).trial(db::TuneSessionRow{session}, number));
  HLOSCOPE_ASSIGN(const hlo::ProgramPtr tuned, facts->space->program(trial.config));
  TunedProgram result;
  result.text = hlo::print(*tuned);
  HLOSCOPE_ASSIGN(const hlo::ProgramPtr start, facts->space->program(facts->base));
  result.changed = changed_kernels(*tuned, *start, result.kernels);
  // Hashes do not know tiles: of a kernel's tiles it is the kernel itself.
  if (facts->facts.is_tile && trial.config != facts->base) {
    result.changed = {facts->settings.kernel};
  }
  return result;
}

Status TrialReader::save(int64_t session, ExportFormat format, const std::filesystem::path& file,
                         const Progress& progress) {
  const std::lock_guard lock(mutex_);
  HLOSCOPE_TRY(open());
  HLOSCOPE_ASSIGN(Known * facts, known(session, progress));
  if (!facts->space) return fail(no_space());
  HLOSCOPE_ASSIGN(const db::SessionInfo info,
                  db::TuneSessions(*database_).get(db::TuneSessionRow{session}));
  if (format == ExportFormat::kOptuna) {
    return db::export_optuna(*database_, info, *facts->space, file);
  }
  HLOSCOPE_ASSIGN(const std::string text,
                  format == ExportFormat::kCsv
                      ? db::trials_csv(*database_, info, *facts->space)
                      : db::session_export_json(*database_, info, *facts->space));
  return write_file(file.string(), text);
}

}  // namespace hloscope::ui
