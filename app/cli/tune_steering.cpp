#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <functional>
#include <iostream>
#include <memory>

#include "app/cli/dataset.h"
#include "app/cli/json_text.h"
#include "app/cli/tune.h"

namespace hloscope::cli {

namespace {

using db::SessionInfo;

using Action = std::function<Status(db::TuneSessions&, const SessionInfo&)>;

/// Does something with a session, and shows how it is then.
Status act(const SessionOptions& options, const Action& action) {
  HLOSCOPE_ASSIGN(db::Database database, open_sessions(options.db, db::OpenMode::kReadWrite));
  db::TuneSessions sessions(database);
  HLOSCOPE_ASSIGN(SessionInfo session, sessions.find(options.session));
  HLOSCOPE_TRY(action(sessions, session));
  HLOSCOPE_ASSIGN(session, sessions.get(session.id));
  if (options.json) {
    std::cout << json_text(session_json(session, options.db)) << "\n";
  } else {
    std::cout << fmt::format("session {} ({}): {}\n", session.id.value, session.name,
                             db::name(session.status));
  }
  return {};
}

void add_run(CLI::App& tune, const char* name, const char* what, int& exit_code) {
  const auto options = std::make_shared<SessionOptions>();
  CLI::App& command = *tune.add_subcommand(name, what);
  add_session_options(command, *options);
  command.footer(
      "Exit codes: 0 good, 1 bad input, 2 wrong usage, 3 paused. JSON is that of tune fusion.");
  command.callback([options, &exit_code] {
    const auto run = [&]() -> Status {
      HLOSCOPE_ASSIGN(db::Database database, open_sessions(options->db, db::OpenMode::kReadWrite));
      HLOSCOPE_ASSIGN(const SessionInfo session, db::TuneSessions(database).find(options->session));
      return run_and_show(database, session.id, options->db, options->json, exit_code);
    };
    settle(run(), exit_code);
  });
}

void add_request(CLI::App& tune, const char* name, const char* what, tune::Request request,
                 int& exit_code) {
  const auto options = std::make_shared<SessionOptions>();
  CLI::App& command = *tune.add_subcommand(name, what);
  add_session_options(command, *options);
  command.footer(
      "A running session does so after the trial in flight. JSON is that of tune fusion.");
  command.callback([options, request, &exit_code] {
    const Action action = [request](db::TuneSessions& sessions, const SessionInfo& session) {
      return sessions.request(session.id, request);
    };
    settle(act(*options, action), exit_code);
  });
}

/// "500", or "+500" of more than `now`. Empty text: as it is.
Result<std::optional<double>> larger(const std::string& text, std::optional<double> now,
                                     double spent, bool is_whole = false) {
  if (text.empty()) return now;
  const bool is_more = text.front() == '+';
  const char* const last = text.data() + text.size();
  double value = 0;
  const auto [end, code] = std::from_chars(text.data() + (is_more ? 1 : 0), last, value);
  const bool is_number = code == std::errc() && end == last && std::isfinite(value) && value >= 0;
  if (!is_number || (is_whole && value != std::floor(value))) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("'{}' is no budget{}", text, is_whole ? " of trials" : ""),
                "write 500 for a budget of 500, +500 for so much more");
  }
  return is_more ? now.value_or(spent) + value : value;
}

struct ExtendOptions : SessionOptions {
  std::string trials;
  std::string time_s;
  std::string hardware_s;
};

Status extend(const ExtendOptions& options, db::TuneSessions& sessions,
              const SessionInfo& session) {
  tune::Budget budget = session.settings.budget;
  const tune::SessionState& spent = session.progress;
  std::optional<double> trials;
  if (budget.trials) trials = static_cast<double>(*budget.trials);
  HLOSCOPE_ASSIGN(trials,
                  larger(options.trials, trials, static_cast<double>(spent.searched()), true));
  constexpr double kMostTrials = 1e15;
  if (trials && *trials > kMostTrials) {
    return fail(ErrorCode::kInvalidInput, fmt::format("{} trials are too many", options.trials));
  }
  if (trials) budget.trials = static_cast<uint64_t>(*trials);
  HLOSCOPE_ASSIGN(budget.time_s, larger(options.time_s, budget.time_s, spent.active_s));
  HLOSCOPE_ASSIGN(budget.hardware_s,
                  larger(options.hardware_s, budget.hardware_s, spent.booked_ns * 1e-9));
  return sessions.set_budget(session.id, budget);
}

