// Open programs and the results file, changed on the disk by somebody else.
#include <QLabel>
#include <filesystem>

#include "db/kept_database.h"
#include "tests/support/test_registry.h"
#include "tests/ui/shell/window_fixture.h"
#include "ui/pages/file_watch.h"
#include "ui/shell/window_status.h"

using namespace hloscope;
using namespace hloscope::ui;
namespace fs = std::filesystem;

namespace {

struct Opened : testing::WindowFixture {
  QString path;

  Opened() {
    path = write("f.hlo", testing::kTwoKernels);
    window().workspace().open(QStringList{path});
    settle();
  }
  void settle() {
    for (int quiet = 0; quiet < 3; ++quiet) {
      QTRY_VERIFY_WITH_TIMEOUT(window().tasks().isIdle(), 60'000);
      QTest::qWait(5);
    }
  }
  /// Twice: what is written is told when it has come to rest.
  void look() {
    for (int i = 0; i < 2; ++i) {
      window().findChild<FileWatch*>(QString(), Qt::FindDirectChildrenOnly)->check();
      settle();
    }
  }
  [[nodiscard]] const ErrorStrip::Message* message() { return window().errors().current(); }
  [[nodiscard]] QString stored() { return window().workspace().store().stateText(); }
  [[nodiscard]] bool statusSays(const QString& text) {
    const QList<QLabel*> labels = window().statusBar()->findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(),
                       [&text](const QLabel* label) { return label->text().contains(text); });
  }
};

}  // namespace

