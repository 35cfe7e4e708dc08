#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "core/analysis/baseline.h"
#include "core/analysis/machine_times.h"

namespace hloscope::ui {

/// Simulated times of the kernels of a program on several machines side by side, all executions;
/// the whole program in the first row. Of every machine but the first also the ratio to it. Or the
/// times now beside those of a baseline, with the change.
class MachineTimesModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kKernel, kExecutions, kFirstMachine };

  using QAbstractTableModel::QAbstractTableModel;

  void setTimes(std::shared_ptr<const analysis::ModuleReport> report,
                std::vector<analysis::MachineTimes> machines);
  /// Of the machine of the report, and of what is pinned.
  void setBaseline(std::shared_ptr<const analysis::ModuleReport> report,
                   const analysis::BaselinePtr& baseline);
  [[nodiscard]] const std::vector<analysis::MachineTimes>& machines() const { return machines_; }
  /// What the times are compared with; null: other machines.
  [[nodiscard]] const analysis::BaselinePtr& baseline() const { return baseline_; }
  /// Invalid for the row of the whole program.
  [[nodiscard]] graph::KernelId kernelAt(int row) const;
  [[nodiscard]] int rowOf(graph::KernelId kernel) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;
  void sort(int column, Qt::SortOrder order) override;

 private:
  /// Which machine a column is of, and whether it is the ratio.
  struct Place {
    size_t machine = 0;
    bool is_ratio = false;
  };
  [[nodiscard]] static Place place(int column);
  [[nodiscard]] double value(int row, int column) const;
  [[nodiscard]] double timeOf(graph::KernelId kernel, size_t machine) const;
  [[nodiscard]] double delta(graph::KernelId kernel) const;
  [[nodiscard]] QString kernelText(int row) const;
  [[nodiscard]] QString numberText(int row, int column) const;
  [[nodiscard]] QString titleText(int section) const;
  [[nodiscard]] QString helpText(int section) const;

  std::shared_ptr<const analysis::ModuleReport> report_;
  std::vector<analysis::MachineTimes> machines_;
  analysis::BaselinePtr baseline_;
  double total_delta_ = 0;      ///< Of the whole program; NaN: none.
  std::vector<uint32_t> rows_;  ///< Kernels, by row - 1.
};

}  // namespace hloscope::ui
