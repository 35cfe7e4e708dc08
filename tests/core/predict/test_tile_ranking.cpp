#include "core/predict/tile_ranking.h"

#include <cmath>
#include <limits>

#include "core/accuracy/tile_accuracy.h"
#include "core/sim/estimate.h"
#include "core/sim/simulate.h"
#include "core/sim/tile_space.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using analysis::TimeSource;
using predict::TileListOptions;
using predict::TileRanking;

namespace {

std::shared_ptr<const analysis::ModuleReport> sample(size_t module) {
  const std::string path = HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb";
  const hlo::File file = *hlo::read_file(path);
  return *analysis::analyse(file.modules[module], path, static_cast<int>(module) + 1,
                            *sim::find_machine("tpu_v3"));
}

std::shared_ptr<const TileRanking> ranked(size_t module, const TileListOptions& options = {}) {
  ThreadPool pool(2);
  return *predict::rank_tiles(sample(module), graph::KernelId(0), options, pool);
}

// The accuracy of the same file as `accuracy --data` works it out, from rows of its runs.
accuracy::KernelAccuracy from_rows(size_t module, accuracy::TimeModel model) {
  const auto report = sample(module);
  std::vector<measured::TileRow> rows;
  for (const hlo::MeasuredRun& run : report->module.runs) {
    if (run.failed) continue;
    rows.push_back({std::string(report->module.program->name()), run.run_index, run.output_bounds,
                    run.kernel_bounds, static_cast<double>(run.time_ns), run.is_default});
  }
  const accuracy::TileSamples samples = accuracy::join_tiles(rows, {&report->module, 1});
  const sim::Rates rates(report->machine);
  return accuracy::tile_accuracy(samples, *accuracy::predict(samples, rates, model))
      .kernels.front();
}

}  // namespace

class TestTileRanking : public QObject {
  Q_OBJECT
 private slots:
  void columns_are_those_of_the_models() {
    const auto ranking = ranked(1);
    QCOMPARE(ranking->size(), size_t{579});
    QCOMPARE(ranking->list.measured, size_t{579});
    const sim::Rates rates(ranking->report->machine);
    for (uint32_t i = 0; i < ranking->size(); i += 37) {
      const auto& bounds = ranking->list.bounds[i];
      QCOMPARE(ranking->column(TimeSource::kSimulated).values[i],
               sim::simulate(ranking->model, bounds, rates).time_ns);
      QCOMPARE(ranking->column(TimeSource::kAnalytical).values[i],
               sim::estimate(ranking->model, bounds, rates).time_ns);
      QCOMPARE(ranking->footprint_bytes[i], sim::footprint_bytes(ranking->model, bounds));
      QCOMPARE(ranking->find(ranking->tile(i)), std::optional(i));
    }
  }

  // In the file (shared with the tuning protos of TpuGraphs): best 137.3 µs, default 151.6 µs at
  // rank 9.
  void measured_tiles_of_the_convolution() {
    const auto ranking = ranked(1);
    const predict::TileColumn& measured = ranking->column(TimeSource::kMeasured);
    const uint32_t best = measured.first.value();
    QCOMPARE(std::round(measured.values[best] / 100), 1373.0);
    QCOMPARE(sim::tile_text(ranking->tile(best)), std::string("out=6x12x4x1,kernel=3x3x24x1"));
    QCOMPARE(ranking->slowdown[best], 0.0);
    QVERIFY(ranking->default_is_recorded);
    const uint32_t chosen = ranking->default_tile.value();
    QCOMPARE(measured.ranks[chosen], 9U);
    QCOMPARE(std::round(measured.values[chosen] / 100), 1516.0);
    QCOMPARE(ranking->best_source(), TimeSource::kMeasured);
    const std::vector<uint32_t> order = ranking->order(TimeSource::kMeasured);
    for (size_t i = 1; i < order.size(); ++i) {
      QVERIFY(measured.values[order[i - 1]] <= measured.values[order[i]]);
      QCOMPARE(measured.ranks[order[i]], static_cast<uint32_t>(i) + 1);
    }
  }

  void accuracy_is_that_of_the_rows() {
    for (size_t module : {0, 1, 2, 3, 4}) {
      const auto ranking = ranked(module);
      for (const auto& [source, model] :
           {std::pair(TimeSource::kSimulated, accuracy::TimeModel::kSimulator),
            std::pair(TimeSource::kAnalytical, accuracy::TimeModel::kAnalytical)}) {
        const accuracy::KernelAccuracy expected = from_rows(module, model);
        const predict::TileColumn& column = ranking->column(source);
        QCOMPARE(column.errors.n, expected.n);
        QVERIFY(std::abs(column.errors.mean - expected.mape) < 1e-12);
        QCOMPARE(column.ranking.tiles, expected.ranking.tiles);
        QVERIFY(std::abs(*column.ranking.kendall_tau - *expected.ranking.kendall_tau) < 5e-3);
        QVERIFY(std::abs(*column.ranking.top5_slowdown - *expected.ranking.top5_slowdown) < 5e-3);
      }
    }
  }

