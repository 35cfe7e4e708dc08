#include <QComboBox>

#include "tests/support/test_registry.h"
#include "tests/ui/numbers/page_numbers.h"
#include "ui/charts/group_error_chart.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/pages/compare/compare_models.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/theme/elided_label.h"

namespace hloscope::testing {

namespace {

constexpr const char* kRanges[] = {"short", "long", "all"};

QComboBox& box_named(const ui::ComparePage& page, const QString& name) {
  for (QComboBox* box : page.findChildren<QComboBox*>()) {
    if (box->accessibleName() == name) return *box;
  }
  qFatal("no such box");
}

}  // namespace

/// The page Compare against `accuracy FILE`.
class TestCompareNumbers : public QObject {
  Q_OBJECT
 private slots:
  void init() { fail_on_warnings(); }

  void metrics_data() { cases(); }
  void metrics() {
    WindowFixture fixture;
    const ui::ComparePage& page = shown(fixture);
    const QJsonArray rows = printed(command())["metrics"].toArray();
    using Model = ui::MetricsModel;
    const Model& model = *page.metrics();
    QCOMPARE(model.rowCount(), static_cast<int>(rows.size()));
    for (int row = 0; row < model.rowCount(); ++row) {
      const QJsonObject of = rows[row].toObject();
      QCOMPARE(of["range"].toString(), QLatin1String(kRanges[row % 3]));
      QVERIFY_SHOWS("n", cell(model, row, Model::kCount), of["n"], 1);
      // A few points say nothing: the page leaves the cells empty, the command line tells n.
      if (of["n"].toInt() < static_cast<int>(Model::kFewestPoints)) continue;
      QVERIFY_SHOWS("MAPE", cell(model, row, Model::kMape), of["mape"], 0.01);
      QVERIFY_SHOWS("median", cell(model, row, Model::kMedian), of["median_ape"], 0.01);
      QVERIFY_SHOWS("tau", cell(model, row, Model::kTau), of["kendall_tau"], 1);
      QVERIFY_SHOWS("within", cell(model, row, Model::kWithin), of["within_10_percent"], 0.01);
      QVERIFY_SHOWS("tau of kernels", cell(model, row, Model::kTileTau), of["kernel_mean_tau"], 1);
    }
  }

  void errors_by_group_data() { cases(); }
  void errors_by_group() {
    WindowFixture fixture;
    ui::ComparePage& page = shown(fixture);
    const QJsonObject groups = printed(command())["errors_by"].toObject();
    const char* names[] = {"class", "program", "size"};
    for (int grouping = 0; grouping < 3; ++grouping) {
      box_named(page, "Errors by").setCurrentIndex(grouping);
      settle(fixture.window());
      check_groups(page, groups[QLatin1String(names[grouping])].toArray());
    }
  }

  void largest_errors_data() { cases(); }
  void largest_errors() {
    WindowFixture fixture;
    const ui::ComparePage& page = shown(fixture);
    const QJsonObject cli = printed(command());
    const QJsonArray largest = cli["largest"].toArray();
    using Model = ui::LargestErrorsModel;
    const Model& model = *page.findChild<ui::LargestErrorsModel*>();
    QCOMPARE(model.rowCount(),
             static_cast<int>(std::min<qsizetype>(largest.size(), Model::kMostRows)));
    for (int row = 0; row < model.rowCount(); ++row) {
      const QJsonObject of = largest[row].toObject();
      const double difference = of["y_ns"].toDouble() - of["x_ns"].toDouble();
      QVERIFY_SHOWS("x", cell(model, row, Model::kX), of["x_ns"], 1e3);
      QVERIFY_SHOWS("y", cell(model, row, Model::kY), of["y_ns"], 1e3);
      QVERIFY_SHOWS("difference", cell(model, row, Model::kDifference), difference, 1e3);
      QVERIFY_SHOWS("error", cell(model, row, Model::kError), of["error"], 0.01);
      QCOMPARE(cell(model, row, Model::kKernel), of["kernel"].toString());
    }
  }

