#pragma once

#include <QFrame>
#include <optional>

#include "core/predict/tile_ranking.h"

namespace hloscope::ui {

/// How well one model ranks the tiles of a kernel: slowdown of its first 1, 5 and 10, Kendall's tau
/// and MAPE; or why that is not known.
class TileCard : public QFrame {
  Q_OBJECT
 public:
  explicit TileCard(analysis::TimeSource source, QWidget* parent = nullptr);

  /// Null: nothing to say.
  void setRanking(const predict::TileRanking* ranking);
  [[nodiscard]] analysis::TimeSource source() const { return source_; }
  /// "top-1 6.9 %, top-5 0.0 %, top-10 0.0 %; Kendall τ 0.945, MAPE 4.6 %", or the reason.
  [[nodiscard]] QString text() const;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  /// Of whose first choices this is: the slowdown itself is measured.
  [[nodiscard]] QString title() const;
  [[nodiscard]] QString reason() const;
  [[nodiscard]] QString footText() const;
  void paintHead(QPainter& painter) const;
  void paintSlowdowns(QPainter& painter) const;

  analysis::TimeSource source_;
  bool has_kernel_ = false;
  bool has_measured_ = false;
  QString absence_;
  size_t tiles_ = 0;
  bool is_score_ = false;
  accuracy::Ranking ranking_;
  accuracy::ErrorSummary errors_;
};

}  // namespace hloscope::ui
