#include "app/cli/text_table.h"

#include "app/cli/printable.h"
#include "app/cli/terminal.h"
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
    QCOMPARE(table.text(100), std::string("name        µs\nconv 3×3  1.50\ndot       12.0\n"));
  }
  // ESC, DEL and U+009B begin what a terminal obeys.
  void control_characters_are_shown_not_obeyed() {
    QCOMPARE(cli::printable("a\x1b[2Jb\x7f\n"), std::string("a\\033[2Jb\\177\\n"));
    QCOMPARE(cli::printable("\xc2\x9b"
                            "2J \xc2\xb5s"),
             std::string("\\302\\2332J \xc2\xb5s"));
    QCOMPARE(cli::printable("\xc2"), std::string("\xc2"));
    QCOMPARE(cli::printable_lines("a\n\tb\n"), std::string("a\n\\tb\n"));
    TextTable table({{"name", TextTable::Align::kLeft}, {"n"}});
    table.add_row({"x\ny", "1"});
    table.add_row({"long name", "2"});
    QCOMPARE(table.text(100), std::string("name       n\nx\\ny       1\nlong name  2\n"));
  }
  void titles_of_a_wide_table_stand_in_several_lines() {
    TextTable table({{std::string(70, 'n'), TextTable::Align::kLeft},
                     {"Share of total %"},
                     {"Far from training"}});
    table.add_row({"x", "12.5", "no"});
    QCOMPARE(table.text(100), std::string(72, ' ') + "Share of  Far from\n" + std::string(70, 'n') +
                                  "   total %  training\nx" + std::string(75, ' ') +
                                  "12.5        no\n");
  }
  void long_names_of_a_wide_table_are_cut_the_longest_first() {
    TextTable table({{"Kernel", TextTable::Align::kElided},
                     {"What", TextTable::Align::kElided},
                     {"Class", TextTable::Align::kLeft},
                     {"µs"}});
    table.add_row({std::string(30, 'k'), std::string(90, 'w'), "matmul", "1.50"});
    const std::string text = table.text(100);
    // 100 characters, without the 6 between the columns and 10 of those that stay.
    QCOMPARE(text.substr(text.find('\n') + 1),
             std::string(30, 'k') + "  " + std::string(53, 'w') + "…  matmul  1.50\n");
    QVERIFY(table.csv().find(std::string(90, 'w')) != std::string::npos);
  }
  void numbers_and_plain_texts_are_never_cut() {
    TextTable table({{"a", TextTable::Align::kLeft}, {"b", TextTable::Align::kElided}, {"c"}});
    table.add_row({std::string(90, 'a'), std::string(40, 'b'), "1,234,567,890"});
    const std::string text = table.text(100);
    QCOMPARE(text.substr(text.find('\n') + 1),
             std::string(90, 'a') + "  " + std::string(11, 'b') + "…  1,234,567,890\n");
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
    QCOMPARE(cli::microseconds(-123456), std::string("-123.5"));
    QCOMPARE(cli::microseconds(9996), std::string("10.0"));  // Not 10.00: as the window has it.
  }
  void counts_go_with_their_noun() {
    QCOMPARE(cli::counted(1, "kernel", "kernels"), std::string("1 kernel"));
    QCOMPARE(cli::counted(0, "kernel", "kernels"), std::string("0 kernels"));
    QCOMPARE(cli::counted(2000, "kernel", "kernels"), std::string("2,000 kernels"));
  }
  void what_is_too_long_is_cut_between_characters() {
    QCOMPARE(cli::shortened("conv 3×3", 8), std::string("conv 3×3"));
    QCOMPARE(cli::shortened("conv 3×3", 7), std::string("conv 3…"));
    QCOMPARE(cli::shortened("××××", 3), std::string("××…"));
  }
  void long_lists_are_broken_between_items() {
    QCOMPARE(cli::list_text("a:", {"b", "c"}), std::string("a: b, c\n"));
    const std::string item(40, 'x');
    QCOMPARE(cli::list_text("list:", {item, item, item}),
             "list: " + item + ", " + item + ",\n  " + item + "\n");
  }
  void the_time_left_is_that_of_the_work_so_far_carried_on() {
    QCOMPARE(cli::progress_text(0.01, "reading", 60), std::string("  1 % reading"));
    QCOMPARE(cli::progress_text(0.5, "timing", 1), std::string(" 50 % timing"));
    QCOMPARE(cli::progress_text(0.25, "timing", 10), std::string(" 25 % timing, 30 s left"));
    QCOMPARE(cli::progress_text(0.1, "timing", 60), std::string(" 10 % timing, 9 min left"));
    QCOMPARE(cli::progress_text(0.1, "timing", 3600), std::string(" 10 % timing, 9.0 h left"));
  }
};

HLOSCOPE_TEST(TestTextTable);
#include "test_text_table.moc"
