#include "ui/charts/trial_cloud_chart.h"

#include <algorithm>
#include <cmath>

#include "ui/theme/fonts.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {
namespace {

constexpr double kCloudPadding = 8;
constexpr double kLegend = 20;
constexpr double kCloudReach = 8;
constexpr int kMostBars = 60;
constexpr size_t kMostLine = 400;  ///< Points, besides those of restarts.
constexpr qsizetype kMostSmooth = 200;

/// A small square, straight into the picture: a painter takes far longer.
void putSquare(QImage& image, int x, int y, int size, QRgb color) {
  const int left = std::max(0, x - size / 2);
  const int right = std::min(image.width(), x - size / 2 + size);
  const int top = std::max(0, y - size / 2);
  const int bottom = std::min(image.height(), y - size / 2 + size);
  for (int row = top; row < bottom; ++row) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(row));
    for (int column = left; column < right; ++column) line[column] = color;
  }
}

}  // namespace

TrialCloudChart::TrialCloudChart(QWidget* parent) : PlotWidget(parent) {
  setAccessibleName(tr("Trials of the search"));
}

void TrialCloudChart::setTrials(std::shared_ptr<const TrialColumns> trials,
                                const Settings& settings) {
  trials_ = std::move(trials);
  selected_ = -1;
  refresh(settings);
  fit();
}

void TrialCloudChart::refresh(const Settings& settings) {
  settings_ = settings;
  fitAxes();
  changed();
}

void TrialCloudChart::setSelectedTrial(int trial) {
  selected_ = trial;
  update();
}

void TrialCloudChart::fitAxes() {
  double low = HUGE_VAL;
  double high = 0;
  const size_t count = trials_ ? trials_->size() : 0;
  for (size_t i = 0; i < count; ++i) {
    const double time = trials_->search_ns(i) / 1e3;
    if (!(time > 0)) continue;
    low = std::min(low, time);
    high = std::max(high, time);
  }
  const double end = std::max(settings_.trials_end, static_cast<double>(count));
  x_axis_ = fittedAxis(tr("trial"), 0, std::max(1.0, end), false, 0);
  y_axis_ = fittedAxis(settings_.is_hardware ? tr("time, µs") : tr("predicted, µs"), low, high,
                       true, 0.05);
}

void TrialCloudChart::layOut() {
  area_.x = strip_.x = zoomedX(x_axis_);
  area_.y = zoomedY(y_axis_);
  const QRectF all = QRectF(rect()).adjusted(kCloudPadding, kCloudPadding + kLegend,
                                             -kCloudPadding - 34, -kCloudPadding);
  QRectF upper = all;
  upper.setHeight(all.height() * 0.62);
  QRectF lower = all;
  lower.setTop(upper.bottom());
  double most = 0;
  for (const QPointF& point : line_) most = std::max(most, point.y());
  strip_.y = fittedAxis(lineName(), 0, most > 0 ? most : 1, false, 0);
  if (most > 0) strip_.y.high *= 1.08;
  area_.rect = insideAxes(upper, area_.y, false);
  strip_.rect = insideAxes(lower, strip_.y);
  // Longer than its axis it would reach into the picture above; the legend names the line as well.
  if (QFontMetricsF(smallFont()).horizontalAdvance(strip_.y.title) > strip_.rect.height() + 16) {
    strip_.y.title.clear();
  }
  const double left = std::max(area_.rect.left(), strip_.rect.left());
  area_.rect.setLeft(left);
  strip_.rect.setLeft(left);
}

void TrialCloudChart::paintPlot(QPainter& painter) {
  if (picture_.isNull()) paintPicture();
  painter.drawImage(QPointF(0, 0), picture_);
  if (selected_ < 0 || !trials_ || selected_ >= static_cast<int>(trials_->size())) return;
  const auto selected = static_cast<size_t>(selected_);
  const QPointF at = area_.at(selected_ + 0.5, trials_->search_ns(selected) / 1e3);
  if (!area_.rect.contains(at)) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().role(Role::kAccent), 2));
  painter.drawEllipse(at, 7, 7);
}

