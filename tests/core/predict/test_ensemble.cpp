// Before Qt, which makes a macro of `slots`.
#include "core/predict/ensemble.h"
#include "core/predict/program_examples.h"
#include "core/predict/program_times.h"
#include "tests/core/predict/program_fixtures.h"

#include <QTemporaryDir>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/analysis/time_source.h"
#include "core/base/file_bytes.h"
#include "core/base/write_file.h"
#include "core/nn/safetensors.h"
#include "core/predict/builtin_models.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::predict;
using namespace hloscope::testing;
using analysis::ModuleReport;
using graph::KernelId;

namespace {

// Kernels f and g are alike, h is of another size, r has an opcode that no pair has.
constexpr const char* kFourKernels = R"(HloModule four, is_scheduled=true

body {
  a = f32[80,128]{1,0} parameter(0)
  b = f32[80,128]{1,0} parameter(1)
  s = f32[80,128]{1,0} add(a, b)
  ROOT u = f32[80,128]{1,0} negate(s)
}

body2 {
  a = f32[80,128]{1,0} parameter(0)
  b = f32[80,128]{1,0} parameter(1)
  s = f32[80,128]{1,0} add(a, b)
  ROOT u = f32[80,128]{1,0} negate(s)
}

body3 {
  a = f32[80,128]{1,0} parameter(0)
  s = f32[80,128]{1,0} multiply(a, a)
  ROOT u = f32[80,128]{1,0} exponential(s)
}

ENTRY main {
  x = f32[80,128]{1,0} parameter(0)
  y = f32[80,128]{1,0} parameter(1)
  f = f32[80,128]{1,0} fusion(x, y), kind=kLoop, calls=body
  g = f32[80,128]{1,0} fusion(f, y), kind=kLoop, calls=body2
  h = f32[80,128]{1,0} fusion(g), kind=kLoop, calls=body3
  ROOT r = f32[80,128]{1,0} reverse(h), dimensions={0}
}
)";

std::shared_ptr<const ModuleReport> report(const char* machine = "tpu_v3") {
  const hlo::File file = *hlo::read_bytes(kFourKernels, "four.hlo");
  return *analysis::analyse(file.modules.front(), "four.hlo", 1, *sim::find_machine(machine));
}

}  // namespace

