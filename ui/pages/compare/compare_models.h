#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/compare_pairs.h"
#include "core/base/progress.h"

namespace hloscope::ui {

/// Source x range: n, MAPE, median, Kendall's tau, of tiles also tau by kernel, share within ±10 %.
/// All are judged by one source; the chosen one stands first, in bold. Beside the MAPE its
/// difference to that of the baseline source, and of the other metrics in their tool tips.
class MetricsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  /// Fewer points say nothing about a model.
  static constexpr size_t kFewestPoints = 3;
  enum Column {
    kSource,
    kRange,
    kCount,
    kMape,
    kDelta,
    kMedian,
    kTau,
    kTileTau,
    kWithin,
    kColumnCount
  };

  struct Row {
    analysis::PairSource source;
    analysis::TimeRange range;
    analysis::CompareMetrics metrics;
    analysis::TileTau tile_tau;
  };

  using QAbstractTableModel::QAbstractTableModel;
  /// `of_tiles`: kernels have many points, and how they are ranked is told. For a worker: of a
  /// million points that takes seconds.
  [[nodiscard]] static std::vector<Row> rowsOf(std::span<const analysis::ComparePoint> points,
                                               const analysis::PairAxes& axes, bool of_tiles,
                                               const Progress& progress = {});
  /// `baseline`: what the metrics of the others are compared with, where it has any.
  void setRows(std::vector<Row> rows, const analysis::PairAxes& axes, bool of_tiles,
               std::optional<analysis::PairSource> baseline = std::nullopt);
  /// Whether there is something to compare the metrics with.
  [[nodiscard]] bool hasBaseline() const;
  /// Without kDelta when there is no baseline, without kTileTau when the points are not of tiles.
  [[nodiscard]] QString markdown() const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  [[nodiscard]] QString cell(const Row& row, int column) const;
  [[nodiscard]] QString toolTip(const Row& row, int column) const;
  [[nodiscard]] bool isShown(int column) const;
  /// Of the baseline source, in the same range; null: none, or too few points.
  [[nodiscard]] const Row* baselineOf(const Row& row) const;
  /// What a metric differs by from that of the baseline, in the units of the column; NaN: nothing.
  [[nodiscard]] double difference(const Row& row, int column) const;
  std::vector<Row> rows_;
  analysis::PairAxes axes_;
  bool of_tiles_ = false;
  std::optional<analysis::PairSource> baseline_;
};

/// Points by the size of their error; can be sorted by every column.
class LargestErrorsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kKernel, kProgram, kTile, kX, kY, kDifference, kError, kColumnCount };

  /// More are not looked through by anyone, and sorting them takes longer than a frame.
  static constexpr size_t kMostRows = 10'000;
  using Points = std::shared_ptr<const std::vector<analysis::ComparePoint>>;

  using QAbstractTableModel::QAbstractTableModel;
  /// `rows`: positions in the points.
  void setRows(Points points, std::vector<uint32_t> rows, const analysis::PairAxes& axes);
  /// The position of a row in the points.
  [[nodiscard]] uint32_t positionAt(const QModelIndex& index) const {
    return rows_[static_cast<size_t>(index.row())];
  }
  [[nodiscard]] const analysis::ComparePoint* pointAt(const QModelIndex& index) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;
  void sort(int column, Qt::SortOrder order) override;

 private:
  void sortRows();
  [[nodiscard]] double number(const analysis::ComparePoint& point, int column) const;
  [[nodiscard]] QString cell(const analysis::ComparePoint& point, int column) const;

  Points points_ = std::make_shared<const std::vector<analysis::ComparePoint>>();
  std::vector<uint32_t> rows_;
  analysis::PairAxes axes_;
  int sort_column_ = kDifference;
  Qt::SortOrder sort_order_ = Qt::DescendingOrder;
};

}  // namespace hloscope::ui
