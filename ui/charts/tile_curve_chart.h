#pragma once

#include <QImage>
#include <functional>
#include <utility>
#include <vector>

#include "core/analysis/time_source.h"
#include "ui/charts/plot_widget.h"

namespace hloscope::ui {

/// Times of tiles, sorted by one source: that one as a line, the others as points.
class TileCurveChart : public PlotWidget {
  Q_OBJECT
 public:
  struct Source {
    analysis::TimeSource source = analysis::TimeSource::kMeasured;
    std::vector<double> time_ns;  ///< By position; NaN: none.
  };
  /// A position that is pointed out.
  struct Mark {
    int position = 0;
    QString text;
    bool is_ring = false;  ///< Else a dotted line.
  };

  explicit TileCurveChart(QWidget* parent = nullptr);

  /// `line` first, in the order of its times. `tips`: the tool tip of a position.
  void setTiles(Source line, std::vector<Source> points, std::vector<Mark> marks);
  void setTips(std::function<QString(int position)> tips) { tips_ = std::move(tips); }
  /// Only so many of the first positions; 0: all.
  void setFirst(int count);
  [[nodiscard]] int shownCount() const;
  /// Marked by a line; -1: none.
  void setSelected(int position);
  [[nodiscard]] int selected() const { return selected_; }
  /// The nearest position with something at it; -1: none.
  [[nodiscard]] int positionAt(const QPointF& place) const;
  /// Where a time stands.
  [[nodiscard]] QPointF placeOf(int position, double time_ns);
  [[nodiscard]] const Source& line() const { return line_; }
  [[nodiscard]] const std::vector<Source>& points() const { return points_; }
  [[nodiscard]] QString csv() const override;

 signals:
  void positionClicked(int position);
  void positionActivated(int position);

 protected:
  void paintPlot(QPainter& painter) override;
  void invalidatePicture() override { picture_ = {}; }
  [[nodiscard]] QString toolTipAt(const QPointF& place) const override;
  void clickAt(const QPointF& place) override;
  void activateAt(const QPointF& place) override;
  void activateCurrent() override;
  void walk(int step) override;
  [[nodiscard]] QRectF zoomRect() const override { return area_.rect; }

 private:
  void fitAxes();
  void layOut();
  void paintPicture();
  void paintPoints(QPainter& painter, const Source& source) const;
  void paintLine(QPainter& painter) const;
  /// The line, of each column of pixels the first, the least, the greatest and the last place.
  [[nodiscard]] QPolygonF linePlaces() const;
  /// Positions from .first to before .second are seen, with one more on either side.
  [[nodiscard]] std::pair<int, int> seen() const;
  void paintMarks(QPainter& painter) const;
  [[nodiscard]] QPointF at(int position, double time_ns) const;

  Source line_;
  std::vector<Source> points_;
  std::vector<Mark> marks_;
  std::function<QString(int)> tips_;
  int first_ = 0;
  int selected_ = -1;
  PlotAxis x_axis_;
  PlotAxis y_axis_;
  PlotArea area_;
  QImage picture_;  ///< Points and line; null: to be painted again.
};

}  // namespace hloscope::ui