  void residuals_and_counts_data() { cases(); }
  void residuals_and_counts() {
    WindowFixture fixture;
    const ui::ComparePage& page = shown(fixture);
    const QJsonObject cli = printed(command());
    const QString residuals = text_with(page, "median ×");
    QVERIFY_SHOWS("median", residuals.section(QStringLiteral("×"), 1, 1).section(' ', 0, 0),
                  cli["median_ratio"], 1);
    QVERIFY_SHOWS("spread", residuals.section(' ', -1), cli["spread"], 1);
    const QString counts =
        text_with(page, QStringLiteral(" · TPU v3")).section(QStringLiteral(" · "), 0, 0);
    QVERIFY_SHOWS("points", counts.section(' ', 0, 0), cli["points"], 1);
    const double left_out = cli["points"].toDouble() - cli["pairs"].toDouble();
    const QString note = page.noteText();
    QCOMPARE(note.contains("Left out"), left_out > 0);
    if (left_out > 0) {
      QVERIFY_SHOWS("left out", note.section("Left out: ", 1).section(' ', 0, 0), left_out, 1);
    }
  }

  void the_text_shows_the_same_data() { cases(); }
  void the_text_shows_the_same() {
    const QJsonArray rows = printed(command())["metrics"].toArray();
    const TextRows text = read_table(printed_text(command()), "Source");
    QCOMPARE(text.rows.size(), rows.size());
    for (qsizetype row = 0; row < rows.size(); ++row) {
      QVERIFY_SHOWS("n", text.cell(row, "n"), rows[row]["n"], 1);
      QVERIFY_SHOWS("MAPE", text.cell(row, "MAPE %"), rows[row]["mape"], 0.01);
      QVERIFY_SHOWS("median", text.cell(row, "Median %"), rows[row]["median_ape"], 0.01);
      QVERIFY_SHOWS("tau", text.cell(row, "Kendall tau"), rows[row]["kendall_tau"], 1);
      QVERIFY_SHOWS("within", text.cell(row, "in ±10 %"), rows[row]["within_10_percent"], 0.01);
    }
  }

 private:
  static void cases() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("measured");
    QTest::addColumn<QStringList>("options");
    QTest::newRow("kernels, measured") << "tpu_v3_tiles.pb" << 0 << QStringList();
    QTest::newRow("every run") << "tpu_v3_tiles.pb" << 1 << QStringList{"--runs"};
    // Nothing is measured: predicted against simulated, as the page then does.
    QTest::newRow("not measured") << "mobilenet_v2.hlo" << 0
                                  << QStringList{"--against", "simulated", "--judge", "predicted"};
  }

  static QStringList command() {
    QFETCH(QString, file);
    QFETCH(QStringList, options);
    return QStringList{"accuracy", sample_path(file.toLatin1().constData())} + options;
  }

  static ui::ComparePage& shown(WindowFixture& fixture) {
    QFETCH(QString, file);
    QFETCH(int, measured);
    open_module(fixture.window(), sample_path(file.toLatin1().constData()));
    auto& page = page_of<ui::ComparePage>(fixture.window());
    box_named(page, "Measured").setCurrentIndex(measured);
    settle(fixture.window());
    return page;
  }

  static QString text_with(const QWidget& page, const QString& word) {
    for (const auto* label : page.findChildren<ui::ElidedLabel*>()) {
      if (label->wholeText().contains(word)) return label->wholeText();
    }
    return {};
  }

  static void check_groups(const ui::ComparePage& page, const QJsonArray& groups) {
    const auto& shown = page.groups()->groups();
    const auto& sources = page.groups()->sources();
    QCOMPARE(static_cast<qsizetype>(shown.size()), groups.size());
    for (size_t g = 0; g < shown.size(); ++g) {
      const QJsonObject of = groups[static_cast<qsizetype>(g)].toObject();
      QCOMPARE(ui::textOf(shown[g].key), of["group"].toString());
      for (size_t s = 0; s < sources.size(); ++s) {
        const QString id = ui::textOf(analysis::info(sources[s]).id);
        bool found = false;
        for (const QJsonValue& error : of["errors"].toArray()) {
          if (error["source"].toString() != id) continue;
          found = true;
          QCOMPARE(static_cast<int>(shown[g].errors[s].n), error["n"].toInt());
          if (error["n"].toInt() > 0) QCOMPARE(shown[g].errors[s].mape, error["mape"].toDouble());
        }
        QVERIFY2(found, qPrintable(id));
      }
    }
  }
};

HLOSCOPE_TEST(TestCompareNumbers);
}  // namespace hloscope::testing
#include "test_compare_numbers.moc"
