#include "db/measured.h"
#include "db/sqlite/connection.h"
#include "tests/db/tune_fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using namespace hloscope::db::testing;

/// Sessions as users see them; none runs here.
class TestTuneSessions : public DatabaseTest {
  Q_OBJECT
 private:
  TuneSessions sessions() { return TuneSessions(*database_); }
  TuneSessionRow add(const std::string& name = {}) {
    return HLOSCOPE_MUST(sessions().create(grid_session(name)));
  }
  SessionStatus status(TuneSessionRow id) { return HLOSCOPE_MUST(sessions().get(id)).status; }
  void set(TuneSessionRow id, const std::string& assignments) {
    const std::string text =
        "UPDATE tune_sessions SET " + assignments + " WHERE id = " + std::to_string(id.value);
    HLOSCOPE_OK(database_->connection().execute(text));
  }

 private slots:
  void what_is_created_is_what_is_read() {
    NewSession made = grid_session("first try");
    made.recorded = {
        "TPU v3", "/data/tiles.pb", {{"out=1x2", 1500.5, true}, {"out=2x2", {}, false}}};
    const TuneSessionRow id = HLOSCOPE_MUST(sessions().create(made));
    const SessionInfo info = HLOSCOPE_MUST(sessions().get(id));
    QCOMPARE(info.name, made.name);
    QCOMPARE(info.program, made.program);
    QCOMPARE(info.file_path, made.file_path);
    QVERIFY(info.program_hash == made.program_hash);
    QVERIFY(info.settings == made.settings);
    QVERIFY(info.status == SessionStatus::kQueued);
    QCOMPARE(info.progress.trials, uint64_t{0});
    QVERIFY(!info.progress.best && !info.progress.best_ns && !info.space_count);
    QVERIFY(info.owner.empty() && info.message.empty() && info.search_source.empty());
    QCOMPARE(info.created.size(), std::string("2026-01-31T23:59:59Z").size());
    QCOMPARE(HLOSCOPE_MUST(sessions().hlo_text(id)), made.hlo_text);
    const tune::Recorded recorded = HLOSCOPE_MUST(sessions().recorded(id));
    QCOMPARE(recorded.device, made.recorded.device);
    QCOMPARE(recorded.file, made.recorded.file);
    QCOMPARE(recorded.runs.size(), size_t{2});
    QCOMPARE(recorded.runs[0].config, std::string("out=1x2"));
    QVERIFY(recorded.runs[0].time_ns == 1500.5 && recorded.runs[0].is_default);
    QVERIFY(!recorded.runs[1].time_ns && !recorded.runs[1].is_default);
  }

  void a_damaged_one_hides_no_other() {
    const TuneSessionRow first = add("first");
    const TuneSessionRow second = add("second");
    const TuneSessionRow third = add("third");
    set(second, "settings = '{\"space\": 5}'");
    const auto all = HLOSCOPE_MUST(sessions().list());
    QCOMPARE(all.size(), size_t{3});
    QVERIFY(all[0].id == third && all[0].status == SessionStatus::kQueued);
    QVERIFY(all[2].id == first && all[2].status == SessionStatus::kQueued);
    QVERIFY(all[1].id == second && all[1].status == SessionStatus::kDamaged);
    QCOMPARE(all[1].name, std::string("second"));
    QVERIFY2(all[1].message.find("space") != std::string::npos, all[1].message.c_str());
    const auto alone = sessions().get(second);
    QVERIFY(!alone);
    QVERIFY2(alone.error().message.find("tuning session 2 is damaged") != std::string::npos,
             alone.error().message.c_str());
    HLOSCOPE_OK(sessions().remove(second));
    QCOMPARE(HLOSCOPE_MUST(sessions().list()).size(), size_t{2});
  }

