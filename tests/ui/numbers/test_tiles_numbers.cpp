#include <QMap>

#include "tests/support/test_registry.h"
#include "tests/ui/numbers/page_numbers.h"
#include "ui/models/item_roles.h"
#include "ui/pages/tiles/tile_card.h"
#include "ui/pages/tiles/tiles_page.h"
#include "ui/theme/elided_label.h"

namespace hloscope::testing {

/// The page Tiles against `predict --tiles`.
class TestTilesNumbers : public QObject {
  Q_OBJECT
 private slots:
  void init() { fail_on_warnings(); }

  void ranks_and_times_data() { cases(); }
  void ranks_and_times() {
    WindowFixture fixture;
    const ui::TilesPage& page = shown(fixture);
    QMap<QString, QJsonObject> tiles;
    for (const QJsonValue& tile : printed(command())["tiles"].toArray()) {
      tiles[tile["tile"].toString()] = tile.toObject();
    }
    const ui::TileTableModel& model = *page.model();
    QCOMPARE(model.rowCount(), static_cast<int>(tiles.size()));
    for (int row = 0; row < model.rowCount(); ++row) {
      const QString tile =
          model.index(row, ui::TileTableModel::kOutput).data(Qt::ToolTipRole).toString();
      QVERIFY2(tiles.contains(tile), qPrintable(tile));
      check_row(model, row, tiles[tile]);
    }
  }

  void slowdowns_and_errors_data() { cases(); }
  void slowdowns_and_errors() {
    WindowFixture fixture;
    const ui::TilesPage& page = shown(fixture);
    const QJsonObject cli = printed(command());
    const QJsonObject accuracy = cli["accuracy"].toObject();
    QCOMPARE(accuracy.size(), 3);
    QCOMPARE(page.cards().size(), size_t{3});
    for (const ui::TileCard* card : page.cards()) {
      const QString source = QString::fromUtf8(analysis::info(card->source()).id.data());
      check_card(card->text(), accuracy[source].toObject());
    }
    const QString count = cli["tile_count"].toVariant().toString() + " measured";
    bool told = false;
    for (const auto* label : page.findChildren<ui::ElidedLabel*>()) {
      told = told || label->wholeText().startsWith(count);
    }
    QVERIFY2(told, qPrintable(count));
  }

  void all_tiles_of_a_kernel_without_measurements() {
    WindowFixture fixture;
    const QString path = sample_path("layer_norm_1x4096x768_bf16.hlo");
    open_module(fixture.window(), path);
    auto& page = page_of<ui::TilesPage>(fixture.window());
    const auto& report = fixture.window().workspace().report();
    const auto instruction = report->kernels.kernels[page.ranking()->kernel].instruction;
    const QString kernel = QString::fromUtf8(
        (*report->module.program)[instruction].name.data(),
        static_cast<qsizetype>((*report->module.program)[instruction].name.size()));
    const QJsonObject cli = printed({"predict", "--tiles", path, "--kernel", kernel});
    QMap<QString, QJsonObject> tiles;
    for (const QJsonValue& tile : cli["tiles"].toArray()) {
      tiles[tile["tile"].toString()] = tile.toObject();
    }
    QCOMPARE(page.model()->rowCount(), static_cast<int>(tiles.size()));
    for (int row = 0; row < page.model()->rowCount(); ++row) {
      const QString tile =
          page.model()->index(row, ui::TileTableModel::kOutput).data(Qt::ToolTipRole).toString();
      QVERIFY2(tiles.contains(tile), qPrintable(tile));
      check_row(*page.model(), row, tiles[tile]);
    }
  }

 private:
  static void cases() {
    QTest::addColumn<int>("module");
    QTest::newRow("reduction, one tile run twice") << 1;
    QTest::newRow("convolution") << 2;
    QTest::newRow("copy") << 5;
  }

  static QStringList command() {
    QFETCH(int, module);
    return {"predict", "--tiles",
            QStringLiteral("%1#%2").arg(sample_path("tpu_v3_tiles.pb")).arg(module)};
  }

  static ui::TilesPage& shown(WindowFixture& fixture) {
    QFETCH(int, module);
    open_module(fixture.window(), sample_path("tpu_v3_tiles.pb"), module);
    return page_of<ui::TilesPage>(fixture.window());
  }

  static void check_row(const ui::TileTableModel& model, int row, const QJsonObject& tile) {
    using Model = ui::TileTableModel;
    const auto rank = [&](int column) {
      return model.index(row, column).data(Model::kRankRole).toString();
    };
    QVERIFY_SHOWS("measured", cell(model, row, Model::kMeasured), tile["measured_ns"], 1e3);
    QVERIFY_SHOWS("slowdown", cell(model, row, Model::kSlowdown), tile["slowdown"], 0.01);
    QVERIFY_SHOWS("score", cell(model, row, Model::kPredicted), tile["score"], 1);
    QVERIFY_SHOWS("rank", rank(Model::kPredicted), tile["rank"], 1);
    QVERIFY_SHOWS("simulated", cell(model, row, Model::kSimulated), tile["simulated_ns"], 1e3);
    QVERIFY_SHOWS("simulated rank", rank(Model::kSimulated), tile["simulated_rank"], 1);
    QVERIFY_SHOWS("analytical", cell(model, row, Model::kAnalytical), tile["analytical_ns"], 1e3);
    QVERIFY_SHOWS("analytical rank", rank(Model::kAnalytical), tile["analytical_rank"], 1);
    QVERIFY_SHOWS("iterations", cell(model, row, Model::kIterations), tile["iterations"], 1);
    QVERIFY_SHOWS("VMEM", cell(model, row, Model::kVmem), tile["footprint_bytes"], 1048576.0);
  }

  /// "top-1 6.9 %, top-5 0.0 %, top-10 0.0 % slower than the best; Kendall τ 0.945 · MAPE 4.6 %".
  static void check_card(const QString& text, const QJsonObject& accuracy) {
    const auto behind = [&text](const QString& word) {
      return text.section(word + ' ', 1).section(QRegularExpression(", | slower| · "), 0, 0);
    };
    QVERIFY_SHOWS("top-1", behind("top-1"), accuracy["top1_slowdown"], 1);
    QVERIFY_SHOWS("top-5", behind("top-5"), accuracy["top5_slowdown"], 1);
    QVERIFY_SHOWS("top-10", behind("top-10"), accuracy["top10_slowdown"], 1);
    QVERIFY_SHOWS("tau", behind(QStringLiteral("τ")), accuracy["kendall_tau"], 1);
    QCOMPARE(text.contains("MAPE"), accuracy.contains("mape"));
    if (accuracy.contains("mape")) QVERIFY_SHOWS("MAPE", behind("MAPE"), accuracy["mape"], 1);
  }
};

HLOSCOPE_TEST(TestTilesNumbers);
}  // namespace hloscope::testing
#include "test_tiles_numbers.moc"
