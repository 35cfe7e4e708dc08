#pragma once

#include <QToolBar>
#include <QToolButton>

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

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString shortcut_;
};

/// Open, Reload, back and forward, machine, "Go to" and the theme button.
class MainToolBar : public QToolBar {
  Q_OBJECT
 public:
  explicit MainToolBar(const Commands& commands, QWidget* parent = nullptr);

  /// Shows a machine, also one that is not among the built-in ones.
  void setMachine(const sim::Machine& machine);

 signals:
  void machineChosen(const QString& id);

 private:
  void addMachineCombo();
  void addThemeButton(const Commands& commands);

  QComboBox* machines_;
};

}  // namespace hloscope::ui
