#pragma once

#include <QTableView>

#include "ui/pages/simulate/machine_model.h"
#include "ui/theme/panel.h"

class QPushButton;

namespace hloscope::ui {

class ElidedLabel;

/// Every constant of the machine, to be changed: for the whole window at once, or to be saved as a
/// machine file.
class AssumptionsPanel : public Panel {
  Q_OBJECT
 public:
  explicit AssumptionsPanel(QWidget* parent = nullptr);

  /// The machine that the window uses. One that apply() gave keeps its changes marked.
  void setMachine(const sim::Machine& machine);
  [[nodiscard]] MachineModel* model() const { return model_; }
  [[nodiscard]] QTableView* view() const { return view_; }
  /// Whether the window still uses other values.
  [[nodiscard]] bool isPending() const;

  /// Emits machineRequested() with the values that stand here.
  void apply();
  /// Back to the values that the window uses.
  void revert();
  void resetAll();
  /// Writes a machine file, named after the file, and asks for that machine.
  void saveTo(const QString& path);
  void loadFrom(const QString& path);
  void saveDialog();
  void loadDialog();

 signals:
  /// `path`: of its file; empty for changes that are not saved.
  void machineRequested(const hloscope::sim::Machine& machine, const QString& path);
  void messageRequested(const QString& text);

 private:
  QWidget* makeStrip();
  QWidget* makeFooter();
  void makeTable();
  void spanGroups();
  void showState();
  void resetCurrent();
  [[nodiscard]] Result<sim::Machine> machine() const;

  MachineModel* model_;
  QTableView* view_;
  QWidget* strip_;
  ElidedLabel* strip_text_;
  QPushButton* apply_;
  QPushButton* reset_all_;
  QPushButton* save_;
  Hash128 used_;             ///< The machine of the window.
  sim::NewValues in_force_;  ///< The changes that it has.
};

/// Where machines are saved unless the user says otherwise.
[[nodiscard]] QString machinesFolder();

}  // namespace hloscope::ui
