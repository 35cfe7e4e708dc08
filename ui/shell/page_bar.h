#pragma once

#include <QToolBar>
#include <QToolButton>

class QButtonGroup;

namespace hloscope::ui {

/// The bar at the left edge: one entry per page, with icon and label.
class PageBar : public QToolBar {
  Q_OBJECT
 public:
  explicit PageBar(QWidget* parent = nullptr);

  /// Entries are numbered from 0 in the order they are added.
  void addEntry(const QString& title, const QIcon& icon, const QString& tool_tip);
  void setCurrent(int index);

 signals:
  void activated(int index);

 private:
  QButtonGroup* group_;
};

}  // namespace hloscope::ui
