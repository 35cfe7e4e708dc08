#pragma once

#include <QImage>
#include <memory>

#include "ui/charts/plot_widget.h"
#include "ui/models/tune_columns.h"

namespace hloscope::ui {

/// Every trial by its number and time, and below how the strategy went: temperature and acceptance
/// of annealing, mean of each generation, or how much of the space was seen. Painted into a
/// picture.
class TrialCloudChart : public PlotWidget {
  Q_OBJECT
 public:
  enum class Kind { kAnnealing, kGenetic, kCoverage };
  struct Settings {
    Kind kind = Kind::kAnnealing;
    double trials_end = 0;     ///< Right end: the budget, if there is one.
    double space_count = 0;    ///< Of kCoverage; 0: not known.
    double population = 0;     ///< Of kGenetic.
    double baseline_ns = 0;    ///< Of kCoverage: bars are shares of faster ones.
    bool is_hardware = false;  ///< The search measures.
    bool operator==(const Settings&) const = default;
  };

  explicit TrialCloudChart(QWidget* parent = nullptr);

  /// Another session; null: none.
  void setTrials(std::shared_ptr<const TrialColumns> trials, const Settings& settings);
  /// The same trials have grown.
  void refresh(const Settings& settings);
  /// Marked by a ring; -1: none.
  void setSelectedTrial(int trial);
  [[nodiscard]] int trialAt(const QPointF& position) const;
  [[nodiscard]] QString csv() const override;

 signals:
  void trialClicked(int trial);
  void trialActivated(int trial);

 protected:
  void paintPlot(QPainter& painter) override;
  void invalidatePicture() override { picture_ = {}; }
  [[nodiscard]] QString toolTipAt(const QPointF& position) const override;
  void clickAt(const QPointF& position) override;
  void activateAt(const QPointF& position) override;
  void activateCurrent() override;
  void walk(int step) override;
  [[nodiscard]] QRectF zoomRect() const override { return area_.rect; }

 private:
  /// A share for each of a few stretches of trials.
  struct Bars {
    double width = 1;  ///< In trials.
    std::vector<double> share;
  };
  void fitAxes();
  void layOut();
  void paintPicture();
  void paintCloud();
  void paintLegend(QPainter& painter) const;
  void paintStrip(QPainter& painter);
  void paintBars(QPainter& painter) const;
  void paintLine(QPainter& painter) const;
  [[nodiscard]] Bars bars() const;
  [[nodiscard]] std::vector<QPointF> line() const;
  [[nodiscard]] QString lineName() const;
  [[nodiscard]] QString barsName() const;

  std::shared_ptr<const TrialColumns> trials_;
  Settings settings_;
  int selected_ = -1;
  PlotAxis x_axis_;
  PlotAxis y_axis_;
  PlotArea area_;
  PlotArea strip_;
  std::vector<QPointF> line_;  ///< Of the strip.
  QImage picture_;             ///< Null: to be painted again.
};

}  // namespace hloscope::ui
