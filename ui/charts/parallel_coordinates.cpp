#include "ui/charts/parallel_coordinates.h"

#include <QMouseEvent>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/theme/fonts.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {
namespace {

constexpr int kBins = 48;
constexpr uint8_t kNoBin = 255;
constexpr qsizetype kMostSmoothPairs = 300;  ///< Above that lines are thin and not smooth.
constexpr size_t kStrengths = 8;             ///< Lines of about equal counts are drawn together.
constexpr qsizetype kStrokeLines = 64;       ///< Drawn without a look at the clock.
constexpr qint64 kSliceMs = 12;
constexpr double kCoordinateTop = 34;
constexpr double kCoordinateBottom = 26;
constexpr double kSide = 40;
constexpr double kBrushWidth = 12;
constexpr double kGrab = 14;

}  // namespace

ParallelCoordinates::ParallelCoordinates(QWidget* parent) : PlotWidget(parent) {
  setAccessibleName(tr("Parallel coordinates"));
  setAccessibleDescription(tr("Left and Right choose an axis, Up and Down brush it"));
  drawing_.setSingleShot(true);
  connect(&drawing_, &QTimer::timeout, this, &ParallelCoordinates::drawSome);
}

void ParallelCoordinates::setAxes(std::vector<Axis> axes) {
  std::vector<Scaled> next;
  for (Axis& axis : axes) {
    Scaled scaled;
    scaled.axis = std::move(axis);
    for (const Scaled& old : axes_) {
      if (old.axis.title == scaled.axis.title) scaled.brush = old.brush;
    }
    scale(scaled);
    next.push_back(std::move(scaled));
  }
  axes_ = std::move(next);
  focus_axis_ = std::min(focus_axis_, axes_.empty() ? 0 : axes_.size() - 1);
  applyBrushes();
  changed();
}

void ParallelCoordinates::scale(Scaled& scaled) const {
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  for (float value : scaled.axis.values) {
    if (std::isnan(value) || (scaled.axis.is_log && value <= 0)) continue;
    low = std::min(low, double{value});
    high = std::max(high, double{value});
  }
  if (low > high) low = high = 1;
  scaled.low = low;
  scaled.high = high;
  if (scaled.axis.few_values) {
    std::vector<float> sorted = scaled.axis.values;
    std::erase_if(sorted, [](float value) { return std::isnan(value); });
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    scaled.axis.few_values = sorted.size() <= kBins;
    if (scaled.axis.few_values) scaled.distinct.assign(sorted.begin(), sorted.end());
  }
  scaled.bins.reserve(scaled.axis.values.size());
  for (float value : scaled.axis.values) {
    const bool missing = std::isnan(value) || (scaled.axis.is_log && value <= 0);
    const double part = missing ? 0 : std::clamp(partOf(scaled, value), 0.0, 1.0);
    scaled.bins.push_back(missing ? kNoBin : static_cast<uint8_t>(std::lround(part * (kBins - 1))));
  }
}

double ParallelCoordinates::partOf(const Scaled& scaled, double value) const {
  if (scaled.axis.few_values) {
    const auto count = static_cast<double>(scaled.distinct.size());
    const auto at = std::lower_bound(scaled.distinct.begin(), scaled.distinct.end(), value);
    const auto index = static_cast<double>(at - scaled.distinct.begin());
    return count > 1 ? index / (count - 1) : 0.5;
  }
  if (!(scaled.high > scaled.low)) return 0.5;
  if (scaled.axis.is_log) return std::log(value / scaled.low) / std::log(scaled.high / scaled.low);
  return (value - scaled.low) / (scaled.high - scaled.low);
}

double ParallelCoordinates::valueAtPart(const Scaled& scaled, double part) const {
  if (scaled.axis.few_values && !scaled.distinct.empty()) {
    const double place = part * static_cast<double>(scaled.distinct.size() - 1);
    const auto index = static_cast<size_t>(std::max(0.0, std::floor(place)));
    const size_t last = scaled.distinct.size() - 1;
    if (index >= last) return scaled.distinct[last];
    const double rest = place - static_cast<double>(index);
    return scaled.distinct[index] * (1 - rest) + scaled.distinct[index + 1] * rest;
  }
  if (scaled.axis.is_log) return scaled.low * std::pow(scaled.high / scaled.low, part);
  return scaled.low + (scaled.high - scaled.low) * part;
}

