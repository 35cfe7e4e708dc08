#pragma once

#include <QWidget>
#include <vector>

#include "core/analysis/compare_pairs.h"

namespace hloscope::ui {

/// Markers and names of sources of times, side by side in one row.
class SeriesLegend : public QWidget {
  Q_OBJECT
 public:
  struct Entry {
    analysis::PairSource source;
    bool is_baseline;  ///< An outline, and said so.
    Entry(analysis::PairSource of, bool baseline = false) : source(of), is_baseline(baseline) {}
    Entry(analysis::TimeSource of, bool baseline = false)
        : Entry(analysis::pair_source(of), baseline) {}
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