  void names_tell_sessions_apart() {
    const TuneSessionRow first = add();
    const TuneSessionRow second = add();
    QCOMPARE(HLOSCOPE_MUST(sessions().get(first)).name, std::string("net fusion annealing"));
    QCOMPARE(HLOSCOPE_MUST(sessions().get(second)).name, std::string("net fusion annealing 2"));
    QVERIFY(HLOSCOPE_MUST(sessions().find("net fusion annealing 2")).id == second);
    QVERIFY(HLOSCOPE_MUST(sessions().find(std::to_string(first.value))).id == first);
    for (const char* name : {"net fusion annealing", "17"}) {
      const auto again = sessions().create(grid_session(name));
      QVERIFY(!again && again.error().code == ErrorCode::kInvalidInput);
    }
    const auto unknown = sessions().find("nothing");
    QVERIFY(!unknown && unknown.error().code == ErrorCode::kNotFound);
    QVERIFY(unknown.error().hint.find("'net fusion annealing 2'") != std::string::npos);
    QVERIFY(sessions().find("17").error().code == ErrorCode::kNotFound);
    QVERIFY(sessions().find("99999999999999999999999").error().code == ErrorCode::kNotFound);
  }

  void the_newest_comes_first() {
    const TuneSessionRow first = add();
    const TuneSessionRow second = add();
    const auto list = HLOSCOPE_MUST(sessions().list());
    QCOMPARE(list.size(), size_t{2});
    QVERIFY(list[0].id == second && list[1].id == first);
    QVERIFY(HLOSCOPE_MUST(sessions().list({1, 1})).front().id == first);
  }

  void settings_that_make_no_sense_are_refused() {
    NewSession made = grid_session();
    made.settings.budget = {};
    const auto created = sessions().create(made);
    QVERIFY(!created && created.error().code == ErrorCode::kInvalidInput);
    QVERIFY(HLOSCOPE_MUST(sessions().list()).empty());
  }

  void a_session_that_does_not_run_is_paused_and_stopped_at_once() {
    const TuneSessionRow id = add();
    HLOSCOPE_OK(sessions().request(id, tune::Request::kPause));
    QVERIFY(status(id) == SessionStatus::kPaused);
    HLOSCOPE_OK(sessions().request(id, tune::Request::kPause));
    HLOSCOPE_OK(sessions().request(id, tune::Request::kStop));
    QVERIFY(status(id) == SessionStatus::kStopped);
    const Status paused = sessions().request(id, tune::Request::kPause);
    QVERIFY(!paused && paused.error().code == ErrorCode::kInvalidInput);
    QVERIFY(sessions().request({99}, tune::Request::kStop).error().code == ErrorCode::kNotFound);
  }

  void a_larger_budget_makes_a_stopped_session_ready_again() {
    const TuneSessionRow id = add();
    HLOSCOPE_OK(sessions().request(id, tune::Request::kStop));
    tune::Budget budget;
    budget.trials = 250;
    budget.time_s = 20;
    HLOSCOPE_OK(sessions().set_budget(id, budget));
    QVERIFY(status(id) == SessionStatus::kPaused);
    QVERIFY(HLOSCOPE_MUST(sessions().get(id)).settings.budget == budget);
  }

  void a_budget_is_not_less_than_what_is_spent() {
    const TuneSessionRow id = add();
    set(id, "trials = 80, active_s = 12.5, booked_ns = 3e9");
    tune::Budget budget;
    budget.trials = 79;
    const Status less = sessions().set_budget(id, budget);
    QVERIFY(!less && less.error().code == ErrorCode::kInvalidInput);
    QVERIFY(less.error().message.find("80") != std::string::npos);
    budget = {80, 12, {}};
    QVERIFY(!sessions().set_budget(id, budget));
    budget = {80, 13, 2.5};
    QVERIFY(!sessions().set_budget(id, budget));
    budget.hardware_s = 3;
    HLOSCOPE_OK(sessions().set_budget(id, budget));
  }

  void a_duplicate_begins_anew() {
    NewSession made = grid_session("a");
    made.recorded.runs.push_back({"out=1", 5.0, false});
    const TuneSessionRow id = HLOSCOPE_MUST(sessions().create(made));
    set(id, "trials = 80, status = 'finished', phase = 'done'");
    const TuneSessionRow copy = HLOSCOPE_MUST(sessions().duplicate(id));
    const SessionInfo info = HLOSCOPE_MUST(sessions().get(copy));
    QCOMPARE(info.name, std::string("a 2"));
    QVERIFY(info.settings == made.settings && info.status == SessionStatus::kQueued);
    QCOMPARE(info.progress.trials, uint64_t{0});
    QCOMPARE(HLOSCOPE_MUST(sessions().hlo_text(copy)), made.hlo_text);
    QCOMPARE(HLOSCOPE_MUST(sessions().recorded(copy)).runs.size(), size_t{1});
  }

