#include "core/base/write_file.h"

#include <sys/resource.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <csignal>

#include "core/base/file_bytes.h"
#include "core/base/folder_files.h"
#include "core/base/staged_file.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

std::string in(const QTemporaryDir& folder, const char* name) {
  return folder.filePath(QString::fromLatin1(name)).toStdString();
}

}  // namespace

class TestWriteFile : public QObject {
  Q_OBJECT
 private slots:
  void a_new_file_and_one_that_is_replaced() {
    const QTemporaryDir folder;
    const std::string path = in(folder, "a.txt");
    QVERIFY(write_file(path, "first").has_value());
    QCOMPARE(*read_file_bytes(path), std::string("first"));
    QVERIFY(
        QFile::setPermissions(QString::fromStdString(path), QFile::ReadOwner | QFile::WriteOwner));
    QVERIFY(write_file(path, "second").has_value());
    QCOMPARE(*read_file_bytes(path), std::string("second"));
    const auto permissions = QFile::permissions(QString::fromStdString(path));
    QVERIFY(!permissions.testFlag(QFile::ReadOther));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
  }
  // A limit on the size of files stands for a full disk.
  void what_fails_leaves_the_old_file() {
    const QTemporaryDir folder;
    const std::string path = in(folder, "a.txt");
    QVERIFY(write_file(path, "old").has_value());
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{1024, before.rlim_max};
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    const Status status = write_file(path, std::string(100'000, 'x'));
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    QVERIFY(!status);
    QCOMPARE(status.error().code, ErrorCode::kIo);
    QCOMPARE(*read_file_bytes(path), std::string("old"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
  }
  void folders_that_are_not_there() {
    const Status status = write_file("/no/such/folder/a.txt", "x");
    QVERIFY(!status && status.error().code == ErrorCode::kIo);
    QVERIFY(!status.error().hint.empty());
  }
  // Written as they are: no file may take the place of a device or a link.
  void devices_and_links() {
    QVERIFY(write_file("/dev/null", "x").has_value());
    QVERIFY(!write_file("/dev/full", "x").has_value());
    const QTemporaryDir folder;
    const std::string target = in(folder, "target");
    QVERIFY(write_file(target, "x").has_value());
    const std::string link = in(folder, "link");
    QVERIFY(QFile::link(QString::fromStdString(target), QString::fromStdString(link)));
    QVERIFY(write_file(link, "through").has_value());
    QCOMPARE(*read_file_bytes(target), std::string("through"));
    QVERIFY(QFileInfo(QString::fromStdString(link)).isSymLink());
  }
  void several_files_are_replaced_together_or_not_at_all() {
    const QTemporaryDir folder;
    const std::string a = in(folder, "a");
    const std::string b = in(folder, "b");
    const std::string link = in(folder, "link");
    QVERIFY(write_file(a, "old a") && write_file(b, "old b"));
    QVERIFY(QFile::link(QString::fromStdString(b), QString::fromStdString(link)));
    const std::string none = "/no/such/folder/c";
    QCOMPARE(replace_files(std::vector<NewContent>{{a, "new"}, {none, "new"}}).error().code,
             ErrorCode::kIo);
    QCOMPARE(*read_file_bytes(a), std::string("old a"));
    QVERIFY(replace_files(std::vector<NewContent>{{a, "new a"}, {link, "new b"}}));
    QCOMPARE(*read_file_bytes(a), std::string("new a"));
    QCOMPARE(*read_file_bytes(b), std::string("new b"));
    QVERIFY(QFileInfo(QString::fromStdString(link)).isSymLink());
    const auto all = QDir::Files | QDir::Hidden;
    QCOMPARE(QDir(folder.path()).entryList(all), (QStringList{"a", "b", "link"}));
  }
  void whether_a_file_can_be_written_is_known_before() {
    const QTemporaryDir folder;
    const std::string path = in(folder, "a.txt");
    QVERIFY(check_writable(path));
    QVERIFY(!QFile::exists(QString::fromStdString(path)));
    QVERIFY(write_file(path, "x") && check_writable(path));
    QCOMPARE(*read_file_bytes(path), std::string("x"));
    QVERIFY(check_writable("/dev/null"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{"a.txt"});
    for (const std::string& bad :
         {folder.path().toStdString(), std::string("/no/such/folder/a.txt"),
          in(folder, std::string(300, 'a').c_str()), path + "/b"}) {
      const Status status = check_writable(bad);
      QVERIFY2(!status && status.error().code == ErrorCode::kIo, bad.c_str());
    }
  }
  void hidden_files_are_not_listed() {
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath("b/c") && QDir(folder.path()).mkpath(".d"));
    const std::string hidden = temporary_beside(in(folder, "a.txt"));
    QCOMPARE(hidden, in(folder, ".a.txt.XXXXXX"));
    for (const std::string& path :
         {in(folder, "b/c/z"), in(folder, "a.txt"), in(folder, ".d/y"), hidden}) {
      QVERIFY(write_file(path, "x").has_value());
    }
    const auto files = files_below(folder.path().toStdString());
    QVERIFY(files);
    QCOMPARE(*files, (std::vector<std::string>{in(folder, "a.txt"), in(folder, "b/c/z")}));
    QCOMPARE(files_below(in(folder, "none")).error().code, ErrorCode::kIo);
  }
  void outputs_that_are_inputs() {
    const QTemporaryDir folder;
    const std::string path = in(folder, "a.txt");
    const std::string same = folder.path().toStdString() + "/./a.txt";
    QVERIFY(write_file(path, "x").has_value());
    const std::vector<std::string> inputs = {"", "/no/such/file", path};
    QVERIFY(!check_output(same, inputs));
    QVERIFY(check_output(in(folder, "b.txt"), inputs).has_value());
    QVERIFY(check_output("", inputs).has_value());
  }
  void outputs_that_replace_nothing() {
    const QTemporaryDir folder;
    const std::string path = in(folder, "a.txt");
    QVERIFY(check_new(path, false).has_value());
    QVERIFY(write_file(path, "x").has_value());
    QVERIFY(!check_new(path, false));
    QVERIFY(check_new(path, true).has_value());
    const QString link = folder.filePath("link");
    QVERIFY(QFile::link(link, link));
    for (const bool may_replace : {false, true}) {
      QCOMPARE(check_new("", may_replace).error().code, ErrorCode::kInvalidInput);
      QCOMPARE(check_new(std::string(300, 'a'), may_replace).error().code, ErrorCode::kIo);
      QCOMPARE(check_new(link.toStdString(), may_replace).error().code, ErrorCode::kIo);
    }
  }
};

HLOSCOPE_TEST(TestWriteFile);
#include "test_write_file.moc"
