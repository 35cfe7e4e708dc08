#include <QPushButton>
#include <QSpinBox>

#include "tests/support/test_registry.h"
#include "tests/ui/numbers/page_numbers.h"
#include "ui/models/plain_table_view.h"
#include "ui/pages/data/data_page.h"
#include "ui/pages/data/data_sets_panel.h"
#include "ui/pages/data/evaluation_panel.h"
#include "ui/pages/data/example_split.h"
#include "ui/pages/data/models_panel.h"
#include "ui/pages/data/samples_panel.h"
#include "ui/pages/data/training_form.h"

namespace hloscope::testing {

/// Measured layouts of a whole program on the page Data, against `dataset show` and `evaluate`.
class TestLayoutNumbers : public QObject {
  Q_OBJECT
 private slots:
  void init() { fail_on_warnings(); }

  // samples/SOURCES.tsv: 122 runs of 91 configurations, in three groups of 910.9, 918.0 and 925.6
  // ms.
  void configurations_are_listed_with_their_times_and_ranks() {
    WindowFixture fixture;
    const QString model = fixture.folder().filePath("layouts.safetensors");
    ui::DataPage& page = imported(fixture);
    const Outcome trained =
        run({"train", set_path(fixture), "--hold-out-configurations", "--steps", "4", "-o", model,
             "--model-options", R"({"hidden_width": 16, "layers": 1})"});
    QVERIFY2(trained.code == 0, trained.err.constData());
    page.models()->addFiles({model});
    settle(fixture.window());
    page.evaluation()->tick(model);
    page.showTab(ui::DataPage::kSamples);
    settle(fixture.window());
    const QJsonArray samples =
        printed({"dataset", "show", set_path(fixture), "--graph", "1", "--model", model})["samples"]
            .toArray();
    const QAbstractItemModel& table = *page.samples()->table()->table();
    QCOMPARE(samples.size(), 91);
    QCOMPARE(table.rowCount(), 91);
    for (int row = 0; row < table.rowCount(); ++row) {
      const QJsonObject of = samples[row].toObject();
      QVERIFY_SHOWS("time", cell(table, row, 0), of["time_ns"], 1e3);
      QVERIFY_SHOWS("slower", cell(table, row, 1), of["slowdown"].toDouble() - 1, 0.01);
      QVERIFY_SHOWS("rank", cell(table, row, 2), of["ranks"].toArray().first(), 1);
      QCOMPARE(cell(table, row, 4), of["text"].toString());
    }
    QVERIFY(cell(table, 0, 4).startsWith("layouts of "));
    QVERIFY(cell(table, 90, 4).endsWith("nodes differ from the fastest"));
    QVERIFY_SHOWS("configurations", page.samples()->summary().section(' ', 0, 0), 91.0, 1);
  }

  // One program cannot be split by program: configurations of it are held out instead.
  void held_out_configurations_are_evaluated() {
    WindowFixture fixture;
    ui::DataPage& page = imported(fixture);
    page.dataSets()->setSplit(ui::heldOut());
    settle(fixture.window());
    QVERIFY(page.form()->trainButton()->isEnabled());
    QVERIFY(page.form()->order().examples.hold_out_configurations);
    QVERIFY(page.form()->order().examples.split.empty());
    page.evaluation()->evaluate();
    settle(fixture.window());
    const QJsonArray models =
        printed({"evaluate", set_path(fixture), "--hold-out-configurations"})["models"].toArray();
    const QAbstractItemModel& table = *page.evaluation()->table()->table();
    QCOMPARE(table.rowCount(), 2);
    QCOMPARE(models.size(), 2);
    const char* keys[] = {"kendall_tau", "opa", "top1_slowdown", "top5_slowdown", "top10_slowdown"};
    for (int row = 0; row < 2; ++row) {
      for (int m = 0; m < 5; ++m) {
        QVERIFY_SHOWS(keys[m], cell(table, row, 2 + m), models[row][QLatin1String(keys[m])],
                      m < 2 ? 1 : 0.01);
      }
    }
  }

 private:
  static QString set_path(const WindowFixture& fixture) {
    return fixture.folder().filePath("unet.hloscope");
  }

  static ui::DataPage& imported(WindowFixture& fixture) {
    const Outcome made = run(
        {"dataset", "import", sample_path("unet_3d_layout_tuning.pb"), "-o", set_path(fixture)});
    if (made.code != 0) qWarning("%s", made.err.constData());
    auto& page = page_of<ui::DataPage>(fixture.window());
    page.openDataSets({set_path(fixture)});
    settle(fixture.window());
    return page;
  }
};

HLOSCOPE_TEST(TestLayoutNumbers);
}  // namespace hloscope::testing
#include "test_layout_numbers.moc"
