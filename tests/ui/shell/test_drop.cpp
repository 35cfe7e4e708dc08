// Files of every kind, dropped on the window or given to File, Open.
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>

#include "db/data_sets.h"
#include "db/database.h"
#include "tests/support/test_registry.h"
#include "tests/ui/shell/window_fixture.h"
#include "ui/pages/data/data_page.h"
#include "ui/pages/data/data_sets_panel.h"
#include "ui/pages/data/models_panel.h"
#include "ui/pages/runs/runs_page.h"

using namespace hloscope;
using namespace hloscope::ui;

namespace {

template <typename T>
T& shownPage(MainWindow& window) {
  for (Page* page : window.pages()) {
    if (auto* found = qobject_cast<T*>(page)) return *found;
  }
  qFatal("there is no such page");
}

struct Dropped : testing::WindowFixture {
  void drop(const QList<QUrl>& urls) {
    QMimeData data;
    data.setUrls(urls);
    const QPoint at(400, 300);
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window(), &enter);
    if (!enter.isAccepted()) qFatal("the drag was not taken");
    QDropEvent event(QPointF(at), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window(), &event);
    settle();
  }
  void drop(const QString& path) { drop(QList<QUrl>{QUrl::fromLocalFile(path)}); }
  void settle() {
    for (int quiet = 0; quiet < 3; ++quiet) {
      QTRY_VERIFY_WITH_TIMEOUT(window().tasks().isIdle(), 60'000);
      QTest::qWait(5);
    }
  }
  [[nodiscard]] QString pageId() { return window().currentPage()->id(); }
  [[nodiscard]] const ErrorStrip::Message* message() { return window().errors().current(); }
};

}  // namespace

