#pragma once

#include <QStatusBar>

#include "ui/shell/workspace.h"

class QLabel;

namespace hloscope::ui {

class ElidedLabel;

/// Message, running job, and at the right reading time, state of the store and machine.
class WindowStatus : public QStatusBar {
  Q_OBJECT
 public:
  explicit WindowStatus(Workspace& workspace, QWidget* parent = nullptr);

  void setMessage(const QString& text);

 private:
  void refresh();

  Workspace& workspace_;
  ElidedLabel* message_;
  QLabel* file_;
  QLabel* store_;
  QLabel* machine_;
};

}  // namespace hloscope::ui
