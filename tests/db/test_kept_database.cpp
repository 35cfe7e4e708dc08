#include <QTemporaryDir>
#include <filesystem>

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
  void a_deleted_file_is_none_and_is_made_anew() {
    db::KeptDatabase kept(path("results.hloscope"));
    QVERIFY(kept.make());
    fs::remove(kept.path());
    QVERIFY(*kept.open() == nullptr);
    QVERIFY(*kept.make() != nullptr);
    QVERIFY(fs::exists(kept.path()));
  }

 private:
  [[nodiscard]] fs::path path(const char* name) const {
    return folder_->filePath(QString::fromLatin1(name)).toStdString();
  }
  std::unique_ptr<QTemporaryDir> folder_;
};

HLOSCOPE_TEST(TestKeptDatabase);
#include "test_kept_database.moc"
