#include <fmt/format.h>

#include "app/cli/json_text.h"
#include "app/cli/text_table.h"
#include "app/cli/tune.h"
#include "core/tune/command_line.h"

namespace hloscope::cli {

namespace {

using nlohmann::ordered_json;

template <typename T>
ordered_json or_none(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

std::string command_of(const db::SessionInfo& session, const std::string& db_path) {
  std::string out = tune::tune_command(session.settings, session.file_path);
  if (!db_path.empty()) out += " --db " + db_path;
  return out;
}

std::string budget_text(const tune::Budget& budget) {
  std::string out;
  const auto add = [&out](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
  if (budget.trials) {
    add(counted(static_cast<int64_t>(*budget.trials), "trial", "trials"));
  }
  if (budget.time_s) add(fmt::format("{} s", *budget.time_s));
  if (budget.hardware_s) add(fmt::format("{} s of hardware", *budget.hardware_s));
  return out.empty() ? "none" : out;
}

std::string trials_text(const tune::SessionState& state) {
  std::string out = grouped(state.trials);
  if (state.refined > 0) out += fmt::format(", {} of refining", grouped(state.refined));
  if (state.failed > 0) out += fmt::format(", {} without a time", grouped(state.failed));
  return out;
}

/// What can be done with the session next.
std::string next_text(const db::SessionInfo& session, const std::string& db_path) {
  if (db_path.empty()) return {};
  const std::string rest = fmt::format("{} --db {}", session.id.value, db_path);
  switch (session.status) {
    case db::SessionStatus::kRunning:
      return "hloscope-cli tune pause " + rest;
    case db::SessionStatus::kFinished:
    case db::SessionStatus::kStopped:
      return fmt::format("hloscope-cli tune best {} -o tuned.hlo", rest);
    case db::SessionStatus::kQueued:
      return "hloscope-cli tune run " + rest;
    case db::SessionStatus::kInterrupted:
    case db::SessionStatus::kPaused:
    case db::SessionStatus::kFailed:
    case db::SessionStatus::kDamaged:
      break;
  }
  return "hloscope-cli tune resume " + rest;
}

}  // namespace

const std::string& best_source(const db::SessionInfo& session) {
  const bool is_measured = session.progress.best_is_hardware && session.settings.measure;
  return is_measured ? session.measure_source : session.search_source;
}

const std::string& default_source(const db::SessionInfo& session) {
  return session.settings.measure ? session.measure_source : session.search_source;
}

std::optional<double> speedup(const db::SessionInfo& session) {
  const tune::SessionState& state = session.progress;
  const bool is_comparable = state.best_is_hardware || !session.settings.measure;
  if (!is_comparable || !state.best_ns || !state.baseline_ns || *state.best_ns <= 0) {
    return std::nullopt;
  }
  return *state.baseline_ns / *state.best_ns;
}

std::string time_text(std::optional<double> time_ns) {
  if (!time_ns) return "-";
  constexpr double kMillisecond = 1e6;
  if (*time_ns < kMillisecond) return microseconds(*time_ns) + " µs";
  return fmt::format("{:.3f} ms", *time_ns / kMillisecond);
}

std::string speedup_text(std::optional<double> speedup) {
  return speedup ? fmt::format("{:.3f} x", *speedup) : "-";
}

ordered_json session_json(const db::SessionInfo& session, const std::string& db_path) {
  const tune::SessionState& state = session.progress;
  const tune::Budget& budget = session.settings.budget;
  ordered_json out = {
      {"session", db_path.empty() ? ordered_json() : ordered_json(session.id.value)},
      {"name", session.name},
      {"program", session.program},
      {"file", session.file_path},
      {"space", tune::name(session.settings.space)},
      {"kernel", session.settings.kernel},
      {"strategy", tune::name(session.settings.strategy.kind)},
      {"status", db::name(session.status)},
      {"message", session.message},
      {"owner", session.owner},
      {"search_source", session.search_source},
      {"measure_source", session.measure_source},
      {"configurations", or_none(session.space_count)},
      {"trials", state.trials},
      {"failed", state.failed},
      {"measured", state.measured},
      {"refined", state.refined},
      {"active_s", state.active_s},
      {"hardware_s", state.booked_ns * 1e-9},
      {"default_ns", or_none(state.baseline_ns)},
      {"default_source", default_source(session)},
      {"best_trial", or_none(state.best)},
      {"best_ns", or_none(state.best_ns)},
      {"best_source", best_source(session)},
      {"speedup", or_none(speedup(session))}};
  out["budget"] = {{"trials", or_none(budget.trials)},
                   {"time_s", or_none(budget.time_s)},
                   {"hardware_s", or_none(budget.hardware_s)}};
  out["created"] = session.created;
  out["updated"] = session.updated;
  out["settings"] = ordered_json::parse(tune::settings_json(session.settings));
  out["command"] = command_of(session, db_path);
  out["db"] = db_path.empty() ? ordered_json() : ordered_json(db_path);
  return out;
}

std::string session_text(const db::SessionInfo& session, const std::string& db_path) {
  const tune::SessionState& state = session.progress;
  using enum TextTable::Align;
  TextTable table({{"session", kLeft}, {session.name, kLeft}});
  const auto add = [&table](const char* what, const std::string& text) {
    if (!text.empty()) table.add_row({what, text});
  };
  add("status", std::string(db::name(session.status)) +
                    (session.owner.empty() ? "" : " (" + session.owner + ")"));
  add("message", session.message);
  add("program", session.program + " of " + session.file_path);
  add("kernel", session.settings.kernel);
  add("search", session.search_source);
  add("measured by", session.measure_source);
  if (session.space_count) {
    add("configurations", *session.space_count < 1e9 ? grouped(*session.space_count)
                                                     : fmt::format("{:.1e}", *session.space_count));
  }
  add("budget", budget_text(session.settings.budget));
  add("trials", trials_text(state));
  if (state.measured > 0) add("measured", grouped(state.measured));
  add("time", fmt::format("{:.1f} s", state.active_s));
  if (state.booked_ns > 0) add("hardware time", fmt::format("{:.1f} s", state.booked_ns * 1e-9));
  if (state.baseline_ns) {
    add("default", time_text(state.baseline_ns) + ", " + default_source(session));
  }
  if (state.best) {
    add("best", fmt::format("{}, {}: trial {}", time_text(state.best_ns), best_source(session),
                            *state.best));
    add("speed-up", speedup_text(speedup(session)));
  }
  add("kept in", db_path.empty() ? std::string("nothing: --db FILE keeps a session")
                                 : fmt::format("{}, session {}", db_path, session.id.value));
  add("same again", command_of(session, db_path));
  add("go on", next_text(session, db_path));
  return table.text();
}

}  // namespace hloscope::cli