void add_extend(CLI::App& tune, int& exit_code) {
  const auto options = std::make_shared<ExtendOptions>();
  CLI::App& command =
      *tune.add_subcommand("extend", "another budget; what is finished can go on with it");
  add_session_options(command, *options);
  CLI::Option_group& some = *command.add_option_group("budget");
  some.add_option("--trials", options->trials, "N in all, or +N more");
  some.add_option("--time", options->time_s, "seconds S in all, or +S more");
  some.add_option("--hardware", options->hardware_s, "seconds of hardware S in all, or +S more");
  some.require_option(1, 3);
  command.footer(
      "A running session goes on with it at once, others with tune resume. JSON is that of tune "
      "fusion.\nExample: hloscope-cli tune extend 1 --trials +5000 --db tune.hloscope");
  command.callback([options, &exit_code] {
    const Action action = [&options](db::TuneSessions& sessions, const SessionInfo& session) {
      return extend(*options, sessions, session);
    };
    settle(act(*options, action), exit_code);
  });
}

void add_rename(CLI::App& tune, int& exit_code) {
  struct Options : SessionOptions {
    std::string name;
  };
  const auto options = std::make_shared<Options>();
  CLI::App& command = *tune.add_subcommand("rename", "gives a session another name");
  add_session_options(command, *options);
  command.add_option("NAME", options->name, "the new one")->required();
  command.footer("Example: hloscope-cli tune rename 1 \"resnet, hot\" --db tune.hloscope");
  command.callback([options, &exit_code] {
    const Action action = [&options](db::TuneSessions& sessions, const SessionInfo& session) {
      return sessions.rename(session.id, options->name);
    };
    settle(act(*options, action), exit_code);
  });
}

Status duplicate(const SessionOptions& options) {
  HLOSCOPE_ASSIGN(db::Database database, open_sessions(options.db, db::OpenMode::kReadWrite));
  db::TuneSessions sessions(database);
  HLOSCOPE_ASSIGN(const SessionInfo session, sessions.find(options.session));
  HLOSCOPE_ASSIGN(const db::TuneSessionRow id, sessions.duplicate(session.id));
  HLOSCOPE_ASSIGN(const SessionInfo copy, sessions.get(id));
  std::cout << (options.json ? json_text(session_json(copy, options.db))
                             : fmt::format("{}", id.value))
            << "\n";
  return {};
}

/// One that is damaged has its number alone.
Result<SessionInfo> found_or_damaged(const db::TuneSessions& sessions, const std::string& text) {
  Result<SessionInfo> found = sessions.find(text);
  if (found || found.error().code == ErrorCode::kNotFound) return found;
  SessionInfo damaged;
  const auto [end, code] =
      std::from_chars(text.data(), text.data() + text.size(), damaged.id.value);
  if (code != std::errc() || end != text.data() + text.size()) return found;
  return damaged;
}

Status remove(const SessionOptions& options) {
  HLOSCOPE_ASSIGN(db::Database database, open_sessions(options.db, db::OpenMode::kReadWrite));
  db::TuneSessions sessions(database);
  HLOSCOPE_ASSIGN(const SessionInfo session, found_or_damaged(sessions, options.session));
  HLOSCOPE_TRY(sessions.remove(session.id));
  if (options.json) {
    std::cout << json_text({{"session", session.id.value}, {"removed", true}}) << "\n";
  } else {
    std::cout << fmt::format("session {}{} is removed\n", session.id.value,
                             session.name.empty() ? "" : " (" + session.name + ")");
  }
  return {};
}

}  // namespace

void add_tune_steering(CLI::App& tune, int& exit_code) {
  add_run(tune, "run", "runs a session of a database", exit_code);
  add_run(tune, "resume", "the same: goes on with one that is paused or was interrupted",
          exit_code);
  add_request(tune, "pause", "pauses a session, wherever it runs", tune::Request::kPause,
              exit_code);
  add_request(tune, "stop", "ends a session for good", tune::Request::kStop, exit_code);
  add_extend(tune, exit_code);
  add_rename(tune, exit_code);
  const auto copied = std::make_shared<SessionOptions>();
  CLI::App& copy = *tune.add_subcommand("duplicate", "a new session with the same settings");
  add_session_options(copy, *copied);
  copy.footer("Prints its number. JSON is that of tune fusion.");
  copy.callback([copied, &exit_code] { settle(duplicate(*copied), exit_code); });
  const auto removed = std::make_shared<SessionOptions>();
  CLI::App& erase = *tune.add_subcommand("remove", "takes a session and its trials away");
  add_session_options(erase, *removed);
  erase.footer(
      "Example: hloscope-cli tune remove 1 --db tune.hloscope --json\n"
      "  {\"session\": 1, \"removed\": true}");
  erase.callback([removed, &exit_code] { settle(remove(*removed), exit_code); });
}

}  // namespace hloscope::cli
