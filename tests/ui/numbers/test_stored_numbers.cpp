#include <QComboBox>
#include <QMap>

#include "core/sim/machine.h"
#include "tests/support/test_registry.h"
#include "tests/ui/data_set_program.h"
#include "tests/ui/numbers/page_numbers.h"
#include "ui/models/plain_table_view.h"
#include "ui/pages/data/data_page.h"
#include "ui/pages/data/data_sets_panel.h"
#include "ui/pages/data/evaluation_panel.h"
#include "ui/pages/data/models_panel.h"
#include "ui/pages/data/statistics_panel.h"
#include "ui/pages/runs/run_tables.h"
#include "ui/pages/runs/runs_page.h"

namespace hloscope::testing {

namespace {

QString title_of(const QAbstractItemModel& model, int column) {
  return model.headerData(column, Qt::Horizontal).toString();
}

int column_of(const QAbstractItemModel& model, const QString& title) {
  for (int column = 0; column < model.columnCount(); ++column) {
    if (title_of(model, column) == title) return column;
  }
  return -1;
}

QString cell_of(const QAbstractItemModel& model, int row, const QString& title) {
  const int column = column_of(model, title);
  return column < 0 ? QStringLiteral("(no column %1)").arg(title) : cell(model, row, column);
}

}  // namespace

/// The page Runs against `runs`, the page Data against `dataset stats` and `evaluate`.
class TestStoredNumbers : public QObject {
  Q_OBJECT
 private slots:
  void init() { fail_on_warnings(); }

  void runs_are_listed() {
    WindowFixture fixture;
    const ui::RunsPage& page = stored(fixture);
    const QJsonArray runs = printed_list({"runs", "--db", database(fixture)});
    const QAbstractItemModel& model = *page.list(ui::RunsPage::kRuns);
    QCOMPARE(model.rowCount(), static_cast<int>(runs.size()));
    // By three sources a kernel, a program raw and fused; by two the program on another machine.
    QCOMPARE(runs.size(), 11);
    for (int row = 0; row < model.rowCount(); ++row) {
      const QJsonObject run = runs[row].toObject();
      QVERIFY_SHOWS("run", cell_of(model, row, "Run"), run["run"], 1);
      QVERIFY_SHOWS("kernels", cell_of(model, row, "Kernels"), run["distinct_kernels"], 1);
      QVERIFY_SHOWS("total", cell_of(model, row, QStringLiteral("Total µs")), run["total_ns"], 1e3);
      QCOMPARE(cell_of(model, row, "Source"), run["source"].toString());
      QCOMPARE(cell_of(model, row, "Machine"), run["machine"].toString());
    }
  }

  void programs_and_measured_times_are_listed() {
    WindowFixture fixture;
    const ui::RunsPage& page = stored(fixture);
    check_list(*page.list(ui::RunsPage::kPrograms),
               printed_list({"runs", "programs", "--db", database(fixture)}),
               {{"Instructions", "instructions"},
                {"Computations", "computations"},
                {"Kernels", "kernels"}});
    check_list(*page.list(ui::RunsPage::kMeasured),
               printed_list({"runs", "measured", "--db", database(fixture)}),
               {{"Kernels", "kernels"}, {"Runs", "runs"}, {"With a time", "timed"}});
  }

  void kernels_of_a_run() {
    WindowFixture fixture;
    ui::RunsPage& page = stored(fixture);
    const QStringList runs = runs_of("simulator", "mobilenet_v2.hlo", fixture);
    select(page, fixture, {runs.last()});
    const QJsonArray kernels =
        printed({"runs", "show", runs.last(), "--db", database(fixture)})["kernels"].toArray();
    const QAbstractItemModel& model = *page.kernels();
    QCOMPARE(model.rowCount(), static_cast<int>(kernels.size()));
    for (int row = 0; row < model.rowCount(); ++row) {
      const QJsonObject kernel = kernels[row].toObject();
      const QJsonObject time = kernel["first"].toObject();
      QCOMPARE(cell_of(model, row, "Kernel"), kernel["kernel"].toString());
      QVERIFY_SHOWS("executions", cell_of(model, row, "Executions"), kernel["executions"], 1);
      QVERIFY_SHOWS("time", cell_of(model, row, QStringLiteral("Time µs")), time["time_ns"], 1e3);
      QVERIFY_SHOWS("all", cell_of(model, row, QStringLiteral("× executions µs")), kernel["all_ns"],
                    1e3);
      QVERIFY_SHOWS("compute", cell_of(model, row, QStringLiteral("Compute µs")),
                    time["compute_ns"], 1e3);
      QVERIFY_SHOWS("memory", cell_of(model, row, QStringLiteral("Memory µs")), time["memory_ns"],
                    1e3);
      QCOMPARE(cell_of(model, row, "Tile"), time["tile"].toString());
    }
  }

