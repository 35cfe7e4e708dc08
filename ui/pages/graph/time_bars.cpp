#include "ui/pages/graph/time_bars.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/analysis/baseline.h"
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
constexpr int kDeltaWidth = 70;
constexpr int kBarHeight = 10;
constexpr double kMarkerSize = 9;

}  // namespace

TimeBars::TimeBars(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setTimes({});
}

void TimeBars::setTimes(const Times& times, const std::optional<analysis::PredictedTime>& predicted,
                        const Times& pinned) {
  times_ = times;
  pinned_ = pinned;
  has_deltas_ = std::any_of(pinned.begin(), pinned.end(), [](const auto& t) { return t; });
  has_deviations_ =
      !has_deltas_ || times[static_cast<size_t>(analysis::TimeSource::kMeasured)].has_value();
  predicted_ = predicted;
  largest_ns_ = 0;
  rows_.clear();
  QString description;
  for (const analysis::TimeSourceInfo& source : analysis::kTimeSources) {
    const auto& time = times_[static_cast<size_t>(source.source)];
    if (!time && source.is_optional) continue;
    rows_.push_back(source);
    if (time) largest_ns_ = std::max(largest_ns_, *time);
    description += textOf(source.title) + ' ' + (time ? formatTime(*time) : noValue());
    if (const QString delta = deltaText(source.source); !delta.isEmpty()) {
      description += QStringLiteral(", ") + delta;
    }
    description += '\n';
  }
  if (predicted_ && predicted_->high_ns > predicted_->low_ns) {
    largest_ns_ = std::max(largest_ns_, predicted_->high_ns);
    description += QStringLiteral("predicted ± ") + formatPercent(predicted_->spread()) + '\n';
  }
  setAccessibleDescription(description);
  updateGeometry();
  update();
}

QString TimeBars::deltaText(analysis::TimeSource source) const {
  const auto at = static_cast<size_t>(source);
  const double delta = analysis::relative_change(times_[at], pinned_[at]);
  return std::isnan(delta) ? QString() : QStringLiteral("Δ ") + formatSignedPercent(delta);
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

QRect TimeBars::paintChanges(QPainter& painter, const analysis::TimeSourceInfo& source,
                             QRect row) const {
  const auto& time = times_[static_cast<size_t>(source.source)];
  const auto& measured = times_[static_cast<size_t>(analysis::TimeSource::kMeasured)];
  painter.setFont(smallFont());
  if (has_deltas_) {
    const QRect place(row.right() - kDeltaWidth + 1, row.top() + 1, kDeltaWidth, row.height() - 2);
    const QString delta = deltaText(source.source);
    if (!delta.isEmpty()) {
      const auto& pinned = pinned_[static_cast<size_t>(source.source)];
      painter.fillRect(place, theme().divergingTint(analysis::relative_change(time, pinned)));
      painter.setPen(theme().role(Role::kText));
      painter.drawText(place.adjusted(0, 0, -3, 0), Qt::AlignRight | Qt::AlignVCenter, delta);
    }
    row.setRight(place.left() - 1);
  }
  if (!has_deviations_) return row;
  const double error = analysis::relative_error(time, measured);
  if (source.is_estimate && !std::isnan(error)) {
    painter.setPen(theme().role(Role::kTextMuted));
    painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, formatSignedPercent(error));
  }
  row.setRight(row.right() - kDeviationWidth);
  return row;
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
  row = paintChanges(painter, source, row);
  QRectF bar(row.left() + kNameWidth, middle - kBarHeight / 2.0,
             row.width() - kNameWidth - kTimeWidth, kBarHeight);
  if (bar.width() > 0) {
    painter.fillRect(bar, theme().role(Role::kBorderSoft));
    const QRectF whole = bar;
    bar.setWidth(time && largest_ns_ > 0 ? bar.width() * *time / largest_ns_ : 0);
    painter.fillRect(bar, theme().series(series));
    if (source.source == analysis::TimeSource::kPredicted) paintSpread(painter, whole);
  }
  const QRect number(row.right() - kTimeWidth, row.top(), kTimeWidth, row.height());
  painter.setFont(time ? boldFont() : uiFont());
  painter.setPen(theme().role(time ? Role::kText : Role::kTextFaint));
  painter.drawText(number, Qt::AlignRight | Qt::AlignVCenter,
                   time ? formatTimeUs(*time) : noValue());
}

}  // namespace hloscope::ui
