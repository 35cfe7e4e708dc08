#pragma once

#include <QElapsedTimer>
#include <memory>

#include "ui/charts/trial_cloud_chart.h"
#include "ui/models/tune_columns.h"
#include "ui/theme/panel.h"

class QButtonGroup;
class QCheckBox;
class QComboBox;
class QStackedWidget;

namespace hloscope::ui {

class ParallelCoordinates;
class TileHeatMap;

/// How the selected session searches: its trials in time, parallel coordinates, and the map of two
/// dimensions of a tile. Only the view that is seen is made again when trials come.
class SearchViews : public Panel {
  Q_OBJECT
 public:
  enum class View { kCloud, kParallel, kTiles };

  explicit SearchViews(QWidget* parent = nullptr);

  /// Another session; null: none.
  void setTrials(std::shared_ptr<const TrialColumns> trials,
                 const TrialCloudChart::Settings& settings);
  /// The same trials have grown, or got times.
  void refresh(const TrialCloudChart::Settings& settings);
  /// Configurations of the trials have come; of all of them.
  void refreshConfigs(bool are_all);
  void setSelectedTrial(int trial);
  void setEmptyText(const QString& text);
  void showView(View view);
  [[nodiscard]] View view() const;
  /// Nothing is still being drawn.
  [[nodiscard]] bool isDrawn() const;
  [[nodiscard]] TrialCloudChart* cloud() const { return cloud_; }
  [[nodiscard]] ParallelCoordinates* parallel() const { return parallel_; }
  [[nodiscard]] TileHeatMap* tiles() const { return tiles_; }

 signals:
  void trialClicked(int trial);
  void trialActivated(int trial);
  /// 1 for every trial within the brushes, by number; empty without any.
  void brushed(const std::vector<uint8_t>& mask);

 private:
  QWidget* makeParallel();
  QWidget* makeTiles();
  void makeButtons();
  void refreshView(bool now);
  void refreshParallel();
  void refreshTiles();
  void fillDimensions();

  std::shared_ptr<const TrialColumns> trials_;
  TrialCloudChart::Settings settings_;
  QString empty_text_;
  QButtonGroup* buttons_;
  QStackedWidget* stack_;
  TrialCloudChart* cloud_;
  ParallelCoordinates* parallel_;
  QComboBox* top_;
  QCheckBox* log_;
  LinkButton* clear_;
  TileHeatMap* tiles_;
  QComboBox* tile_x_;
  QComboBox* tile_y_;
  QElapsedTimer since_refresh_;
  size_t shown_trials_ = 0;
};

}  // namespace hloscope::ui
