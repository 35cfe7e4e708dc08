#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QThread>

#include "db/database.h"
#include "db/store.h"
#include "tests/support/test_registry.h"
#include "tests/ui/shell/window_fixture.h"
#include "ui/models/filter_edit.h"

namespace hloscope::testing {

using ui::Selection;

class TestMainWindow : public QObject {
  Q_OBJECT
 private slots:
  void init() { fail_on_warnings(); }

  void opensAFile() {
    WindowFixture fixture;
    ui::MainWindow& window = fixture.window();
    QCOMPARE(window.currentPage()->id(), "start");
    const QString path = fixture.write("two.hlo", kTwoKernels);
    window.workspace().open(QStringList{path});
    QTRY_VERIFY(window.workspace().report());
    QCOMPARE(window.workspace().report()->kernels.kernels.size(), 2U);
    QCOMPARE(window.currentPage()->id(), "graph");
    QCOMPARE(window.windowTitle(), "two_kernels — hloscope");
    QCOMPARE(window.recent().entries().size(), 1U);
    QCOMPARE(window.recent().entries().front().path, path);
    QVERIFY(window.errors().current() == nullptr);
  }

  void inASmallWindowPagesScroll() {
    WindowFixture fixture;
    ui::MainWindow& window = fixture.window();
    window.workspace().open(QStringList{fixture.write("two.hlo", kTwoKernels)});
    QTRY_VERIFY(window.workspace().report());
    window.resize(window.minimumSize());
    for (ui::Page* page : window.pages()) {
      QVERIFY(window.showPage(page->id()));
      QTRY_VERIFY(window.tasks().isIdle() && page->isReady());
      QCoreApplication::processEvents();
      for (const auto* button : page->findChildren<QPushButton*>()) {
        if (!button->isVisible()) continue;
        const QString what = page->id() + ": " + button->text();
        QVERIFY2(button->width() >= button->minimumSizeHint().width(), qPrintable(what));
        QVERIFY2(button->height() >= button->minimumSizeHint().height(), qPrintable(what));
      }
    }
    QCOMPARE(window.size(), window.minimumSize());
  }

  void theFilterKeyFindsTheFilterOfThePage() {
    WindowFixture fixture;
    ui::MainWindow& window = fixture.window();
    for (const char* id : {"autotune", "runs"}) {
      QVERIFY(window.showPage(id));
      window.commands().find("go.filter")->trigger();
      QWidget* focus = QApplication::focusWidget();
      QVERIFY2(focus != nullptr && focus->objectName() == ui::kFilterName, id);
      QVERIFY2(window.currentPage()->isAncestorOf(focus), id);
    }
  }

  void storesWhatItOpened() {
    WindowFixture fixture;
    fixture.window().workspace().open(QStringList{fixture.write("two.hlo", kTwoKernels)});
    QTRY_COMPARE(fixture.window().workspace().store().state(), ui::ResultStore::State::kSaved);
    auto database = db::Database::open(fixture.database(), db::OpenMode::kReadOnly);
    QVERIFY(database);
    const auto runs = db::list_runs(*database);
    QVERIFY(runs);
    QCOMPARE(runs->size(), 3U);  // newest first
    QCOMPARE(runs->front().key.source_kind, std::string(db::kPredicted));
    QVERIFY(runs->front().key.settings.find("tpu_v3_fusion") != std::string::npos);
    QCOMPARE((*runs)[1].key.source_kind, std::string(db::kAnalytical));
    QCOMPARE(runs->back().key.source_kind, std::string(db::kSimulator));
    QCOMPARE(runs->front().program_name, "two_kernels");
    QCOMPARE(runs->front().key.machine_id, "tpu_v3");
  }

  void showsAStripForABadFile() {
    WindowFixture fixture;
    ui::MainWindow& window = fixture.window();
    const QString path =
        fixture.write("bad.hlo", "HloModule m\n\nENTRY main {\n  ROOT x = f32[2 y\n}\n");
    window.workspace().open(QStringList{path});
    QTRY_VERIFY(window.errors().current() != nullptr);
    const ui::ErrorStrip::Message& message = *window.errors().current();
    QVERIFY(!message.is_warning);
    QVERIFY2(message.place.startsWith(path + ", line 4"), qPrintable(message.place));
    QVERIFY(message.details.contains("^"));
    QVERIFY(window.errors().isVisible());
    QVERIFY(!window.workspace().report());
    QCOMPARE(window.currentPage()->id(), "start");
    // Retry after the file was repaired closes the strip and shows the program.
    fixture.write("bad.hlo", kOneKernel);
    message.action();
    QTRY_VERIFY(window.workspace().report());
    QVERIFY(window.errors().current() == nullptr);
    QVERIFY(!window.errors().isVisible());
  }

