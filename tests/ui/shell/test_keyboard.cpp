// Everything that can be clicked is reached by Tab and Shift+Tab, and nothing keeps the focus.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QButtonGroup>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSet>
#include <QTimer>
#include <QWindow>

#include "tests/support/test_registry.h"
#include "tests/ui/shell/window_fixture.h"

namespace hloscope::testing {

namespace {

using Widgets = QSet<QWidget*>;

/// A part of a larger widget, which has the focus for it.
bool is_part(const QWidget* widget) {
  const QWidget* parent = widget->parentWidget();
  return qobject_cast<const QComboBox*>(parent) != nullptr ||
         qobject_cast<const QAbstractSpinBox*>(parent) != nullptr ||
         qobject_cast<const QLineEdit*>(parent) != nullptr ||
         qobject_cast<const QAbstractItemView*>(parent) != nullptr ||
         qobject_cast<const QMenuBar*>(parent) != nullptr;
}

bool takes_clicks(const QWidget* widget) {
  const bool control = qobject_cast<const QAbstractButton*>(widget) != nullptr ||
                       qobject_cast<const QComboBox*>(widget) != nullptr ||
                       qobject_cast<const QLineEdit*>(widget) != nullptr ||
                       qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
                       qobject_cast<const QAbstractItemView*>(widget) != nullptr ||
                       qobject_cast<const QPlainTextEdit*>(widget) != nullptr;
  return control || widget->focusPolicy() != Qt::NoFocus;
}

bool is_expected(const QWidget* widget) {
  if (!widget->isVisible() || !widget->isEnabled() || widget->size().isEmpty()) return false;
  // The menu bar has Alt and F10; a header is sorted by the menu of its table.
  if (qobject_cast<const QMenuBar*>(widget) != nullptr) return false;
  if (qobject_cast<const QHeaderView*>(widget) != nullptr) return false;
  if (qobject_cast<const QScrollBar*>(widget) != nullptr) return false;
  return takes_clicks(widget) && !is_part(widget);
}

/// Of buttons of which one is down the arrow keys reach the others.
bool is_reached_by_arrows(const QWidget* widget, const Widgets& reached) {
  const auto* button = qobject_cast<const QAbstractButton*>(widget);
  if (button == nullptr) return false;
  QList<QAbstractButton*> group;
  if (button->group() != nullptr && button->group()->exclusive()) {
    group = button->group()->buttons();
  } else if (button->autoExclusive()) {
    group = widget->parentWidget()->findChildren<QAbstractButton*>(Qt::FindDirectChildrenOnly);
    group.removeIf([](QAbstractButton* other) { return !other->autoExclusive(); });
  }
  return std::any_of(group.begin(), group.end(),
                     [&reached](QAbstractButton* other) { return reached.contains(other); });
}

QString text_of(const QWidget* widget) {
  const auto* button = qobject_cast<const QAbstractButton*>(widget);
  QString path;
  for (const QWidget* one = widget; one != nullptr; one = one->parentWidget()) {
    path += QStringLiteral(" < %1").arg(QString::fromLatin1(one->metaObject()->className()));
  }
  return QStringLiteral("%1 '%2' '%3'%4")
      .arg(widget->objectName(), widget->accessibleName(),
           button != nullptr ? button->text() : QString(), path);
}

/// What has the focus on the way round the window; fails where the way does not come round.
Widgets walk(ui::MainWindow& window, Qt::Key key, const Qt::KeyboardModifiers modifiers) {
  Widgets reached;
  QWidget* const first = QApplication::focusWidget();
  constexpr int kMost = 400;
  for (int i = 0; i < kMost; ++i) {
    QWidget* before = QApplication::focusWidget();
    reached.insert(before);
    QTest::keyClick(before == nullptr ? &window : before, key, modifiers);
    QWidget* now = QApplication::focusWidget();
    if (now == first) return reached;
    if (now == before) {
      QTest::qFail(qPrintable("the focus stays in " + text_of(now)), __FILE__, __LINE__);
      return reached;
    }
  }
  QTest::qFail(qPrintable("Tab does not come round to " + text_of(first)), __FILE__, __LINE__);
  return reached;
}

QStringList missed(ui::MainWindow& window, const Widgets& reached) {
  QStringList out;
  for (QWidget* widget : window.findChildren<QWidget*>()) {
    if (!is_expected(widget) || reached.contains(widget)) continue;
    if (widget->focusProxy() != nullptr && reached.contains(widget->focusProxy())) continue;
    if (!is_reached_by_arrows(widget, reached)) out << text_of(widget);
  }
  return out;
}

void settle(ui::MainWindow& window) {
  for (int quiet = 0; quiet < 3; ++quiet) {
    QTRY_VERIFY_WITH_TIMEOUT(window.tasks().isIdle(), 60'000);
    QTest::qWait(5);
  }
}

}  // namespace

class TestKeyboard : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    fail_on_warnings();
    fixture_ = std::make_unique<WindowFixture>();
  }
  void cleanupTestCase() { fixture_.reset(); }
  void init() { fail_on_warnings(); }

  void tab_reaches_everything_of_a_page_data() {
    QTest::addColumn<QString>("page");
    QTest::addColumn<bool>("loaded");
    for (const bool loaded : {false, true}) {
      for (const ui::Page* page : fixture_->window().pages()) {
        QTest::addRow("%s, %s", qPrintable(page->id()), loaded ? "with a file" : "empty")
            << page->id() << loaded;
      }
    }
  }

