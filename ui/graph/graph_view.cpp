#include "ui/graph/graph_view.h"

#include <QEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {

namespace {
constexpr double kFitMargin = 16;
constexpr double kMaxZoom = 4;
constexpr double kReadableZoom = 0.6;  ///< Names can be read from here on.
constexpr double kAround = 40;         ///< Shown around what is brought into view.
}  // namespace

GraphView::GraphView(QWidget* parent) : QAbstractScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Graph"));
  viewport()->setMouseTracking(true);
  viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
  viewport()->grabGesture(Qt::PinchGesture);
  connect(&themeNotifier(), &ThemeNotifier::changed, this, [this] {
    renderer_.themeChanged();
    minimap_is_valid_ = false;
    redraw();
  });
}

GraphView::~GraphView() = default;

void GraphView::setGraph(GraphModelPtr model, PlacementPtr placement) {
  setScene(std::make_shared<const GraphScene>(std::move(model), std::move(placement)));
}

void GraphView::setScene(GraphScenePtr scene) {
  scene_ = std::move(scene);
  model_ = scene_->modelPtr();
  placement_ = scene_->placementPtr();
  Q_ASSERT(model_->nodes.size() <= placement_->boxes.size());
  colouring_.reset();
  legend_.setColouring(nullptr);
  only_class_.reset();
  selected_ = {};
  empty_text_.clear();
  minimap_is_valid_ = false;
  fit();
}

void GraphView::setEmpty(const QString& text) {
  scene_.reset();
  model_.reset();
  placement_.reset();
  colouring_.reset();
  selected_ = {};
  minimap_.clear();
  empty_text_ = text;
  redraw();
}

void GraphView::setColouring(GraphColouringPtr colouring) {
  Q_ASSERT(!colouring || (model_ && colouring->value.size() == model_->nodes.size()));
  colouring_ = std::move(colouring);
  legend_.setColouring(colouring_);
  only_class_.reset();
  minimap_is_valid_ = false;
  redraw();
}

void GraphView::select(layout::NodeId node, bool reveal) {
  if (node.valid() && (!model_ || node.value >= model_->nodes.size())) node = {};
  selected_ = node;
  if (node.valid() && reveal) this->reveal(placement_->boxes[layout::BoxId(node.value)].rect);
  redraw();
}

void GraphView::selectByUser(layout::NodeId node) {
  if (node == selected_) return;
  select(node, true);
  emit nodeSelected(node);
}

double GraphView::minZoom() const {
  if (!scene_) return 1;
  return Camera::fitting(placement_->bounds, viewport()->size(), kFitMargin).zoom / 2;
}

void GraphView::setZoom(double zoom) {
  zoomAt(QPointF(viewport()->width(), viewport()->height()) / 2, zoom / camera_.zoom);
}

void GraphView::zoomAt(QPointF position, double factor) {
  if (!scene_) return;
  const QSizeF size = viewport()->size();
  const double zoom = std::clamp(camera_.zoom * factor, minZoom(), kMaxZoom);
  const double x = (position.x() - size.width() / 2) / camera_.zoom + camera_.x;
  const double y = (position.y() - size.height() / 2) / camera_.zoom + camera_.y;
  camera_.zoom = zoom;
  camera_.x = x - (position.x() - size.width() / 2) / zoom;
  camera_.y = y - (position.y() - size.height() / 2) / zoom;
  fitted_ = false;
  cameraMoved();
}

void GraphView::setCamera(const Camera& camera) {
  camera_ = camera;
  fitted_ = false;
  cameraMoved();
}

/// Beside the legend and the minimap where that costs little size or leaves names readable, else
/// below them.
Camera GraphView::fittingCamera() const {
  const QSize size = viewport()->size();
  const Camera whole = Camera::fitting(placement_->bounds, size, kFitMargin);
  const QRect legend = legend_.rect(size);
  if (legend.isEmpty()) return whole;
  const double taken = size.width() - legend.left();
  Camera beside = Camera::fitting(placement_->bounds, size - QSizeF(taken, 0).toSize(), kFitMargin);
  if (beside.zoom < std::min(0.85 * whole.zoom, kReadableZoom)) return whole;
  beside.x += taken / 2 / beside.zoom;
  return beside;
}

void GraphView::fit() {
  if (scene_) camera_ = fittingCamera();
  fitted_ = true;
  cameraMoved();
}

void GraphView::actualSize() {
  setZoom(1);
  if (selected_.valid()) reveal(placement_->boxes[layout::BoxId(selected_.value)].rect);
}