  void keepsTheProgramWhenAnotherFileIsBad() {
    WindowFixture fixture;
    ui::MainWindow& window = fixture.window();
    window.workspace().open(QStringList{fixture.write("two.hlo", kTwoKernels)});
    QTRY_VERIFY(window.workspace().report());
    window.workspace().open(QStringList{fixture.folder().filePath("absent.hlo")});
    QTRY_VERIFY(window.errors().current() != nullptr);
    QCOMPARE(window.windowTitle(), "two_kernels — hloscope");
    QCOMPARE(window.workspace().files().size(), 1U);
  }

  void opensAModuleByItsNumber() {
    WindowFixture fixture;
    ui::MainWindow& window = fixture.window();
    const QByteArray text = QByteArray(kTwoKernels) + "\n// -----\n" + kOneKernel;
    const QString path = fixture.write("both.hlo", text.constData());
    window.workspace().open(QStringList{path + "#2"});
    QTRY_VERIFY(window.workspace().report());
    QCOMPARE(window.windowTitle(), "one_kernel — hloscope");
    QCOMPARE(window.workspace().files().front().reports.size(), 2U);
    window.workspace().open(QStringList{path + "#3"});
    QTRY_VERIFY(window.errors().current() != nullptr);
    QVERIFY(window.errors().current()->details.contains("numbered from 1 to 2"));
  }

  void reloadsAChangedFile() {
    WindowFixture fixture;
    ui::MainWindow& window = fixture.window();
    const QString path = fixture.write("f.hlo", kTwoKernels);
    window.workspace().open(QStringList{path});
    QTRY_VERIFY(window.workspace().report());
    fixture.write("f.hlo", kOneKernel);
    QTest::keyClick(&window, Qt::Key_F5);
    QTRY_COMPARE(window.windowTitle(), "one_kernel — hloscope");
    QCOMPARE(window.workspace().files().size(), 1U);
  }

