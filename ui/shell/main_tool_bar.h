#pragma once

#include <QToolBar>
#include <QToolButton>
#include <optional>

#include "core/analysis/baseline.h"
#include "core/analysis/shown_module.h"
#include "core/sim/machine.h"
#include "ui/theme/theme.h"

class QComboBox;

namespace hloscope::ui {

class Commands;

/// Looks like an input; a click opens the quick open list.
class GoToBox : public QToolButton {
  Q_OBJECT
 public:
  explicit GoToBox(const QString& shortcut, QWidget* parent = nullptr);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString shortcut_;
};

/// Open, Reload, back and forward, machine, kernels, "Go to" and the theme button.
class MainToolBar : public QToolBar {
  Q_OBJECT
 public:
  explicit MainToolBar(const Commands& commands, QWidget* parent = nullptr);

  /// Shows a machine, also one that is not among the built-in ones.
  void setMachine(const sim::Machine& machine);
  /// One of the user's own, to be chosen.
  void addMachine(const sim::Machine& machine);
  /// A machine file that could not be read: is listed greyed, and its tool tip says why.
  void addBadMachine(const QString& path, const QString& why);
  /// How the kernels of the current module came about; empty: none is open. What is not compiled
  /// can be chosen.
  void setKernels(std::optional<analysis::KernelOrigin> origin);
  /// What is pinned; null: nothing. `is_kept`: it comes back with the session.
  void setBaseline(const analysis::BaselinePtr& baseline, bool is_kept);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 signals:
  void machineChosen(const QString& id);
  void kernelsChosen(hloscope::analysis::KernelChoice kernels);

 private:
  void addMachineCombo();
  void addKernelsCombo();
  void addBaselineButton(const Commands& commands);
  void addThemeButton(const Commands& commands);
  /// In a small window the text of the baseline makes room for what stands behind it.
  void fitBaseline();

  QComboBox* machines_;
  QComboBox* kernels_;
  QToolButton* baseline_ = nullptr;
};

}  // namespace hloscope::ui
