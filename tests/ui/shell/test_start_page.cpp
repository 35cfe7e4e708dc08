#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QSignalSpy>
#include <QToolButton>

#include "tests/support/test_registry.h"
#include "tests/ui/shell/window_fixture.h"
#include "ui/pages/start/recent_table.h"
#include "ui/pages/start/start_page.h"
#include "ui/pages/start/start_widgets.h"

namespace hloscope::testing {

using namespace ui;

class TestStartPage : public QObject {
  Q_OBJECT
 private slots:
  void init() { fail_on_warnings(); }

  void readsTheListOfSamples() {
    const WindowFixture fixture;
    fixture.write("a.hlo", kOneKernel);
    fixture.write("samples.json", R"([
      {"file": "a.hlo", "title": "A", "note": "first"},
      {"file": "gone.hlo", "title": "B", "note": "is not there"}])");
    const auto samples = readSamples(fixture.folder().path());
    QCOMPARE(samples.size(), 1U);
    QCOMPARE(samples.front().title, "A");
    QCOMPARE(samples.front().path, fixture.folder().filePath("a.hlo"));
    QCOMPARE(samples.front().bytes, qint64(qstrlen(kOneKernel)));
    QVERIFY(readSamples(fixture.folder().filePath("none")).empty());
  }

  void everyShippedSampleOpens() {
    const auto samples = readSamples(samplesFolder());
    QVERIFY(!samples.empty());
    WindowFixture fixture;
    Workspace& workspace = fixture.window().workspace();
    for (const SampleEntry& sample : samples) workspace.open(QStringList{sample.path});
    QTRY_VERIFY_WITH_TIMEOUT(fixture.window().tasks().isIdle(), 120'000);
    const auto* error = fixture.window().errors().current();
    QVERIFY2(error == nullptr || error->is_warning, error ? qPrintable(error->details) : "");
    QCOMPARE(workspace.files().size(), samples.size());
  }

  void opensSamplesByAClick() {
    StartPage page;
    page.setSamples({{"/x/a.hlo", "A", "first", 10}});
    QSignalSpy opened(&page, &StartPage::openRequested);
    page.findChild<SampleRow*>()->click();
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened.front().front().toStringList(), QStringList("/x/a.hlo"));
  }

  void opensAndForgetsRecentFilesByKey() {
    RecentTable table;
    const QAbstractItemModelTester tester(&table.entriesModel(),
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    RecentEntry here{"/x/here.hlo", "3 instructions", 45'100, QDateTime::currentDateTime(), true};
    RecentEntry gone{"/x/gone.hlo", "", 0, QDateTime::currentDateTime(), false};
    table.setEntries({here, gone});
    QSignalSpy opened(&table, &RecentTable::openRequested);
    QSignalSpy located(&table, &RecentTable::locateRequested);
    QSignalSpy forgotten(&table, &RecentTable::forgetRequested);
    QTest::keyClick(&table, Qt::Key_Return);
    QCOMPARE(opened.front().front().toStringList(), QStringList("/x/here.hlo"));
    QTest::keyClick(&table, Qt::Key_Down);
    QTest::keyClick(&table, Qt::Key_Return);
    QCOMPARE(located.front().front().toString(), "/x/gone.hlo");
    QTest::keyClick(&table, Qt::Key_Delete);
    QCOMPARE(forgotten.front().front().toString(), "/x/gone.hlo");
    const RecentModel& model = table.entriesModel();
    QCOMPARE(model.index(0, RecentModel::kSize).data().toString(), "45.1 kB");
    QCOMPARE(model.index(1, RecentModel::kContent).data().toString(), "file not found");
    QVERIFY(model.index(1, RecentModel::kName).data(Qt::FontRole).value<QFont>().strikeOut());
  }

  void copiesCommands() {
    CopyLine line("XLA_FLAGS=--xla_dump_to=dump");
    line.findChild<QToolButton*>()->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), "XLA_FLAGS=--xla_dump_to=dump");
  }

  void saysWhenAFileWasOpened() {
    const QDateTime now(QDate(2026, 3, 10), QTime(15, 0));
    QCOMPARE(openedText(QDateTime(QDate(2026, 3, 10), QTime(13, 52)), now), "today 13:52");
    QCOMPARE(openedText(QDateTime(QDate(2026, 3, 9), QTime(23, 59)), now), "yesterday");
    QCOMPARE(openedText(QDateTime(QDate(2026, 3, 7), QTime(1, 0)), now), "3 days ago");
    QCOMPARE(openedText(QDateTime(QDate(2025, 3, 7), QTime(1, 0)), now), "2025-03-07");
  }
};

HLOSCOPE_TEST(TestStartPage);

}  // namespace hloscope::testing

#include "test_start_page.moc"
