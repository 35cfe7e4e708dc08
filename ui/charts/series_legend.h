#pragma once

#include <QWidget>
#include <vector>

#include "core/analysis/time_source.h"

namespace hloscope::ui {

/// Markers and names of sources of times, side by side in one row.
class SeriesLegend : public QWidget {
  Q_OBJECT
 public:
  struct Entry {
    analysis::TimeSource source;
    bool is_baseline = false;  ///< An outline, and said so.
    bool operator==(const Entry&) const = default;
  };

  explicit SeriesLegend(QWidget* parent = nullptr);
  void setEntries(std::vector<Entry> entries);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  [[nodiscard]] int widthOf(const Entry& entry) const;
  std::vector<Entry> entries_;
};

}  // namespace hloscope::ui
