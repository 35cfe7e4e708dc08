#pragma once

#include <QIcon>
#include <QWidget>
#include <vector>

namespace hloscope::ui {

/// The parts of a split side by side, as long as they are large, each with its name and count.
class SplitBar : public QWidget {
  Q_OBJECT
 public:
  struct Part {
    QString name;
    int64_t count = 0;
  };

  explicit SplitBar(QWidget* parent = nullptr);
  void setParts(std::vector<Part> parts);
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  [[nodiscard]] QSize sizeHint() const override { return {200, 26}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<Part> parts_;
};

/// The square that stands for a part in tables: its letter is T, V or E.
[[nodiscard]] QIcon partIcon(int part);

}  // namespace hloscope::ui
