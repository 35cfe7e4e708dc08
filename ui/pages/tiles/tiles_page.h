#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/hash.h"
#include "core/predict/tile_ranking.h"
#include "core/sim/tile_pipeline.h"
#include "ui/pages/page.h"
#include "ui/pages/tiles/tile_table_model.h"

class QActionGroup;
class QButtonGroup;
class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QStackedWidget;
class QTableView;
class QToolButton;
class QUndoStack;

namespace hloscope::ui {

class ElidedLabel;
class Panel;
class RankedValueDelegate;
class SeriesLegend;
class TileCard;
class TileCurveChart;
class TileHeatMap;
class TileLegend;
class TilePipelineChart;

/// The page "Tiles": the tiles of one kernel as measured times and each model rank them, how a tile
/// runs, and the choice of one.
class TilesPage : public Page {
  Q_OBJECT
 public:
  /// `database`: the results file, where choices are kept; empty: nowhere.
  TilesPage(TaskRunner& tasks, std::filesystem::path database, QWidget* parent = nullptr);
  ~TilesPage() override;

  [[nodiscard]] QString id() const override { return QStringLiteral("tiles"); }
  [[nodiscard]] QString title() const override { return tr("Tiles"); }
  [[nodiscard]] Icon pageIcon() const override { return Icon::kTiles; }

  void setReports(const std::vector<ReportPtr>& reports) override;
  void setReport(const ReportPtr& report) override;
  void setSelection(const Selection& selection) override;
  [[nodiscard]] QVariantMap saveState() const override;
  void restoreState(const QVariantMap& state) override;

  [[nodiscard]] const predict::TileRanking* ranking() const { return ranking_.get(); }
  [[nodiscard]] TileTableModel* model() const { return model_; }
  [[nodiscard]] QTableView* view() const { return view_; }
  [[nodiscard]] TileCurveChart* curve() const { return curve_; }
  [[nodiscard]] TileHeatMap* map() const { return map_; }
  [[nodiscard]] TilePipelineChart* pipeline() const { return pipeline_; }
  [[nodiscard]] const std::array<TileCard*, 3>& cards() const { return cards_; }
  [[nodiscard]] const TilePicks& picks() const { return picks_; }
  [[nodiscard]] QUndoStack* undoStack() const { return undo_; }
  [[nodiscard]] std::optional<uint32_t> selectedTile() const;
  void selectTile(uint32_t tile);
  /// In the results file; can be undone.
  void useTile(uint32_t tile);
  /// All times are compared with that of this tile; with the default's again where it is pinned
  /// already. None: nothing happens.
  void pinTile(std::optional<uint32_t> tile);
  [[nodiscard]] bool pinsItself() const override { return true; }
  /// The command that tells the time of the selected tile.
  [[nodiscard]] QString commandLine() const;

 signals:
  /// The Autotune page is wanted, for the selected kernel.
  void tuneRequested();

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// An entry of the kernel box.
  struct KernelEntry {
    ReportPtr report;
    graph::KernelId kernel;
  };
  /// What a choice of a tile belongs to.
  struct ChoiceKey {
    Hash128 kernel;
    std::string machine_id;
    bool operator==(const ChoiceKey&) const = default;
  };
  using MaybeTile = std::optional<sim::Tile>;
  /// What a worker makes.
  struct Ranked {
    std::shared_ptr<const predict::TileRanking> ranking;
    TileTableModel::Texts texts;
  };

  // tiles_page_layout.cpp
  QWidget* makeRow();
  Panel* makeTablePanel();
  void makeTable();
  QWidget* makeTableFooter();
  QWidget* makeCards();
  Panel* makeChartPanel();
  QWidget* makeMapControls();
  Panel* makePipelinePanel();
  QMenu* makeExportMenu();
  void fillMoreMenu(QMenu* menu);
  void measureColumns();
  /// No wider than its columns need: the rest of a wide window is for the charts. Until the user
  /// moves the handle.
  void divide();
  void fitColumns();

  // tiles_page.cpp
  void refresh();
  void fillKernels();
  [[nodiscard]] std::optional<KernelEntry> wanted() const;
  void chooseKernel(int entry);
  void load(const KernelEntry& entry);
  void cancelled(const QString& label);
  void loaded(Result<Ranked> ranked);
  void offerSources();
  void showRanking();
  void applyFilter();
  void setMost(size_t most, bool beside_measured);
  [[nodiscard]] analysis::TimeSource source() const;

