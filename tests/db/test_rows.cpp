#include <QRegularExpression>

#include "db/sqlite/connection.h"
#include "db/store.h"
#include "tests/db/fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using namespace hloscope::db::testing;

namespace {

bool is_utc(const std::string& text) {
  static const QRegularExpression pattern(
      QStringLiteral("^20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$"));
  return pattern.match(QString::fromStdString(text)).hasMatch();
}

}  // namespace

/// What is written is what is read, table by table.
class TestRows : public DatabaseTest {
  Q_OBJECT
 private slots:
  void programs() {
    Programs programs(*database_);
    ProgramInfo info;
    info.content_hash = {0x0123456789abcdefULL, 0xfedcba9876543210ULL};
    info.name = "jit_step";
    info.file_path = "/a/b c.hlo";
    info.module_number = 3;
    info.instruction_count = 43714;
    info.computation_count = 12;
    info.kernel_count = 900;
    const ProgramRow row = HLOSCOPE_MUST(programs.put(info));
    const auto found = HLOSCOPE_MUST(programs.find(info.content_hash));
    QVERIFY(found.has_value());
    QVERIFY(found->id == row);
    QVERIFY(found->content_hash == info.content_hash);
    QCOMPARE(found->name, info.name);
    QCOMPARE(found->file_path, info.file_path);
    QCOMPARE(found->module_number, 3);
    QCOMPARE(found->instruction_count, int64_t{43714});
    QCOMPARE(found->computation_count, int64_t{12});
    QCOMPARE(found->kernel_count, int64_t{900});
    QVERIFY(is_utc(found->first_opened));
    QCOMPARE(found->last_opened, found->first_opened);
    QVERIFY(!HLOSCOPE_MUST(programs.find({1, 2})).has_value());
  }

  void a_program_opened_again_is_one_row_with_the_new_path() {
    Programs programs(*database_);
    const ProgramRow first = add_program(*database_, "p");
    ProgramInfo moved;
    moved.content_hash = hash_of("p");
    moved.name = "p";
    moved.file_path = "/elsewhere/p.hlo";
    QVERIFY(HLOSCOPE_MUST(programs.put(moved)) == first);
    const auto list = HLOSCOPE_MUST(programs.list());
    QCOMPARE(list.size(), size_t{1});
    QCOMPARE(list.front().file_path, std::string("/elsewhere/p.hlo"));
  }

  void program_kernels_keep_their_order_and_are_replaced() {
    Programs programs(*database_);
    const ProgramRow program = add_program(*database_, "p");
    const KernelRow a = add_kernel(*database_, "a");
    const KernelRow b = add_kernel(*database_, "b");
    HLOSCOPE_OK(programs.set_kernels(program, {{b, "fusion.2", 1}, {a, "fusion.1", 2.5}}));
    HLOSCOPE_OK(
        programs.set_kernels(program, {{b, "fusion.2", 7}, {a, "fusion.1", 2.5}, {b, "c", 1}}));
    const auto kernels = HLOSCOPE_MUST(programs.kernels(program));
    QCOMPARE(kernels.size(), size_t{3});
    QVERIFY(kernels[0].kernel == b);
    QCOMPARE(kernels[0].executions, 7.0);
    QVERIFY(kernels[1].kernel == a);
    QCOMPARE(kernels[1].instruction_name, std::string("fusion.1"));
    QCOMPARE(kernels[1].executions, 2.5);
    QCOMPARE(kernels[2].instruction_name, std::string("c"));
  }

  void kernels() {
    Kernels kernels(*database_);
    KernelInfo info;
    info.hash = hash_of("k");
    info.label = "conv 3x3 + add";
    info.opcode = "fusion";
    info.op_class = "matmul/conv";
    info.instruction_count = 17;
    info.shape = "(f32[8]{0}, s32[])";
    info.hlo_text = "f { }\n\nx = f32[8]{0} fusion(y)";
    const KernelRow row = HLOSCOPE_MUST(kernels.put(info));
    info.label = "convolution";
    QVERIFY(HLOSCOPE_MUST(kernels.put(info)) == row);
    const auto found = HLOSCOPE_MUST(kernels.find(info.hash));
    QVERIFY(found.has_value());
    QVERIFY(found->id == row);
    QCOMPARE(found->label, std::string("convolution"));
    QCOMPARE(found->opcode, info.opcode);
    QCOMPARE(found->op_class, info.op_class);
    QCOMPARE(found->instruction_count, int64_t{17});
    QCOMPARE(found->shape, info.shape);
    QCOMPARE(found->hlo_text, info.hlo_text);
  }

  void a_run_from_start_to_finish() {
    Runs runs(*database_);
    RunKey key = key_of(add_program(*database_, "p"));
    key.settings = R"({"branches":"mean"})";
    const KernelRow a = add_kernel(*database_, "a");
    const KernelRow b = add_kernel(*database_, "b");
    const RunId run = HLOSCOPE_MUST(runs.start(key));
    QVERIFY(HLOSCOPE_MUST(runs.get(run)).state == RunState::kRunning);
    const std::vector<KernelTime> times = {{b, 2.5, 2, 1, "compute"}, {a, 1e9, 0, 1e9, "memory"}};
    HLOSCOPE_OK(runs.add_times(run, times));
    HLOSCOPE_OK(runs.finish(run, 1e9 + 2.5, hash_of("t")));
    const RunInfo info = HLOSCOPE_MUST(runs.get(run));
    QVERIFY(info.state == RunState::kFinished);
    QCOMPARE(info.program_name, std::string("p"));
    QCOMPARE(info.program_file, std::string("/data/p.hlo"));
    QCOMPARE(info.key.source_kind, std::string("analytical"));
    QCOMPARE(info.key.machine_id, std::string("tpu_v3"));
    QVERIFY(info.key.machine_hash == hash_of("tpu_v3.json"));
    QCOMPARE(info.key.settings, key.settings);
    QCOMPARE(info.key.tool_version, std::string("1.0"));
    QCOMPARE(info.kernel_count, int64_t{2});
    QCOMPARE(info.total_ns, 1e9 + 2.5);
    QVERIFY(is_utc(info.started) && is_utc(info.finished));
    std::vector<std::pair<int64_t, double>> read;
    HLOSCOPE_OK(runs.each_time(run, [&read](const KernelTime& time) {
      read.emplace_back(time.kernel.value, time.time_ns);
      return true;
    }));
    const std::vector<std::pair<int64_t, double>> expected = {{a.value, 1e9}, {b.value, 2.5}};
    QVERIFY(read == expected);
  }

