#include <QTest>

#include "tests/support/test_registry.h"
#include "tests/ui/numbers/shown_number.h"

using hloscope::testing::read_shown;
using hloscope::testing::read_table;
using hloscope::testing::shows;

/// The judge of the other tests here.
class TestShownNumber : public QObject {
  Q_OBJECT
 private slots:
  void numbers_are_read_with_their_units() {
    QCOMPARE(read_shown("436 ms")->value, 436e6);
    QCOMPARE(read_shown("436 ms")->half_step, 0.5e6);
    QCOMPARE(read_shown(QStringLiteral("1\u2009234.5"), 1e3)->value, 1234.5e3);
    QCOMPARE(read_shown(QStringLiteral("\u22123.4 %"))->value, -0.034);
    QCOMPARE(read_shown("+12", 0.01)->value, 0.12);
    QCOMPARE(read_shown("9.57 T")->half_step, 0.005e12);
    QVERIFY(!read_shown("fusion.1"));
    QVERIFY(!read_shown("12 apples"));
  }

  void only_the_shown_digits_count() {
    QVERIFY(shows("12.3", 12.34));
    QVERIFY(shows("12.3", 12.35));
    QVERIFY(!shows("12.3", 12.36));
    QVERIFY(!shows("12.3", 12300.0));
    QVERIFY(shows("12.3", 12300.0, 1e3));
    QVERIFY(shows("12.3 µs", 12300.0));
    QVERIFY(!shows("12.3 ms", 12300.0));
    QVERIFY(!shows("-12.3", 12.3));
    QVERIFY(shows("–", QJsonValue()));
    QVERIFY(!shows("0", QJsonValue()));
    QVERIFY(!shows("–", 0.0));
    QVERIFY(shows("yes", true) && !shows("yes", false));
  }

  void tables_are_read_by_title() {
    const auto table =
        read_table("head\n\nName  Time µs\na b       1.5\nc         2\n\nend\n", "Name");
    QCOMPARE(table.rows.size(), 2);
    QCOMPARE(table.cell(1, "Time µs"), QString("2"));
    QCOMPARE(table.cell(0, "Name"), QString("a b"));
  }
};

HLOSCOPE_TEST(TestShownNumber);
#include "test_shown_number.moc"