class TestEnsemble : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    set_ = pair_set();
    for (int seed = 1; seed <= 3; ++seed) {
      files_.push_back(path(fmt::format("m{}.safetensors", seed)));
      QVERIFY(save_model(files_.back(), pair_model(set_, static_cast<uint64_t>(seed))));
    }
  }
  void it_names_itself_by_files_and_their_hash() {
    const Ensemble ensemble = *Ensemble::load(files_);
    QCOMPARE(ensemble.name(), std::string("m1.safetensors, m2.safetensors, m3.safetensors"));
    QCOMPARE(ensemble.members().size(), size_t{3});
    QVERIFY(ensemble.task() == data::Task::kFusion);
    QVERIFY(ensemble.with_extras());
    QCOMPARE(ensemble.machine_id(), std::string("tpu_v3"));
    QCOMPARE(ensemble.trained_on(), set_.label());
    const Ensemble one = *Ensemble::load(std::span(files_).first(1));
    QVERIFY(one.hash() != ensemble.hash());
    QVERIFY(Ensemble::load(files_)->hash() == ensemble.hash());
  }
  void files_that_are_none_are_refused() {
    const auto refusal = [&](const std::string& file) {
      const auto loaded = Ensemble::load(std::vector{files_[0], file});
      return loaded ? Error() : loaded.error();
    };
    QCOMPARE(refusal(path("none.safetensors")).code, ErrorCode::kNotFound);
    const std::string bytes = *read_file_bytes(files_[1]);
    for (const size_t length : {size_t{0}, size_t{7}, size_t{100}, bytes.size() - 1}) {
      const std::string cut = written("cut.safetensors", bytes.substr(0, length));
      QCOMPARE(refusal(cut).code, ErrorCode::kInvalidInput);
      QCOMPARE(refusal(cut).file, cut);
    }
    nn::SafeTensors other = *nn::parse_safetensors(bytes);
    other.metadata["feature_table"] = "0";
    QCOMPARE(refusal(written("other.safetensors", *nn::format_safetensors(other))).code,
             ErrorCode::kUnsupported);
    other = *nn::parse_safetensors(bytes);
    other.metadata["novelty"] = R"({"threshold": "x"})";
    QCOMPARE(refusal(written("novelty.safetensors", *nn::format_safetensors(other))).code,
             ErrorCode::kInvalidInput);
    QCOMPARE(Ensemble::load({}).error().code, ErrorCode::kInvalidInput);
  }
  // Each would be read beyond the end of a row of features.
  void normalisers_of_other_features_are_refused() {
    const nn::SafeTensors content = *nn::parse_safetensors(*read_file_bytes(files_[1]));
    for (const char* part : {"node", "graph", "configuration", "estimate"}) {
      nn::SafeTensors other = content;
      auto normaliser = nlohmann::ordered_json::parse(content.metadata.at("normaliser"));
      auto& columns = normaliser[part]["columns"];
      normaliser[part]["width"] = 65536;
      if (!columns.empty()) columns.back() = 65535;
      other.metadata["normaliser"] = normaliser.dump();
      const std::vector<std::string> file{
          written("wide.safetensors", *nn::format_safetensors(other))};
      const auto loaded = Ensemble::load(file);
      if (std::string_view(part) == "node") {
        QVERIFY(loaded);  // As wide as the data set says: known when there is one.
        QVERIFY(!check_fits(set_, loaded->first().learned()));
        continue;
      }
      QVERIFY2(!loaded, part);
      QCOMPARE(loaded.error().code, ErrorCode::kInvalidInput);
    }
  }
  void members_are_different_models_of_one_machine() {
    const auto twice = Ensemble::load(std::vector{files_[0], files_[0]});
    QVERIFY(!twice && twice.error().message.ends_with("it is the same model, given twice"));
    nn::SafeTensors other = *nn::parse_safetensors(*read_file_bytes(files_[1]));
    auto record = nlohmann::ordered_json::parse(other.metadata["training"]);
    record["machine"] = "tpu_v2@0";
    other.metadata["training"] = record.dump();
    const std::string file = written("v2.safetensors", *nn::format_safetensors(other));
    const auto mixed = Ensemble::load(std::vector{files_[0], file});
    QVERIFY(!mixed && mixed.error().message.ends_with("it learned from times of something else"));
  }
  void an_unknown_name_is_told() {
    const std::vector<std::string> names{"tpu_v9_fusion"};
    QCOMPARE(Ensemble::find(names).error().code, ErrorCode::kNotFound);
    QVERIFY(Ensemble::find(files_));
  }
  void models_that_are_built_in_can_be_read() {
    size_t members = 0;
    for (const std::string& name : builtin_ensembles()) {
      const auto ensemble = Ensemble::builtin(name);
      QVERIFY2(ensemble, name.c_str());
      members += ensemble->members().size();
    }
    QCOMPARE(members, builtin_model_files().size());
    QVERIFY(*builtin_for("tpu_v9", data::Task::kFusion) == nullptr);
  }
  void scores_are_mean_and_deviation_of_the_members() {
    const Ensemble ensemble = *Ensemble::load(files_);
    const std::vector<uint32_t> some{3, 0, 30};
    ThreadPool one(1);
    ThreadPool three(3);
    const auto scores = *predict_ensemble(set_, some, ensemble, one);
    for (size_t i = 0; i < some.size(); ++i) {
      std::vector<double> logs;
      for (const Ensemble::Member& member : ensemble.members()) {
        logs.push_back(
            std::log(predict_learned(set_, some, member.learned(), one)->scores[i].front()));
      }
      const double mean = (logs[0] + logs[1] + logs[2]) / 3;
      double squares = 0;
      for (const double log : logs) squares += (log - mean) * (log - mean);
      QVERIFY(std::abs(scores[i].mean.front() - mean) < 1e-12);
      QVERIFY(std::abs(scores[i].deviation.front() - std::sqrt(squares / 2)) < 1e-12);
      QVERIFY(scores[i].deviation.front() > 0);
    }
    const auto again = *predict_ensemble(set_, some, ensemble, three);
    for (size_t i = 0; i < some.size(); ++i) QVERIFY(again[i].mean == scores[i].mean);
  }
  // Two with one normaliser, which share batches, then one with another.
  void models_that_share_batches_score_as_alone() {
    const Ensemble ensemble = *Ensemble::load(files_);
    QVERIFY(ensemble.members()[0].normaliser == ensemble.members()[2].normaliser);
    Normaliser other = ensemble.first().normaliser;
    other.node.shift.front() += 1;
    std::vector<LearnedModel> models;
    for (const Ensemble::Member& member : ensemble.members()) models.push_back(member.learned());
    models.push_back({ensemble.first().stored.model, other});
    const std::vector<uint32_t> some{30, 1, 2, 17};
    ThreadPool pool(2);
    const auto together = *predict_all_learned(set_, some, models, pool);
    QCOMPARE(together.size(), size_t{4});
    for (size_t i = 0; i < models.size(); ++i) {
      QVERIFY(together[i].scores == predict_learned(set_, some, models[i], pool)->scores);
      QCOMPARE(together[i].examples, some);
    }
    QVERIFY(together[3].scores != together[0].scores);
    QVERIFY(predict_all_learned(set_, some, {}, pool)->empty());
  }
  void a_kernel_in_a_program_is_encoded_as_its_text_is() {
    const auto shown = report();
    const hlo::Program& program = *shown->module.program;
    const hlo::InstructionId kernel = shown->kernels.kernels[KernelId(0)].instruction;
    GraphSamples graph;
    graph.record.content = fused_pair(80, "add", "negate");
    graph.samples.push_back({{}, 0, {}, true});
    EncodeOptions options;
    options.rates = sim::Rates(shown->machine);
    const Example text = *encode(graph, options);
    const Example direct =
        *encode_kernel({program, kernel, graph.samples}, options, node_columns(true));
    QVERIFY(direct.opcodes == text.opcodes);
    QVERIFY(direct.operands == text.operands);
    QVERIFY(direct.static_features == text.static_features);
    QVERIFY(direct.estimates == text.estimates);
    QCOMPARE(direct.analytical_ns, text.analytical_ns);
    QCOMPARE(direct.node_features.entries(), text.node_features.entries());
  }
  void kernels_of_a_program_have_times_and_marks() {
    const Ensemble ensemble = *Ensemble::load(files_);
    ThreadPool pool(2);
    const auto plain = report();
    const auto predicted =
        *TimePredictor{std::make_shared<const Ensemble>(ensemble)}.add(plain, pool);
    const analysis::PredictedTimes& times = predicted->predicted;
    QCOMPARE(times.of_kernels.size(), size_t{4});
    const auto& f = times.of_kernels[KernelId(0)];
    const auto& g = times.of_kernels[KernelId(1)];
    QCOMPARE(g->time_ns, f->time_ns);
    QCOMPARE(f->time_ns, std::exp(log_ns_of_text(ensemble, pool)));
    QVERIFY(times.of_kernels[KernelId(2)]->time_ns != f->time_ns);
    QVERIFY(!f->is_far);
    QVERIFY(times.of_kernels[KernelId(3)]->is_far);
    QVERIFY(f->low_ns < f->time_ns && f->time_ns < f->high_ns);
    QVERIFY(std::abs(f->low_ns * f->high_ns / (f->time_ns * f->time_ns) - 1) < 1e-12);
    QCOMPARE(times.by.label(), ensemble.label());
    QVERIFY(times.by.knows_far && times.by.has_spread && !times.by.is_calibrated);
    QVERIFY(times.far_share > 0 && times.far_share < 1);
  }
  void other_machines_have_no_predictions() {
    const TimePredictor predictor{std::make_shared<const Ensemble>(*Ensemble::load(files_))};
    ThreadPool pool(1);
    const auto other = report("tpu_v4");
    const auto without = *predictor.add(other, pool);
    QVERIFY(without->predicted.of_kernels.empty());
    QVERIFY(without->predicted.absence.find(other->machine.title) != std::string::npos);
    QVERIFY(!analysis::has_place(*without, analysis::TimeSource::kPredicted));
    QVERIFY(*predictor.find(other->machine) == nullptr);
  }
  void a_fitted_spread_is_kept_in_the_file() {
    StoredModel stored = *load_model(files_[0]);
    QVERIFY(stored.novelty && !stored.spread);
    stored.spread = SpreadFit{0.1, 2, 50};
    const std::string file = path("spread.safetensors");
    QVERIFY(save_model(file, stored));
    const Ensemble ensemble = *Ensemble::load(std::vector{file, files_[1]});
    QVERIFY(ensemble.spread() == *stored.spread);
    ThreadPool pool(1);
    const auto times = *predict_times(*report(), ensemble, pool);
    QVERIFY(times.by.is_calibrated);
    // At least factor x floor to both sides, in log.
    const auto& f = *times.of_kernels[KernelId(0)];
    QVERIFY(std::log(f.high_ns / f.time_ns) >= 0.2);
  }

 private:
  [[nodiscard]] std::string path(const std::string& name) const {
    return folder_.filePath(QString::fromStdString(name)).toStdString();
  }
  [[nodiscard]] std::string written(const std::string& name, const std::string& bytes) const {
    return write_file(path(name), bytes) ? path(name) : std::string();
  }
  /// What the ensemble says of kernel f, read from text, at its default tile.
  [[nodiscard]] double log_ns_of_text(const Ensemble& ensemble, ThreadPool& pool) const {
    GraphSamples graph;
    graph.record.content = fused_pair(80, "add", "negate");
    graph.samples.push_back({{}, 0, {}, true});
    EncodeOptions options;
    options.rates = sim::Rates(*sim::find_machine("tpu_v3"));
    ExampleSet set = set_;
    set.examples = {*encode(graph, options)};
    return predict_ensemble(set, std::vector<uint32_t>{0}, ensemble, pool)->front().mean.front();
  }

  QTemporaryDir folder_;
  ExampleSet set_;
  std::vector<std::string> files_;
};
HLOSCOPE_TEST(TestEnsemble);

#include "test_ensemble.moc"
