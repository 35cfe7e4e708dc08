#include "tests/cli/cli_process.h"
#include "tests/cli/folder_test.h"
#include "tests/support/test_registry.h"

/// Texts fit in a terminal of 100 columns; what is cut there is whole in CSV, files and pipes.
class TestCliWidth : public hloscope::testing::FolderTest {
  Q_OBJECT
 private slots:
  void initTestCase() { qputenv("COLUMNS", "100"); }
  void cleanupTestCase() { qunsetenv("COLUMNS"); }

  void lines_of_samples_fit_data() {
    QTest::addColumn<QString>("arguments");
    QTest::newRow("models") << "models";
    for (const char* command :
         {"info", "simulate", "kernels", "kernels --baseline tpu_v2", "predict", "costs"}) {
      for (const char* sample : {"mobilenet_v2.hlo", "tpu_v3_tiles.pb",
                                 "gpt2_scan_remat_train.cpu_after_optimizations.txt"}) {
        const QString all = QStringLiteral("%1 samples/%2").arg(command, sample);
        // Measured times and changes of all times together need more.
        if (all.contains("--baseline") && all.endsWith(".pb")) continue;
        QTest::newRow(qPrintable(all)) << all;
      }
    }
    QTest::newRow("accuracy") << "accuracy samples/tpu_v3_tiles.pb";
    QTest::newRow("accuracy of runs") << "accuracy samples/tpu_v3_tiles.pb --runs";
  }
  void lines_of_samples_fit() {
    QFETCH(const QString, arguments);
    QStringList words = arguments.split(' ');
    for (QString& word : words) {
      if (word.startsWith("samples/")) word = QStringLiteral(HLOSCOPE_SOURCE_DIR "/") + word;
    }
    const Outcome outcome = run(words);
    QCOMPARE(outcome.code, 0);
    const QStringList lines = QString::fromUtf8(outcome.out).split('\n');
    QVERIFY(lines.size() > 4);
    for (const QString& line : lines) {
      // The user's own path stands whole in a line of its own.
      if (line.startsWith(HLOSCOPE_SOURCE_DIR)) {
        if (line.contains(':') || line.contains(", ") || !line.contains("  ")) continue;
      }
      QVERIFY2(line.size() <= 100, qPrintable(line));
    }
  }
  void names_are_cut_in_text_only() {
    const QString file = QStringLiteral(
        HLOSCOPE_SOURCE_DIR "/samples/gpt2_scan_remat_train.cpu_after_optimizations.txt");
    const QByteArray text = run({"kernels", file, "--sort", "name"}).out;
    QVERIFY(text.contains("…"));
    const QByteArray csv = run({"kernels", file, "--sort", "name", "--csv"}).out;
    QVERIFY(!csv.contains("…\","));
    QVERIFY(csv.contains("compare_broadcast_fusion"));
    QVERIFY(csv.startsWith("kernel,class,instructions,executions,"));
    qunsetenv("COLUMNS");
    const QByteArray piped = run({"kernels", file, "--sort", "name"}).out;
    qputenv("COLUMNS", "100");
    QVERIFY(!text.contains("compare_broadcast_fusion"));
    QVERIFY(piped.contains("compare_broadcast_fusion"));
    QVERIFY(piped.contains("FLOPs"));
  }
  void predicted_times_of_kernels_unlike_the_training_data_are_marked() {
    const QString file = QStringLiteral(
        HLOSCOPE_SOURCE_DIR "/samples/gpt2_scan_remat_train.cpu_after_optimizations.txt");
    const QByteArray csv = run({"kernels", file, "--csv"}).out;
    const QList<QByteArray> lines = csv.split('\n');
    const auto column = lines.front().split(',').indexOf("is_far");
    QVERIFY(column > 0);
    int far = 0;
    for (const QByteArray& line : lines.mid(1)) far += line.split(',').value(column) == "1" ? 1 : 0;
    QVERIFY(far > 0);
    const QByteArray text = run({"kernels", file}).out;
    QCOMPARE(text.count(" !"), far);
    QVERIFY(text.endsWith("! unlike the kernels that the model learned from\n"));
  }
};

HLOSCOPE_TEST(TestCliWidth);
#include "test_cli_width.moc"
