#pragma once

#include <QAbstractScrollArea>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hloscope::ui {

/// Lines of HLO text with their numbers. Paints only the visible lines (no QTextDocument), so the
/// size of the text does not matter. Lines can be selected with mouse and keys and copied.
class HloTextView : public QAbstractScrollArea {
  Q_OBJECT
 public:
  struct Line {
    uint32_t number = 0;  ///< In the file, from 1; 0: none.
    std::string_view text;
  };

  explicit HloTextView(QWidget* parent = nullptr);

  /// `owner` keeps the text alive that the lines point into.
  void setLines(std::vector<Line> lines, std::shared_ptr<const void> owner);
  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }
  /// Marks a line (position in lines()) and scrolls to it; -1: none.
  void setMarkedLine(int line);
  /// The selected lines, or all when none is selected.
  [[nodiscard]] QString selectedText() const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void updateScrollBars();
  void moveTo(int line, bool extend);
  void copy() const;
  void paintLine(QPainter& painter, int line, int y) const;
  [[nodiscard]] int lineAt(int y) const;
  [[nodiscard]] bool isSelected(int line) const;
  [[nodiscard]] int lineHeight() const;
  [[nodiscard]] int gutterWidth() const;

  std::vector<Line> lines_;
  std::shared_ptr<const void> owner_;
  size_t longest_ = 0;  ///< In bytes: one column each, HLO text is ASCII but for strings.
  uint32_t largest_number_ = 0;
  int marked_ = -1;
  int anchor_ = -1;
  int current_ = -1;
};

}  // namespace hloscope::ui