  void two_runs_are_compared() {
    WindowFixture fixture;
    ui::RunsPage& page = stored(fixture);
    // Newest first: the second one ran on another machine.
    const QStringList runs = runs_of("simulator", "mobilenet_v2.hlo", fixture);
    QCOMPARE(runs.size(), 2);
    select(page, fixture, runs);
    const QJsonObject cli = printed({"runs", "show", runs[1], runs[0], "--db", database(fixture)});
    check_pair_totals(page.totals(), cli);
    const QJsonArray kernels = cli["kernels"].toArray();
    const QAbstractItemModel& model = *page.kernels();
    QCOMPARE(model.rowCount(), static_cast<int>(kernels.size()));
    for (int row = 0; row < model.rowCount(); ++row) {
      const QJsonObject kernel = kernels[row].toObject();
      QCOMPARE(cell_of(model, row, "Kernel"), kernel["kernel"].toString());
      QVERIFY_SHOWS("first", cell(model, row, 2), kernel["first"]["time_ns"], 1e3);
      QVERIFY_SHOWS("second", cell(model, row, 3), kernel["second"]["time_ns"], 1e3);
      QVERIFY_SHOWS("ratio", cell(model, row, 4), kernel["ratio"], 1);
      QVERIFY_SHOWS("difference", cell(model, row, 5), kernel["difference_ns"], 1e3);
    }
  }

  void statistics_of_a_data_set() {
    WindowFixture fixture;
    ui::DataPage& page = with_data_set(fixture);
    const QJsonObject stats = printed({"dataset", "stats", set_path(fixture), "--split", "random"});
    const ui::StatisticsPanel& panel = *page.statistics();
    const QAbstractItemModel& model = *panel.table()->table();
    panel.what()->setCurrentIndex(0);
    check_counts(panel.summary(), stats);
    check_groups(model, stats["by_op_class"].toArray(), stats["graphs"].toDouble(), false);
    panel.what()->setCurrentIndex(1);
    check_groups(model, stats["by_family"].toArray(), stats["graphs"].toDouble(), true);
    panel.what()->setCurrentIndex(2);
    check_groups(model, stats["split"]["parts"].toArray(), stats["graphs"].toDouble(), true);
    const char* histograms[] = {"time_ns", "nodes", "samples_per_graph"};
    for (int i = 0; i < 3; ++i) {
      panel.what()->setCurrentIndex(3 + i);
      check_histogram(model, panel.summary(), stats[QLatin1String(histograms[i])].toObject());
    }
  }

  void evaluation_of_models() {
    WindowFixture fixture;
    ui::DataPage& page = with_data_set(fixture);
    page.evaluation()->tick("tpu_v3_fusion");
    page.evaluation()->evaluate();
    settle(fixture.window());
    QVERIFY(page.evaluation()->evaluation() != nullptr);
    const QStringList command{"evaluate", set_path(fixture), "tpu_v3_fusion", "--split", "random"};
    const QJsonArray models = printed(command)["models"].toArray();
    QCOMPARE(models.size(), 4);
    const QAbstractItemModel& model = *page.evaluation()->table()->table();
    QCOMPARE(model.rowCount(), 4);
    const char* keys[] = {"mape", "median_ape", "kendall_tau", "large_mape", "program_mape"};
    const auto unit = [](int metric) { return metric == 2 ? 1 : 0.01; };
    for (int row = 0; row < 4; ++row) {
      for (int m = 0; m < 5; ++m) {
        QVERIFY_SHOWS(keys[m], cell(model, row, 2 + m), models[row][QLatin1String(keys[m])],
                      unit(m));
      }
    }
    // By program: models across.
    for (int m = 0; m < 5; ++m) {
      page.evaluation()->view()->setCurrentIndex(m + 1);
      for (int column = 0; column < 4; ++column) {
        const QJsonArray programs = models[column]["by_program"].toArray();
        QCOMPARE(model.rowCount(), static_cast<int>(programs.size()) + 1);
        for (int row = 0; row < static_cast<int>(programs.size()); ++row) {
          QCOMPARE(cell(model, row, 0), programs[row]["program"].toString());
          QVERIFY_SHOWS("kernels", cell(model, row, 1), programs[row]["kernels"], 1);
          QVERIFY_SHOWS(keys[m], cell(model, row, 2 + column),
                        programs[row][QLatin1String(keys[m])], unit(m));
        }
      }
    }
    check_evaluation_text(printed_text(command), models);
  }

