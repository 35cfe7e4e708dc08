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
#include "tests/ui/models/report_fixture.h"
#include "ui/charts/group_error_chart.h"
#include "ui/charts/residual_chart.h"
#include "ui/charts/scatter_chart.h"
#include "ui/pages/compare/compare_models.h"
#include "ui/pages/compare/compare_page.h"

using namespace hloscope;
using namespace hloscope::ui;

namespace {

/// The analytical estimate is twice the simulated one.
analysis::ComparePoint point(const char* name, double measured_ns, double estimate_ns,
                             hlo::OpClass op_class) {
  analysis::ComparePoint point;
  point.kernel_name = name;
  point.program_name = "net";
  point.file_path = "net.pb";
  point.op_class = op_class;
  point.time_ns = {measured_ns, estimate_ns, 2 * estimate_ns};
  return point;
}

/// Errors +50 %, 0, −10 %, +20 %.
std::vector<analysis::ComparePoint> points() {
  return {point("a", 2000, 3000, hlo::OpClass::kElementwise),
          point("b", 4000, 4000, hlo::OpClass::kElementwise),
          point("c", 10000, 9000, hlo::OpClass::kMatmulConv),
          point("d", 20000, 24000, hlo::OpClass::kMatmulConv)};
}

QString metric(const ComparePage& page, int row, int column) {
  return page.metrics()->index(row, column).data().toString();
}

std::vector<ReportPtr> sampleReports() {
  const std::string path = HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb";
  const auto file = hlo::read_file(path);
  std::vector<ReportPtr> reports;
  for (size_t m = 0; file && m < file->modules.size(); ++m) {
    reports.push_back(*analysis::analyse(file->modules[m], path, static_cast<int>(m) + 1,
                                         *sim::find_machine("tpu_v3")));
  }
  return reports;
}

QComboBox* combo(const ComparePage& page, const QString& name) {
  for (QComboBox* box : page.findChildren<QComboBox*>()) {
    if (box->accessibleName() == name) return box;
  }
  return nullptr;
}

void show(QWidget& widget) {
  widget.resize(1500, 900);
  widget.show();
  QVERIFY(QTest::qWaitForWindowExposed(&widget));
}

}  // namespace