class TestDrop : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::fail_on_warnings(); }

  void a_program_and_a_tuning_file_are_shown() {
    Dropped dropped;
    dropped.drop(dropped.write("one.hlo", testing::kOneKernel));
    QCOMPARE(dropped.pageId(), QStringLiteral("graph"));
    QCOMPARE(dropped.window().workspace().files().size(), size_t{1});
    dropped.drop(QStringLiteral(HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb"));
    QCOMPARE(dropped.window().workspace().reports().size(), size_t{9});
    QVERIFY(dropped.message() == nullptr);
  }

  void a_results_file_and_a_data_set_go_to_their_pages() {
    Dropped dropped;
    const QString results = dropped.folder().filePath("other.hloscope");
    QVERIFY(db::Database::open(results.toStdString()));
    dropped.drop(results);
    QTRY_COMPARE(dropped.pageId(), QStringLiteral("runs"));
    QCOMPARE(shownPage<RunsPage>(dropped.window()).database(), results.toStdString());
    const QString set = dropped.folder().filePath("set.hloscope");
    {
      db::Database database = *db::Database::open(set.toStdString());
      data::DataSetInfo info;
      info.name = "set";
      QVERIFY(db::DataSets(database).create(info, {}));
    }
    dropped.drop(set);
    QTRY_COMPARE(dropped.pageId(), QStringLiteral("data"));
    QCOMPARE(shownPage<DataPage>(dropped.window()).dataSets()->paths(), QStringList{set});
    QVERIFY(dropped.message() == nullptr);
  }

  void a_model_is_listed_among_the_models() {
    Dropped dropped;
    const QString model =
        QStringLiteral(HLOSCOPE_SOURCE_DIR "/resources/models/tpu_v3_tile-1.safetensors");
    dropped.drop(model);
    QCOMPARE(dropped.pageId(), QStringLiteral("data"));
    QCOMPARE(shownPage<DataPage>(dropped.window()).models()->files(), QStringList{model});
    QVERIFY(dropped.message() == nullptr);
  }

  // Files of TpuGraphs hold kernels without a program: they become a data set.
  void archives_are_offered_for_import_data() {
    QTest::addColumn<bool>("dropped_on_window");
    QTest::newRow("dropped") << true;
    QTest::newRow("opened") << false;
  }
  void archives_are_offered_for_import() {
    QFETCH(const bool, dropped_on_window);
    Dropped dropped;
    const QString one = dropped.write("a.npz", QString::fromLatin1("PK\x03\x04 and so on"));
    const QString two = dropped.write("b.npz", QString::fromLatin1("PK\x03\x04 and so on"));
    if (dropped_on_window) {
      dropped.drop({QUrl::fromLocalFile(one), QUrl::fromLocalFile(two)});
    } else {
      dropped.window().workspace().open(QStringList{one, two});
    }
    QCOMPARE(dropped.pageId(), QStringLiteral("data"));
    QVERIFY(dropped.message() != nullptr);
    QVERIFY(dropped.message()->text.contains("a.npz") &&
            dropped.message()->text.contains("1 more"));
    QCOMPARE(dropped.message()->action_text, QStringLiteral("Import…"));
    QVERIFY(dropped.window().workspace().files().empty());
  }

  void op_stats_wait_for_their_program() {
    Dropped dropped;
    dropped.drop(dropped.write("stats.csv",
                               "HLO op name,HLO op category,#Occurrences,"
                               "Total time (us)\nnegate.7,non-fusion,1,5\n"));
    // Whether the program holds these is told when it is opened.
    QVERIFY(dropped.window().workspace().files().empty());
    QVERIFY(dropped.message() == nullptr);
  }

  void a_folder_opens_what_is_in_it() {
    Dropped dropped;
    QVERIFY(QDir(dropped.folder().path()).mkdir("dump"));
    dropped.write("dump/one.hlo", testing::kOneKernel);
    dropped.write("dump/two.txt", testing::kTwoKernels);
    dropped.write("dump/notes.md", "no program");
    dropped.drop(dropped.folder().filePath("dump"));
    QCOMPARE(dropped.window().workspace().files().size(), size_t{2});
    QVERIFY(dropped.message() == nullptr);
  }

  void a_large_and_an_empty_folder_say_what_to_do() {
    Dropped dropped;
    QVERIFY(QDir(dropped.folder().path()).mkdir("empty"));
    dropped.drop(dropped.folder().filePath("empty"));
    QVERIFY(dropped.message() != nullptr && !dropped.message()->is_warning);
    QVERIFY(dropped.message()->hint.contains(".npz"));
    QVERIFY(QDir(dropped.folder().path()).mkdir("large"));
    for (int i = 0; i < 30; ++i) {
      dropped.write(QStringLiteral("large/%1.hlo").arg(i), testing::kOneKernel);
    }
    Dropped other;
    other.drop(dropped.folder().filePath("large"));
    QVERIFY(other.message() != nullptr && other.message()->text.contains("30 files"));
    QCOMPARE(other.message()->action_text, QStringLiteral("Choose…"));
    QVERIFY(other.window().workspace().files().empty());
  }

  void what_is_not_known_names_what_is() {
    const QByteArray picture("\x89PNG\r\n\x1a\n and a picture");
    Dropped dropped;
    const QString path = dropped.folder().filePath("a.png");
    {
      QFile file(path);
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(picture);
    }
    dropped.drop(path);
    QVERIFY(dropped.message() != nullptr && !dropped.message()->is_warning);
    for (const char* kind : {".hlo", ".npz", ".json", ".hloscope", ".safetensors"}) {
      QVERIFY2(dropped.message()->hint.contains(kind), qPrintable(dropped.message()->hint));
    }
    Dropped text;
    text.drop(text.write("notes.txt", "hello world, notes\n"));
    QVERIFY(text.message() != nullptr && text.message()->hint.contains(".npz"));
    // What is wrong in a line of HLO is told with that line.
    Dropped wrong;
    wrong.drop(
        wrong.write("bad.hlo", "HloModule m\nENTRY e {\n  ROOT p = f32[8] paramete(0)\n}\n"));
    QVERIFY(wrong.message() != nullptr && !wrong.message()->hint.contains(".npz"));
  }

  void what_is_no_file_is_refused() {
    Dropped dropped;
    dropped.drop({QUrl("https://example.org/one.hlo")});
    QVERIFY(dropped.message() != nullptr);
    QVERIFY(dropped.message()->hint.contains(".hlo"));
  }
};

HLOSCOPE_TEST(TestDrop);
#include "test_drop.moc"
