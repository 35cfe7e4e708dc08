#pragma once

#include <QWidget>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/compare_pairs.h"

namespace hloscope::ui {

/// Mean absolute error of each group of points as bars, one per estimate. A click, or Up, Down and
/// Enter, picks a group; the same one again lets it go.
class GroupErrorChart : public QWidget {
  Q_OBJECT
 public:
  explicit GroupErrorChart(QWidget* parent = nullptr);
  /// `sources`: whose errors the groups hold. Groups of op classes have the letter of the class.
  void setGroups(std::vector<analysis::PairSource> sources,
                 std::vector<analysis::ErrorGroup> groups, analysis::Grouping grouping);
  [[nodiscard]] const std::vector<analysis::ErrorGroup>& groups() const { return groups_; }
  /// Whose errors they are, as ErrorGroup::errors has them.
  [[nodiscard]] const std::vector<analysis::PairSource>& sources() const { return sources_; }
  void setPicked(std::optional<std::string> key);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 signals:
  void groupPicked(std::optional<std::string> key);
  void rowFocused(int y);  ///< The middle of the row that the keys are at.

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void paintAxis(QPainter& painter, const QRectF& plot) const;
  void paintGroup(QPainter& painter, size_t row, const QRectF& plot) const;
  void paintName(QPainter& painter, const analysis::ErrorGroup& group, const QRectF& line) const;
  void focusRow(size_t row);
  void pick(size_t row);
  [[nodiscard]] QRectF plotArea() const;
  [[nodiscard]] double rowHeight() const;
  [[nodiscard]] std::optional<size_t> rowAt(double y) const;

  std::vector<analysis::PairSource> sources_;
  std::vector<analysis::ErrorGroup> groups_;  ///< The rows.
  analysis::Grouping grouping_ = analysis::Grouping::kOpClass;
  double limit_ = 1;  ///< Right end of the axis, a fraction.
  double step_ = 0.2;
  std::optional<std::string> picked_;
  size_t focus_row_ = 0;
};

}  // namespace hloscope::ui
