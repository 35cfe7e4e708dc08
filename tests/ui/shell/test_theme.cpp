#include <QColor>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QPainter>
#include <QStandardItemModel>
#include <QTableView>
#include <QToolButton>
#include <cmath>
#include <limits>

#include "tests/support/test_registry.h"
#include "tests/ui/shell/window_fixture.h"
#include "ui/models/kernel_delegates.h"
#include "ui/theme/format.h"
#include "ui/theme/icons.h"
#include "ui/theme/panel.h"
#include "ui/theme/theme.h"

namespace hloscope::testing {

using namespace ui;

class TestTheme : public QObject {
  Q_OBJECT
 private slots:
  void init() { fail_on_warnings(); }

  void readsThePalette() {
    setThemeMode(ThemeMode::kLight);
    // Values of resources/palette.json.
    QCOMPARE(theme().role(Role::kCanvas), QColor("#FBFCFD"));
    QCOMPARE(theme().role(Role::kSearchHit), QColor("#E6007E"));
    QCOMPARE(theme().opClass(hlo::OpClass::kReduction), QColor("#96429A"));
    QCOMPARE(theme().opClassLetter(hlo::OpClass::kCollective), "X");
    QCOMPARE(theme().series(Series::kAnalytical), QColor("#C77700"));
    QCOMPARE(theme().marker(Series::kAnalytical), Marker::kTriangle);
    setThemeMode(ThemeMode::kDark);
    QCOMPARE(theme().role(Role::kCanvas), QColor("#16181C"));
    QCOMPARE(theme().opClassLetterInk(hlo::OpClass::kDataMovement), QColor("#14181F"));
    QCOMPARE(theme().palette().color(QPalette::Window), QColor("#25282E"));
    setThemeMode(ThemeMode::kLight);
  }

  // The title of a sorted number column loses its end, not its beginning.
  void headersAreCutAtTheirEnd() {
    installTheme(ThemeMode::kLight);
    QStandardItemModel model(1, 1);
    model.setHeaderData(0, Qt::Horizontal, QStringLiteral("Analytical time of the kernel"));
    model.setHeaderData(0, Qt::Horizontal, int{Qt::AlignRight | Qt::AlignVCenter},
                        Qt::TextAlignmentRole);
    QTableView table;
    table.setModel(&model);
    styleTable(table);
    table.setSortingEnabled(true);
    table.horizontalHeader()->resizeSection(0, 90);
    table.resize(200, 100);
    const QImage image = table.horizontalHeader()->grab(QRect(0, 0, 90, 20)).toImage();
    int inked = 0;
    for (int x = 0; x < 5; ++x) {
      for (int y = 4; y < 18; ++y) inked += image.pixelColor(x, y) != image.pixelColor(0, 10);
    }
    QCOMPARE(inked, 0);
    inked = 0;
    for (int x = 6; x < 60; ++x) {
      for (int y = 4; y < 18; ++y) inked += image.pixelColor(x, y) != image.pixelColor(0, 10);
    }
    QVERIFY(inked > 20);
  }

  // As those in the titles of panels, which Tab comes to.
  void flatButtonsShowTheFocus() {
    installTheme(ThemeMode::kLight);
    QWidget window;
    QToolButton other(&window);
    QToolButton button(&window);
    button.setAutoRaise(true);
    button.setGeometry(60, 60, 20, 20);
    window.resize(200, 200);
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    other.setFocus(Qt::TabFocusReason);
    const QImage without = button.grab().toImage();
    button.setFocus(Qt::TabFocusReason);
    QVERIFY(button.hasFocus());
    QVERIFY(button.grab().toImage() != without);
  }

  void tellsWhenItChanges() {
    int told = 0;
    const auto connection = connect(&themeNotifier(), &ThemeNotifier::changed, [&told] { ++told; });
    setThemeMode(ThemeMode::kDark);
    setThemeMode(ThemeMode::kLight);
    disconnect(connection);
    QCOMPARE(told, 2);
  }

  void interpolatesHeat() {
    setThemeMode(ThemeMode::kLight);
    QCOMPARE(theme().heat(0), QColor("#EEF3F8"));
    QCOMPARE(theme().heat(1), QColor("#14193B"));
    QCOMPARE(theme().heat(-3), theme().heat(0));
    QCOMPARE(theme().heat(7), theme().heat(1));
    QCOMPARE(theme().heat(1.0 / 9), QColor("#D3E0EC"));
    QCOMPARE(theme().heat(std::nan("")), theme().role(Role::kCanvas));
  }

