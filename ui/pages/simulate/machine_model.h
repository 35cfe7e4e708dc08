#pragma once

#include <QAbstractTableModel>
#include <optional>
#include <vector>

#include "core/sim/machine_edit.h"

namespace hloscope::ui {

/// The constants of a machine, group by group, with other values for some of them. Values can be
/// edited; what differs from the machine is bold and can be taken back.
class MachineModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kName, kValue, kUnit, kSource, kReset, kColumnCount };

  using QAbstractTableModel::QAbstractTableModel;

  /// Takes all changes back.
  void setMachine(const sim::Machine& machine);
  [[nodiscard]] const sim::Machine& machine() const { return machine_; }
  /// Values that differ from the machine's, by constant.
  [[nodiscard]] const sim::NewValues& changes() const { return changes_; }
  void reset(const QModelIndex& index);
  void resetAll();
  /// All changes at once, of values that were accepted before.
  void setChanges(const sim::NewValues& changes);

  /// A row with the name of a group alone.
  [[nodiscard]] bool isGroup(int row) const;
  [[nodiscard]] bool isChanged(int row) const;
  /// Row of a constant; -1: there is none.
  [[nodiscard]] int rowOf(std::string_view key) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 signals:
  void changed();
  /// A value that no machine can have was typed.
  void refused(const QString& reason);

 private:
  struct Row {
    QString title;
    bool is_timed = true;
    QString group;    ///< Of a row that is a group's name.
    std::string key;  ///< Empty: a group.
  };

  [[nodiscard]] const Row& rowAt(int row) const { return rows_[static_cast<size_t>(row)]; }
  [[nodiscard]] const sim::Constant& constant(const Row& row) const;
  [[nodiscard]] double value(const Row& row) const;
  [[nodiscard]] QVariant text(const Row& row, int column) const;
  [[nodiscard]] QString toolTip(const Row& row, int column) const;
  void tellAll();

  sim::Machine machine_;
  sim::NewValues changes_;
  std::vector<Row> rows_;
};

/// "A", "M" or "S": published, fitted to measured runs, or assumed.
[[nodiscard]] QString gradeLetter(sim::Grade grade);
[[nodiscard]] QString gradeText(sim::Grade grade);

}  // namespace hloscope::ui
