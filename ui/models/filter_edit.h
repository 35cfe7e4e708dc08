#pragma once

#include <QLineEdit>
#include <QTimer>

#include "core/analysis/kernel_query.h"

namespace hloscope::ui {

/// Name of every input that filters what a page or a dock shows: the key for the filter finds it.
inline constexpr QLatin1String kFilterName("filter");

/// Input of a kernel filter. Parses a moment after the last key; wrong text turns the frame red and
/// the reason is the tool tip, while the last good filter stays in force.
class FilterEdit : public QLineEdit {
  Q_OBJECT
 public:
  /// Where there is no room for `placeholder`, its first word stands alone.
  explicit FilterEdit(const QString& placeholder, QWidget* parent = nullptr);

  /// Appended to what is typed, e.g. `class:"data movement"` of a combo box beside it.
  void setFixedTerms(const QString& terms);
  /// Parses now, without waiting.
  void apply();

 signals:
  void queryChanged(const hloscope::analysis::KernelQuery& query);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showError(const QString& reason);

  QString placeholder_;
  QTimer delay_;
  QString help_;
  QString fixed_terms_;
};

}  // namespace hloscope::ui