void TrialCloudChart::paintPicture() {
  const double ratio = devicePixelRatioF();
  picture_ = QImage((QSizeF(size()) * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
  picture_.setDevicePixelRatio(ratio);
  picture_.fill(theme().role(Role::kBase));
  if (picture_.isNull()) return;
  line_ = line();
  layOut();
  QPainter painter(&picture_);
  painter.setRenderHint(QPainter::Antialiasing);
  paintLegend(painter);
  paintAxes(painter, area_, false);
  paintStrip(painter);
  painter.end();
  paintCloud();
}

void TrialCloudChart::paintCloud() {
  if (!trials_) return;
  const double ratio = devicePixelRatioF();
  const size_t count = trials_->size();
  const bool many = count > 20'000;
  const QRgb rejected =
      mixed(theme().role(Role::kBase), theme().role(Role::kTextMuted), many ? 0.4 : 0.65).rgba();
  const QRgb accepted = theme().role(Role::kAccent).rgba();
  const QRectF rect(area_.rect.topLeft() * ratio, area_.rect.size() * ratio);
  const int small = std::max(1, static_cast<int>((many ? 1 : 2) * ratio));
  const int large = std::max(2, static_cast<int>((many ? 2 : 3) * ratio));
  // What was accepted stands above the rest.
  for (const uint8_t layer : {uint8_t{0}, uint8_t{1}}) {
    for (size_t i = 0; i < count; ++i) {
      if (trials_->accepted[i] != layer) continue;
      const double time = trials_->search_ns(i) / 1e3;
      if (!(time > 0)) continue;
      const double x = rect.left() + area_.x.part(static_cast<double>(i) + 0.5) * rect.width();
      const double y = rect.bottom() - area_.y.part(time) * rect.height();
      if (!rect.contains(x, y)) continue;
      putSquare(picture_, static_cast<int>(x), static_cast<int>(y), layer != 0 ? large : small,
                layer != 0 ? accepted : rejected);
    }
  }
}

QString TrialCloudChart::lineName() const {
  switch (settings_.kind) {
    case Kind::kAnnealing:
      return tr("temperature");
    case Kind::kGenetic:
      return tr("mean, µs");
    case Kind::kCoverage:
      return settings_.space_count > 0 ? tr("seen, %") : tr("trials");
  }
  return {};
}

QString TrialCloudChart::barsName() const {
  if (settings_.kind == Kind::kAnnealing) return tr("acceptance");
  if (settings_.kind == Kind::kGenetic) return tr("share kept");
  return settings_.baseline_ns > 0 ? tr("faster than default") : QString();
}

void TrialCloudChart::paintLegend(QPainter& painter) const {
  painter.save();
  painter.setFont(smallFont());
  double x = kCloudPadding;
  const double y = kCloudPadding + kLegend / 2;
  const auto add = [&](const QString& text, double size, const QColor& color, bool line) {
    if (text.isEmpty()) return;
    painter.fillRect(
        line ? QRectF(x, y - 1, 16, 2) : QRectF(x + 8 - size / 2, y - size / 2, size, size), color);
    painter.setPen(theme().role(Role::kTextMuted));
    const double width = painter.fontMetrics().horizontalAdvance(text);
    painter.drawText(QRectF(x + 20, y - 9, width + 2, 18), Qt::AlignVCenter, text);
    x += 20 + width + 12;
  };
  const bool searches = settings_.kind != Kind::kCoverage;
  if (searches)
    add(settings_.kind == Kind::kGenetic ? tr("kept") : tr("accepted"), 5,
        theme().role(Role::kAccent), false);
  add(searches ? tr("rejected") : tr("trial"), 3, theme().role(Role::kTextMuted), false);
  add(lineName(), 2, theme().role(Role::kWarn), true);
  add(barsName(), 11, mixed(theme().role(Role::kBase), theme().role(Role::kGood), 0.4), false);
  painter.restore();
}

TrialCloudChart::Bars TrialCloudChart::bars() const {
  Bars bars;
  const size_t count = trials_ ? trials_->size() : 0;
  if (count == 0 || barsName().isEmpty()) return bars;
  bars.width = std::max(10.0, std::ceil(x_axis_.high / kMostBars));
  const auto width = static_cast<size_t>(bars.width);
  for (size_t from = 0; from < count; from += width) {
    const size_t to = std::min(count, from + width);
    size_t hits = 0;
    for (size_t i = from; i < to; ++i) {
      hits += settings_.kind == Kind::kCoverage ? trials_->search_ns(i) < settings_.baseline_ns
                                                : trials_->accepted[i] != 0;
    }
    bars.share.push_back(static_cast<double>(hits) / static_cast<double>(to - from));
  }
  return bars;
}

std::vector<QPointF> TrialCloudChart::line() const {
  std::vector<QPointF> points;
  const size_t count = trials_ ? trials_->size() : 0;
  if (count == 0) return points;
  if (settings_.kind == Kind::kCoverage) {
    const double all = settings_.space_count > 0 ? settings_.space_count / 100 : 1;
    return {QPointF(0, 0), QPointF(static_cast<double>(count), static_cast<double>(count) / all)};
  }
  if (settings_.kind == Kind::kAnnealing) {
    // A restart is a jump upward: both ends of every stretch are kept.
    const size_t step = std::max<size_t>(1, count / kMostLine);
    for (size_t i = 0; i < count; ++i) {
      const bool jumps = i > 0 && trials_->temperature[i] > trials_->temperature[i - 1];
      if (jumps) points.emplace_back(static_cast<double>(i), trials_->temperature[i - 1]);
      if (jumps || i % step == 0 || i + 1 == count) {
        points.emplace_back(static_cast<double>(i), trials_->temperature[i]);
      }
    }
    return points;
  }
  const auto size =
      std::max<size_t>({1, static_cast<size_t>(settings_.population), count / kMostLine});
  for (size_t from = 0; from < count; from += size) {
    const size_t to = std::min(count, from + size);
    double sum = 0;
    size_t timed = 0;
    for (size_t i = from; i < to; ++i) {
      const double time = trials_->search_ns(i);
      if (std::isnan(time)) continue;
      sum += time / 1e3;
      ++timed;
    }
    if (timed > 0)
      points.emplace_back(static_cast<double>(from + to) / 2, sum / static_cast<double>(timed));
  }
  return points;
}

void TrialCloudChart::paintStrip(QPainter& painter) {
  paintAxes(painter, strip_);
  painter.save();
  painter.setClipRect(strip_.rect);
  paintBars(painter);
  paintLine(painter);
  painter.restore();
  if (barsName().isEmpty()) return;
  painter.save();
  painter.setFont(smallFont());
  painter.setPen(theme().role(Role::kGood));
  for (int percent : {0, 50, 100}) {
    const double y = strip_.rect.bottom() - strip_.rect.height() * percent / 100;
    painter.drawText(QRectF(strip_.rect.right() + 4, y - 9, 48, 18), Qt::AlignVCenter,
                     QStringLiteral("%1 %").arg(percent));
  }
  painter.restore();
}

void TrialCloudChart::paintBars(QPainter& painter) const {
  const Bars all = bars();
  const QColor color = mixed(theme().role(Role::kBase), theme().role(Role::kGood), 0.4);
  for (size_t i = 0; i < all.share.size(); ++i) {
    const double from = static_cast<double>(i) * all.width;
    const double left = strip_.at(from, 0).x();
    const double right =
        strip_.at(std::min(from + all.width, static_cast<double>(trials_->size())), 0).x();
    const double height = strip_.rect.height() * all.share[i];
    painter.fillRect(
        QRectF(left + 0.5, strip_.rect.bottom() - height, std::max(1.0, right - left - 1), height),
        color);
  }
}

void TrialCloudChart::paintLine(QPainter& painter) const {
  QPolygonF polygon;
  for (const QPointF& point : line_) polygon << strip_.at(point.x(), point.y());
  painter.setBrush(Qt::NoBrush);
  // Wide and smooth lines of many points take long.
  const bool many = polygon.size() > kMostSmooth;
  painter.setRenderHint(QPainter::Antialiasing, !many);
  painter.setPen(QPen(theme().role(Role::kWarn), many ? 1 : 1.8));
  painter.drawPolyline(polygon);
}

int TrialCloudChart::trialAt(const QPointF& position) const {
  const size_t count = trials_ ? trials_->size() : 0;
  if (count == 0 || area_.rect.width() <= 0) return -1;
  const double around = kCloudReach / area_.rect.width() * (area_.x.high - area_.x.low);
  const double middle = area_.valueAt(position).x();
  const auto from =
      static_cast<size_t>(std::clamp(middle - around, 0.0, static_cast<double>(count)));
  const auto to = static_cast<size_t>(std::clamp(middle + around, 0.0, static_cast<double>(count)));
  int best = -1;
  double least = kCloudReach * kCloudReach;
  for (size_t i = from; i < to; ++i) {
    const double time = trials_->search_ns(i) / 1e3;
    if (!(time > 0)) continue;
    const QPointF d = area_.at(static_cast<double>(i) + 0.5, time) - position;
    const double distance = d.x() * d.x() + d.y() * d.y();
    if (distance >= least) continue;
    least = distance;
    best = static_cast<int>(i);
  }
  return best;
}

QString TrialCloudChart::toolTipAt(const QPointF& position) const {
  const int trial = trialAt(position);
  if (trial < 0) return {};
  const auto i = static_cast<size_t>(trial);
  return tr("Trial %1, %2\n%3\n%4")
      .arg(formatCount(trial), trials_->accepted[i] != 0 ? tr("accepted") : tr("rejected"),
           trials_->has_config(i) ? QString::fromStdString(trials_->config[i])
                                  : tr("configuration still being read"),
           formatTime(trials_->search_ns(i)));
}

void TrialCloudChart::clickAt(const QPointF& position) {
  const int trial = trialAt(position);
  if (trial < 0) return;
  setSelectedTrial(trial);
  emit trialClicked(trial);
}

void TrialCloudChart::activateAt(const QPointF& position) {
  if (const int trial = trialAt(position); trial >= 0) emit trialActivated(trial);
}

void TrialCloudChart::activateCurrent() {
  if (selected_ >= 0) emit trialActivated(selected_);
}

void TrialCloudChart::walk(int step) {
  if (!trials_ || trials_->size() == 0) return;
  const int last = static_cast<int>(trials_->size()) - 1;
  setSelectedTrial(selected_ < 0 ? (step > 0 ? 0 : last) : std::clamp(selected_ + step, 0, last));
  emit trialClicked(selected_);
}

QString TrialCloudChart::csv() const {
  QString text = QStringLiteral("trial,time_us,accepted,temperature\n");
  for (size_t i = 0; trials_ && i < trials_->size(); ++i) {
    text += QStringLiteral("%1,%2,%3,%4\n")
                .arg(i)
                .arg(trials_->search_ns(i) / 1e3, 0, 'g', 10)
                .arg(trials_->accepted[i])
                .arg(trials_->temperature[i], 0, 'g', 6);
  }
  return text;
}

}  // namespace hloscope::ui
