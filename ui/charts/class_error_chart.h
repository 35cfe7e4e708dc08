#pragma once

#include <QWidget>
#include <array>
#include <optional>
#include <vector>

#include "core/analysis/compare.h"

namespace hloscope::ui {

/// Mean absolute error of each op class as bars, one per estimate; classes without points are left
/// out. A click, or Up, Down and Enter, picks a class; the same one again lets it go.
class ClassErrorChart : public QWidget {
  Q_OBJECT
 public:
  using Errors = std::array<analysis::ClassError, hlo::kOpClassCount>;
  struct Bars {
    analysis::TimeSource source;
    Errors errors;
  };

  explicit ClassErrorChart(QWidget* parent = nullptr);
  void setBars(std::vector<Bars> bars);
  void setPicked(std::optional<hlo::OpClass> op_class);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 signals:
  void classPicked(std::optional<hloscope::hlo::OpClass> op_class);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void paintAxis(QPainter& painter, const QRectF& plot) const;
  void paintClass(QPainter& painter, size_t row, const QRectF& plot) const;
  void pick(size_t row);
  [[nodiscard]] QRectF plotArea() const;
  [[nodiscard]] double rowHeight() const;
  [[nodiscard]] std::optional<size_t> rowAt(double y) const;

  std::vector<Bars> bars_;
  std::vector<hlo::OpClass> classes_;  ///< Shown rows.
  double limit_ = 1;                   ///< Right end of the axis, a fraction.
  double step_ = 0.2;
  std::optional<hlo::OpClass> picked_;
  size_t focus_row_ = 0;
};

}  // namespace hloscope::ui
