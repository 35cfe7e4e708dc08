#include "app/cli/text_table.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using cli::TextTable;

class TestTextTable : public QObject {
  Q_OBJECT
 private slots:
  void columns_align_by_characters_not_bytes() {
    TextTable table({{"name", TextTable::Align::kLeft}, {"µs"}});
    table.add_row({"conv 3×3", "1.50"});
    table.add_row({"dot", "12.0"});
    QCOMPARE(table.text(), std::string("name        µs\nconv 3×3  1.50\ndot       12.0\n"));
  }
  void csv_quotes_what_needs_it() {
    TextTable table({{"a"}, {"b"}});
    table.add_row({"x,y", "say \"hi\""});
    QCOMPARE(table.csv(), std::string("a,b\n\"x,y\",\"say \"\"hi\"\"\"\n"));
  }
  void numbers() {
    QCOMPARE(cli::grouped(1234567), std::string("1,234,567"));
    QCOMPARE(cli::grouped(-1), std::string("-1"));
    QCOMPARE(cli::grouped(999), std::string("999"));
    QCOMPARE(cli::with_prefix(6.123e9), std::string("6.12 G"));
    QCOMPARE(cli::with_prefix(999.7), std::string("1.00 k"));
    QCOMPARE(cli::with_prefix(0), std::string("0 "));
    QCOMPARE(cli::microseconds(1234), std::string("1.23"));
    QCOMPARE(cli::microseconds(123456), std::string("123.5"));
  }
};

HLOSCOPE_TEST(TestTextTable);
#include "test_text_table.moc"
