// Time and memory of a data set's examples, and of the controls on them.
// examples_bench FILE [SPLIT] [THREADS]

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

#include "core/predict/baselines.h"
#include "core/predict/ridge.h"
#include "core/predict/sampler.h"
#include "db/load_examples.h"

namespace {

using namespace hloscope;

class Clock {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - start_).count();
    start_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::string text(std::optional<double> value) {
  return value ? fmt::format("{:.4f}", *value) : "-";
}

void show(const predict::ExampleSet& set, const char* name, const predict::Predictions& scores) {
  if (set.info.task == data::Task::kTile) {
    const auto m = predict::ranking_metrics(set, scores);
    fmt::print(
        "{:<12} kernels {} skipped {} tau {:.4f} ({:.4f}) opa {:.4f} top1 {:.4f} top5 {:.4f} "
        "top10 {:.4f} ape {}\n",
        name, m.kendall_tau.n, m.skipped, m.kendall_tau.mean, m.kendall_tau.row_mean, m.opa.mean,
        m.top1_slowdown.mean, m.top5_slowdown.mean, m.top10_slowdown.mean, text(m.mean_ape));
    return;
  }
  const auto m = predict::time_metrics(set, scores);
  fmt::print(
      "{:<12} large n {} mape {} tau {} | small n {} mape {} tau {} | all mape {} rho {} | "
      "programs {}\n",
      name, m.large.n, text(m.large.mape), text(m.large.kendall_tau), m.small.n, text(m.small.mape),
      text(m.small.kendall_tau), text(m.all.mape), text(m.all.spearman), text(m.program_mape));
}

void time_batches(const predict::ExampleSet& set, const predict::Normaliser& normaliser,
                  std::span<const uint32_t> training) {
  const predict::Batcher batcher(set, normaliser);
  predict::BatchSampler sampler(set, training, {});
  predict::Batch<float> batch;
  size_t kernels = 0, nodes = 0;
  constexpr size_t kBatches = 300;
  Clock clock;
  for (size_t i = 0; i < kBatches; ++i) {
    batcher.fill(sampler.next(), batch);
    kernels += batch.graphs();
    nodes += batch.opcodes.size();
  }
  const double seconds = clock.lap();
  fmt::print("batches: {:.0f} us each, {} nodes, {:.0f} kernels/s\n",
             1e6 * seconds / static_cast<double>(kBatches), nodes / kBatches,
             static_cast<double>(kernels) / seconds);
}

Status run(const char* path, const char* split, size_t threads) {
  HLOSCOPE_ASSIGN(db::Database database, db::Database::open(path));
  HLOSCOPE_ASSIGN(const sim::Machine machine, sim::find_machine("tpu_v3"));
  db::LoadOptions options;
  options.split = split;
  options.machine = &machine;
  ThreadPool pool(threads);
  Clock clock;
  HLOSCOPE_ASSIGN(const predict::ExampleSet set,
                  db::load_examples(db::DataSets(database), options, pool));
  const auto count = static_cast<double>(std::max<size_t>(set.examples.size(), 1));
  fmt::print("{}: {} examples in {:.1f} s, {:.0f} bytes each, {:.1f} MB, hash {}\n", set.label(),
             set.examples.size(), clock.lap(), static_cast<double>(set.bytes()) / count,
             static_cast<double>(set.bytes()) / 1e6, set.hash().hex());
  const auto training = set.of(data::Part::kTrain);
  auto test = set.of(data::Part::kTest);
  if (test.empty()) test = training;
  clock.lap();
  const predict::Normaliser normaliser = predict::fit_normaliser(set, training);
  const predict::InputWidths widths = normaliser.widths();
  fmt::print("normaliser: {:.2f} s, columns {} {} {}\n", clock.lap(), widths.node, widths.graph,
             widths.configuration);
  time_batches(set, normaliser, training);
  show(set, "analytical", predict::predict_analytical(set, test));
  show(set, "scaled", predict::predict_scaled(set, test, predict::fit_class_scales(set, training)));
  clock.lap();
  HLOSCOPE_ASSIGN(const predict::RidgeModel model, predict::fit_ridge(set, training, normaliser));
  fmt::print("ridge: {:.1f} s, {} weights\n", clock.lap(), model.weights.size());
  HLOSCOPE_ASSIGN(const predict::Predictions scores,
                  predict::predict_ridge(set, test, normaliser, model));
  show(set, "ridge", scores);
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: examples_bench FILE [SPLIT] [THREADS]\n");
    return 2;
  }
  const auto status =
      run(argv[1], argc > 2 ? argv[2] : "", argc > 3 ? static_cast<size_t>(std::atoi(argv[3])) : 0);
  if (!status) fmt::print(stderr, "{}\n", status.error().format());
  return status ? 0 : 1;
}
