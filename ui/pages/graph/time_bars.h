#pragma once

#include <QWidget>
#include <array>
#include <optional>
#include <vector>

#include "core/analysis/predicted_times.h"
#include "core/analysis/time_source.h"

namespace hloscope::ui {

/// Times of one kernel as bars, one row per source with a time; estimates show their deviation from
/// measured, and all their change against the baseline.
class TimeBars : public QWidget {
  Q_OBJECT
 public:
  using Times = std::array<std::optional<double>, analysis::kTimeSourceCount>;  ///< ns, by source.

  explicit TimeBars(QWidget* parent = nullptr);
  /// `predicted`: where the predicted time should lie, for its row. `pinned`: what the times are
  /// compared with.
  void setTimes(const Times& times,
                const std::optional<analysis::PredictedTime>& predicted = std::nullopt,
                const Times& pinned = {});
  /// The change of a time against the pinned one as it stands in its row: "Δ +2.4 %"; empty where
  /// there is none.
  [[nodiscard]] QString deltaText(analysis::TimeSource source) const;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  /// A line from low to high over the bar.
  void paintSpread(QPainter& painter, const QRectF& whole_bar) const;
  void paintRow(QPainter& painter, const analysis::TimeSourceInfo& source, QRect row) const;
  /// The change and the deviation at the right end; returns the room that is left for the others.
  [[nodiscard]] QRect paintChanges(QPainter& painter, const analysis::TimeSourceInfo& source,
                                   QRect row) const;
  Times times_;
  Times pinned_;
  bool has_deltas_ = false;
  bool has_deviations_ = false;
  std::vector<analysis::TimeSourceInfo> rows_;  ///< Optional sources without a time have none.
  std::optional<analysis::PredictedTime> predicted_;
  double largest_ns_ = 0;
};

}  // namespace hloscope::ui
