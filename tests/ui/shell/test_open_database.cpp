#include <QAction>
#include <filesystem>

#include "db/data_sets.h"
#include "db/programs.h"
#include "tests/support/test_registry.h"
#include "tests/ui/shell/window_fixture.h"
#include "ui/pages/data/data_page.h"
#include "ui/pages/data/data_sets_panel.h"
#include "ui/pages/runs/runs_page.h"

using namespace hloscope;
using namespace hloscope::ui;

namespace {

template <typename T>
T* pageOf(MainWindow& window) {
  for (Page* page : window.pages()) {
    if (auto* found = qobject_cast<T*>(page)) return found;
  }
  return nullptr;
}

}  // namespace

/// Files that hold no program, opened like any other.
class TestOpenDatabase : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::fail_on_warnings(); }

  void a_results_file_is_shown_on_the_page_runs() {
    testing::WindowFixture fixture;
    const QString path = fixture.folder().filePath("other.hloscope");
    QVERIFY(db::Database::open(path.toStdString()));
    fixture.window().workspace().open(QStringList{path});
    QTRY_COMPARE(fixture.window().currentPage()->id(), QStringLiteral("runs"));
    QTRY_VERIFY(fixture.window().tasks().isIdle());
    QCOMPARE(pageOf<RunsPage>(fixture.window())->database(), path.toStdString());
    QVERIFY(fixture.window().errors().current() == nullptr);
  }

  void a_data_set_is_shown_where_data_sets_are() {
    testing::WindowFixture fixture;
    const QString path = fixture.folder().filePath("set.hloscope");
    {
      db::Database database = *db::Database::open(path.toStdString());
      data::DataSetInfo info;
      info.name = "set";
      QVERIFY(db::DataSets(database).create(info, {}));
    }
    fixture.window().workspace().open(QStringList{path});
    QTRY_COMPARE(fixture.window().currentPage()->id(), QStringLiteral("data"));
    QTRY_VERIFY(fixture.window().tasks().isIdle());
    const DataSetsPanel* sets = pageOf<DataPage>(fixture.window())->dataSets();
    QCOMPARE(sets->paths(), QStringList{path});
    QVERIFY(sets->current() != nullptr);
    QVERIFY(sets->current()->state == db::DataSetState::kUnfinished);
  }

  void the_list_of_data_sets_is_there_again_without_the_session() {
    testing::WindowFixture fixture;
    QStringList paths;
    for (const char* name : {"one", "two"}) {
      paths << fixture.folder().filePath(QStringLiteral("%1.hloscope").arg(QLatin1String(name)));
      db::Database database = *db::Database::open(paths.back().toStdString());
      data::DataSetInfo info;
      info.name = name;
      QVERIFY(db::DataSets(database).create(info, {}));
    }
    pageOf<DataPage>(fixture.window())->openDataSets(paths);
    QTRY_VERIFY(fixture.window().tasks().isIdle());
    fixture.remake();
    QCOMPARE(pageOf<DataPage>(fixture.window())->dataSets()->paths(), paths);
    QTRY_VERIFY(fixture.window().tasks().isIdle());
    for (QAction* action : pageOf<DataPage>(fixture.window())->commands()) {
      if (action->objectName() == QStringLiteral("data.remove")) action->trigger();
    }
    QTRY_VERIFY(fixture.window().tasks().isIdle());
    fixture.remake();
    QCOMPARE(pageOf<DataPage>(fixture.window())->dataSets()->paths(), paths.mid(0, 1));
    QTRY_VERIFY(fixture.window().tasks().isIdle());
  }

  void results_go_into_the_file_that_lies_there_now() {
    testing::WindowFixture fixture;
    Workspace& workspace = fixture.window().workspace();
    const QString other = fixture.folder().filePath("other.hloscope");
    QVERIFY(db::Database::open(other.toStdString()));
    workspace.open(QStringList{fixture.write("two.hlo", testing::kTwoKernels)});
    QTRY_COMPARE(workspace.store().state(), ResultStore::State::kSaved);
    std::filesystem::rename(other.toStdString(), fixture.database());
    workspace.open(QStringList{fixture.write("one.hlo", testing::kOneKernel)});
    QTRY_COMPARE(workspace.files().size(), size_t{2});
    QTRY_VERIFY(fixture.window().tasks().isIdle());
    QCOMPARE(workspace.store().state(), ResultStore::State::kSaved);
    db::Database now = *db::Database::open(fixture.database(), db::OpenMode::kReadOnly);
    const auto programs = db::Programs(now).list({});
    QVERIFY(programs);
    QCOMPARE(programs->size(), size_t{1});
    QCOMPARE(programs->front().name, std::string("one_kernel"));
  }
};

HLOSCOPE_TEST(TestOpenDatabase);
#include "test_open_database.moc"