  void renamed_and_removed() {
    const TuneSessionRow id = add("a");
    const TuneSessionRow other = add("b");
    HLOSCOPE_OK(sessions().rename(id, "c"));
    HLOSCOPE_OK(sessions().rename(id, "c"));
    QVERIFY(!sessions().rename(id, "b"));
    QVERIFY(!sessions().rename(id, ""));
    QVERIFY(HLOSCOPE_MUST(sessions().find("c")).id == id);
    HLOSCOPE_OK(sessions().remove(id));
    QVERIFY(sessions().get(id).error().code == ErrorCode::kNotFound);
    QVERIFY(sessions().remove(id).error().code == ErrorCode::kNotFound);
    QVERIFY(sessions().get(other).has_value());
    QCOMPARE(HLOSCOPE_MUST(database_->connection().integer("SELECT count(*) FROM tune_inputs")),
             int64_t{1});
    // A number that was used once means no other session later.
    QVERIFY(add("d") > other);
  }

  void recorded_tiles_are_those_of_the_newest_source() {
    const auto none = recorded_tiles(*database_, hash_of("k"));
    QVERIFY(!none && none.error().code == ErrorCode::kNotFound && !none.error().hint.empty());
    const ProgramRow program = add_program(*database_, "p");
    const KernelRow kernel = add_kernel(*database_, "k");
    Measured measured(*database_);
    MeasuredSource source;
    source.file_path = "/data/a.pb";
    source.program = program;
    source.hash = hash_of("a");
    MeasuredTime time{kernel, 0, true, true, 900.0, "out=9", 0};
    HLOSCOPE_OK(measured.put(source, std::vector{time}));
    const tune::Recorded first = HLOSCOPE_MUST(recorded_tiles(*database_, hash_of("k")));
    QCOMPARE(first.device, std::string("device not stated in the file"));
    source.hash = hash_of("b");
    source.file_path = "/data/b.pb";
    source.module_number = 3;
    source.device = "TPU v3";
    const MeasuredTime failed{kernel, 1, false, false, {}, "out=2", 0};
    time.time_ns = 800;
    HLOSCOPE_OK(measured.put(source, std::vector{time, failed}));
    const tune::Recorded recorded = HLOSCOPE_MUST(recorded_tiles(*database_, hash_of("k")));
    QCOMPARE(recorded.device, std::string("TPU v3"));
    QCOMPARE(recorded.file, std::string("/data/b.pb#3"));
    QCOMPARE(recorded.runs.size(), size_t{2});
    QCOMPARE(recorded.runs[0].config, std::string("out=9"));
    QVERIFY(recorded.runs[0].time_ns == 800.0 && recorded.runs[0].is_default);
    QVERIFY(!recorded.runs[1].time_ns);
  }

  void damaged_numbers_are_an_error_data() {
    QTest::addColumn<QString>("assignment");
    for (const char* assignment :
         {"trials = -5", "failed = -1", "measured = -1", "active_s = -1e300", "booked_ns = -5",
          "best = -4", "best_ns = -1", "best_ns = 9e999", "baseline_ns = -7"}) {
      QTest::newRow(assignment) << assignment;
    }
  }
  void damaged_numbers_are_an_error() {
    QFETCH(QString, assignment);
    const TuneSessionRow id = add();
    set(id, assignment.toStdString());
    const auto read = sessions().get(id);
    QVERIFY(!read);
    const std::string start =
        "tuning session " + std::to_string(id.value) + " is damaged: a stored ";
    QVERIFY2(read.error().message.starts_with(start), read.error().message.c_str());
    HLOSCOPE_OK(sessions().remove(id));
    QVERIFY(HLOSCOPE_MUST(sessions().list({10, 0})).empty());
  }
};

HLOSCOPE_TEST(TestTuneSessions);
#include "test_tune_sessions.moc"
