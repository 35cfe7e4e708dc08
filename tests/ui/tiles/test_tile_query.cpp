#include "tests/support/test_registry.h"
#include "tests/ui/tiles/tiles_fixture.h"
#include "ui/pages/tiles/tile_query.h"

using namespace hloscope;
using namespace hloscope::ui;
using analysis::TimeSource;

namespace {

std::shared_ptr<const predict::TileRanking> ranking() {
  ThreadPool pool(1);
  return *predict::rank_tiles(testing::tilesReport(2), graph::KernelId(0), {}, pool);
}

size_t matching(const predict::TileRanking& ranking, const char* text) {
  const TileQuery query = *TileQuery::parse(text);
  const std::vector<std::string> texts = tileTexts(ranking);
  size_t count = 0;
  for (uint32_t i = 0; i < ranking.size(); ++i) {
    count += query.matches(ranking, texts, TimeSource::kMeasured, i) ? 1 : 0;
  }
  return count;
}

}  // namespace

class TestTileQuery : public QObject {
  Q_OBJECT
 private slots:
  void terms_must_all_hold() {
    const auto tiles = ranking();
    QCOMPARE(matching(*tiles, ""), size_t{579});
    QCOMPARE(matching(*tiles, "measured"), size_t{579});
    QCOMPARE(matching(*tiles, "rank<=50"), size_t{50});
    QCOMPARE(matching(*tiles, "rank<=50 rank>40"), size_t{10});
    QCOMPARE(matching(*tiles, "-rank<=50"), size_t{529});
    QCOMPARE(matching(*tiles, "measured<100"), size_t{0});  // The best takes 137 µs.
    QCOMPARE(matching(*tiles, "slow<=0"), size_t{1});
    QCOMPARE(matching(*tiles, "out=6x12x4x1,kernel=3x3x24x1"), size_t{1});
    QVERIFY(matching(*tiles, "[6,12,4,1]") >= 1);
    size_t few = 0;
    for (const double iterations : tiles->iterations) few += iterations < 20 ? 1 : 0;
    QCOMPARE(matching(*tiles, "iter<20"), few);
  }

  void wrong_text_says_where_and_what_is_known() {
    const auto query = TileQuery::parse("iter<20 speed>3");
    QVERIFY(!query);
    QCOMPARE(query.error().column, 9);
    QVERIFY(query.error().hint.find("iter") != std::string::npos);
    QVERIFY(!TileQuery::parse("iter<many"));
    QVERIFY(!TileQuery::parse("slow<"));
  }
};

HLOSCOPE_TEST(TestTileQuery);
#include "test_tile_query.moc"
