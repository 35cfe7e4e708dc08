#include "db/chosen_tiles.h"
#include "tests/db/fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using namespace hloscope::db::testing;

class TestChosenTiles : public QObject {
  Q_OBJECT
 private slots:
  void the_last_choice_holds_until_it_is_taken_back() {
    const TempFolder folder;
    const Hash128 kernel = hash128("kernel");
    const sim::Tile first{{4, 1}, {}};
    const sim::Tile second{{12, 4, 4, 3}, {3, 1, 24, 3}};
    {
      Database database = HLOSCOPE_MUST(Database::open(folder.path()));
      ChosenTiles tiles(database);
      QVERIFY(!HLOSCOPE_MUST(tiles.find(kernel, "tpu_v3")));
      HLOSCOPE_OK(tiles.choose(kernel, "tpu_v3", first));
      HLOSCOPE_OK(tiles.choose(kernel, "tpu_v3", second));
      HLOSCOPE_OK(tiles.choose(kernel, "tpu_v4", first));
    }
    Database database = HLOSCOPE_MUST(Database::open(folder.path()));
    ChosenTiles tiles(database);
    QVERIFY(HLOSCOPE_MUST(tiles.find(kernel, "tpu_v3")) == std::optional(second));
    QVERIFY(HLOSCOPE_MUST(tiles.find(kernel, "tpu_v4")) == std::optional(first));
    QVERIFY(!HLOSCOPE_MUST(tiles.find(hash128("other"), "tpu_v3")));
    HLOSCOPE_OK(tiles.choose(kernel, "tpu_v3", std::nullopt));
    QVERIFY(!HLOSCOPE_MUST(tiles.find(kernel, "tpu_v3")));
    QVERIFY(HLOSCOPE_MUST(tiles.find(kernel, "tpu_v4")));
  }

  void nothing_is_written_into_a_file_opened_to_read() {
    const TempFolder folder;
    (void)HLOSCOPE_MUST(Database::open(folder.path()));
    Database database = HLOSCOPE_MUST(Database::open(folder.path(), OpenMode::kReadOnly));
    const Status status =
        ChosenTiles(database).choose(hash128("kernel"), "tpu_v3", sim::Tile{{4}, {}});
    QVERIFY(!status);
    QCOMPARE(status.error().code, ErrorCode::kReadOnly);
  }
};

HLOSCOPE_TEST(TestChosenTiles);
#include "test_chosen_tiles.moc"
