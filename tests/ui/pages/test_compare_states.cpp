#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <cmath>

#include "db/database.h"
#include "db/store.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/ui/pages/compare_fixture.h"
#include "ui/charts/group_error_chart.h"
#include "ui/charts/residual_chart.h"
#include "ui/charts/scatter_chart.h"
#include "ui/pages/compare/compare_models.h"
#include "ui/pages/compare/compare_page.h"

using namespace hloscope;
using namespace hloscope::ui;
using testing::combo;
using testing::metric;
using testing::point;
using testing::points;
using testing::sampleReports;
using testing::show;

namespace {

void setErrors(LargestErrorsModel& errors, const analysis::PairAxes& axes) {
  errors.setRows(std::make_shared<const std::vector<analysis::ComparePoint>>(points()),
                 analysis::largest_differences(points(), axes), axes);
}

}  // namespace

/// Many points, none, measured tiles, and what stands in the results file.
class TestCompareStates : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::failOnWarnings(); }

  void many_points_are_painted_and_still_hit() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    show(page);
    for (size_t count :
         {ScatterChart::kMostSeriesPoints + 1, ScatterChart::kFirstDensityPoints + 1}) {
      std::vector<analysis::ComparePoint> many;
      for (size_t i = 0; i < count; ++i) {
        const auto x = 1000.0 + static_cast<double>(i);
        many.push_back(point("k", x, x * 2, hlo::OpClass::kReduction));
      }
      page.setPoints(many);
      QTRY_COMPARE(page.chart()->points().size(), count);  // a worker's, where there are many
      page.chart()->grab();                                // lays out the axes
      const QPoint at = page.chart()->positionOf(static_cast<int>(count) / 2).toPoint();
      const QImage image = page.chart()->grab().toImage();
      int inked = 0;
      for (int d = -3; d <= 3; ++d) inked += image.pixelColor(at + QPoint(d, 0)).saturation() > 60;
      QVERIFY(inked > 0);
      QVERIFY(page.chart()->pointAt(at) >= 0);
    }
  }

  void many_points_are_worked_on_by_a_worker() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    show(page);
    constexpr size_t kCount = 60'000;
    std::vector<analysis::ComparePoint> many;
    for (size_t i = 0; i < kCount; ++i) {
      const auto x = 1000.0 + static_cast<double>(i);
      many.push_back(point("k", x, i % 2 == 0 ? x : 2 * x, hlo::OpClass::kReduction));
    }
    page.setPoints(std::move(many));
    QVERIFY(!tasks.isIdle());
    QTRY_COMPARE(page.chartPoints().size(), kCount);
    QCOMPARE(metric(page, 2, MetricsModel::kMape), QStringLiteral("50.0"));
    // The newest request wins; the list of errors is cut, and says so.
    emit page.chart()->rangeSelected(1, 11);
    emit page.chart()->rangeSelected(1, 21);
    QTRY_COMPARE(page.tablePoints().size(), size_t{20'001});
    QTRY_VERIFY(tasks.isIdle());
    const auto* errors = page.findChild<LargestErrorsModel*>();
    QCOMPARE(errors->rowCount(), static_cast<int>(LargestErrorsModel::kMostRows));
    QCOMPARE(errors->index(0, LargestErrorsModel::kDifference).data().toString(),
             QStringLiteral("+21.0"));
    page.setPoints(points());
    QCOMPARE(page.chartPoints().size(), size_t{4});
  }

  void says_what_is_missing() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    QVERIFY(page.chart()->emptyText().contains(QStringLiteral("No program is open")));
    const auto report = testing::reportOf(testing::kLoopProgram);
    page.setReports({report});
    page.setReport(report);
    // Then estimates are compared with each other.
    QVERIFY(page.chart()->emptyText().isEmpty());
    QVERIFY(page.noteText().startsWith(QStringLiteral("No measured times in the open files.")));
    QCOMPARE(combo(page, "x")->currentText(), QStringLiteral("Simulated"));
    QCOMPARE(combo(page, "y")->currentText(), QStringLiteral("Analytical"));
    page.setPoints(points());
    QVERIFY(page.chart()->emptyText().isEmpty());
  }

  void an_empty_list_of_errors_says_why() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    const auto* note = page.findChild<QLabel*>(QStringLiteral("errorsNote"));
    QVERIFY(note != nullptr);
    QVERIFY(note->isVisibleTo(&page));
    QCOMPARE(note->text(),
             QStringLiteral("No kernel here has both a measured and a simulated time."));
    page.setPoints(points());
    QVERIFY(!note->isVisibleTo(&page));
    page.restoreState({{QStringLiteral("set"), static_cast<int>(KernelSet::kAllOpen)},
                       {QStringLiteral("filter"), QStringLiteral("class:reduction")}});
    QVERIFY(note->isVisibleTo(&page));
    QCOMPARE(note->text(), QStringLiteral("No point matches the filter."));
  }

  void the_times_of_the_largest_errors_have_units() {
    LargestErrorsModel errors;
    setErrors(errors, {.y = analysis::PairSource::kAnalytical});
    const auto title = [&errors](int column) {
      return errors.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    };
    QCOMPARE(title(LargestErrorsModel::kX), QStringLiteral("Measured µs"));
    QCOMPARE(title(LargestErrorsModel::kY), QStringLiteral("Analytical µs"));
    QCOMPARE(title(LargestErrorsModel::kDifference), QStringLiteral("Δ µs"));
    QCOMPARE(title(LargestErrorsModel::kError), QStringLiteral("Error %"));
  }

  // The rows of samples/tpu_v3_tiles.pb: 691, of which the two of reshape.39 have no bounds.
  void every_measured_tile_is_estimated_at_its_own() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    const auto reports = sampleReports();
    page.setReports(reports);
    page.setReport(reports.front());
    QCOMPARE(metric(page, 2, MetricsModel::kCount), QStringLiteral("8"));
    QVERIFY(!page.metrics()->markdown().contains(QStringLiteral("τ/kernel")));
    page.restoreState({{QStringLiteral("set"), static_cast<int>(KernelSet::kAllOpen)},
                       {QStringLiteral("measured"), 1}});
    QCOMPARE(page.chartPoints().size(), size_t{689});
    QCOMPARE(metric(page, 2, MetricsModel::kCount), QStringLiteral("689"));
    // core/accuracy on the same rows: 4.2 % and tau 0.89, analytical 6.1 % and 0.83.
    QVERIFY(metric(page, 2, MetricsModel::kMape).toDouble() < 4.6);
    QCOMPARE(metric(page, 3, MetricsModel::kSource), QStringLiteral("analytical"));
    QVERIFY(metric(page, 5, MetricsModel::kMape).toDouble() < 6.6);
    QVERIFY(metric(page, 2, MetricsModel::kTileTau).toDouble() > 0.86);
    QVERIFY(metric(page, 5, MetricsModel::kTileTau).toDouble() > 0.80);
    QVERIFY(page.metrics()->markdown().contains(QStringLiteral("τ/kernel")));
    QVERIFY(page.noteText().startsWith(
        QStringLiteral("Each point is one measured run of a tile, estimated at that tile. Left "
                       "out: 2 runs of tiles that are not known or do not fit the kernel.")));
  }

  void without_bounds_there_is_no_tile_to_estimate() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    const auto reports = sampleReports();
    page.setReports({reports.back()});  // reshape.39
    page.setReport(reports.back());
    QCOMPARE(page.chartPoints().size(), size_t{1});
    page.restoreState({{QStringLiteral("set"), static_cast<int>(KernelSet::kAllOpen)},
                       {QStringLiteral("measured"), 1}});
    QVERIFY(page.chartPoints().empty());
    QVERIFY(page.chart()->emptyText().startsWith(
        QStringLiteral("None of the measured tiles has bounds that fit its kernel")));
  }

  void stored_estimates_are_of_one_tile_per_kernel() {
    TaskRunner tasks;
    QTemporaryDir folder;
    const std::filesystem::path database = folder.filePath("r.hloscope").toStdString();
    QVERIFY(db::Database::open(database).has_value());
    ComparePage page(tasks, database);
    const auto* measured = combo(page, QStringLiteral("Measured"));
    QVERIFY(measured != nullptr && measured->isEnabled());
    page.restoreState({{QStringLiteral("set"), static_cast<int>(KernelSet::kStore)},
                       {QStringLiteral("measured"), 1}});
    QVERIFY(!measured->isEnabled());
    QCOMPARE(measured->currentIndex(), 0);
    page.restoreState({{QStringLiteral("set"), static_cast<int>(KernelSet::kAllOpen)},
                       {QStringLiteral("measured"), 1}});
    QVERIFY(measured->isEnabled());
    QCOMPARE(measured->currentIndex(), 1);
    QTRY_VERIFY(tasks.isIdle());
  }

  void models_keep_the_rules() {
    MetricsModel metrics;
    LargestErrorsModel errors;
    const auto mode = QAbstractItemModelTester::FailureReportingMode::QtTest;
    const QAbstractItemModelTester first(&metrics, mode);
    const QAbstractItemModelTester second(&errors, mode);
    metrics.setRows(MetricsModel::rowsOf(points(), {}, false), {}, false);
    setErrors(errors, {});
    QCOMPARE(errors.index(0, 0).data().toString(), QStringLiteral("d"));
    errors.sort(LargestErrorsModel::kError, Qt::DescendingOrder);
    QCOMPARE(errors.index(0, 0).data().toString(), QStringLiteral("a"));
    QCOMPARE(errors.index(0, LargestErrorsModel::kError).data().toString(),
             QStringLiteral("+50.0"));
  }

  void real_tiles_from_file_and_store_agree() {
    HLOSCOPE_NEEDS_SHARED();
    const std::string path =
        testing::shared_folder().toStdString() + "/corpus/tpu_v3/tile_tuning_dev.pb";
    const auto file = hlo::read_file(path);
    QVERIFY2(file.has_value(), file ? "" : file.error().format().c_str());
    QTemporaryDir folder;
    const std::filesystem::path database = folder.filePath("r.hloscope").toStdString();
    std::vector<ReportPtr> reports;
    {
      auto opened = db::Database::open(database);
      QVERIFY(opened.has_value());
      for (size_t m = 0; m < file->modules.size(); ++m) {
        reports.push_back(*analysis::analyse(file->modules[m], path, static_cast<int>(m) + 1,
                                             *sim::find_machine("tpu_v3")));
        QVERIFY(db::store_report(*opened, *reports.back()).has_value());
      }
    }
    const auto chosen = [&reports](analysis::MeasuredChoice choice) {
      return openPoints(reports, reports[0], KernelSet::kOpenFile, choice);
    };
    const auto open = chosen(analysis::MeasuredChoice::kReference);
    // Eight kernels and 691 measured runs, as the notes beside the data say.
    QCOMPARE(open.size(), size_t{8});
    QCOMPARE(chosen(analysis::MeasuredChoice::kEveryRun).size(), size_t{691});
    const auto written = db::Database::open(database, db::OpenMode::kReadOnly);
    QVERIFY(written.has_value());
    const auto stored = storedPoints(*written, "tpu_v3", {});
    QVERIFY2(stored.has_value(), stored ? "" : stored.error().format().c_str());
    QCOMPARE(stored->size(), open.size());
    for (auto source : {analysis::TimeSource::kSimulated, analysis::TimeSource::kAnalytical}) {
      const auto from_store = compare_metrics(*stored, source, analysis::TimeRange::kAll);
      const auto from_file = compare_metrics(open, source, analysis::TimeRange::kAll);
      QCOMPARE(from_store.n, from_file.n);
      QCOMPARE(from_store.mape, from_file.mape);
      QCOMPARE(from_store.kendall_tau, from_file.kendall_tau);
    }
    const ReportPtr found = reportOf(stored->front(), reports);
    QVERIFY(found != nullptr);
    QVERIFY(selectionOf(stored->front(), *found).kernel.valid());
  }
};

HLOSCOPE_TEST(TestCompareStates);
#include "test_compare_states.moc"