  // tiles_page_charts.cpp
  void fillCurve();
  void fillDimensions();
  void fillMap();
  void showView();
  void followTable();
  void showPipeline();
  void setPipeline(const std::shared_ptr<const sim::TilePipeline>& pipeline);
  [[nodiscard]] QString toolTipOf(int position) const;

  // tiles_page_texts.cpp
  void refreshTexts();
  void showEmpty();
  [[nodiscard]] QString countText() const;
  [[nodiscard]] QString emptyText() const;
  [[nodiscard]] QString pipelineFooter(const sim::TilePipeline& pipeline) const;

  // tiles_page_use.cpp
  void makeActions();
  [[nodiscard]] ChoiceKey choiceKey() const;
  void loadChoice();
  void applyChoice(const ChoiceKey& key, const MaybeTile& tile);
  void storeChoice(const ChoiceKey& key, const MaybeTile& tile);
  void showPicks();
  void copyRows();
  void copyText(const QString& text, const QString& what);
  void saveTable();
  [[nodiscard]] QString tableText(QChar separator) const;

  TaskRunner& tasks_;
  std::filesystem::path database_;
  QUndoStack* undo_;

  QComboBox* kernels_ = nullptr;
  ElidedLabel* bounds_ = nullptr;
  QComboBox* source_ = nullptr;
  QCheckBox* fits_ = nullptr;
  QToolButton* more_ = nullptr;
  QToolButton* tune_ = nullptr;
  QToolButton* graph_ = nullptr;
  QToolButton* export_ = nullptr;
  QLineEdit* filter_ = nullptr;
  QSplitter* splitter_ = nullptr;  ///< Table and charts.
  bool is_divided_by_user_ = false;
  Panel* table_panel_ = nullptr;
  QStackedWidget* table_stack_ = nullptr;  ///< Table, or why there is none.
  QTableView* view_ = nullptr;
  TileTableModel* model_ = nullptr;
  std::array<RankedValueDelegate*, 3> ranked_delegates_{};
  QLabel* empty_ = nullptr;
  TileLegend* legend_ = nullptr;
  QLabel* limit_ = nullptr;
  std::array<TileCard*, 3> cards_{};
  Panel* chart_panel_ = nullptr;
  QStackedWidget* chart_stack_ = nullptr;
  SeriesLegend* series_ = nullptr;
  QWidget* legend_row_ = nullptr;
  QButtonGroup* view_buttons_ = nullptr;
  QButtonGroup* first_buttons_ = nullptr;
  QWidget* first_box_ = nullptr;
  TileCurveChart* curve_ = nullptr;
  TileHeatMap* map_ = nullptr;
  QWidget* map_controls_ = nullptr;
  QComboBox* map_x_ = nullptr;
  QComboBox* map_y_ = nullptr;
  Panel* pipeline_panel_ = nullptr;
  TilePipelineChart* pipeline_ = nullptr;
  ElidedLabel* pipeline_footer_ = nullptr;
  QAction* use_ = nullptr;
  QAction* use_default_ = nullptr;

  std::vector<ReportPtr> reports_;
  ReportPtr report_;
  Selection selection_;
  std::vector<KernelEntry> entries_;
  predict::TileListOptions options_;
  std::shared_ptr<const predict::TileRanking> ranking_;
  TileTableModel::Texts texts_;       ///< Of `ranking_`, for the filter.
  std::optional<KernelEntry> shown_;  ///< What was asked for last.
  QString failure_;                   ///< Why there is no ranking of it.
  QString load_label_;
  bool loading_ = false;
  bool source_chosen_ = false;  ///< By the user; else the best one there is.
  bool is_stale_ = true;        ///< Something changed while the page was hidden.
  std::array<int, TileTableModel::kColumnCount> widths_{};
  TileQuery query_;
  std::vector<uint32_t> curve_order_;  ///< Tiles by position in the curve.
  TilePicks picks_;
  MaybeTile pinned_;                               ///< Stays while the same kernel is ranked again.
  Hash128 pinned_of_;                              ///< Its kernel.
  MaybeTile chosen_;                               ///< As stored; none: the compiler's.
  std::pair<QString, QString> wanted_dimensions_;  ///< Of the map.
};

/// The page, for the window.
[[nodiscard]] TilesPage* createTilesPage(TaskRunner& tasks, const std::filesystem::path& database);

}  // namespace hloscope::ui