  void only_a_running_run_can_be_finished_or_failed() {
    Runs runs(*database_);
    const RunKey key = key_of(add_program(*database_, "p"));
    const RunId run = HLOSCOPE_MUST(runs.start(key));
    HLOSCOPE_OK(runs.fail(run));
    QVERIFY(HLOSCOPE_MUST(runs.get(run)).state == RunState::kFailed);
    QVERIFY(runs.finish(run, 1, hash_of("t")).error().code == ErrorCode::kNotFound);
    QVERIFY(runs.fail(RunId{99}).error().code == ErrorCode::kNotFound);
    QVERIFY(runs.get(RunId{99}).error().code == ErrorCode::kNotFound);
    QVERIFY(!HLOSCOPE_MUST(runs.find(key, hash_of("t"))).has_value());
  }

  void a_run_is_found_by_everything_that_determines_it() {
    Runs runs(*database_);
    const RunKey key = key_of(add_program(*database_, "p"));
    const RunId run = add_run(*database_, key, {add_kernel(*database_, "a")});
    QVERIFY(HLOSCOPE_MUST(runs.find(key, hash_of("times"))) == run);
    QVERIFY(!HLOSCOPE_MUST(runs.find(key, hash_of("other times"))));
    RunKey other = key;
    other.machine_hash = hash_of("edited");
    QVERIFY(!HLOSCOPE_MUST(runs.find(other, hash_of("times"))));
    other = key;
    other.tool_version = "2.0";
    QVERIFY(!HLOSCOPE_MUST(runs.find(other, hash_of("times"))));
    other = key;
    other.settings = "{\"x\":1}";
    QVERIFY(!HLOSCOPE_MUST(runs.find(other, hash_of("times"))));
    other = key;
    other.program = add_program(*database_, "q");
    QVERIFY(!HLOSCOPE_MUST(runs.find(other, hash_of("times"))));
  }

  void a_computed_run_can_not_be_called_measured() {
    RunKey key = key_of(add_program(*database_, "p"));
    for (const char* kind : {"measured", "Measured", "simulated (measured)", ""}) {
      key.source_kind = kind;
      QVERIFY2(!Runs(*database_).start(key), kind);
    }
  }

  void lists_come_newest_first_and_in_pages() {
    const RunKey key = key_of(add_program(*database_, "p"));
    std::vector<int64_t> ids;
    for (int i = 0; i < 5; ++i) ids.push_back(add_run(*database_, key, {}).value);
    const auto page = HLOSCOPE_MUST(list_runs(*database_, {2, 1}));
    QCOMPARE(page.size(), size_t{2});
    QCOMPARE(page[0].id.value, ids[3]);
    QCOMPARE(page[1].id.value, ids[2]);
  }

  void deleting_a_run_takes_its_times_only() {
    const RunKey key = key_of(add_program(*database_, "p"));
    const std::vector<KernelRow> kernels = {add_kernel(*database_, "a")};
    const RunId first = add_run(*database_, key, kernels);
    const RunId second = add_run(*database_, key, kernels);
    HLOSCOPE_OK(delete_run(*database_, second));
    Connection& connection = database_->connection();
    QCOMPARE(HLOSCOPE_MUST(connection.integer("SELECT count(*) FROM kernel_times")), int64_t{1});
    QCOMPARE(HLOSCOPE_MUST(connection.integer("SELECT count(*) FROM kernels")), int64_t{1});
    QCOMPARE(HLOSCOPE_MUST(list_programs(*database_)).size(), size_t{1});
    QVERIFY(delete_run(*database_, second).error().code == ErrorCode::kNotFound);
    // Ids are never given twice, so that a stale one can't name another run.
    QVERIFY(add_run(*database_, key, kernels).value > second.value);
    QVERIFY(HLOSCOPE_MUST(Runs(*database_).get(first)).id == first);
  }

  void rows_must_point_to_rows() {
    Runs runs(*database_);
    QVERIFY(!runs.start(key_of(ProgramRow{42})));
    const RunId run = HLOSCOPE_MUST(runs.start(key_of(add_program(*database_, "p"))));
    const std::vector<KernelTime> times = {{add_kernel(*database_, "a"), 1, 1, 1, "memory"},
                                           {KernelRow{42}, 1, 1, 1, "memory"}};
    QVERIFY(!runs.add_times(run, times));
    // All or nothing.
    QCOMPARE(HLOSCOPE_MUST(database_->connection().integer("SELECT count(*) FROM kernel_times")),
             int64_t{0});
  }
};

HLOSCOPE_TEST(TestRows);
#include "test_rows.moc"