  void tab_reaches_everything_of_a_page() {
    QFETCH(const QString, page);
    QFETCH(const bool, loaded);
    ui::MainWindow& window = fixture_->window();
    if (loaded) load(window);
    QVERIFY(window.showPage(page));
    settle(window);
    QTest::keyClick(&window, Qt::Key_Tab);
    QVERIFY(QApplication::focusWidget() != nullptr);
    for (const bool back : {false, true}) {
      const Widgets reached = walk(window, back ? Qt::Key_Backtab : Qt::Key_Tab,
                                   back ? Qt::ShiftModifier : Qt::NoModifier);
      const QStringList not_reached = missed(window, reached);
      QVERIFY2(not_reached.isEmpty(), qPrintable(not_reached.join("\n")));
    }
  }

  void the_menu_key_opens_the_menu_that_a_right_click_opens_data() {
    QTest::addColumn<QString>("page");
    QTest::addColumn<QByteArray>("kind");
    const std::pair<const char*, const char*> rows[] = {
        {"graph", "QTreeView"},      {"graph", "QTableView"},       {"graph", "HloTextView"},
        {"compare", "ScatterChart"}, {"compare", "ResidualChart"},  {"tiles", "QTableView"},
        {"tiles", "TileCurveChart"}, {"simulate", "RooflineChart"}, {"simulate", "BottleneckBars"},
        {"runs", "QTableView"}};
    for (const auto& [page, kind] : rows)
      QTest::addRow("%s, %s", page, kind) << QString(page) << QByteArray(kind);
  }

  void the_menu_key_opens_the_menu_that_a_right_click_opens() {
    QFETCH(const QString, page);
    QFETCH(const QByteArray, kind);
    ui::MainWindow& window = fixture_->window();
    load(window);
    QVERIFY(window.showPage(page));
    settle(window);
    QWidget* widget = shown(window, kind);
    QVERIFY(widget != nullptr);
    widget->setFocus();
    QCOMPARE(QApplication::focusWidget(), widget);
    if (auto* view = qobject_cast<QAbstractItemView*>(widget)) {
      view->setCurrentIndex(view->model()->index(0, 0));
    }
    bool is_open = false;
    // A menu has a loop of its own.
    QTimer::singleShot(100, &window, [&is_open] {
      QWidget* menu = QApplication::activePopupWidget();
      is_open = qobject_cast<QMenu*>(menu) != nullptr;
      if (menu != nullptr) menu->close();
    });
    // What the platform makes of the key; the window finds the place in the widget with the focus.
    QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(), QPoint());
    QCoreApplication::sendEvent(window.windowHandle(), &event);
    QTest::qWait(150);
    QVERIFY(is_open);
  }

  void arrow_keys_walk_charts_data() {
    QTest::addColumn<QString>("page");
    QTest::addColumn<QByteArray>("kind");
    QTest::newRow("scatter") << "compare" << QByteArray("ScatterChart");
    QTest::newRow("errors") << "compare" << QByteArray("GroupErrorChart");
    QTest::newRow("tile curve") << "tiles" << QByteArray("TileCurveChart");
    QTest::newRow("units") << "simulate" << QByteArray("LaneTimeline");
    QTest::newRow("bottlenecks") << "simulate" << QByteArray("BottleneckBars");
  }

  void arrow_keys_walk_charts() {
    QFETCH(const QString, page);
    QFETCH(const QByteArray, kind);
    ui::MainWindow& window = fixture_->window();
    load(window);
    if (page == "simulate" && window.workspace().files().size() < 2) {
      window.workspace().open(QStringList{fixture_->write("two.hlo", kTwoKernels)});
      QTRY_COMPARE(window.workspace().files().size(), size_t{2});
    }
    QVERIFY(window.showPage(page));
    settle(window);
    QWidget* chart = shown(window, kind);
    QVERIFY(chart != nullptr);
    chart->setFocus();
    // Zoomed in, a timeline has somewhere to go.
    if (kind == "LaneTimeline") QTest::keyClick(chart, Qt::Key_Plus);
    // The selection may be at the end.
    if (kind == "BottleneckBars") QTest::keyClick(chart, Qt::Key_Home);
    for (int i = 0; kind == "ScatterChart" && i < 3; ++i) QTest::keyClick(chart, Qt::Key_Left);
    settle(window);
    const ui::ReportPtr report = window.workspace().report();
    const QImage before = chart->grab().toImage();
    QTest::keyClick(chart, Qt::Key_Right);
    QTest::keyClick(chart, Qt::Key_Down);
    QTest::keyClick(chart, Qt::Key_Right);
    settle(window);
    // A point of another module makes that the current one.
    const bool has_moved =
        window.workspace().report() != report || chart->grab().toImage() != before;
    QVERIFY2(has_moved, "nothing moved");
    QCOMPARE(QApplication::focusWidget(), chart);
  }

 private:
  static void load(ui::MainWindow& window) {
    if (!window.workspace().files().empty()) return;
    window.workspace().open(
        QStringList{QStringLiteral(HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb")});
    QTRY_COMPARE_WITH_TIMEOUT(window.workspace().files().size(), size_t{1}, 60'000);
  }
  /// The first visible widget of a class, its name without the namespace.
  static QWidget* shown(ui::MainWindow& window, const QByteArray& kind) {
    for (QWidget* widget : window.findChildren<QWidget*>()) {
      const QByteArray name = widget->metaObject()->className();
      const bool is_it = name == kind || name.endsWith("::" + kind);
      if (is_it && widget->isVisible() && widget->isEnabled()) return widget;
    }
    return nullptr;
  }

  std::unique_ptr<WindowFixture> fixture_;
};

}  // namespace hloscope::testing

using hloscope::testing::TestKeyboard;
HLOSCOPE_TEST(TestKeyboard);
#include "test_keyboard.moc"
