#pragma once

#include <QLabel>
#include <functional>

class QAbstractItemView;

namespace hloscope::ui {

/// Over a view without rows: why there are none, and what to do.
class EmptyNote : public QLabel {
  Q_OBJECT
 public:
  /// Asks `why` whenever the view has no rows. The view has its model already.
  EmptyNote(QAbstractItemView* view, std::function<QString()> why);
  /// Something that `why` looks at has changed.
  void refresh();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QAbstractItemView* view_;
  std::function<QString()> why_;
};

}  // namespace hloscope::ui
