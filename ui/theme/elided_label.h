#pragma once

#include "ui/theme/panel.h"

namespace hloscope::ui {

/// One line of text, cut with an ellipsis where there is no room; whole in the tool tip.
class ElidedLabel : public RoleLabel {
  Q_OBJECT
 public:
  explicit ElidedLabel(QWidget* parent = nullptr, Role role = Role::kText);
  void setWholeText(const QString& text);
  [[nodiscard]] const QString& wholeText() const { return whole_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void elide();
  QString whole_;
};

}  // namespace hloscope::ui
