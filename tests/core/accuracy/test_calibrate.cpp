#include "core/accuracy/calibrate.h"

#include <cmath>

#include "core/accuracy/fitted_constants.h"
#include "tests/core/accuracy/sample_tiles.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;
using accuracy::CalibratedConstant;
using accuracy::TimeModel;

namespace {

sim::Machine machine_v3() {
  return *sim::find_machine("tpu_v3");
}

// A few rows of every kernel: enough to tell the constants, quick to fit.
const accuracy::TileSamples& some_tiles() {
  static const accuracy::TileSamples samples = sample_tiles({}, 16);
  return samples;
}

const accuracy::Calibration& some_result() {
  static const accuracy::Calibration result = *accuracy::calibrate(some_tiles(), machine_v3());
  return result;
}

const CalibratedConstant& constant(const accuracy::Calibration& result, std::string_view name) {
  for (const CalibratedConstant& c : result.constants) {
    if (c.name == name) return c;
  }
  qFatal("no such constant");
}

}  // namespace

class TestCalibrate : public QObject {
  Q_OBJECT
 private slots:
  // Times made by the simulator itself, with other constants than those that the fit starts from;
  // the pull to those keeps it up to a tenth away from the truth.
  void finds_the_constants_that_made_the_times() {
    sim::Machine truth = machine_v3();
    truth.constants["hbm_efficiency"].value = 0.8;
    truth.constants["launch_ns"].value = 300;
    truth.constants["mxu_tail_cycles"].value = 350;
    truth.constants["reduction_tail_cycles"].value = 90;
    accuracy::TileSamples samples = sample_tiles({}, 8);
    const auto times = accuracy::predict(samples, sim::Rates(truth), TimeModel::kSimulator);
    for (size_t s = 0; s < times->size(); ++s) samples.samples[s].measured_ns = (*times)[s];
    const auto result = accuracy::calibrate(samples, machine_v3());
    QVERIFY(result);
    QVERIFY2(result->in_sample.mape < 0.005, qPrintable(QString::number(result->in_sample.mape)));
    QVERIFY(result->before.mape > 0.05);
    for (const char* name : {"hbm_efficiency", "launch_ns", "mxu_tail_cycles"}) {
      const double value = constant(*result, name).value;
      QVERIFY2(std::abs(value / truth[name] - 1) < 0.12,
               qPrintable(QString("%1 %2").arg(name).arg(value)));
      QCOMPARE(result->machine[name], value);
    }
  }
  void measured_times_get_closer_and_new_kernels_are_harder() {
    const accuracy::Calibration* result = &some_result();
    QVERIFY(result->left_out.has_value());
    QCOMPARE(result->left_out->n, some_tiles().samples.size());
    QVERIFY(result->in_sample.kernel_mean_mape < 0.06);
    QVERIFY(result->left_out->kernel_mean_mape > result->in_sample.kernel_mean_mape);
    QVERIFY2(result->left_out->kernel_mean_mape < 0.15,
             qPrintable(QString::number(result->left_out->kernel_mean_mape)));
  }
  void the_same_again() {
    const auto twice = accuracy::calibrate(some_tiles(), machine_v3());
    const accuracy::Calibration* once = &some_result();
    for (size_t c = 0; c < once->constants.size(); ++c) {
      QCOMPARE(once->constants[c].value, twice->constants[c].value);
    }
    QCOMPARE(once->left_out->mape, twice->left_out->mape);
  }
  // fusion.232 is the only reduction: without it nothing tells the constants of reductions.
  void what_one_kernel_tells_is_a_guess_without_it() {
    const accuracy::Calibration* result = &some_result();
    const CalibratedConstant& row = constant(*result, "reduction_row_cycles");
    QVERIFY(row.is_determined);
    QCOMPARE(row.main_share, 1.0);
    QCOMPARE(some_tiles().kernels[row.main_kernel].module_name, "fusion.232");
    bool found = false;
    for (const accuracy::ConstantShift& shift : result->shifts[row.main_kernel]) {
      if (result->constants[shift.constant].name != row.name) continue;
      found = true;
      QVERIFY(near(shift.value, row.a_priori, 1e-9));
      QVERIFY(shift.effect > 0);
    }
    QVERIFY(found);
  }
  void constants_that_no_row_depends_on_are_kept() {
    const auto result = accuracy::calibrate(sample_tiles({"copy.24", "fusion.181"}), machine_v3());
    QVERIFY(result);
    for (const char* name : {"mxu_tail_cycles", "reduction_row_cycles", "transpose_cycles"}) {
      QVERIFY(!constant(*result, name).is_determined);
      QCOMPARE(constant(*result, name).value, machine_v3()[name]);
    }
    QVERIFY(constant(*result, "dma_latency_ns").is_determined);
  }
  void one_kernel_says_nothing_of_others() {
    const auto result = accuracy::calibrate(sample_tiles({"copy.24"}), machine_v3());
    QVERIFY(result && !result->left_out && result->shifts.empty());
  }
  void equal_kernels_are_left_out_together() {
    auto rows = sample_rows({"copy.24"});
    const auto other = sample_rows({"fusion.209"});
    rows.insert(rows.end(), other.begin(), other.end());
    const auto plain =
        accuracy::calibrate(accuracy::join_tiles(rows, sample_file().modules), machine_v3());
    // The copy once more under another name.
    auto samples = accuracy::join_tiles(rows, sample_file().modules);
    const auto n = samples.samples.size();
    samples.kernels.push_back(samples.kernels[0]);
    samples.kernels.back().module_name = "again";
    for (size_t s = 0; s < n; ++s) {
      if (samples.samples[s].kernel != 0) continue;
      samples.samples.push_back(samples.samples[s]);
      samples.samples.back().kernel = static_cast<uint32_t>(samples.kernels.size() - 1);
    }
    const auto doubled = accuracy::calibrate(samples, machine_v3());
    QVERIFY(plain && doubled);
    QCOMPARE(doubled->left_out->kernels[0].mape, plain->left_out->kernels[0].mape);
    QCOMPARE(doubled->left_out->kernels[2].mape, plain->left_out->kernels[0].mape);
  }
  void no_rows_are_an_error_and_stopping_works() {
    const auto none = accuracy::calibrate({}, machine_v3());
    QVERIFY(!none && none.error().code == ErrorCode::kInvalidInput);
    std::stop_source stop;
    stop.request_stop();
    const auto stopped =
        accuracy::calibrate(some_tiles(), machine_v3(), Progress(stop.get_token()));
    QVERIFY(!stopped && stopped.error().code == ErrorCode::kCancelled);
  }
};

HLOSCOPE_TEST(TestCalibrate);
#include "test_calibrate.moc"
