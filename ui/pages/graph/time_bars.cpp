#include "ui/pages/graph/time_bars.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/charts/series_style.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"

namespace hloscope::ui {
namespace {

constexpr int kRowHeight = 20;
constexpr int kMargin = 8;
constexpr int kNameWidth = 104;
constexpr int kTimeWidth = 70;
constexpr int kDeviationWidth = 58;
constexpr int kBarHeight = 10;
constexpr double kMarkerSize = 9;

}  // namespace

TimeBars::TimeBars(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setTimes({});
}

void TimeBars::setTimes(const Times& times,
                        const std::optional<analysis::PredictedTime>& predicted) {
  times_ = times;
  predicted_ = predicted;
  largest_ns_ = 0;
  rows_.clear();
  QString description;
  for (const analysis::TimeSourceInfo& source : analysis::kTimeSources) {
    const auto& time = times_[static_cast<size_t>(source.source)];
    if (!time && source.is_optional) continue;
    rows_.push_back(source);
    if (time) largest_ns_ = std::max(largest_ns_, *time);
    description += textOf(source.title) + ' ' + (time ? formatTime(*time) : noValue()) + '\n';
  }
  if (predicted_ && predicted_->high_ns > predicted_->low_ns) {
    largest_ns_ = std::max(largest_ns_, predicted_->high_ns);
    description += QStringLiteral("predicted ± ") + formatPercent(predicted_->spread()) + '\n';
  }
  setAccessibleDescription(description);
  updateGeometry();
  update();
}

QSize TimeBars::sizeHint() const {
  return {260, static_cast<int>(rows_.size()) * kRowHeight + 8};
}

void TimeBars::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  int y = 4;
  for (const analysis::TimeSourceInfo& source : rows_) {
    paintRow(painter, source, QRect(kMargin, y, width() - 2 * kMargin, kRowHeight));
    y += kRowHeight;
  }
}

void TimeBars::paintSpread(QPainter& painter, const QRectF& whole_bar) const {
  if (!predicted_ || predicted_->high_ns <= predicted_->low_ns || largest_ns_ <= 0) return;
  const auto place = [&](double time_ns) {
    return whole_bar.left() + whole_bar.width() * time_ns / largest_ns_;
  };
  const double middle = whole_bar.center().y();
  const double low = place(predicted_->low_ns);
  const double high = place(predicted_->high_ns);
  painter.setPen(theme().role(Role::kText));
  painter.drawLine(QPointF(low, middle), QPointF(high, middle));
  for (const double end : {low, high}) {
    painter.drawLine(QPointF(end, whole_bar.top() + 1), QPointF(end, whole_bar.bottom() - 1));
  }
}

void TimeBars::paintRow(QPainter& painter, const analysis::TimeSourceInfo& source,
                        QRect row) const {
  const Series series = seriesOf(source.source);
  const double middle = row.center().y() + 0.5;
  paintMarker(painter, series, QPointF(row.left() + kMarkerSize / 2, middle), kMarkerSize);
  painter.setFont(uiFont());
  painter.setPen(theme().role(Role::kText));
  painter.drawText(row.adjusted(16, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                   textOf(source.name));
  const auto& time = times_[static_cast<size_t>(source.source)];
  const auto& measured = times_[static_cast<size_t>(analysis::TimeSource::kMeasured)];
  QRectF bar(row.left() + kNameWidth, middle - kBarHeight / 2.0,
             row.width() - kNameWidth - kTimeWidth - kDeviationWidth, kBarHeight);
  if (bar.width() > 0) {
    painter.fillRect(bar, theme().role(Role::kBorderSoft));
    const QRectF whole = bar;
    bar.setWidth(time && largest_ns_ > 0 ? bar.width() * *time / largest_ns_ : 0);
    painter.fillRect(bar, theme().series(series));
    if (source.source == analysis::TimeSource::kPredicted) paintSpread(painter, whole);
  }
  const QRect number(row.right() - kDeviationWidth - kTimeWidth, row.top(), kTimeWidth,
                     row.height());
  painter.setFont(time ? boldFont() : uiFont());
  painter.setPen(theme().role(time ? Role::kText : Role::kTextFaint));
  painter.drawText(number, Qt::AlignRight | Qt::AlignVCenter,
                   time ? formatTimeUs(*time) : noValue());
  const double error = analysis::relative_error(time, measured);
  if (!source.is_estimate || std::isnan(error)) return;
  painter.setFont(smallFont());
  painter.setPen(theme().role(Role::kTextMuted));
  painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, formatSignedPercent(error));
}

}  // namespace hloscope::ui
