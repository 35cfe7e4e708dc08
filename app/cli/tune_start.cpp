#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

#include "app/cli/dataset.h"
#include "app/cli/json_text.h"
#include "app/cli/tune.h"
#include "app/cli/tune_options.h"
#include "db/new_session.h"

namespace hloscope::cli {

namespace {

using tune::SpaceKind;

/// A file for a session that is not to be kept, removed at the end.
class ScratchDatabase {
 public:
  ScratchDatabase() {
    std::string name = (std::filesystem::temp_directory_path() / "hloscope_XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) folder_ = name;
  }
  ScratchDatabase(const ScratchDatabase&) = delete;
  ScratchDatabase& operator=(const ScratchDatabase&) = delete;
  ~ScratchDatabase() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  [[nodiscard]] std::filesystem::path path() const { return folder_ / "session.hloscope"; }

 private:
  std::filesystem::path folder_;
};

Status start_in(db::Database& database, const TuneOptions& options, SpaceKind space,
                int& exit_code) {
  HLOSCOPE_ASSIGN(tune::Settings settings, settings_of(options, space));
  HLOSCOPE_ASSIGN(const hlo::Module module, db::read_module(options.file));
  HLOSCOPE_ASSIGN(db::NewSession made,
                  db::new_session(module, options.file, std::move(settings), database));
  made.name = options.name;
  db::TuneSessions sessions(database);
  HLOSCOPE_ASSIGN(const db::TuneSessionRow id, sessions.create(made));
  if (!options.queue) return run_and_show(database, id, options.db, options.json, exit_code);
  HLOSCOPE_ASSIGN(const db::SessionInfo session, sessions.get(id));
  std::cout << (options.json ? json_text(session_json(session, options.db))
                             : fmt::format("{}", id.value))
            << "\n";
  return {};
}

Status start(const TuneOptions& options, SpaceKind space, int& exit_code) {
  if (!options.db.empty()) {
    HLOSCOPE_ASSIGN(db::Database database, db::Database::open(options.db));
    HLOSCOPE_TRY(database.writable());
    return start_in(database, options, space, exit_code);
  }
  std::cerr << "without --db the session is not kept\n";
  const ScratchDatabase scratch;
  HLOSCOPE_ASSIGN(db::Database database, db::Database::open(scratch.path()));
  return start_in(database, options, space, exit_code);
}

constexpr auto kTuneFooter =
    "By default a model searches, and the simulator, in the place of hardware, runs the best of "
    "it. Ctrl-C pauses.\n"
    "Exit codes: 0 good, 1 bad input, 2 wrong usage, 3 paused.\n"
    "Example: hloscope-cli tune {} --trials 500 --db tune.hloscope --json\n"
    "  {{\"session\": 1, \"name\": \"...\", \"program\": \"...\", \"file\": \"...\", \"space\": "
    "\"{}\", \"kernel\": \"...\",\n   \"strategy\": \"annealing\", \"status\": \"finished\", "
    "\"message\": \"\", \"owner\": \"\",\n   \"search_source\": \"predicted (...)\", "
    "\"measure_source\": \"simulated (tpu_v3@...)\", \"configurations\": 1e5,\n   \"trials\": 500, "
    "\"failed\": 0, \"measured\": 10, \"active_s\": 1.5, \"hardware_s\": 10.1, \"default_ns\": "
    "2e5,\n   \"default_source\": \"simulated (tpu_v3@...)\", \"best_trial\": 423, \"best_ns\": "
    "1e5,\n   \"best_source\": \"simulated (tpu_v3@...)\", \"speedup\": 2.0, \"budget\": "
    "{{\"trials\": 500, \"time_s\": null,\n   \"hardware_s\": null}}, \"created\": \"...\", "
    "\"updated\": \"...\", \"settings\": {{...}}, \"command\": \"hloscope-cli tune ...\",\n   "
    "\"db\": \"tune.hloscope\"}}";

void add_space(CLI::App& tune, SpaceKind space, const char* what, const char* example,
               int& exit_code) {
  const auto options = std::make_shared<TuneOptions>();
  const std::string name(tune::name(space));
  CLI::App& command = *tune.add_subcommand(name, what);
  add_tune_options(command, space, *options);
  command.footer(fmt::format(kTuneFooter, example, name));
  command.callback(
      [options, space, &exit_code] { settle(start(*options, space, exit_code), exit_code); });
}

}  // namespace

void add_tune_start(CLI::App& tune, int& exit_code) {
  add_space(tune, SpaceKind::kTiles, "the tile of one kernel",
            "tiles samples/mobilenet_v2.hlo --kernel NAME", exit_code);
  add_space(tune, SpaceKind::kProgramTiles, "the tiles of all kernels of a program",
            "program-tiles samples/mobilenet_v2.hlo", exit_code);
  add_space(tune, SpaceKind::kFusion, "which instructions of a program are fused",
            "fusion samples/resnet50_train.before_optimizations.txt", exit_code);
  add_space(tune, SpaceKind::kLayout,
            "layouts of operands and results of convolutions, dots and reshapes",
            "layout samples/resnet50_train.before_optimizations.txt", exit_code);
}

}  // namespace hloscope::cli