class TestComparePage : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::failOnWarnings(); }

  void metrics_are_those_computed_by_hand() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    page.setPoints(points());
    // All: (50 + 0 + 10 + 20) / 4 %, median (10 + 20) / 2 %, same order, 2 of 4 within 10 %.
    QCOMPARE(metric(page, 2, MetricsModel::kCount), QStringLiteral("4"));
    QCOMPARE(metric(page, 2, MetricsModel::kMape), QStringLiteral("20.0"));
    QCOMPARE(metric(page, 2, MetricsModel::kMedian), QStringLiteral("15.0"));
    QCOMPARE(metric(page, 2, MetricsModel::kTau), QStringLiteral("1.000"));
    QCOMPARE(metric(page, 2, MetricsModel::kWithin), QStringLiteral("50"));
    // Two points below 5 µs: too few to say anything.
    QCOMPARE(metric(page, 0, MetricsModel::kCount), QStringLiteral("2"));
    QCOMPARE(metric(page, 0, MetricsModel::kMape), QString(QChar(0x2013)));
    QVERIFY(page.metrics()->markdown().contains(QStringLiteral("| simulated | all | 4 | 20.0 |")));
    // Of twice the time: (200 + 100 + 80 + 140) / 4 %.
    QVERIFY(
        page.metrics()->markdown().contains(QStringLiteral("| analytical | all | 4 | 130.0 |")));
  }

  void simulated_points_stand_before_analytical_outlines() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    page.setPoints(points());
    QCOMPARE(page.chart()->points()[3], QPointF(20, 24));
    QCOMPARE(page.chart()->baseline()[3], QPointF(20, 48));
    QVariantMap state = page.saveState();
    state[QStringLiteral("y")] = "analytical";  // nothing stands behind itself
    page.restoreState(state);
    QCOMPARE(page.chart()->points()[3], QPointF(20, 48));
    QVERIFY(page.chart()->baseline().empty());
    state[QStringLiteral("baseline")] = 2;  // simulated, after "none" and measured
    page.restoreState(state);
    QCOMPARE(page.chart()->baseline()[3], QPointF(20, 24));
    QVERIFY(page.saveState() == state);
  }

  void any_two_sources_are_compared() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    page.setPoints(points());
    QComboBox* x = combo(page, "x");
    QComboBox* y = combo(page, "y");
    const auto choose = [](QComboBox* box, analysis::PairSource source) {
      box->setCurrentIndex(box->findData(static_cast<int>(source)));
    };
    // x takes what y was: they change places.
    choose(x, analysis::PairSource::kSimulated);
    QCOMPARE(y->currentText(), QStringLiteral("Measured"));
    QCOMPARE(page.chart()->points()[3], QPointF(24, 20));
    choose(y, analysis::PairSource::kAnalytical);
    QCOMPARE(page.chart()->points()[3], QPointF(24, 48));
    // Always twice the time.
    QCOMPARE(metric(page, 2, MetricsModel::kSource), QString());
    QCOMPARE(metric(page, 0, MetricsModel::kSource), QStringLiteral("analytical"));
    QCOMPARE(metric(page, 2, MetricsModel::kMape), QStringLiteral("100.0"));
    QCOMPARE(metric(page, 0, MetricsModel::kCount), QStringLiteral("2"));
    // (2 + 4 + 10 + 20) / (6 + 8 + 18 + 48) of 6, 8, 18, 48 µs against 2, 4, 10, 20 µs:
    // 2.7, 3.6, 8.1, 21.6, so (35 + 10 + 19 + 8) / 4 %.
    choose(x, analysis::PairSource::kMeasured);
    choose(y, analysis::PairSource::kScaled);
    QCOMPARE(metric(page, 2, MetricsModel::kMape), QStringLiteral("18.0"));
    QVERIFY(page.noteText().contains(QStringLiteral("analytical times × 0.450")));
  }

  void absent_sources_are_greyed_with_the_reason() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    auto unmeasured = points();
    for (auto& point : unmeasured) point.time_ns[0] = NAN;
    page.setPoints(unmeasured);
    QComboBox* x = combo(page, "x");
    for (const auto source : {analysis::PairSource::kMeasured, analysis::PairSource::kScaled,
                              analysis::PairSource::kPredicted, analysis::PairSource::kCompiler}) {
      const QModelIndex entry = x->model()->index(x->findData(static_cast<int>(source)), 0);
      QVERIFY(!(entry.flags() & Qt::ItemIsEnabled));
      QVERIFY(!entry.data(Qt::ToolTipRole).toString().isEmpty());
    }
    QCOMPARE(page.chart()->points()[3], QPointF(24, 48));
    QCOMPARE(metric(page, 2, MetricsModel::kCount), QStringLiteral("4"));
    // Measured times come back to the axis.
    page.setPoints(points());
    QCOMPARE(x->currentText(), QStringLiteral("Measured"));
    QCOMPARE(combo(page, "y")->currentText(), QStringLiteral("Simulated"));
  }

  void errors_are_grouped_and_a_group_filters() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    page.setPoints(points());
    QCOMPARE(page.groups()->groups().size(), size_t{2});
    combo(page, "Errors by")->setCurrentIndex(static_cast<int>(analysis::Grouping::kSize));
    QCOMPARE(page.groups()->groups().size(), size_t{3});
    emit page.groups()->groupPicked(std::string("1 to 5 µs"));
    QCOMPARE(page.chartPoints().size(), size_t{2});
    QCOMPARE(page.groups()->groups().size(), size_t{3});
    QCOMPARE(page.residuals()->histogram().n, size_t{2});
    combo(page, "Errors by")->setCurrentIndex(static_cast<int>(analysis::Grouping::kProgram));
    QCOMPARE(page.groups()->groups().size(), size_t{1});
    QCOMPARE(page.chartPoints().size(), size_t{4});
    QCOMPARE(page.residuals()->histogram().n, size_t{4});
    QVERIFY(page.residuals()->csv().startsWith(QStringLiteral("ratio_from,ratio_to,points\n")));
  }

  void the_outlines_are_drawn() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    page.setPoints(points());
    show(page);
    page.chart()->grab();  // lays out the axes
    // Where the outline of the last point is: as far above its point as the factor 2 is high.
    const QPointF first = page.chart()->positionOf(0);
    const QPointF last = page.chart()->positionOf(3);
    const double per_octave = (first.y() - last.y()) / std::log2(24.0 / 3.0);
    const QPoint at = (last - QPointF(0, per_octave)).toPoint();
    const QImage image = page.chart()->grab().toImage();
    int inked = 0;
    for (int d = -6; d <= 6; ++d) inked += image.pixelColor(at + QPoint(d, 2)).saturation() > 60;
    QVERIFY(inked > 0);
  }

  void estimates_of_the_compiler_are_a_series_where_there_are_any() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    const int compiler = static_cast<int>(analysis::PairSource::kCompiler);
    QComboBox* estimate = combo(page, "y");
    const int entry = estimate->findData(compiler);
    QCOMPARE(combo(page, "Baseline")->currentData().toInt(),
             static_cast<int>(analysis::PairSource::kAnalytical));
    auto with = points();
    with[1].time_ns[size_t(analysis::TimeSource::kCompiler)] = 5000;
    page.setPoints(with);
    QCOMPARE(page.metrics()->rowCount(), 12);  // with the scaled one
    QVERIFY(estimate->model()->flags(estimate->model()->index(entry, 0)) & Qt::ItemIsEnabled);
    estimate->setCurrentIndex(entry);
    QVERIFY(page.noteText().contains("the cycles that the compiler wrote into the program"));
    QVERIFY(page.toolTipText(0).contains("XLA estimate 5.00 µs +25.0 %"));
    // Without any, the simulated times are shown instead.
    page.setPoints(points());
    QCOMPARE(page.metrics()->rowCount(), 9);
    QCOMPARE(estimate->currentData().toInt(), static_cast<int>(analysis::PairSource::kSimulated));
    QVERIFY(!(estimate->model()->flags(estimate->model()->index(entry, 0)) & Qt::ItemIsEnabled));
  }
  void tool_tip_names_the_point() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    page.setPoints(points());
    QCOMPARE(page.toolTipText(3),
             QStringLiteral("d  net\nmeasured 20.0 µs\nsimulated 24.0 µs +20.0 %\n"
                            "analytical 48.0 µs +140.0 %\n"
                            "Double-click opens its graph"));
  }

  void click_finds_the_point_and_double_click_the_graph() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    const auto report = testing::measuredReport(3);
    page.setReports({report});
    page.setReport(report);
    show(page);
    QCOMPARE(page.chart()->points().size(), size_t{3});
    QSignalSpy selected(&page, &ReportView::selectionRequested);
    QSignalSpy activated(&page, &ReportView::activationRequested);
    const QPoint at = page.chart()->positionOf(2).toPoint();
    QCOMPARE(page.chart()->pointAt(at), 2);
    QTest::mouseClick(page.chart()->viewport(), Qt::LeftButton, {}, at);
    QCOMPARE(selected.size(), 1);
    QVERIFY(selected[0][0].value<ReportPtr>() == nullptr);
    QVERIFY(selected[0][1].value<Selection>().kernel == graph::KernelId(2));
    QTest::mouseDClick(page.chart()->viewport(), Qt::LeftButton, {}, at);
    QCOMPARE(activated.size(), 1);
  }

  void the_selection_of_the_window_rings_its_point() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    const auto report = testing::measuredReport(3);
    page.setReports({report});
    page.setReport(report);
    page.setSelection(
        {graph::KernelId(1), report->kernels.kernels[graph::KernelId(1)].instruction});
    QCOMPARE(page.chart()->selectedPoint(), 1);
    page.setSelection({});
    QCOMPARE(page.chart()->selectedPoint(), -1);
  }

  void a_dragged_range_filters_the_tables() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    page.setPoints(points());
    show(page);
    ScatterChart* chart = page.chart();
    const auto middle = [chart](int a, int b) {
      return ((chart->positionOf(a) + chart->positionOf(b)) / 2).toPoint();
    };
    QTest::mousePress(chart->viewport(), Qt::LeftButton, {}, middle(0, 1));
    QTest::mouseMove(chart->viewport(), middle(0, 1) + QPoint(30, 0));
    QTest::mouseMove(chart->viewport(), middle(2, 3));
    QTest::mouseRelease(chart->viewport(), Qt::LeftButton, {}, middle(2, 3));
    QCOMPARE(page.chartPoints().size(), size_t{4});
    QCOMPARE(page.tablePoints().size(), size_t{2});
    QCOMPARE(page.tablePoints()[0].kernel_name, std::string("b"));
    QCOMPARE(metric(page, 2, MetricsModel::kCount), QStringLiteral("2"));
  }

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
      page.chart()->grab();  // lays out the axes
      const QPoint at = page.chart()->positionOf(static_cast<int>(count) / 2).toPoint();
      const QImage image = page.chart()->grab().toImage();
      int inked = 0;
      for (int d = -3; d <= 3; ++d) inked += image.pixelColor(at + QPoint(d, 0)).saturation() > 60;
      QVERIFY(inked > 0);
      QVERIFY(page.chart()->pointAt(at) >= 0);
    }
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
    errors.setPoints(points(), {.y = analysis::PairSource::kAnalytical});
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
        QStringLiteral("Each point is one measured tile, estimated at that tile. Left out: 2 tiles "
                       "without bounds that fit the kernel.")));
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
    metrics.setPoints(points());
    errors.setPoints(points(), {});
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
    // Eight kernels and 691 measured tiles, as the notes beside the data say.
    QCOMPARE(open.size(), size_t{8});
    QCOMPARE(chosen(analysis::MeasuredChoice::kEveryRun).size(), size_t{691});
    const auto stored = storedPoints(database, "tpu_v3", {});
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

HLOSCOPE_TEST(TestComparePage);
#include "test_compare_page.moc"