void ParallelCoordinates::setBrush(size_t axis, std::optional<Range> range) {
  axes_[axis].brush = range;
  applyBrushes();
  changed();
  emit brushChanged();
}

void ParallelCoordinates::clearBrushes() {
  if (!hasBrush()) return;
  for (Scaled& scaled : axes_) scaled.brush.reset();
  applyBrushes();
  changed();
  emit brushChanged();
}

bool ParallelCoordinates::hasBrush() const {
  return std::any_of(axes_.begin(), axes_.end(),
                     [](const Scaled& scaled) { return scaled.brush.has_value(); });
}

void ParallelCoordinates::applyBrushes() {
  brushed_.clear();
  if (!hasBrush()) return;
  brushed_.assign(axes_.front().axis.values.size(), 1);
  for (const Scaled& scaled : axes_) {
    if (!scaled.brush) continue;
    const auto [low, high] = *scaled.brush;
    // Values are floats: what lies on an end counts as inside.
    const double slack = std::max(std::abs(low), std::abs(high)) * 1e-6;
    for (size_t row = 0; row < brushed_.size(); ++row) {
      const double value = scaled.axis.values[row];
      if (!(value >= low - slack && value <= high + slack)) brushed_[row] = 0;
    }
  }
}

QRectF ParallelCoordinates::plot() const {
  return QRectF(rect()).adjusted(kSide, kCoordinateTop, -kSide, -kCoordinateBottom);
}

double ParallelCoordinates::axisX(size_t index) const {
  const QRectF area = plot();
  if (axes_.size() < 2) return area.center().x();
  return area.left() +
         area.width() * static_cast<double>(index) / static_cast<double>(axes_.size() - 1);
}

double ParallelCoordinates::axisY(double part) const {
  const QRectF area = plot();
  return area.bottom() - area.height() * part;
}

double ParallelCoordinates::partAt(double y) const {
  const QRectF area = plot();
  return std::clamp((area.bottom() - y) / area.height(), 0.0, 1.0);
}

std::optional<size_t> ParallelCoordinates::axisAt(double x) const {
  for (size_t i = 0; i < axes_.size(); ++i) {
    if (std::abs(axisX(i) - x) <= kGrab) return i;
  }
  return std::nullopt;
}

void ParallelCoordinates::paintPlot(QPainter& painter) {
  if (std::exchange(stale_, false)) startPicture();
  painter.drawImage(QPointF(0, 0), picture_);
  for (size_t i = 0; i < axes_.size(); ++i) paintAxis(painter, i);
}

