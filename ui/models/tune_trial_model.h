#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <span>
#include <vector>

#include "core/tune/settings.h"
#include "ui/models/trial_query.h"
#include "ui/models/tune_columns.h"

namespace hloscope::ui {

/// The trials of one session as a table: filter, brush and order on a list of numbers, so that
/// 100,000 rows stay fluid.
class TuneTrialModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    kTrial,
    kConfig,
    kPredicted,
    kHardware,
    kSpeedup,
    kError,
    kMove,
    kOrder,
    kBooked,
    kAt,
    kColumnCount
  };
  /// What the times are.
  struct Meaning {
    double baseline_ns = 0;  ///< Of the default; 0: not known.
    /// By what is, or stands for, hardware: predicted times have no speed-up against it.
    bool baseline_is_hardware = true;
    bool hardware_is_simulated = false;
    tune::SpaceKind space = tune::SpaceKind::kTiles;
    bool operator==(const Meaning&) const = default;
  };

  using QAbstractTableModel::QAbstractTableModel;

  /// Another session; null: none. Keeps filter and order.
  void setTrials(std::shared_ptr<const TrialColumns> trials, const Meaning& meaning);
  /// The same columns have grown from `first_new` on (its size if they have not), or times in them
  /// have changed.
  void refresh(size_t first_new, const Meaning& meaning);
  /// Configurations of trials that are there have come, from `first_new` on.
  void refreshConfigs(size_t first_new);
  void setQuery(TrialQuery query);
  /// By trial, 0: hidden; trials behind its end are shown. Empty: all.
  void setMask(std::vector<uint8_t> mask);
  /// Measured trials stand first, in the order of the sorted column.
  void setMeasuredFirst(bool on);

  [[nodiscard]] const std::shared_ptr<const TrialColumns>& trials() const { return trials_; }
  [[nodiscard]] std::span<const uint32_t> shownTrials() const { return rows_; }
  [[nodiscard]] int trialAt(const QModelIndex& index) const;  ///< -1: none.
  [[nodiscard]] QModelIndex indexOf(uint32_t trial) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;
  void sort(int column, Qt::SortOrder order) override;

 private:
  void refill();
  void sortRows();
  void rankConfigs();
  [[nodiscard]] bool shows(uint32_t trial) const;
  [[nodiscard]] double number(uint32_t trial, int column) const;
  [[nodiscard]] QString cell(uint32_t trial, int column) const;
  [[nodiscard]] QVariant toolTip(uint32_t trial) const;
  [[nodiscard]] QString headerText(int column) const;
  [[nodiscard]] QVariant headerToolTip(int column) const;
  [[nodiscard]] bool isMeasured(uint32_t trial) const;

  std::shared_ptr<const TrialColumns> trials_;
  Meaning meaning_;
  TrialQuery query_;
  std::vector<uint8_t> mask_;
  bool measured_first_ = true;
  std::vector<uint32_t> rows_;
  std::vector<uint32_t> config_ranks_;  ///< Made when that column is sorted.
  int sort_column_ = kHardware;
  Qt::SortOrder sort_order_ = Qt::AscendingOrder;
};

}  // namespace hloscope::ui
