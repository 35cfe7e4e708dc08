#pragma once

#include <QWidget>
#include <vector>

namespace hloscope::ui {

/// Glyphs of picked tiles with what they mean, in one row; entries that do not fit are left out.
class TileLegend : public QWidget {
  Q_OBJECT
 public:
  struct Entry {
    QStringList glyphs;
    QString text;
  };
  explicit TileLegend(QWidget* parent = nullptr);
  void setEntries(std::vector<Entry> entries);
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return {60, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  [[nodiscard]] int widthOf(const Entry& entry) const;
  std::vector<Entry> entries_;
};

}  // namespace hloscope::ui
