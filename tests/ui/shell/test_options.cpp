#include <QImage>
#include <QProcess>

#include "app/gui/options.h"
#include "tests/support/test_registry.h"
#include "tests/ui/shell/window_fixture.h"

namespace hloscope::testing {

class TestOptions : public QObject {
  Q_OBJECT
 private:
  static QProcess& start(QProcess& process, const QStringList& arguments) {
    process.start(HLOSCOPE_BINARY_DIR "/hloscope", arguments);
    process.waitForFinished(120'000);
    return process;
  }

 private slots:
  void init() { fail_on_warnings(); }

  void readsAllOptions() {
    const auto options = gui::parseOptions(
        {"--theme",   "dark",   "a.hlo",        "--size", "1280x800", "--scale",      "1.5",
         "--machine", "tpu_v4", "--screenshot", "graph",  "g.png",    "--screenshot", "start",
         "s.png",     "--raw",  "--model",      "a,b",    "--",       "-b.hlo"});
    QVERIFY(options);
    QCOMPARE(options->files, QStringList({"a.hlo", "-b.hlo"}));
    QCOMPARE(options->theme, ui::ThemeMode::kDark);
    QCOMPARE(options->size, QSize(1280, 800));
    QCOMPARE(options->scale, 1.5);
    QVERIFY(options->raw);
    QCOMPARE(options->models, QStringList({"a", "b"}));
    QCOMPARE(options->screenshots.size(), 2U);
    QCOMPARE(options->screenshots[1].file, "s.png");
  }

  void refusesWrongOptions_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("unknown") << QStringList{"--frobnicate"};
    QTest::newRow("value missing") << QStringList{"--screenshot", "graph"};
    QTest::newRow("theme") << QStringList{"--theme", "blue"};
    QTest::newRow("size") << QStringList{"--size", "1280"};
    QTest::newRow("negative size") << QStringList{"--size", "-1x5"};
    QTest::newRow("scale") << QStringList{"--scale", "40"};
  }
  void refusesWrongOptions() {
    QFETCH(QStringList, arguments);
    const auto options = gui::parseOptions(arguments);
    QVERIFY(!options);
    QVERIFY(!options.error().message.empty());
  }

  void writesPictures() {
    const WindowFixture fixture;
    const QString file = fixture.write("two.hlo", kTwoKernels);
    const QString picture = fixture.folder().filePath("graph.png");
    QProcess process;
    start(process,
          {"--size", "1280x800", "--theme", "dark", "--screenshot", "graph", picture, file});
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
    const QImage image(picture);
    QCOMPARE(image.size(), QSize(1280, 800));
    QVERIFY(image.pixelColor(5, 790).lightness() < 80);
    QVERIFY(!QFile::exists(QString::fromStdString(fixture.database())));
  }

  void failsOnABadFile() {
    const WindowFixture fixture;
    const QString file = fixture.write("bad.hlo", "HloModule m\n\nENTRY main {\n");
    const QString picture = fixture.folder().filePath("graph.png");
    QProcess process;
    start(process, {"--screenshot", "graph", picture, file});
    QCOMPARE(process.exitCode(), 1);
    QVERIFY(process.readAllStandardError().contains("bad.hlo:"));
    QVERIFY(!QFile::exists(picture));
    start(process, {"--screenshot", "nonsense", picture});
    QCOMPARE(process.exitCode(), 2);
    QVERIFY(process.readAllStandardError().contains("start, graph, compare"));
    QVERIFY(!QFile::exists(picture));
    // Nor are the files opened that stand before it, or the pages before it drawn.
    start(process, {"--screenshot", "graph", picture, "--screenshot", "nonsense", picture, file});
    QCOMPARE(process.exitCode(), 2);
    QVERIFY(!QFile::exists(picture));
    start(process, {"--nonsense"});
    QCOMPARE(process.exitCode(), 2);
  }

  void saysItsVersion() {
    QProcess process;
    start(process, {"--version"});
    QCOMPARE(process.exitCode(), 0);
    QVERIFY(process.readAllStandardOutput().startsWith("hloscope "));
  }
};

HLOSCOPE_TEST(TestOptions);

}  // namespace hloscope::testing

#include "test_options.moc"
