#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <optional>
#include <vector>

#include "core/predict/tile_ranking.h"
#include "ui/pages/tiles/tile_query.h"

namespace hloscope::ui {

/// What points a tile out.
struct TilePicks {
  std::optional<uint32_t> in_use;  ///< The user's choice, else the compiler's.
  bool is_chosen = false;          ///< By the user.
  std::optional<uint32_t> pinned;  ///< Times are compared with its; none: with the default tile's.
};

/// The tiles of a ranking that pass the filter, sorted by any column.
class TileTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    kRank,
    kPick,
    kOutput,
    kKernel,
    kIterations,
    kVmem,
    kMeasured,
    kSlowdown,
    kDelta,
    kPredicted,
    kSimulated,
    kAnalytical,
    kColumnCount
  };
  enum DataRole {
    kRankRole = Qt::UserRole + 10,  ///< Rank by the column's source, in grey behind its value.
    kGlyphsRole,                    ///< QStringList: "best", "use", ids of time sources.
  };

  using QAbstractTableModel::QAbstractTableModel;

  using Texts = std::shared_ptr<const std::vector<std::string>>;

  /// Null: none. Sorted by the rank of `source`, which also fills column kRank. `texts`:
  /// tileTexts() of the ranking.
  void setRanking(std::shared_ptr<const predict::TileRanking> ranking, Texts texts,
                  analysis::TimeSource source);
  void setFilter(const TileQuery& query, bool only_fitting);
  void setPicks(const TilePicks& picks);

  [[nodiscard]] const predict::TileRanking* ranking() const { return ranking_.get(); }
  [[nodiscard]] analysis::TimeSource source() const { return source_; }
  /// Positions in the ranking, as shown.
  [[nodiscard]] const std::vector<uint32_t>& rows() const { return rows_; }
  [[nodiscard]] std::optional<uint32_t> tileAt(const QModelIndex& index) const;
  /// Invalid where the filter hides it.
  [[nodiscard]] QModelIndex indexOf(uint32_t tile, int column = 0) const;
  /// What points the tile out, in words.
  [[nodiscard]] QString pickText(uint32_t tile) const;
  /// What a cell shows.
  [[nodiscard]] QString cell(uint32_t tile, int column) const;
  /// Cells of a row with tabs between.
  [[nodiscard]] QString rowText(int row) const;
  [[nodiscard]] QString headerText() const;
  /// A column that has nothing to show.
  [[nodiscard]] bool isEmptyColumn(int column) const;
  /// Change of a tile's time against that of the pinned tile (of the default one where none is), by
  /// the source of the ranking; of one that only gives scores the simulated time. NaN: none.
  [[nodiscard]] double delta(uint32_t tile) const;
  [[nodiscard]] analysis::TimeSource deltaSource() const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;
  void sort(int column, Qt::SortOrder order) override;

  /// Of a column of times or scores.
  [[nodiscard]] static std::optional<analysis::TimeSource> sourceOf(int column);

 private:
  void fillRows();
  void sortRows();
  [[nodiscard]] std::optional<uint32_t> reference() const;
  [[nodiscard]] QString deltaHelp() const;
  [[nodiscard]] double key(uint32_t tile, int column) const;
  [[nodiscard]] QStringList glyphs(uint32_t tile) const;
  [[nodiscard]] QVariant foreground(uint32_t tile, int column) const;
  [[nodiscard]] QString toolTip(uint32_t tile, int column) const;

  std::shared_ptr<const predict::TileRanking> ranking_;
  Texts texts_;  ///< Not null where there is a ranking.
  analysis::TimeSource source_ = analysis::TimeSource::kMeasured;
  TileQuery query_;
  bool only_fitting_ = false;
  TilePicks picks_;
  std::vector<uint32_t> rows_;
  int sort_column_ = kRank;
  Qt::SortOrder sort_order_ = Qt::AscendingOrder;
};

}  // namespace hloscope::ui
