#include "ui/pages/tune/search_views.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/charts/parallel_coordinates.h"
#include "ui/charts/tile_heat_map.h"
#include "ui/models/tune_session_model.h"
#include "ui/pages/tune/tune_curves.h"
#include "ui/theme/fonts.h"

namespace hloscope::ui {
namespace {

/// Views of many trials are made again no more often than this while trials come in.
constexpr qint64 kRefreshMs = 1000;
constexpr size_t kAtOnce = 5000;  ///< Up to so many they are made again every time.

QWidget* controls(std::initializer_list<QWidget*> widgets) {
  auto* row = new QWidget;
  row->setFixedHeight(30);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(8, 2, 8, 2);
  layout->setSpacing(6);
  for (QWidget* widget : widgets) layout->addWidget(widget);
  layout->addStretch(1);
  return row;
}

QWidget* under(QWidget* row, QWidget* chart) {
  auto* box = new QWidget;
  auto* layout = new QVBoxLayout(box);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(row);
  layout->addWidget(chart, 1);
  return box;
}

}  // namespace

SearchViews::SearchViews(QWidget* parent) : Panel(tr("Search"), parent) {
  stack_ = new QStackedWidget;
  cloud_ = new TrialCloudChart;
  stack_->addWidget(cloud_);
  stack_->addWidget(makeParallel());
  stack_->addWidget(makeTiles());
  body()->addWidget(stack_, 1);
  makeButtons();
  connect(cloud_, &TrialCloudChart::trialClicked, this, &SearchViews::trialClicked);
  connect(cloud_, &TrialCloudChart::trialActivated, this, &SearchViews::trialActivated);
  connect(tiles_, &TileHeatMap::trialClicked, this, &SearchViews::trialClicked);
  connect(tiles_, &TileHeatMap::trialActivated, this, &SearchViews::trialActivated);
}

void SearchViews::makeButtons() {
  buttons_ = new QButtonGroup(this);
  const std::pair<QString, QString> texts[] = {
      {tr("Trials"), tr("Every trial in its order, accepted or rejected")},
      {tr("Parallel"), tr("Parallel coordinates: a drag on an axis filters the trials")},
      {tr("Tile map"), tr("The best time of every pair of sizes in two dimensions")}};
  for (int i = 0; i < 3; ++i) {
    auto* button = new QToolButton;
    button->setText(texts[i].first);
    button->setToolTip(texts[i].second);
    button->setCheckable(true);
    button->setFont(smallFont());
    button->setChecked(i == 0);
    button->setFocusPolicy(Qt::TabFocus);
    buttons_->addButton(button, i);
    addControl(button);
  }
  connect(buttons_, &QButtonGroup::idClicked, this,
          [this](int id) { showView(static_cast<View>(id)); });
}

QWidget* SearchViews::makeParallel() {
  parallel_ = new ParallelCoordinates;
  top_ = new QComboBox;
  top_->addItem(tr("all trials"), 1.0);
  for (double percent : {50.0, 20.0, 10.0, 5.0, 1.0}) {
    top_->addItem(tr("best %1 %").arg(percent), percent / 100);
  }
  top_->setAccessibleName(tr("Share of the best trials"));
  log_ = new QCheckBox(tr("log time"));
  log_->setChecked(true);
  clear_ = new LinkButton(tr("Clear brushes"));
  clear_->hide();
  connect(top_, &QComboBox::currentIndexChanged, this, &SearchViews::refreshParallel);
  connect(log_, &QCheckBox::toggled, this, &SearchViews::refreshParallel);
  connect(clear_, &LinkButton::clicked, parallel_, &ParallelCoordinates::clearBrushes);
  connect(parallel_, &ParallelCoordinates::brushChanged, this, [this] {
    clear_->setVisible(parallel_->hasBrush());
    emit brushed(parallel_->brushed());
  });
  return under(controls({top_, log_, clear_}), parallel_);
}

QWidget* SearchViews::makeTiles() {
  tiles_ = new TileHeatMap;
  tile_x_ = new QComboBox;
  tile_y_ = new QComboBox;
  tile_x_->setAccessibleName(tr("Dimension to the right"));
  tile_y_->setAccessibleName(tr("Dimension upward"));
  for (QComboBox* box : {tile_x_, tile_y_}) {
    connect(box, &QComboBox::currentIndexChanged, this, &SearchViews::refreshTiles);
  }
  return under(controls({mutedLabel(tr("right")), tile_x_, mutedLabel(tr("up")), tile_y_}), tiles_);
}

void SearchViews::showView(View view) {
  stack_->setCurrentIndex(static_cast<int>(view));
  buttons_->button(static_cast<int>(view))->setChecked(true);
  refreshView(true);
}

SearchViews::View SearchViews::view() const {
  return static_cast<View>(stack_->currentIndex());
}

bool SearchViews::isDrawn() const {
  return parallel_->isDrawn();
}

void SearchViews::setEmptyText(const QString& text) {
  empty_text_ = text;
  refreshView(true);
}

void SearchViews::setTrials(std::shared_ptr<const TrialColumns> trials,
                            const TrialCloudChart::Settings& settings) {
  trials_ = std::move(trials);
  settings_ = settings;
  shown_trials_ = 0;
  parallel_->clearBrushes();
  fillDimensions();
  cloud_->setTrials(trials_, settings_);
  refreshView(true);
}

void SearchViews::refresh(const TrialCloudChart::Settings& settings) {
  settings_ = settings;
  refreshView(false);
}

void SearchViews::refreshConfigs(bool are_all) {
  if (tile_x_->count() == 0) fillDimensions();
  if (view() != View::kCloud) refreshView(are_all);
}

void SearchViews::refreshView(bool now) {
  const bool empty = !trials_ || trials_->size() == 0;
  const QString reason =
      !empty || !empty_text_.isEmpty() ? empty_text_ : tr("This session has no trials yet");
  cloud_->setEmptyText(empty ? reason : QString());
  parallel_->setEmptyText(empty ? reason : QString());
  const bool no_tiles = !empty && !trials_->config.empty() && trials_->tile_names.empty();
  tiles_->setEmptyText(no_tiles ? tr("The map is of sessions that tune the tiles of a kernel. "
                                     "Parallel coordinates show this one.")
                                : (empty ? reason : QString()));
  if (empty) return;
  const bool few = trials_->size() <= kAtOnce || shown_trials_ == 0;
  if (!now && !few && since_refresh_.isValid() && since_refresh_.elapsed() < kRefreshMs) return;
  since_refresh_.start();
  shown_trials_ = trials_->size();
  switch (view()) {
    case View::kCloud:
      return cloud_->refresh(settings_);
    case View::kParallel:
      return refreshParallel();
    case View::kTiles:
      return refreshTiles();
  }
}

void SearchViews::refreshParallel() {
  if (!trials_ || trials_->size() == 0) return;
  parallel_->setAxes(parallelAxes(*trials_, top_->currentData().toDouble(), log_->isChecked()));
  if (parallel_->hasBrush()) emit brushed(parallel_->brushed());
}

void SearchViews::fillDimensions() {
  const QSignalBlocker block_x(tile_x_);
  const QSignalBlocker block_y(tile_y_);
  tile_x_->clear();
  tile_y_->clear();
  if (!trials_) return;
  // The dimensions with the most sizes come first.
  for (size_t d = 0; d < trials_->tile_names.size(); ++d) {
    const QString name = QString::fromStdString(trials_->tile_names[d]);
    tile_x_->addItem(name, static_cast<int>(d));
    tile_y_->addItem(name, static_cast<int>(d));
  }
  std::vector<std::pair<size_t, int>> sizes;
  for (size_t d = 0; d < trials_->tile_sizes.size(); ++d) {
    std::vector<float> values = trials_->tile_sizes[d];
    std::sort(values.begin(), values.end());
    const auto end = std::unique(values.begin(), values.end());
    sizes.emplace_back(static_cast<size_t>(end - values.begin()), static_cast<int>(d));
  }
  std::stable_sort(sizes.begin(), sizes.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (sizes.size() < 2) return;
  tile_x_->setCurrentIndex(sizes[0].second);
  tile_y_->setCurrentIndex(sizes[1].second);
}

void SearchViews::refreshTiles() {
  const int x = tile_x_->currentIndex();
  const int y = tile_y_->currentIndex();
  if (!trials_ || x < 0 || y < 0) return;
  std::vector<double> times;
  std::vector<uint8_t> estimates;
  const size_t known = std::min(trials_->size(), trials_->config.size());
  for (size_t i = 0; i < known; ++i) {
    times.push_back(trials_->result_ns(i));
    estimates.push_back(std::isnan(trials_->hardware_ns[i]) ? 1 : 0);
  }
  tiles_->setTrials(tile_x_->currentText(), trials_->tile_sizes[static_cast<size_t>(x)],
                    tile_y_->currentText(), trials_->tile_sizes[static_cast<size_t>(y)], times,
                    estimates);
}

void SearchViews::setSelectedTrial(int trial) {
  cloud_->setSelectedTrial(trial);
}

}  // namespace hloscope::ui