void GraphView::scroll(QPointF by) {
  camera_.x -= by.x() / camera_.zoom;
  camera_.y -= by.y() / camera_.zoom;
  fitted_ = false;
  cameraMoved();
}

/// Moves the camera by as little as shows the whole rectangle, with some of what is around it.
void GraphView::reveal(const layout::Rect& rect) {
  const QSizeF size = viewport()->size();
  const QRectF shown = camera_.toScreen(rect, size);
  const auto shift = [](double from, double to, double room) {
    const double margin = std::min(kAround, std::max(0.0, (room - (to - from)) / 2));
    if (from < margin) return margin - from;
    if (to > room - margin) return std::max(room - margin - to, margin - from);
    return 0.0;
  };
  const QPointF by(shift(shown.left(), shown.right(), size.width()),
                   shift(shown.top(), shown.bottom(), size.height()));
  if (!by.isNull()) scroll(by);
}

void GraphView::cameraMoved() {
  redraw();
  emit zoomChanged(camera_.zoom);
}

void GraphView::redraw() {
  frame_is_valid_ = false;
  viewport()->update();
}

layout::NodeId GraphView::nodeAt(QPoint position) const {
  if (!scene_) return {};
  const layout::Point at = camera_.toWorld(position, viewport()->size());
  // What is a few pixels small can be hit a little beside.
  const auto slack = static_cast<float>(2 / camera_.zoom);
  std::vector<uint32_t> found;
  scene_->boxIndex().query({at.x - slack, at.y - slack, at.x + slack, at.y + slack}, found);
  layout::NodeId best;
  float nearest = 0;
  for (const uint32_t i : found) {
    const layout::Box& box = placement_->boxes[layout::BoxId(i)];
    const float dx = std::max({box.rect.left - at.x, at.x - box.rect.right, 0.F});
    const float dy = std::max({box.rect.top - at.y, at.y - box.rect.bottom, 0.F});
    if (best.valid() && dx + dy >= nearest) continue;
    best = box.node;
    nearest = dx + dy;
  }
  return best;
}

QRectF GraphView::nodeRect(layout::NodeId node) const {
  if (!scene_ || node.value >= model_->nodes.size()) return {};
  return camera_.toScreen(placement_->boxes[layout::BoxId(node.value)].rect, viewport()->size());
}

FrameRequest GraphView::request() const {
  FrameRequest request;
  request.scene = scene_.get();
  request.colouring = colouring_.get();
  request.camera = camera_;
  request.selected = selected_;
  request.focused = hasFocus();
  request.only_class = only_class_;
  return request;
}

QImage GraphView::picture(QSize size) const {
  QImage image(size, QImage::Format_RGB32);
  image.fill(theme().role(Role::kCanvas));
  if (!scene_) return image;
  FrameRequest whole = request();
  whole.camera = Camera::fitting(placement_->bounds, size, kFitMargin);
  whole.selected = {};
  renderer_.render(whole, image);
  return image;
}

void GraphView::renderFrame() {
  const double dpr = viewport()->devicePixelRatioF();
  const QSize pixels = viewport()->size() * dpr;
  if (frame_.size() != pixels) frame_ = QImage(pixels, QImage::Format_RGB32);
  frame_.setDevicePixelRatio(dpr);
  report_ = renderer_.render(request(), frame_);
  if (!minimap_is_valid_) {
    minimap_.update(renderer_, request(), dpr);
    minimap_is_valid_ = true;
  }
  frame_is_valid_ = true;
}

void GraphView::paintEvent(QPaintEvent*) {
  if (viewport()->size().isEmpty()) return;
  QPainter painter(viewport());
  if (!scene_) {
    painter.fillRect(viewport()->rect(), theme().role(Role::kCanvas));
    painter.setFont(uiFont());
    painter.setPen(theme().role(Role::kTextMuted));
    painter.drawText(viewport()->rect(), Qt::AlignCenter | Qt::TextWordWrap, empty_text_);
    return;
  }
  if (!frame_is_valid_) renderFrame();
  painter.drawImage(QPoint(0, 0), frame_);
  minimap_.paint(painter, viewport()->size(), camera_);
  legend_.paint(painter, viewport()->size(), report_, only_class_);
  if (hasFocus()) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(theme().role(Role::kAccent));
    painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
  }
}

void GraphView::resizeEvent(QResizeEvent*) {
  if (fitted_) {
    fit();
  } else {
    redraw();
  }
}

void GraphView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) redraw();
  QAbstractScrollArea::changeEvent(event);
}

}  // namespace hloscope::ui
