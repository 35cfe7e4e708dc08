#include "db/training_session.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <stop_token>

#include "core/base/thread_pool.h"
#include "core/predict/model_card.h"
#include "db/evaluate_models.h"
#include "db/generation_order.h"
#include "db/open_data_set.h"
#include "db/split_data_set.h"
#include "tests/db/fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using namespace hloscope::db::testing;

namespace {

std::string program_text(int rows) {
  const std::string shape = "f32[" + std::to_string(rows) + ",256]{1,0}";
  return "HloModule m" + std::to_string(rows) + "\nENTRY e {\n  x = " + shape +
         " parameter(0)\n  a = " + shape + " negate(x)\n  b = " + shape +
         " exponential(a)\n  c = " + shape + " add(b, x)\n  ROOT d = " + shape +
         " multiply(c, b)\n}\n";
}

/// Simulated times of a few made-up programs, with a split.
std::string small_set(const TempFolder& folder) {
  GenerationOrder order;
  for (int rows : {8, 16, 24, 40, 64, 128}) {
    const auto path = folder.path("p" + std::to_string(rows) + ".hlo");
    std::ofstream(path) << program_text(rows);
    order.paths.push_back(path.string());
  }
  order.output = folder.path("set.hloscope").string();
  order.configurations = 4;
  const auto planned = HLOSCOPE_MUST(plan_generation(order));
  ThreadPool pool(2);
  HLOSCOPE_MUST(generate_data_set(planned.generation, order.output, pool));
  Database database = HLOSCOPE_MUST(open_data_set(order.output, OpenMode::kReadWrite));
  SplitOrder split;
  split.name = "random";
  split.options.held_out = {0.2, 0.2};
  HLOSCOPE_MUST(split_data_set(database, split));
  return order.output;
}

TrainingOrder order_of(const std::string& set, const std::filesystem::path& output) {
  TrainingOrder order;
  order.examples = {set, "random", false, ""};
  order.model_options = R"({"hidden_width": 8, "opcode_width": 4, "layers": 1})";
  order.output = output.string();
  order.steps = 12;
  order.evaluate_every = 4;
  order.threads = 2;
  return order;
}

}  // namespace

/// A training as the window runs it.
class TestTrainingSession : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    folder_ = std::make_unique<TempFolder>();
    set_ = small_set(*folder_);
  }

  void the_list_counts_what_statistics_count() {
    const auto summary = HLOSCOPE_MUST(summarise_data_set(set_));
    QCOMPARE(summary.programs, size_t{6});
    QCOMPARE(summary.splits, std::vector<std::string>{"random"});
    QCOMPARE(summary.state, DataSetState::kFinished);
    const auto details = HLOSCOPE_MUST(data_set_details(set_, "random"));
    QCOMPARE(details.statistics.all.graphs, summary.counts.graphs);
    QCOMPARE(details.statistics.all.samples, summary.counts.samples);
    QCOMPARE(details.programs.size(), size_t{6});
    size_t training = 0;
    for (const DataSetProgram& program : details.programs) {
      QVERIFY(program.graphs > 0);
      training += program.part == data::Part::kTrain ? 1 : 0;
    }
    QCOMPARE(training, size_t{4});  // 6 - round(0.2 x 6) twice
    QCOMPARE(summarise_data_set(folder_->path("none").string()).error().code, ErrorCode::kNotFound);
  }

  void a_paused_training_ends_with_the_same_bytes() {
    const auto whole = order_of(set_, folder_->path("whole.safetensors"));
    std::vector<TrainingPoint> points;
    TrainingHooks hooks;
    size_t learned_from = 0;
    hooks.started = [&](const TrainingStart& start) { learned_from = start.training; };
    hooks.evaluated = [&](const TrainingPoint& point) { points.push_back(point); };
    const auto result = HLOSCOPE_MUST(run_training(whole, hooks));
    QVERIFY(learned_from > 0);
    QCOMPARE(points.size(), size_t{3});
    QCOMPARE(points.back().step, uint64_t{12});
    QCOMPARE(points.back().metric, std::string("mape"));
    QVERIFY(!std::filesystem::exists(checkpoint_path(whole.output)));
    const auto best = std::find_if(points.rbegin(), points.rend(),
                                   [](const TrainingPoint& point) { return point.is_best; });
    QCOMPARE(result.best_step, best->step);

    const auto paused = order_of(set_, folder_->path("paused.safetensors"));
    std::stop_source stop;
    hooks = {};
    hooks.progress = Progress(stop.get_token());
    hooks.evaluated = [&](const TrainingPoint&) { stop.request_stop(); };
    QCOMPARE(run_training(paused, hooks).error().code, ErrorCode::kCancelled);
    QVERIFY(std::filesystem::exists(checkpoint_path(paused.output)));
    bool goes_on = false;
    hooks = {};
    hooks.started = [&](const TrainingStart& start) { goes_on = start.goes_on; };
    HLOSCOPE_MUST(run_training(paused, hooks));
    QVERIFY(goes_on);
    QCOMPARE(read_bytes(paused.output), read_bytes(whole.output));
  }

  void the_best_so_far_can_be_kept() {
    const auto order = order_of(set_, folder_->path("kept.safetensors"));
    QCOMPARE(keep_best(order.output).error().code, ErrorCode::kNotFound);
    std::stop_source stop;
    TrainingHooks hooks;
    hooks.progress = Progress(stop.get_token());
    hooks.evaluated = [&](const TrainingPoint&) { stop.request_stop(); };
    QVERIFY(!run_training(order, hooks));
    const auto kept = HLOSCOPE_MUST(keep_best(order.output));
    QCOMPARE(kept.file, order.output);
    QVERIFY(!std::filesystem::exists(checkpoint_path(order.output)));
    const auto card = HLOSCOPE_MUST(predict::card_of_file(order.output));
    QCOMPARE(card.task, std::string("fusion"));
    QCOMPARE(card.data_set, std::string("set"));
    QVERIFY(card.predicts_times());
    QVERIFY(card.parameters > 0);
  }

  void models_are_evaluated_beside_their_controls() {
    auto order = order_of(set_, folder_->path("model.safetensors"));
    HLOSCOPE_MUST(run_training(order));
    EvaluationOrder evaluation;
    evaluation.examples = order.examples;
    evaluation.models = {order.output};
    const auto table = HLOSCOPE_MUST(evaluate_models(evaluation));
    QCOMPARE(table.models.size(), size_t{4});
    QCOMPARE(table.models[0].name, order.output);
    QVERIFY(table.models[0].trained_with_this_split);
    QCOMPARE(table.models[1].kind, std::string("analytical"));
    QCOMPARE(table.metrics[0].title, std::string_view("MAPE"));
    QVERIFY(table.models[1].values[0].has_value());
    QCOMPARE(table.programs.size(), table.program_examples.size());
    for (const EvaluatedModel& model : table.models) {
      QCOMPARE(model.programs.size(), table.programs.size());
    }
    // Of one test program all kernels of the part are its own.
    if (table.programs.size() == 1)
      QCOMPARE(table.models[1].programs[0][0], table.models[1].values[0]);
    evaluation.models = {"no such file"};
    QVERIFY(!evaluate_models(evaluation));
  }

 private:
  std::unique_ptr<TempFolder> folder_;
  std::string set_;
};

HLOSCOPE_TEST(TestTrainingSession);
#include "test_training_session.moc"