class TestDiskChanges : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::fail_on_warnings(); }

  void a_program_written_in_place_can_be_read_again() {
    Opened opened;
    opened.look();
    QVERIFY(opened.message() == nullptr);
    opened.write("f.hlo", testing::kOneKernel);
    opened.look();
    QVERIFY(opened.message() != nullptr && opened.message()->is_warning);
    QVERIFY2(opened.message()->text.contains("f.hlo has changed on disk"),
             qPrintable(opened.message()->text));
    QVERIFY(opened.message()->hint.contains("F5"));
    QCOMPARE(opened.message()->action_text, QStringLiteral("Read again"));
    QCOMPARE(opened.window().workspace().report()->module.program->name(), "two_kernels");
    QTest::keyClick(&opened.window(), Qt::Key_F5);
    opened.settle();
    QCOMPARE(opened.window().workspace().report()->module.program->name(), "one_kernel");
    QVERIFY(opened.message() == nullptr);
    opened.look();
    QVERIFY(opened.message() == nullptr);
  }

  void a_program_that_is_replaced_deleted_and_put_back_says_so() {
    Opened opened;
    const fs::path path = opened.path.toStdString();
    fs::rename(opened.write("g.hlo", testing::kOneKernel).toStdString(), path);
    opened.look();
    QVERIFY(opened.message() != nullptr);
    const auto read_again = opened.message()->action;
    read_again();
    opened.settle();
    QCOMPARE(opened.window().workspace().report()->module.program->name(), "one_kernel");
    QVERIFY(opened.message() == nullptr);
    const fs::path away = path.string() + ".away";
    fs::rename(path, away);
    opened.look();
    QVERIFY(opened.message() != nullptr);
    QVERIFY2(opened.message()->text.contains("was deleted or moved"),
             qPrintable(opened.message()->text));
    fs::rename(away, path);
    opened.look();
    QVERIFY(opened.message() == nullptr);
  }

  void what_is_told_of_a_program_goes_with_it() {
    Opened opened;
    opened.write("f.hlo", testing::kOneKernel);
    opened.look();
    QVERIFY(opened.message() != nullptr);
    opened.window().workspace().closeAll();
    opened.settle();
    QVERIFY(opened.message() == nullptr);
  }

  void a_deleted_results_file_holds_nothing_any_more() {
    Opened opened;
    opened.look();
    QVERIFY2(opened.stored().contains("all saved"), qPrintable(opened.stored()));
    const fs::path path = opened.database();
    const fs::path away = path.string() + ".away";
    fs::rename(path, away);
    opened.look();
    QVERIFY2(opened.stored().contains("gone, not saved"), qPrintable(opened.stored()));
    QVERIFY(opened.statusSays("gone, not saved") && !opened.statusSays("all saved"));
    QVERIFY(opened.message() != nullptr && opened.message()->is_warning);
    QCOMPARE(opened.message()->action_text, QStringLiteral("Save again"));
    // Put back: it is all there.
    fs::rename(away, path);
    opened.look();
    QVERIFY2(opened.stored().contains("all saved"), qPrintable(opened.stored()));
    QVERIFY(opened.message() == nullptr);
    // Deleted for good, and saved again.
    fs::remove(path);
    opened.look();
    QVERIFY(opened.message() != nullptr);
    const auto save_again = opened.message()->action;
    save_again();
    opened.settle();
    QVERIFY(fs::exists(path));
    QVERIFY2(opened.stored().contains("all saved"), qPrintable(opened.stored()));
    QVERIFY(opened.message() == nullptr);
  }

  void another_results_file_in_its_place_is_not_the_one_that_was_saved_data() {
    QTest::addColumn<bool>("in_place");
    QTest::newRow("renamed into its place") << false;
    QTest::newRow("copied over it") << true;
  }
  void another_results_file_in_its_place_is_not_the_one_that_was_saved() {
    QFETCH(const bool, in_place);
    Opened opened;
    const fs::path other = opened.folder().filePath("other.hloscope").toStdString();
    QVERIFY(db::Database::open(other));
    const fs::path path = opened.database();
    if (in_place) {
      QFile from(QString::fromStdString(other.string()));
      QFile to(QString::fromStdString(path.string()));
      QVERIFY(from.open(QIODevice::ReadOnly));
      QVERIFY(to.open(QIODevice::WriteOnly | QIODevice::Truncate));
      to.write(from.readAll());
    } else {
      fs::rename(other, path);
    }
    opened.look();
    QVERIFY2(opened.stored().contains("another file now, not saved"), qPrintable(opened.stored()));
    QVERIFY(opened.message() != nullptr);
    const auto save_again = opened.message()->action;
    save_again();
    opened.settle();
    QVERIFY2(opened.stored().contains("all saved"), qPrintable(opened.stored()));
  }

  void what_is_said_of_the_place_of_the_results_file_follows_what_lies_there() {
    Opened opened;
    const fs::path path = opened.database();
    fs::remove(path);
    opened.write(QString::fromStdString(path.filename().string()), "no database at all, by far");
    opened.look();
    QVERIFY(opened.message() != nullptr);
    QVERIFY2(opened.message()->text.contains("not a hloscope results file"),
             qPrintable(opened.message()->text));
    const fs::path other = opened.folder().filePath("other.hloscope").toStdString();
    QVERIFY(db::Database::open(other));
    fs::rename(other, path);
    opened.look();
    QVERIFY(opened.message() != nullptr);
    QVERIFY2(opened.message()->text.contains("another file lies in the place"),
             qPrintable(opened.message()->text));
    fs::remove(path);
    fs::create_directory(path);
    opened.look();
    QVERIFY(opened.message() != nullptr);
    QVERIFY2(opened.message()->text.contains("a folder"), qPrintable(opened.message()->text));
  }

  void a_copy_of_the_results_file_is_as_good() {
    Opened opened;
    const fs::path path = opened.database();
    const fs::path copy = path.string() + ".copy";
    fs::copy_file(path, copy);
    fs::rename(copy, path);
    opened.look();
    QVERIFY2(opened.stored().contains("all saved"), qPrintable(opened.stored()));
    QVERIFY(opened.message() == nullptr);
  }
};

HLOSCOPE_TEST(TestDiskChanges);
#include "test_disk_changes.moc"
