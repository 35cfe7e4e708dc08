#include "ui/pages/tune/session_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/models/kernel_cell_text.h"
#include "ui/theme/format.h"

namespace hloscope::ui {
namespace {

constexpr double kNoTime = std::numeric_limits<double>::quiet_NaN();

TuneState stateOf(db::SessionStatus status) {
  switch (status) {
    case db::SessionStatus::kQueued:
      return TuneState::kQueued;
    case db::SessionStatus::kRunning:
      return TuneState::kRunning;
    case db::SessionStatus::kInterrupted:
      return TuneState::kInterrupted;
    case db::SessionStatus::kPaused:
      return TuneState::kPaused;
    case db::SessionStatus::kFinished:
      return TuneState::kFinished;
    case db::SessionStatus::kStopped:
      return TuneState::kStopped;
    case db::SessionStatus::kFailed:
      return TuneState::kFailed;
    case db::SessionStatus::kDamaged:
      return TuneState::kDamaged;
  }
  return TuneState::kFailed;
}

QString searchText(const tune::EvaluatorSettings& search) {
  switch (search.kind) {
    case tune::EvaluatorKind::kModel: {
      if (search.models.empty()) return TuneSessionModel::tr("learned model");
      QStringList names;
      for (const std::string& name : search.models) names << QString::fromStdString(name);
      return names.join(QStringLiteral(", "));
    }
    case tune::EvaluatorKind::kAnalytical:
      return TuneSessionModel::tr("analytical");
    case tune::EvaluatorKind::kSimulator:
      return TuneSessionModel::tr("simulator");
    case tune::EvaluatorKind::kRecorded:
      return TuneSessionModel::tr("recorded runs");
  }
  return {};
}

double spentShare(const db::SessionInfo& session) {
  const tune::Budget& budget = session.settings.budget;
  const tune::SessionState& state = session.progress;
  double share = kNoTime;
  const auto include = [&share](double part) {
    share = std::isnan(share) ? part : std::max(share, part);
  };
  if (budget.trials && *budget.trials > 0) {
    include(static_cast<double>(state.searched()) / static_cast<double>(*budget.trials));
  }
  if (budget.time_s) include(state.active_s / *budget.time_s);
  if (budget.hardware_s && session.settings.searches_hardware()) {
    include(state.booked_ns / 1e9 / *budget.hardware_s);
  }
  if (std::isnan(share) && session.space_count && *session.space_count > 0) {
    include(static_cast<double>(state.trials) / *session.space_count);
  }
  return std::isnan(share) ? share : std::clamp(share, 0.0, 1.0);
}

}  // namespace

QString strategyText(tune::StrategyKind kind) {
  switch (kind) {
    case tune::StrategyKind::kExhaustive:
      return TuneSessionModel::tr("exhaustive");
    case tune::StrategyKind::kRandom:
      return TuneSessionModel::tr("random");
    case tune::StrategyKind::kAnnealing:
      return TuneSessionModel::tr("simulated annealing");
    case tune::StrategyKind::kGenetic:
      return TuneSessionModel::tr("genetic");
  }
  return {};
}

bool hardwareIsSimulated(const tune::Settings& settings) {
  const tune::EvaluatorKind kind = settings.measure ? settings.measure->kind : settings.search.kind;
  return kind != tune::EvaluatorKind::kRecorded;
}

QString hardwareWord(const tune::Settings& settings) {
  return hardwareIsSimulated(settings) ? TuneSessionModel::tr("simulated")
                                       : TuneSessionModel::tr("measured");
}

QString evaluatorText(const tune::Settings& settings) {
  const QString search = searchText(settings.search);
  if (!settings.measure) return TuneSessionModel::tr("%1 only").arg(search);
  const QString verb = hardwareIsSimulated(settings) ? TuneSessionModel::tr("simulate")
                                                     : TuneSessionModel::tr("measure");
  QString text = TuneSessionModel::tr("%1, %2 top %3").arg(search, verb).arg(settings.top_k);
  if (settings.refine > 0) text += TuneSessionModel::tr(", refine %1").arg(settings.refine);
  return text;
}

QString durationText(double seconds) {
  if (seconds < 1) return TuneSessionModel::tr("about %1 s").arg(formatNumber(seconds, 1));
  if (seconds < 90) return TuneSessionModel::tr("about %1 s").arg(std::lround(seconds));
  if (seconds < 5400) return TuneSessionModel::tr("about %1 min").arg(std::lround(seconds / 60));
  return TuneSessionModel::tr("about %1 h").arg(formatNumber(seconds / 3600, 1));
}

TuneSessionRow rowOf(const db::SessionInfo& session) {
  const tune::SessionState& state = session.progress;
  const tune::Settings& settings = session.settings;
  TuneSessionRow row;
  row.id = session.id.value;
  row.state = stateOf(session.status);
  row.message = QString::fromStdString(session.message);
  row.name = QString::fromStdString(session.name);
  row.target = QString::fromStdString(settings.space == tune::SpaceKind::kTiles ? settings.kernel
                                                                                : session.program);
  row.tune = textOf(tune::name(settings.space));
  row.strategy = strategyText(settings.strategy.kind);
  row.evaluator = evaluatorText(settings);
  row.trials = state.searched();
  row.trial_budget = settings.budget.trials;
  if (session.space_count && *session.space_count < 1e15) {
    const auto all = static_cast<quint64>(*session.space_count);
    row.trial_budget = row.trial_budget ? std::min<quint64>(*row.trial_budget, all) : all;
  }
  row.fraction = state.phase == tune::Phase::kDone ? 1 : spentShare(session);
  row.best_ns = state.best_ns.value_or(kNoTime);
  // Times of two sources give no speed-up.
  const bool comparable = state.best_is_hardware || !settings.measure;
  row.baseline_ns = comparable ? state.baseline_ns.value_or(kNoTime) : kNoTime;
  row.best_is_estimate = !state.best_is_hardware || hardwareIsSimulated(settings);
  row.best_source = QString::fromStdString(
      state.best_is_hardware && settings.measure ? session.measure_source : session.search_source);
  row.measured = state.measured;
  // A session that was extended measures the new best as well.
  if (settings.measure) {
    row.measured_goal = std::max(state.measured, settings.top_k + settings.refine);
  }
  row.elapsed_s = state.active_s;
  return row;
}

}  // namespace hloscope::ui
