#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "tests/cli/cli_process.h"
#include "tests/support/test_registry.h"

namespace {

const QString kTiles = QStringLiteral(HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb");

}  // namespace

class TestCliBench : public QObject {
  Q_OBJECT
 private slots:
  // The keys of the help text, one entry per module.
  void time_json() {
    const Outcome outcome = run({"bench", "time", kTiles, "--json"});
    QCOMPARE(outcome.code, 0);
    const QJsonArray list = QJsonDocument::fromJson(outcome.out).array();
    QCOMPARE(list.size(), 8);
    const QJsonObject first = list.first().toObject();
    QCOMPARE(first["module"].toString(), QStringLiteral("fusion.232"));
    QCOMPARE(first["kernels"].toInt(), 1);
    QCOMPARE(first["distinct_kernels"].toInt(), 1);
    for (const char* key : {"whole_ms", "model_us", "choose_tile_us", "analytical_us",
                            "analytical_most_us", "simulate_us", "simulate_most_us"}) {
      QVERIFY2(first[QLatin1String(key)].toDouble() > 0, key);
    }
  }
  // The same in every run; another machine, and another order of files, give another one.
  void signature_is_one_hash() {
    const Outcome once = run({"bench", "signature", kTiles});
    QCOMPARE(once.code, 0);
    QCOMPARE(once.out.trimmed().size(), 32);
    QCOMPARE(run({"bench", "signature", kTiles}).out, once.out);
    QVERIFY(run({"bench", "signature", kTiles, "--machine", "tpu_v4"}).out != once.out);
    const QString first = kTiles + QStringLiteral("#1");
    const QString second = kTiles + QStringLiteral("#2");
    QVERIFY(run({"bench", "signature", first, second}).out !=
            run({"bench", "signature", second, first}).out);
  }
  void unreadable_files_are_bad_input() {
    for (const char* command : {"time", "signature"}) {
      const Outcome outcome = run({"bench", command, "/no/such/file.hlo"});
      QCOMPARE(outcome.code, 1);
      QVERIFY(outcome.out.isEmpty());
      QVERIFY(outcome.err.contains("/no/such/file.hlo"));
    }
  }
};

HLOSCOPE_TEST(TestCliBench);
#include "test_cli_bench.moc"
