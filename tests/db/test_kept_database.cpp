#include <QTemporaryDir>
#include <filesystem>
#include <fstream>

#include "db/data_sets.h"
#include "db/kept_database.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
namespace fs = std::filesystem;

class TestKeptDatabase : public QObject {
  Q_OBJECT
 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void looking_makes_no_file() {
    db::KeptDatabase kept(path("results.hloscope"));
    QVERIFY(*kept.open() == nullptr);
    QVERIFY(!fs::exists(kept.path()));
    QVERIFY(*kept.make() != nullptr);
    QVERIFY(fs::exists(kept.path()));
    QCOMPARE(*kept.open(), *kept.make());
    QCOMPARE(kept.generation(), 0);
  }
  void a_file_in_its_place_is_opened_and_gets_what_is_written() {
    db::KeptDatabase kept(path("results.hloscope"));
    data::DataSetInfo info;
    info.name = "old";
    QVERIFY(db::DataSets(**kept.make()).create(info, {}));
    {
      db::Database other = *db::Database::open(path("other.hloscope"));
      info.name = "new";
      QVERIFY(db::DataSets(other).create(info, {}));
    }
    fs::rename(path("other.hloscope"), kept.path());
    QCOMPARE(db::DataSets(**kept.open()).info()->name, std::string("new"));
    QCOMPARE(kept.generation(), 1);
    QVERIFY(db::DataSets(**kept.make()).rename("newer"));
    kept.leave();
    QCOMPARE(kept.generation(), 2);
    QCOMPARE(db::DataSets(**kept.open()).info()->name, std::string("newer"));
  }
  // As cp does: the same file with other content, of which SQLite knows nothing.
  void content_copied_over_it_is_read_and_kept_connections_are_left() {
    make_set(path("other.hloscope"), "new");
    db::KeptDatabase kept(path("results.hloscope"));
    data::DataSetInfo info;
    info.name = "old";
    QVERIFY(db::DataSets(**kept.make()).create(info, {}));
    kept.empty_log();
    QCOMPARE(db::DataSets(**kept.open()).info()->name, std::string("old"));
    QCOMPARE(kept.generation(), 0);
    copy_over(path("other.hloscope"), kept.path());
    QCOMPARE(db::DataSets(**kept.open()).info()->name, std::string("new"));
    QCOMPARE(kept.generation(), 1);
  }
  void what_sqlite_writes_leaves_it_open() {
    make_set(path("results.hloscope"), "first");
    db::KeptDatabase kept(path("results.hloscope"), db::KeptDatabase::kLookTimeout,
                          db::OpenMode::kReadOnly);
    db::Database* const opened = *kept.open();
    for (const char* name : {"second", "third"}) {
      // Another connection, which empties the log into the file when it closes, or before.
      db::Database writer = *db::Database::open(kept.path());
      QVERIFY(db::DataSets(writer).rename(name));
      QCOMPARE(db::DataSets(**kept.open()).info()->name, std::string(name));
      QVERIFY(writer.empty_log());
      QCOMPARE(*kept.open(), opened);
    }
    QCOMPARE(*kept.open(), opened);
    QCOMPARE(kept.generation(), 0);
    // Its own changes as well.
    db::KeptDatabase own(path("results.hloscope"));
    QVERIFY(db::DataSets(**own.make()).rename("fourth"));
    own.empty_log();
    QVERIFY(db::DataSets(**own.make()).rename("fifth"));
    QVERIFY((*own.make())->empty_log());
    QVERIFY(own.make());
    QCOMPARE(own.generation(), 0);
  }
  void a_reader_makes_no_file() {
    db::KeptDatabase kept(path("results.hloscope"), db::KeptDatabase::kLookTimeout,
                          db::OpenMode::kReadOnly);
    QVERIFY(*kept.open() == nullptr);
    const auto made = kept.make();
    QVERIFY(!made);
    QVERIFY(made.error().code == ErrorCode::kNotFound);
    QVERIFY(!fs::exists(kept.path()));
  }
  void a_deleted_file_is_none_and_is_made_anew() {
    db::KeptDatabase kept(path("results.hloscope"));
    QVERIFY(kept.make());
    fs::remove(kept.path());
    QVERIFY(*kept.open() == nullptr);
    QVERIFY(*kept.make() != nullptr);
    QVERIFY(fs::exists(kept.path()));
  }

 private:
  static void make_set(const fs::path& path, const std::string& name) {
    db::Database database = *db::Database::open(path);
    data::DataSetInfo info;
    info.name = name;
    QVERIFY(db::DataSets(database).create(info, {}));
  }
  static void copy_over(const fs::path& from, const fs::path& to) {
    std::ifstream in(from, std::ios::binary);
    std::ofstream(to, std::ios::binary | std::ios::trunc) << in.rdbuf();
  }
  [[nodiscard]] fs::path path(const char* name) const {
    return folder_->filePath(QString::fromLatin1(name)).toStdString();
  }
  std::unique_ptr<QTemporaryDir> folder_;
};

HLOSCOPE_TEST(TestKeptDatabase);
#include "test_kept_database.moc"