  void unmeasured_tiles_stand_beside_measured_ones_when_asked_for() {
    const auto ranking = ranked(4, {.most = 100, .beside_measured = true});
    QCOMPARE(ranking->list.measured, size_t{10});
    QVERIFY(ranking->size() > 20);
    const predict::TileColumn& measured = ranking->column(TimeSource::kMeasured);
    QVERIFY(std::isnan(measured.values.back()));
    QCOMPARE(measured.ranks.back(), 0U);
    QCOMPARE(ranking->order(TimeSource::kMeasured).back(),
             static_cast<uint32_t>(ranking->size() - 1));
    // What is said of the measured ones stays.
    const auto alone = ranked(4);
    QCOMPARE(ranking->column(TimeSource::kSimulated).errors.mean,
             alone->column(TimeSource::kSimulated).errors.mean);
    QCOMPARE(ranking->column(TimeSource::kSimulated).ranking.kendall_tau,
             alone->column(TimeSource::kSimulated).ranking.kendall_tau);
  }

  void without_measured_tiles_all_that_fit_are_ranked() {
    const auto ranking = ranked(7);
    const sim::Rates rates(ranking->report->machine);
    QCOMPARE(static_cast<double>(ranking->size()), *sim::TileSpace(ranking->model, rates).count());
    QVERIFY(ranking->list.has_all);
    QVERIFY(ranking->column(TimeSource::kMeasured).is_empty());
    QVERIFY(ranking->slowdown.empty());
    QVERIFY(ranking->default_tile.has_value());
    QVERIFY(!ranking->default_is_recorded);
    QVERIFY(ranking->best_source() != TimeSource::kMeasured);
    QCOMPARE(ranking->column(TimeSource::kSimulated).errors.n, size_t{0});
  }

  void of_many_some_are_drawn_with_the_default_one() {
    const auto ranking = ranked(7, {.most = 40});
    QVERIFY(ranking->list.is_drawn);
    QVERIFY(ranking->size() <= 41);
    QVERIFY(ranking->default_tile.has_value());
    QCOMPARE(ranked(7, {.most = 40})->list.bounds, ranking->list.bounds);
  }

  void scores_stand_on_the_time_of_their_rank() {
    const auto ranking = ranked(1);
    const predict::TileColumn& predicted = ranking->column(TimeSource::kPredicted);
    if (predicted.is_empty()) QSKIP("built without models");
    QVERIFY(predicted.is_score);
    QCOMPARE(predicted.errors.n, size_t{0});
    const predict::TileColumn& measured = ranking->column(TimeSource::kMeasured);
    QCOMPARE(predicted.chart_ns[*predicted.first], measured.values[*measured.first]);
    // The same times in another order.
    std::vector<double> a = predicted.chart_ns;
    std::vector<double> b = measured.values;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    QCOMPARE(a, b);
    QVERIFY(!ranking->ranked_by.empty());
  }

  void other_machines_have_no_learned_ranks_and_say_so() {
    const auto report = sample(4);
    const auto other =
        *analysis::analyse(report->module, report->file_path, 5, *sim::find_machine("tpu_v5e"));
    ThreadPool pool(1);
    const auto ranking = *predict::rank_tiles(other, graph::KernelId(0), {}, pool);
    QVERIFY(ranking->column(TimeSource::kPredicted).is_empty());
    QVERIFY(ranking->absence.find("v5e") != std::string::npos);
  }

  void kernels_that_can_be_tiled_come_by_their_time() {
    hlo::Module module;
    module.program = *hlo::parse_program(R"(HloModule m, is_scheduled=true
ENTRY main {
  x = f32[64,128]{1,0} parameter(0)
  y = f32[8192,128]{1,0} parameter(1)
  small = f32[64,128]{1,0} negate(x)
  small2 = f32[64,128]{1,0} negate(small)
  ROOT large = f32[8192,128]{1,0} exponential(y)
})");
    const auto report = *analysis::analyse(module, "m.hlo", 1, *sim::find_machine("tpu_v3"));
    const std::vector<graph::KernelId> kernels = predict::tiled_kernels(*report);
    QCOMPARE(kernels.size(), size_t{2});  // The small ones are equal.
    QCOMPARE(kernels[0], graph::KernelId(2));
    QCOMPARE(kernels[1], graph::KernelId(0));
  }

  void kernels_without_tiles_are_refused() {
    hlo::Module module;
    module.program = *hlo::parse_program(R"(HloModule m, is_scheduled=true
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY main {
  x = f32[1024,128]{1,0} parameter(0)
  ROOT r = f32[1024,128]{1,0} all-reduce(x), replica_groups={{0,1}}, to_apply=add
})");
    const auto report = *analysis::analyse(module, "m.hlo", 1, *sim::find_machine("tpu_v3"));
    ThreadPool pool(1);
    const auto ranking = predict::rank_tiles(report, graph::KernelId(0), {}, pool);
    QVERIFY(!ranking);
    QVERIFY(ranking.error().message.find("collective") != std::string::npos);
  }
};

HLOSCOPE_TEST(TestTileRanking);
#include "test_tile_ranking.moc"
