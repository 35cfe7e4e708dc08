#include <QApplication>
#include <QPainter>
#include <QSignalSpy>
#include <QWheelEvent>
#include <cmath>

#include "core/layout/layered.h"
#include "tests/core/layout/synthetic.h"
#include "tests/support/test_registry.h"
#include "tests/ui/graph/synthetic_model.h"
#include "ui/graph/graph_view.h"
#include "ui/graph/legend.h"
#include "ui/graph/minimap.h"
#include "ui/theme/theme.h"

using namespace hloscope;
using layout::NodeId;
using ui::GraphView;

namespace {

/// 0 above 1 and 2, both above 3; 3 above 4.
layout::Graph diamond() {
  return testing::graph_of(5, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}});
}

ui::PlacementPtr placement_of(const layout::Graph& graph) {
  auto placement = layout::LayeredLayout().place(graph, Progress());
  if (!placement) qFatal("%s", placement.error().message.c_str());
  return std::make_shared<const layout::Placement>(std::move(*placement));
}

struct Shown {
  GraphView view;

  explicit Shown(layout::Graph graph) {
    view.resize(800, 600);
    const auto model = testing::model_of(std::move(graph));
    view.setGraph(model, placement_of(model->graph));
    view.show();
    view.activateWindow();
    view.setFocus();
    QTest::qWait(1);
  }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(&view, key, modifiers);
  }
  void click(NodeId node) {
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.nodeRect(node).center().toPoint());
  }
  void wheel(QPointF at, int delta, Qt::KeyboardModifiers modifiers = {}) {
    QWheelEvent event(at, view.viewport()->mapToGlobal(at), {}, {0, delta}, Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(view.viewport(), &event);
  }
};

NodeId spied(const QSignalSpy& spy) {
  return spy.isEmpty() ? NodeId() : spy.last().at(0).value<NodeId>();
}

/// Share of the pixels that have exactly this colour.
double share_of(const QImage& image, QColor color) {
  qint64 count = 0;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) count += image.pixel(x, y) == color.rgb();
  }
  return static_cast<double>(count) / static_cast<double>(image.width() * image.height());
}

}  // namespace