 private:
  static QString database(const WindowFixture& fixture) {
    return QString::fromStdString(fixture.database());
  }
  static QString set_path(const WindowFixture& fixture) {
    return fixture.folder().filePath("set.hloscope");
  }

  /// Runs of two programs, one of them on two machines.
  static ui::RunsPage& stored(WindowFixture& fixture) {
    const QString db = database(fixture);
    run({"kernels", sample_path("tpu_v3_tiles.pb") + "#2", "--db", db});
    const QString program = sample_path("mobilenet_v2.hlo");
    run({"kernels", program, "--db", db, "--raw", "--top", "1"});
    run({"kernels", program, "--db", db});
    run({"simulate", program, "--db", db, "--machine", "tpu_v5e"});
    // A window that finds the file as it opens: it has not come to be under its eyes.
    fixture.remake();
    return page_of<ui::RunsPage>(fixture.window());
  }

  /// Numbers of runs, newest first.
  static QStringList runs_of(const QString& source, const QString& file,
                             const WindowFixture& fixture) {
    QStringList out;
    for (const QJsonValue& run : printed_list({"runs", "--db", database(fixture)})) {
      const bool is_own = run["settings"]["kernels"].toString() == "own fusion";
      if (run["source"].toString() == source && run["file"].toString().endsWith(file) && is_own) {
        out << QString::number(run["run"].toInt());
      }
    }
    return out;
  }