void ParallelCoordinates::startPicture() {
  const double ratio = devicePixelRatioF();
  next_picture_ = QImage((QSizeF(size()) * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
  next_picture_.setDevicePixelRatio(ratio);
  next_picture_.fill(Qt::transparent);
  strokes_.clear();
  next_stroke_ = 0;
  // Lines of another size would not meet the axes.
  if (picture_.size() != next_picture_.size()) picture_ = {};
  for (size_t left = 0; left + 1 < axes_.size(); ++left) {
    if (!brushed_.empty()) addStrokes(left, false);
  }
  for (size_t left = 0; left + 1 < axes_.size(); ++left) addStrokes(left, true);
  drawSome();
}

void ParallelCoordinates::drawSome() {
  QElapsedTimer clock;
  clock.start();
  if (!next_picture_.isNull()) {
    QPainter painter(&next_picture_);
    while (next_stroke_ < strokes_.size() && clock.elapsed() < kSliceMs) {
      const Strokes& strokes = strokes_[next_stroke_++];
      painter.setRenderHint(QPainter::Antialiasing, strokes.smooth);
      painter.setPen(strokes.pen);
      painter.drawLines(strokes.lines);
    }
  }
  if (next_stroke_ < strokes_.size()) return drawing_.start(0);
  drawing_.stop();
  strokes_.clear();
  picture_ = std::exchange(next_picture_, {});
  update();
}

void ParallelCoordinates::addStrokes(size_t left, bool bright) {
  const Scaled& from = axes_[left];
  const Scaled& to = axes_[left + 1];
  std::vector<uint32_t> counts(size_t{kBins} * kBins);
  const size_t rows = std::min(from.bins.size(), to.bins.size());
  for (size_t row = 0; row < rows; ++row) {
    if (from.bins[row] == kNoBin || to.bins[row] == kNoBin) continue;
    if (bright && !brushed_.empty() && brushed_[row] == 0) continue;
    ++counts[size_t{from.bins[row]} * kBins + to.bins[row]];
  }
  const uint32_t most = std::max(1U, *std::max_element(counts.begin(), counts.end()));
  std::array<QList<QLineF>, kStrengths> lines;
  qsizetype pairs = 0;
  for (size_t pair = 0; pair < counts.size(); ++pair) {
    if (counts[pair] == 0) continue;
    const double strength = most > 1 ? std::log1p(counts[pair]) / std::log1p(most) : 1.0;
    const double y_from = axisY(static_cast<double>(pair / kBins) / (kBins - 1));
    const double y_to = axisY(static_cast<double>(pair % kBins) / (kBins - 1));
    lines[static_cast<size_t>(strength * (kStrengths - 1))].append(
        QLineF(axisX(left), y_from, axisX(left + 1), y_to));
    ++pairs;
  }
  const bool smooth = pairs < kMostSmoothPairs;
  const QColor color = theme().role(bright ? Role::kAccent : Role::kEdgeFaint);
  for (size_t i = 0; i < kStrengths; ++i) {
    const double strength = static_cast<double>(i) / (kStrengths - 1);
    QColor ink = color;
    ink.setAlphaF(static_cast<float>(bright ? 0.12 + 0.68 * strength : 0.35));
    const QPen pen(ink, smooth && bright ? 0.8 + 1.2 * strength : 1);
    for (qsizetype at = 0; at < lines[i].size(); at += kStrokeLines) {
      strokes_.push_back({lines[i].mid(at, kStrokeLines), pen, smooth});
    }
  }
}

void ParallelCoordinates::paintAxis(QPainter& painter, size_t index) const {
  const Scaled& scaled = axes_[index];
  const double x = axisX(index);
  const QRectF area = plot();
  const bool focused = hasFocus() && index == focus_axis_;
  painter.setPen(QPen(theme().role(focused ? Role::kAccent : Role::kTextMuted), focused ? 2 : 1.2));
  painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
  std::optional<Range> shown = scaled.brush;
  if (drag_axis_ == index) {
    shown = Range(valueAtPart(scaled, std::min(drag_from_, drag_to_)),
                  valueAtPart(scaled, std::max(drag_from_, drag_to_)));
  }
  if (shown) {
    const auto part = [&](double value) { return std::clamp(partOf(scaled, value), 0.0, 1.0); };
    QRectF box(QPointF(x - kBrushWidth / 2, axisY(part(shown->second)) - 2),
               QPointF(x + kBrushWidth / 2, axisY(part(shown->first)) + 2));
    QColor fill = theme().role(Role::kAccent);
    painter.setPen(QPen(fill, 1.4));
    fill.setAlphaF(0.2F);
    painter.setBrush(fill);
    painter.drawRect(box);
    painter.setBrush(Qt::NoBrush);
  }
  painter.setFont(smallFont());
  const double room =
      axes_.size() > 1 ? std::max(40.0, area.width() / static_cast<double>(axes_.size() - 1)) : 200;
  const QFontMetrics metrics = painter.fontMetrics();
  const auto text = [&](double y, const QString& label, Role role) {
    painter.setPen(theme().role(role));
    const QString cut = metrics.elidedText(label, Qt::ElideMiddle, static_cast<int>(room) - 2);
    painter.drawText(QRectF(x - room / 2, y, room, 16), Qt::AlignCenter, cut);
  };
  const bool whole = scaled.axis.few_values || scaled.high >= 100;
  const int decimals = whole ? 0 : (scaled.high >= 10 ? 1 : 3);
  text(2, scaled.axis.title, Role::kText);
  text(17, formatNumber(scaled.high, decimals), Role::kTextMuted);
  text(area.bottom() + 4, formatNumber(scaled.low, decimals), Role::kTextMuted);
}

QString ParallelCoordinates::toolTipAt(const QPointF& position) const {
  const std::optional<size_t> index = axisAt(position.x());
  if (!index) return {};
  const Scaled& scaled = axes_[*index];
  QString text =
      tr("%1, here %2")
          .arg(scaled.axis.title, formatNumber(valueAtPart(scaled, partAt(position.y())), 1));
  if (scaled.brush) {
    text += tr("\nbrushed: %1 to %2")
                .arg(formatNumber(scaled.brush->first, 1), formatNumber(scaled.brush->second, 1));
  }
  return text + tr("\nDrag brushes this axis, a double click clears it");
}

void ParallelCoordinates::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !emptyText().isEmpty()) return;
  drag_axis_ = axisAt(event->position().x());
  if (!drag_axis_) return;
  focus_axis_ = *drag_axis_;
  drag_from_ = drag_to_ = partAt(event->position().y());
  update();
}

