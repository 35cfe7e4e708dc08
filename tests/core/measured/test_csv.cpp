#include "core/measured/csv.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::measured;

class TestCsv : public QObject {
  Q_OBJECT
 private slots:
  void quotes_hold_commas_line_ends_and_quotes() {
    const auto table = parse_csv(
        "\xEF\xBB\xBF"
        "a,\"b \"\"c\"\"\"\r\n\r\n1,\"x,y\nz\"\r\n\"\",\n",
        "t.csv");
    QVERIFY(table);
    QCOMPARE(table->header[0].text, "a");
    QCOMPARE(table->header[1].text, "b \"c\"");
    QCOMPARE(table->rows.size(), size_t{2});
    QCOMPARE(table->rows[0][1].text, "x,y\nz");
    QCOMPARE(table->rows[0][1].line, 3);
    QCOMPARE(table->rows[0][1].column, 3);
    QCOMPARE(table->rows[1][0].text, "");
    QCOMPARE(table->rows[1][1].line, 5);
  }
  void wrong_text_is_told_with_its_place_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("headline");
    QTest::newRow("open quote") << "a,b\n1,\"2\n3"
                                << "t.csv:2:3: this quote is not closed";
    QTest::newRow("text after quote") << "a,b\n\"1\"2,3\n"
                                      << "t.csv:2:4: text after the closing quote of a field";
    QTest::newRow("too few") << "a,b\n1,2\n3\n"
                             << "t.csv:3:1: this row has 1 field, but the header has 2";
    QTest::newRow("too many") << "a,b\n1,2,\n"
                              << "t.csv:2:1: this row has 3 fields, but the header has 2";
    QTest::newRow("empty") << "\n\n"
                           << "t.csv:1:1: the file has no header line";
  }
  void wrong_text_is_told_with_its_place() {
    QFETCH(QString, text);
    QFETCH(QString, headline);
    const auto table = parse_csv(text.toStdString(), "t.csv");
    QVERIFY(!table);
    QCOMPARE(QString::fromStdString(table.error().headline()), headline);
    QVERIFY(!table.error().hint.empty());
  }
  void extents() {
    const auto table =
        parse_csv("s\n2x26x4x2\n\"\"\n2x\nx2\n0x1\n2y3\n99999999999999999999\n", "t");
    QVERIFY(table);
    const auto at = [&](size_t row) { return extents_at(*table, table->rows[row][0], "s"); };
    QCOMPARE(*at(0), (std::vector<int64_t>{2, 26, 4, 2}));
    QCOMPARE(*at(1), std::vector<int64_t>{});
    for (size_t row = 2; row < 7; ++row) {
      QVERIFY(!at(row));
      QCOMPARE(at(row).error().line, static_cast<int>(row) + 2);
    }
  }
};
HLOSCOPE_TEST(TestCsv);

#include "test_csv.moc"