  static void select(ui::RunsPage& page, WindowFixture& fixture, const QStringList& runs) {
    QTableView* view = page.listView(ui::RunsPage::kRuns);
    view->clearSelection();
    for (int row = 0; row < view->model()->rowCount(); ++row) {
      if (!runs.contains(cell_of(*view->model(), row, "Run"))) continue;
      view->selectionModel()->select(view->model()->index(row, 0),
                                     QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    settle(fixture.window());
  }

  static void check_list(const QAbstractItemModel& model, const QJsonArray& rows,
                         const QMap<QString, QString>& columns) {
    QCOMPARE(model.rowCount(), static_cast<int>(rows.size()));
    QMap<QString, QJsonObject> wanted;
    for (const QJsonValue& row : rows) wanted[row["program"].toString()] = row.toObject();
    for (int row = 0; row < model.rowCount(); ++row) {
      const QJsonObject of = wanted[cell_of(model, row, "Program")];
      for (auto it = columns.begin(); it != columns.end(); ++it) {
        QVERIFY_SHOWS(it.key(), cell_of(model, row, it.key()), of[it.value()], 1);
      }
    }
  }

  /// "12 kernels, 12 in both; total 1.0 µs → 2.0 µs, ratio 2.000 (+100.0 %)".
  static void check_pair_totals(const QString& text, const QJsonObject& cli) {
    QVERIFY_SHOWS("kernels", text.section(' ', 0, 0), cli["kernel_count"], 1);
    QVERIFY_SHOWS("both", text.section(", ", 1, 1).section(' ', 0, 0), cli["kernels_in_both"], 1);
    const QString totals = text.section("total ", 1).section(", ratio", 0, 0);
    QVERIFY_SHOWS("first", totals.section(QStringLiteral(" → "), 0, 0), cli["first"]["total_ns"],
                  1);
    QVERIFY_SHOWS("second", totals.section(QStringLiteral(" → "), 1), cli["second"]["total_ns"], 1);
    QVERIFY_SHOWS("ratio", text.section("ratio ", 1).section(' ', 0, 0), cli["ratio"], 1);
    QVERIFY_SHOWS("change", text.section('(', 1).remove(')'), cli["ratio"].toDouble() - 1, 1);
  }

  static ui::DataPage& with_data_set(WindowFixture& fixture) {
    QStringList command{"dataset", "generate"};
    for (int i = 1; i <= 6; ++i) {
      command << fixture.write(QStringLiteral("p%1.hlo").arg(i),
                               hloscope::testing::data_set_program(128 << i));
    }
    const Outcome made =
        run(command + QStringList{"-o", set_path(fixture), "--configurations", "6"});
    if (made.code != 0) qWarning("%s", made.err.constData());
    const Outcome split = run({"dataset", "split", set_path(fixture), "--by", "random", "--valid",
                               "0.2", "--test", "0.3"});
    if (split.code != 0) qWarning("%s", split.err.constData());
    auto& page = page_of<ui::DataPage>(fixture.window());
    page.openDataSets({set_path(fixture)});
    settle(fixture.window());
    return page;
  }

  static void check_counts(const QString& summary, const QJsonObject& stats) {
    const QStringList parts = summary.split(QStringLiteral(" · "));
    QVERIFY_SHOWS("programs", parts[0].section(' ', 0, 0), stats["programs"], 1);
    QVERIFY_SHOWS("kernels", parts[1].section(' ', 0, 0), stats["graphs"], 1);
    QVERIFY_SHOWS("samples", parts[2].section(' ', 0, 0), stats["samples"], 1);
    QVERIFY_SHOWS("met", parts[3].section(' ', 0, 0), stats["kernels_met"], 1);
    QVERIFY_SHOWS("configurations", parts[3].section("met in ", 1).section(' ', 0, 0),
                  stats["configurations"], 1);
    QVERIFY_SHOWS("repeated", parts[3].section(", ", 1).section(" of", 0, 0), stats["repeated"], 1);
  }

  static void check_groups(const QAbstractItemModel& model, const QJsonArray& groups, double all,
                           bool with_programs) {
    QCOMPARE(model.rowCount(), static_cast<int>(groups.size()));
    for (int row = 0; row < model.rowCount(); ++row) {
      const QJsonObject of = groups[row].toObject();
      QVERIFY_SHOWS("graphs", cell_of(model, row, "Kernels"), of["graphs"], 1);
      QVERIFY_SHOWS("samples", cell_of(model, row, "Samples"), of["samples"], 1);
      QVERIFY_SHOWS("share", cell_of(model, row, "Share"), of["graphs"].toDouble() / all, 1);
      if (with_programs) {
        QVERIFY_SHOWS("programs", cell_of(model, row, "Programs"), of["programs"], 1);
      }
    }
  }

  static void check_histogram(const QAbstractItemModel& model, const QString& summary,
                              const QJsonObject& histogram) {
    const QJsonArray bins = histogram["histogram"].toArray();
    QCOMPARE(model.rowCount(), static_cast<int>(bins.size()));
    for (int row = 0; row < model.rowCount(); ++row) {
      const double count = bins[row]["count"].toDouble();
      QVERIFY_SHOWS("count", cell_of(model, row, "Count"), count, 1);
      QVERIFY_SHOWS("share", cell_of(model, row, "Share"), count / histogram["count"].toDouble(),
                    1);
    }
    // "mean 1.2 µs, 0.5 µs to 3.1 µs".
    const QString text = summary.section("mean ", 1).section(QStringLiteral(" · "), 0, 0);
    QVERIFY_SHOWS("mean", text.section(", ", 0, 0), histogram["mean"], 1);
    QVERIFY_SHOWS("least", text.section(", ", 1).section(" to ", 0, 0), histogram["least"], 1);
    QVERIFY_SHOWS("most", text.section(" to ", 1), histogram["most"], 1);
  }

  static void check_evaluation_text(const QString& printed, const QJsonArray& models) {
    const TextRows text = read_table(printed, "model");
    QCOMPARE(text.rows.size(), models.size());
    const QMap<QString, QString> columns = {{"MAPE", "mape"},
                                            {"median APE", "median_ape"},
                                            {"tau", "kendall_tau"},
                                            {QStringLiteral("MAPE >= 5 µs"), "large_mape"},
                                            {"program", "program_mape"}};
    for (qsizetype row = 0; row < text.rows.size(); ++row) {
      for (auto it = columns.begin(); it != columns.end(); ++it) {
        QVERIFY_SHOWS(it.key(), text.cell(row, it.key()), models[row][it.value()], 1);
      }
    }
  }
};

HLOSCOPE_TEST(TestStoredNumbers);
}  // namespace hloscope::testing
#include "test_stored_numbers.moc"
