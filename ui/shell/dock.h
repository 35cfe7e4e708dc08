#pragma once

#include <QDockWidget>

class QLabel;

namespace hloscope::ui {

/// A dock with the title bar of the design: title, small context text, float, close.
class Dock : public QDockWidget {
  Q_OBJECT
 public:
  /// `id` names the dock in saved layouts. The context text is the widget's windowTitle().
  Dock(const QString& id, const QString& title, QWidget* content, QWidget* parent = nullptr);

 private:
  QWidget* makeTitleBar(const QString& title, QWidget* content);
};

}  // namespace hloscope::ui
