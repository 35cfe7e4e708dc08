#include <QAbstractItemModelTester>
#include <cmath>

#include "tests/support/test_registry.h"
#include "tests/ui/models/report_fixture.h"
#include "ui/models/plain_columns.h"
#include "ui/models/plain_table_view.h"
#include "ui/theme/format.h"

using namespace hloscope;
using namespace hloscope::ui;

namespace {

struct Fruit {
  std::string name;
  double weight;
};

PlainTable tableOf(std::vector<Fruit> fruits) {
  const auto rows = std::make_shared<const std::vector<Fruit>>(std::move(fruits));
  PlainTable table;
  table.rows = rows->size();
  table.columns = {
      textColumn(QStringLiteral("Name"), rows, [](const Fruit& fruit) { return fruit.name; }),
      numberColumn(
          QStringLiteral("Weight"), rows, [](const Fruit& fruit) { return fruit.weight; },
          [](double weight) { return formatNumber(weight, 1); })};
  fillSearch(table);
  return table;
}

std::vector<Fruit> fruits() {
  return {{"pear", 2000}, {"Apple", 150}, {"fig, dried", std::nan("")}, {"plum", -3}};
}

QStringList names(const PlainTableModel& model) {
  QStringList out;
  for (int row = 0; row < model.rowCount(); ++row) out << model.index(row, 0).data().toString();
  return out;
}

}  // namespace

class TestPlainTable : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::failOnWarnings(); }

  void rows_are_sorted_and_those_without_a_value_come_last() {
    PlainTableModel model;
    const QAbstractItemModelTester tester(&model);
    model.setTable(tableOf(fruits()));
    model.sort(1, Qt::DescendingOrder);
    QCOMPARE(names(model), QStringList({"pear", "Apple", "plum", "fig, dried"}));
    model.sort(1, Qt::AscendingOrder);
    QCOMPARE(names(model), QStringList({"plum", "Apple", "pear", "fig, dried"}));
    model.sort(0, Qt::AscendingOrder);  // without regard to case
    QCOMPARE(names(model), QStringList({"Apple", "fig, dried", "pear", "plum"}));
  }

  void all_words_must_match() {
    PlainTableModel model;
    const QAbstractItemModelTester tester(&model);
    model.setTable(tableOf(fruits()));
    model.setWords(QStringLiteral("P e"));
    QCOMPARE(names(model), QStringList({"pear", "Apple"}));
    QVERIFY(!model.indexOf(3).isValid());
    model.setRowFilter([](size_t row) { return row == 1; });
    QCOMPARE(names(model), QStringList{"Apple"});
    model.setWords({});
    model.setRowFilter({});
    QCOMPARE(model.rowCount(), 4);
  }

  void sorting_keeps_the_selected_row() {
    PlainTableView view(QStringLiteral("Fruits"));
    view.setTable(tableOf(fruits()));
    view.selectTableRow(3);
    view.table()->sort(1, Qt::AscendingOrder);
    QCOMPARE(view.currentRow(), 3);
    QCOMPARE(view.currentIndex().row(), 0);
    view.setTable(tableOf(fruits()));
    QCOMPARE(view.currentRow(), 3);
  }

  void copies_hold_plain_numbers() {
    PlainTableModel model;
    model.setTable(tableOf(fruits()));
    QCOMPARE(model.text(model.shownRows(), TextFormat::kCsv),
             QStringLiteral("Name,Weight\npear,2000.0\nApple,150.0\n\"fig, dried\",\nplum,-3.0\n"));
    QVERIFY(
        model.text(model.shownRows(), TextFormat::kMarkdown)
            .startsWith(QStringLiteral("| Name | Weight |\n| --- | ---: |\n| pear | 2000.0 |")));
  }

  void a_hundred_thousand_rows_are_shown() {
    std::vector<Fruit> many;
    for (int i = 0; i < 100'000; ++i) {
      many.push_back({"fruit " + std::to_string(i * 7919 % 100'000), double(i)});
    }
    PlainTableModel model;
    model.setTable(tableOf(std::move(many)));
    model.sort(0, Qt::DescendingOrder);
    model.setWords(QStringLiteral("fruit 9999"));
    QCOMPARE(model.rowCount(), 19);  // 9999, 9999x and x9999 but for 09999
    QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("fruit 99999"));
  }
};

HLOSCOPE_TEST(TestPlainTable);
#include "test_plain_table.moc"
