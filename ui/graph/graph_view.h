#pragma once

#include <QAbstractScrollArea>
#include <QImage>
#include <memory>
#include <optional>

#include "ui/graph/camera.h"
#include "ui/graph/graph_model.h"
#include "ui/graph/legend.h"
#include "ui/graph/minimap.h"

class QHelpEvent;

namespace hloscope::ui {

/// Shows a placed graph: pan, zoom, selection, legend and minimap. Only draws; layout is the
/// caller's. Keys: arrows walk operands (up), users (down) and siblings; Enter activates; Space
/// fits; Ctrl+0 actual size; Home the first node; Esc deselects.
class GraphView : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit GraphView(QWidget* parent = nullptr);
  ~GraphView() override;

  /// Shows a graph, whole; forgets selection and colouring. The placement must be of model->graph.
  void setGraph(GraphModelPtr model, PlacementPtr placement);
  /// The same of a scene that was made before, on a worker: many nodes take longer than a frame.
  void setScene(GraphScenePtr scene);
  /// Shows nothing but a text in the middle.
  void setEmpty(const QString& text);
  /// Null: by op class.
  void setColouring(GraphColouringPtr colouring);

  [[nodiscard]] layout::NodeId selected() const { return selected_; }
  /// Does not emit nodeSelected. Invalid: nothing. `reveal`: scrolls it into view if needed.
  void select(layout::NodeId node, bool reveal = true);

  [[nodiscard]] double zoom() const { return camera_.zoom; }
  /// Around the middle of the view.
  void setZoom(double zoom);
  [[nodiscard]] const Camera& camera() const { return camera_; }
  void setCamera(const Camera& camera);
  [[nodiscard]] layout::NodeId nodeAt(QPoint position) const;
  /// Of the node's own box, in viewport coordinates.
  [[nodiscard]] QRectF nodeRect(layout::NodeId node) const;
  /// The whole graph in one picture of about this width; for export and tests.
  [[nodiscard]] QImage picture(QSize size) const;

 public slots:
  void fit();
  void actualSize();

 signals:
  /// By mouse or keys; invalid: nothing is selected any more.
  void nodeSelected(hloscope::layout::NodeId node);
  /// Double-click or Enter.
  void nodeActivated(hloscope::layout::NodeId node);
  void zoomChanged(double zoom);

 protected:
  bool viewportEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  enum class Drag { kNone, kPending, kPan, kMinimap };

  void cameraMoved();
  void redraw();
  void zoomAt(QPointF position, double factor);
  void selectByUser(layout::NodeId node);
  void click(QPoint position);
  void dragTo(QPoint position);
  void reveal(const layout::Rect& rect);
  void walk(int key);
  bool showToolTip(const QHelpEvent& event);
  bool pinch(QEvent* event);
  void scroll(QPointF by);
  void renderFrame();
  [[nodiscard]] FrameRequest request() const;
  [[nodiscard]] Camera fittingCamera() const;
  [[nodiscard]] double minZoom() const;

  GraphModelPtr model_;
  PlacementPtr placement_;
  GraphColouringPtr colouring_;
  GraphScenePtr scene_;
  mutable FrameRenderer renderer_;  // Caches only.
  Minimap minimap_;
  Legend legend_;
  FrameReport report_;
  std::optional<hlo::OpClass> only_class_;
  QString empty_text_;
  Camera camera_;
  bool fitted_ = true;  ///< The view shows the whole graph, and goes on so when resized.
  layout::NodeId selected_;
  QImage frame_;
  bool frame_is_valid_ = false;
  bool minimap_is_valid_ = false;
  Drag drag_ = Drag::kNone;
  QPoint drag_start_;
  Camera drag_camera_;
};

}  // namespace hloscope::ui
