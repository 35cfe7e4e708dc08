#pragma once

#include <QFrame>
#include <functional>
#include <vector>

#include "ui/shell/quick_search.h"

class QLabel;
class QLineEdit;
class QListView;

namespace hloscope::ui {

class QuickModel;

/// The pop-up behind Ctrl+P and Ctrl+Shift+P: kernels, instructions and modules by name, or, after
/// ">", every command with its shortcut.
class QuickOpen : public QFrame {
  Q_OBJECT
 public:
  using Search = std::function<std::vector<QuickHit>(const QString& text)>;

  QuickOpen(Search search, QWidget* window);

  /// Opens below the top edge of the window with `text` typed in.
  void popUp(const QString& text);

 signals:
  void chosen(const hloscope::ui::QuickHit& hit);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void refill();
  void choose();

  Search search_;
  QLineEdit* edit_;
  QListView* list_;
  QuickModel* model_;
  QLabel* empty_;
};

}  // namespace hloscope::ui