class TestGraphView : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { ui::installTheme(ui::ThemeMode::kLight); }
  void init() { QTest::failOnWarning(QRegularExpression(".*")); }

  void shows_the_whole_graph_at_first() {
    const Shown shown(diamond());
    for (uint32_t i = 0; i < 5; ++i) {
      QVERIFY(QRectF(shown.view.viewport()->rect()).contains(shown.view.nodeRect(NodeId(i))));
    }
    QVERIFY(shown.view.zoom() <= 1);
  }

  void click_selects_the_node_below_the_pointer() {
    Shown shown(diamond());
    const QSignalSpy spy(&shown.view, &GraphView::nodeSelected);
    for (uint32_t i = 0; i < 5; ++i) {
      shown.click(NodeId(i));
      QCOMPARE(shown.view.selected(), NodeId(i));
      QCOMPARE(spied(spy), NodeId(i));
    }
    QCOMPARE(spy.count(), 5);
    QTest::mouseClick(shown.view.viewport(), Qt::LeftButton, {}, QPoint(3, 3));
    QVERIFY(!shown.view.selected().valid());
    QCOMPARE(spy.count(), 6);
  }

  void double_click_and_enter_activate() {
    Shown shown(diamond());
    const QSignalSpy spy(&shown.view, &GraphView::nodeActivated);
    QTest::mouseDClick(shown.view.viewport(), Qt::LeftButton, {},
                       shown.view.nodeRect(NodeId(2)).center().toPoint());
    QCOMPARE(spied(spy), NodeId(2));
    shown.click(NodeId(3));
    shown.key(Qt::Key_Return);
    QCOMPARE(spied(spy), NodeId(3));
  }

  void arrows_walk_operands_users_and_siblings() {
    Shown shown(diamond());
    shown.click(NodeId(4));
    shown.key(Qt::Key_Up);
    QCOMPARE(shown.view.selected(), NodeId(3));
    shown.key(Qt::Key_Up);
    const NodeId middle = shown.view.selected();
    QVERIFY(middle == NodeId(1) || middle == NodeId(2));
    const bool is_left = shown.view.nodeRect(middle).left() <
                         shown.view.nodeRect(NodeId(middle == NodeId(1) ? 2U : 1U)).left();
    shown.key(is_left ? Qt::Key_Right : Qt::Key_Left);
    QCOMPARE(shown.view.selected(), NodeId(middle == NodeId(1) ? 2U : 1U));
    shown.key(Qt::Key_Up);
    QCOMPARE(shown.view.selected(), NodeId(0U));
    shown.key(Qt::Key_Up);  // Nothing above: stays.
    QCOMPARE(shown.view.selected(), NodeId(0U));
    shown.key(Qt::Key_Down);
    shown.key(Qt::Key_Down);
    QCOMPARE(shown.view.selected(), NodeId(3));
    shown.key(Qt::Key_Escape);
    QVERIFY(!shown.view.selected().valid());
  }

  void wheel_zooms_at_the_pointer() {
    Shown shown(diamond());
    const QPointF at(300, 200);
    const auto before = shown.view.camera().toWorld(at, shown.view.viewport()->size());
    const double zoom = shown.view.zoom();
    shown.wheel(at, 240);
    QVERIFY(shown.view.zoom() > 1.3 * zoom);
    const auto after = shown.view.camera().toWorld(at, shown.view.viewport()->size());
    QVERIFY(std::abs(after.x - before.x) < 0.01F && std::abs(after.y - before.y) < 0.01F);
    shown.wheel(at, -240, Qt::ControlModifier);
    QVERIFY(std::abs(shown.view.zoom() - zoom) < 1e-6);
    for (int i = 0; i < 100; ++i) shown.wheel(at, 240);
    QCOMPARE(shown.view.zoom(), 4.0);
    for (int i = 0; i < 200; ++i) shown.wheel(at, -240);
    QVERIFY(shown.view.zoom() > 0.1);
  }

  void shift_wheel_and_dragging_pan() {
    Shown shown(diamond());
    const QPointF start = shown.view.nodeRect(NodeId(0U)).topLeft();
    shown.wheel({300, 200}, -120, Qt::ShiftModifier);
    QCOMPARE(shown.view.nodeRect(NodeId(0U)).top(), start.y() - 120);
    QTest::mousePress(shown.view.viewport(), Qt::LeftButton, {}, QPoint(100, 500));
    QTest::mouseMove(shown.view.viewport(), QPoint(120, 500));
    QTest::mouseMove(shown.view.viewport(), QPoint(150, 470));
    QTest::mouseRelease(shown.view.viewport(), Qt::LeftButton, {}, QPoint(150, 470));
    QCOMPARE(shown.view.nodeRect(NodeId(0U)).left(), start.x() + 50);
    QCOMPARE(shown.view.nodeRect(NodeId(0U)).top(), start.y() - 150);
    QVERIFY(!shown.view.selected().valid());  // A drag is no click.
  }

  void space_fits_and_control_0_is_actual_size() {
    Shown shown(testing::transformer(400, false));
    const ui::Camera fitted = shown.view.camera();
    QVERIFY(fitted.zoom < 0.2);
    shown.key(Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(shown.view.zoom(), 1.0);
    shown.key(Qt::Key_Space);
    QCOMPARE(shown.view.camera(), fitted);
    // A fitted view stays fitted when its size changes; a moved one stays where it is.
    shown.view.resize(400, 300);
    QVERIFY(shown.view.zoom() < fitted.zoom);
    shown.view.setZoom(0.5);
    shown.view.resize(800, 600);
    QCOMPARE(shown.view.zoom(), 0.5);
  }

  void selecting_brings_into_view() {
    Shown shown(testing::transformer(400, false));
    shown.view.setZoom(1);
    const QRectF inside = shown.view.viewport()->rect();
    const QSignalSpy spy(&shown.view, &GraphView::nodeSelected);
    for (const uint32_t i : {20U, 390U, 200U}) {
      shown.view.select(NodeId(i));
      QVERIFY(inside.contains(shown.view.nodeRect(NodeId(i))));
    }
    QCOMPARE(spy.count(), 0);
    shown.view.select(NodeId(100000U));  // Not in this graph.
    QVERIFY(!shown.view.selected().valid());
  }

  void minimap_moves_the_view() {
    Shown shown(testing::transformer(400, false));
    shown.view.setZoom(1);
    const ui::Camera before = shown.view.camera();
    const QPoint corner(shown.view.viewport()->width() - 89, shown.view.viewport()->height() - 20);
    QTest::mouseClick(shown.view.viewport(), Qt::LeftButton, {}, corner);
    QVERIFY(shown.view.camera().y > before.y + 1000);
    QVERIFY(!shown.view.selected().valid());
  }

  void nothing_to_show_says_so() {
    GraphView view;
    view.resize(400, 300);
    view.show();
    view.setEmpty("No kernels here");
    QVERIFY(share_of(view.grab().toImage(), ui::theme().role(ui::Role::kCanvas)) > 0.9);
    QVERIFY(share_of(view.grab().toImage(), ui::theme().role(ui::Role::kCanvas)) < 1);
    for (const auto key : {Qt::Key_Up, Qt::Key_Return, Qt::Key_Space, Qt::Key_Home}) {
      QTest::keyClick(&view, key);
    }
    QVERIFY(!view.nodeAt({100, 100}).valid());
    QVERIFY(!view.picture({100, 100}).isNull());
    // A graph without nodes.
    const auto model = testing::model_of({});
    view.setGraph(model, placement_of(model->graph));
    QVERIFY(!view.grab().isNull());
    QTest::keyClick(&view, Qt::Key_Down);
    QVERIFY(!view.selected().valid());
  }

  void a_scene_made_before_is_shown_like_its_graph() {
    Shown shown(diamond());
    const QImage of_graph = shown.view.picture({400, 300});
    const auto model = testing::model_of(diamond());
    const auto scene = std::make_shared<const ui::GraphScene>(model, placement_of(model->graph));
    ui::GraphView view;
    view.resize(800, 600);
    view.setScene(scene);
    QCOMPARE(view.picture({400, 300}), of_graph);
    view.select(NodeId(1));
    QCOMPARE(view.selected(), NodeId(1));
    QVERIFY(view.nodeRect(NodeId(1)).isValid());
  }

  void colouring_and_theme_change_the_picture() {
    Shown shown(diamond());
    const QImage by_class = shown.view.grab().toImage();
    auto colouring = std::make_shared<ui::GraphColouring>();
    colouring->value = {0, 0.25F, 0.5F, 1, std::nanf("")};
    shown.view.setColouring(colouring);
    const QImage by_heat = shown.view.grab().toImage();
    QVERIFY(by_class != by_heat);
    // The hottest node is filled with the end of the heat scale.
    const QPointF inside = shown.view.nodeRect(NodeId(3)).bottomRight() - QPointF(40, 3);
    QCOMPARE(by_heat.pixelColor(inside.toPoint()), ui::theme().heat(1));
    ui::setThemeMode(ui::ThemeMode::kDark);
    const QImage dark = shown.view.grab().toImage();
    QCOMPARE(dark.pixelColor(2, 300), ui::theme().role(ui::Role::kCanvas));
    ui::setThemeMode(ui::ThemeMode::kLight);
    QCOMPARE(shown.view.grab().toImage(), by_heat);
  }

  void legend_row_dims_the_other_classes() {
    Shown shown(diamond());
    const auto strong = [](uint32_t i) {
      return ui::theme().opClass(static_cast<hlo::OpClass>(i));
    };
    const auto strip_of = [&](uint32_t i) {
      const QPointF at = shown.view.nodeRect(NodeId(i)).center();
      const double left = shown.view.nodeRect(NodeId(i)).left();
      return shown.view.grab().toImage().pixelColor(static_cast<int>(left) + 1,
                                                    static_cast<int>(at.y()));
    };
    QCOMPARE(strip_of(1), strong(1));
    // Second row of the legend: class 1.
    QTest::mouseClick(shown.view.viewport(), Qt::LeftButton, {}, QPoint(700, 12 + 22 + 18 + 9));
    QCOMPARE(strip_of(1), strong(1));
    QVERIFY(strip_of(2) != strong(2));
    QTest::mouseClick(shown.view.viewport(), Qt::LeftButton, {}, QPoint(700, 12 + 22 + 18 + 9));
    QCOMPARE(strip_of(2), strong(2));
  }

  void readable_nodes_are_not_under_the_legend() {
    Shown shown(diamond());
    for (const int width : {700, 560, 480, 400}) {
      shown.view.resize(width, 500);
      const QRect legend = ui::Legend().rect(shown.view.viewport()->size());
      QVERIFY(!legend.isEmpty());
      for (uint32_t i = 0; i < 4; ++i) {
        QVERIFY2(!shown.view.nodeRect(NodeId(i)).intersects(legend),
                 qPrintable(QString::number(width)));
      }
    }
  }

  void small_views_have_no_legend_over_the_graph() {
    QVERIFY(!ui::Legend().rect({800, 600}).isEmpty());
    QVERIFY(ui::Legend().rect({800, 150}).isEmpty());
    QVERIFY(ui::Legend().rect({300, 600}).isEmpty());
    QVERIFY(!ui::Legend().classAt({700, 60}, {800, 150}));
    QVERIFY(ui::Minimap().rect({800, 150}).isEmpty());
  }

  void pictures_at_every_detail_level_show_the_graph() {
    Shown shown(testing::square(30, 30, 1500));
    const QColor canvas = ui::theme().role(ui::Role::kCanvas);
    for (const double zoom : {0.03, 0.08, 0.15, 0.3, 0.6, 1.0, 2.0}) {
      shown.view.fit();
      shown.view.setZoom(zoom);
      const double empty = share_of(shown.view.grab().toImage(), canvas);
      QVERIFY2(empty > 0.05 && empty < 0.999,
               qPrintable(QStringLiteral("%1: %2").arg(zoom).arg(empty)));
    }
  }

  void frames_are_the_same_every_time() {
    const Shown a(testing::transformer(2000, true));
    const Shown b(testing::transformer(2000, true));
    QCOMPARE(a.view.picture({700, 500}), b.view.picture({700, 500}));
  }
};

HLOSCOPE_TEST(TestGraphView);
#include "test_graph_view.moc"