void ParallelCoordinates::mouseMoveEvent(QMouseEvent* event) {
  setCursor(axisAt(event->position().x()) ? Qt::SizeVerCursor : Qt::ArrowCursor);
  if (!drag_axis_) return;
  drag_to_ = partAt(event->position().y());
  update();
}

void ParallelCoordinates::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !drag_axis_) return;
  const size_t index = *drag_axis_;
  drag_axis_.reset();
  const double low = std::min(drag_from_, drag_to_);
  const double high = std::max(drag_from_, drag_to_);
  const bool is_click = (high - low) * plot().height() < 3;
  if (is_click) return update();
  setBrush(index, Range(valueAtPart(axes_[index], low), valueAtPart(axes_[index], high)));
}

void ParallelCoordinates::mouseDoubleClickEvent(QMouseEvent* event) {
  drag_axis_.reset();
  if (const std::optional<size_t> index = axisAt(event->position().x())) {
    setBrush(*index, std::nullopt);
  }
}

void ParallelCoordinates::moveBrush(bool upper, int steps) {
  const Scaled& scaled = axes_[focus_axis_];
  Range range = scaled.brush.value_or(Range(scaled.low, scaled.high));
  double& end = upper ? range.second : range.first;
  const double step = scaled.axis.few_values && scaled.distinct.size() > 1
                          ? 1.0 / static_cast<double>(scaled.distinct.size() - 1)
                          : 1.0 / 40;
  end = valueAtPart(scaled, std::clamp(partOf(scaled, end) + step * steps, 0.0, 1.0));
  if (range.first <= range.second) setBrush(focus_axis_, range);
}

void ParallelCoordinates::keyPressEvent(QKeyEvent* event) {
  if (axes_.empty()) return PlotWidget::keyPressEvent(event);
  const bool upper = !(event->modifiers() & Qt::ShiftModifier);
  switch (event->key()) {
    case Qt::Key_Left:
      focus_axis_ = focus_axis_ == 0 ? 0 : focus_axis_ - 1;
      return update();
    case Qt::Key_Right:
      focus_axis_ = std::min(focus_axis_ + 1, axes_.size() - 1);
      return update();
    case Qt::Key_Up:
      return moveBrush(upper, 1);
    case Qt::Key_Down:
      return moveBrush(upper, -1);
    case Qt::Key_Backspace:
      return setBrush(focus_axis_, std::nullopt);
    case Qt::Key_Escape:
      return clearBrushes();
    default:
      PlotWidget::keyPressEvent(event);
  }
}

QString ParallelCoordinates::csv() const {
  QStringList header;
  for (const Scaled& scaled : axes_) header << QString(scaled.axis.title).replace(',', ' ');
  QString text = header.join(',') + '\n';
  const size_t rows = axes_.empty() ? 0 : axes_.front().axis.values.size();
  for (size_t row = 0; row < rows; ++row) {
    if (!brushed_.empty() && brushed_[row] == 0) continue;
    QStringList cells;
    for (const Scaled& scaled : axes_) {
      const float value = scaled.axis.values[row];
      cells << (std::isnan(value) ? QString() : QString::number(double{value}, 'g', 8));
    }
    text += cells.join(',') + '\n';
  }
  return text;
}

}  // namespace hloscope::ui