  void tintsErrorsBySign() {
    setThemeMode(ThemeMode::kLight);
    // 40 % of #C0531B and of #2C6FB7 over white, from 30 % error on.
    QCOMPARE(theme().divergingTint(0.5), QColor(230, 186, 164));
    QCOMPARE(theme().divergingTint(-0.3), QColor(171, 197, 226));
    QCOMPARE(theme().divergingTint(std::nan("")), theme().role(Role::kBase));
    QCOMPARE(theme().divergingTint(0.0), theme().role(Role::kBase));
    QCOMPARE(theme().divergingTint(-0.0004), theme().role(Role::kBase));
    QVERIFY(theme().divergingTint(0.0006) != theme().role(Role::kBase));
    QVERIFY(theme().divergingTint(0.01).lightness() > theme().divergingTint(0.2).lightness());
  }

  void everyIconDrawsSomething() {
    for (int i = 0; i <= static_cast<int>(Icon::kHistory); ++i) {
      const QImage image = icon(static_cast<Icon>(i)).pixmap(QSize(16, 16)).toImage();
      int inked = 0;
      for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) inked += qAlpha(image.pixel(x, y)) > 127;
      }
      QVERIFY2(inked >= 8, qPrintable(QString::number(i)));
    }
  }

  void panelsCutTheContextBeforeTheTitle() {
    ui::Panel panel("Estimated against measured");
    const QString context = "8 kernels, estimates for TPU v3, 1 core";
    panel.setContext(context);
    panel.addControl(new QLabel("analytical"));
    panel.resize(900, 100);
    panel.show();
    const auto labels = panel.findChildren<QLabel*>();
    QCOMPARE(labels[1]->text(), context);
    QCOMPARE(labels[1]->palette().color(QPalette::WindowText),
             ui::theme().role(ui::Role::kTextMuted));
    panel.resize(370, 100);
    QTRY_VERIFY(labels[1]->text() != context);
    QCOMPARE(labels[0]->text(), QStringLiteral("Estimated against measured"));
    QVERIFY(labels[0]->width() >= labels[0]->sizeHint().width());
  }

  void formatsNumbers_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    QTest::newRow("count") << formatCount(40312) << u"40\u2009312"_qs;
    QTest::newRow("million") << formatCount(1234567) << u"1\u2009234\u2009567"_qs;
    QTest::newRow("small count") << formatCount(999) << "999";
    QTest::newRow("negative") << formatNumber(-3.56, 1) << u"\u22123.6"_qs;
    QTest::newRow("negative zero") << formatNumber(-0.04, 1) << "0.0";
    QTest::newRow("none") << formatNumber(std::nan(""), 1) << u"\u2013"_qs;
    QTest::newRow("us from 10") << formatTimeUs(151'600) << "151.6";
    QTest::newRow("us below 10") << formatTimeUs(9'400) << "9.40";
    QTest::newRow("us at the limit") << formatTimeUs(9'996) << "10.0";
    QTest::newRow("us thousands") << formatTimeUs(6'645'600) << u"6\u2009645.6"_qs;
    QTest::newRow("ns") << formatTime(42) << "42.0 ns";
    QTest::newRow("us") << formatTime(151'600) << u"151.6 µs"_qs;
    QTest::newRow("ms") << formatTime(6'650'000) << "6.65 ms";
    QTest::newRow("s") << formatTime(1.2e9) << "1.20 s";
    QTest::newRow("bytes") << formatBytes(512) << "512 B";
    QTest::newRow("kilobytes") << formatBytes(45'100) << "45.1 kB";
    QTest::newRow("megabytes") << formatBytes(8'850'000) << "8.85 MB";
    QTest::newRow("next prefix") << formatBytes(999'900) << "1.00 MB";
    QTest::newRow("flops") << formatFlops(6.12e9) << "6.12 G";
    QTest::newRow("unknown flops") << formatFlops(-1) << u"\u2013"_qs;
    QTest::newRow("percent") << formatPercent(0.023) << "2.3 %";
    QTest::newRow("plus") << formatSignedPercent(0.024) << "+2.4 %";
    QTest::newRow("minus") << formatSignedPercent(-0.036) << u"\u22123.6 %"_qs;
  }
  void formatsNumbers() {
    QFETCH(QString, text);
    QFETCH(QString, expected);
    QCOMPARE(text, expected);
  }
};

HLOSCOPE_TEST(TestTheme);

}  // namespace hloscope::testing

#include "test_theme.moc"
