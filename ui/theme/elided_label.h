#pragma once

#include <QLabel>

namespace hloscope::ui {

/// One line of text, cut with an ellipsis where there is no room; whole in the tool tip.
class ElidedLabel : public QLabel {
  Q_OBJECT
 public:
  explicit ElidedLabel(QWidget* parent = nullptr);
  void setWholeText(const QString& text);
  [[nodiscard]] const QString& wholeText() const { return whole_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void elide();
  QString whole_;
};

}  // namespace hloscope::ui