  void dropsOpenFiles() {
    WindowFixture fixture;
    ui::MainWindow& window = fixture.window();
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(fixture.write("one.hlo", kOneKernel)),
                  QUrl::fromLocalFile(fixture.write("two.hlo", kTwoKernels))});
    QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &drop);
    QTRY_COMPARE(window.workspace().files().size(), 2U);
    QCOMPARE(window.workspace().reports().size(), 2U);
  }

  void pastesText() {
    WindowFixture fixture;
    ui::MainWindow& window = fixture.window();
    QApplication::clipboard()->setText(QString());
    window.commands().find("file.paste")->trigger();
    QVERIFY(window.errors().current() != nullptr);
    QApplication::clipboard()->setText(kOneKernel);
    window.commands().find("file.paste")->trigger();
    QTRY_VERIFY(window.workspace().report());
    QCOMPARE(window.windowTitle(), "one_kernel — hloscope");
    // Pasted text has no file to come back to.
    QVERIFY(window.recent().entries().empty());
    QVERIFY(!window.commands().find("file.reload")->isEnabled());
  }

  void switchesTheTheme() {
    WindowFixture fixture;
    ui::MainWindow& window = fixture.window();
    window.commands().find("view.theme_dark")->trigger();
    QVERIFY(ui::theme().isDark());
    const QImage dark = window.grab().toImage();
    window.commands().find("view.theme_light")->trigger();
    QVERIFY(!ui::theme().isDark());
    const QImage light = window.grab().toImage();
    // A corner of the page: window colour in both.
    const QPoint corner(window.width() - 20, window.height() - 60);
    QVERIFY(dark.pixelColor(corner).lightness() < 80);
    QVERIFY(light.pixelColor(corner).lightness() > 200);
    QVERIFY(window.commands().find("view.theme_light")->isChecked());
  }

  void changesTheMachine() {
    WindowFixture fixture;
    ui::MainWindow& window = fixture.window();
    window.workspace().open(QStringList{fixture.write("two.hlo", kTwoKernels)});
    QTRY_VERIFY(window.workspace().report());
    window.workspace().select(nullptr, {graph::KernelId(1), {}});
    const double before = window.workspace().report()->analytical_total_ns;
    const auto machine = sim::find_machine("tpu_v5p");
    QVERIFY(machine);
    window.workspace().setMachine(*machine);
    QVERIFY(window.workspace().isStale());
    QTRY_VERIFY(!window.workspace().isStale());
    QCOMPARE(window.workspace().report()->machine.id, "tpu_v5p");
    QVERIFY(window.workspace().report()->analytical_total_ns != before);
    QCOMPARE(window.workspace().selection().kernel, graph::KernelId(1));
  }

  void walksTheSelectionBackAndForward() {
    WindowFixture fixture;
    ui::Workspace& workspace = fixture.window().workspace();
    workspace.open(QStringList{fixture.write("two.hlo", kTwoKernels)});
    QTRY_VERIFY(workspace.report());
    workspace.select(nullptr, {graph::KernelId(0), {}});
    workspace.select(nullptr, {graph::KernelId(1), {}});
    QVERIFY(workspace.canGoBack());
    workspace.goBack();
    QCOMPARE(workspace.selection().kernel, graph::KernelId(0));
    workspace.goBack();
    QVERIFY(!workspace.selection().kernel.valid());
    QVERIFY(!workspace.canGoBack());
    workspace.goForward();
    workspace.goForward();
    QCOMPARE(workspace.selection().kernel, graph::KernelId(1));
    QVERIFY(!workspace.canGoForward());
    // A selection made after going back cuts off what lay ahead.
    workspace.goBack();
    workspace.select(nullptr, {});
    QVERIFY(!workspace.canGoForward());
  }

  void filesOpenedTogetherKeepTheirOrder() {
    WindowFixture fixture;
    // The first one takes far longer to read than the second.
    QString text = QStringLiteral("HloModule long\n\nENTRY main {\n  v.0 = f32[8] parameter(0)\n");
    for (int i = 1; i <= 30000; ++i) {
      text += QStringLiteral("  v.%1 = f32[8] negate(v.%2)\n").arg(i).arg(i - 1);
    }
    text += QStringLiteral("  ROOT r = f32[8] negate(v.30000)\n}\n");
    const QStringList paths{fixture.write("a.hlo", text), fixture.write("b.hlo", kTwoKernels),
                            fixture.write("c.hlo", kOneKernel)};
    ui::Workspace& workspace = fixture.window().workspace();
    workspace.open(paths);
    QTRY_COMPARE_WITH_TIMEOUT(workspace.files().size(), 3U, 30000);
    for (size_t i = 0; i < 3; ++i) {
      QCOMPARE(workspace.files()[i].source.path, paths[static_cast<int>(i)]);
    }
    QCOMPARE(QString::fromStdString(workspace.report()->file_path), paths[0]);
    // What is opened afterwards is shown.
    workspace.open(QStringList{paths[2]});
    QTRY_COMPARE(QString::fromStdString(workspace.report()->file_path), paths[2]);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.window().tasks().isIdle(), 30000);
  }

  void restoresTheSession() {
    WindowFixture fixture;
    const QString path = fixture.write("two.hlo", kTwoKernels);
    fixture.window().workspace().open(QStringList{fixture.write("one.hlo", kOneKernel), path});
    QTRY_COMPARE(fixture.window().workspace().files().size(), 2U);
    ui::Workspace& workspace = fixture.window().workspace();
    workspace.select(workspace.find(path, 1), {graph::KernelId(1), {}});
    QVERIFY(fixture.window().showPage("compare"));
    fixture.remake();
    QVERIFY(!fixture.window().workspace().report());
    QVERIFY(fixture.window().commands().find("file.restore")->isEnabled());
    fixture.window().restoreSession();
    QTRY_COMPARE(fixture.window().workspace().files().size(), 2U);
    QCOMPARE(fixture.window().windowTitle(), "two_kernels — hloscope");
    QCOMPARE(fixture.window().workspace().selection().kernel, graph::KernelId(1));
    QCOMPARE(fixture.window().currentPage()->id(), "compare");
  }

  void showsDocksWithTheGraphOnly() {
    WindowFixture fixture;
    ui::MainWindow& window = fixture.window();
    auto* program = window.findChild<QDockWidget*>("program");
    QVERIFY(program != nullptr);
    QVERIFY(!program->isVisible());
    QTest::keyClick(&window, Qt::Key_2, Qt::ControlModifier);
    QCOMPARE(window.currentPage()->id(), "graph");
    QVERIFY(program->isVisible());
    // A panel that was closed stays closed when the page is shown again.
    program->close();
    QTest::keyClick(&window, Qt::Key_3, Qt::ControlModifier);
    QCOMPARE(window.currentPage()->id(), "compare");
    QVERIFY(!window.findChild<QDockWidget*>("kernels")->isVisible());
    QTest::keyClick(&window, Qt::Key_2, Qt::ControlModifier);
    QVERIFY(!program->isVisible());
    QVERIFY(window.findChild<QDockWidget*>("kernels")->isVisible());
    window.commands().find("view.reset_docks")->trigger();
    QVERIFY(program->isVisible());
  }

  void findsTheFilterOfThePanel() {
    WindowFixture fixture;
    ui::MainWindow& window = fixture.window();
    QVERIFY(window.showPage("graph"));
    QWidget* kernels = window.findChild<QDockWidget*>("kernels")->widget();
    kernels->findChild<QTableView*>()->setFocus();
    QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
    QCOMPARE(QApplication::focusWidget(), kernels->findChild<ui::FilterEdit*>());
    // The graph itself has no filter: the first panel that has one is taken.
    window.currentPage()->setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_F, Qt::ControlModifier);
    QWidget* program = window.findChild<QDockWidget*>("program")->widget();
    QCOMPARE(QApplication::focusWidget(), program->findChild<ui::FilterEdit*>());
    QTest::keyClick(&window, Qt::Key_F6);
    QVERIFY(!program->isAncestorOf(QApplication::focusWidget()));
  }

  void escapeCancelsTheNewestJob() {
    WindowFixture fixture;
    ui::MainWindow& window = fixture.window();
    bool delivered = false;
    window.tasks().run<int>(
        {.label = "endless"},
        [](const Progress& progress) {
          while (!progress.stop_requested()) QThread::yieldCurrentThread();
          return 0;
        },
        &window, [&delivered](int) { delivered = true; });
    QTest::keyClick(&window, Qt::Key_Escape);
    QTRY_VERIFY(window.tasks().isIdle());
    QVERIFY(!delivered);
  }

  void marksMissingRecentFiles() {
    WindowFixture fixture;
    const QString path = fixture.write("one.hlo", kOneKernel);
    fixture.window().workspace().open(QStringList{path});
    QTRY_COMPARE(fixture.window().recent().entries().size(), 1U);
    fixture.remake();
    QCOMPARE(fixture.window().recent().entries().size(), 1U);
    QCOMPARE(fixture.window().recent().entries().front().content, "2 instructions");
    QVERIFY(QFile::remove(path));
    fixture.window().recent().refresh();
    QVERIFY(!fixture.window().recent().entries().front().exists);
    fixture.window().recent().removeMissing();
    QVERIFY(fixture.window().recent().entries().empty());
  }

  void closesWhileLoading() {
    WindowFixture fixture;
    // Long enough to be in the middle of reading when the window goes.
    QString text = "HloModule long\n\nENTRY main {\n  v0 = f32[16]{0} parameter(0)\n";
    constexpr int kCount = 60'000;
    for (int i = 1; i < kCount; ++i) {
      text += QStringLiteral("  v%1 = f32[16]{0} negate(v%2)\n").arg(i).arg(i - 1);
    }
    text += QStringLiteral("  ROOT last = f32[16]{0} copy(v%1)\n}\n").arg(kCount - 1);
    fixture.window().workspace().open(QStringList{fixture.write("long.hlo", text)});
    QTest::qWait(5);
    QVERIFY(!fixture.window().tasks().isIdle());
    fixture.window().close();
    fixture.destroyWindow();
    QTest::qWait(5);
  }

  void closesFiles() {
    WindowFixture fixture;
    ui::MainWindow& window = fixture.window();
    window.workspace().open(
        QStringList{fixture.write("one.hlo", kOneKernel), fixture.write("two.hlo", kTwoKernels)});
    QTRY_COMPARE(window.workspace().files().size(), 2U);
    window.commands().find("file.close")->trigger();
    QCOMPARE(window.workspace().files().size(), 1U);
    QVERIFY(window.workspace().report());
    window.commands().find("file.close")->trigger();
    QVERIFY(!window.workspace().report());
    QCOMPARE(window.windowTitle(), "hloscope");
    QVERIFY(!window.commands().find("file.close")->isEnabled());
  }

  void tellsThatResultsCannotBeStored() {
    WindowFixture fixture;
    fixture.write("results.hloscope", "this is no database, but a text that someone keeps here\n");
    ui::MainWindow& window = fixture.window();
    window.workspace().open(QStringList{fixture.write("one.hlo", kOneKernel)});
    QTRY_VERIFY(window.errors().current() != nullptr);
    QVERIFY(window.errors().current()->is_warning);
    QCOMPARE(window.workspace().store().state(), ui::ResultStore::State::kFailed);
    QVERIFY(window.workspace().report());
  }
};

HLOSCOPE_TEST(TestMainWindow);

}  // namespace hloscope::testing

#include "test_main_window.moc"
