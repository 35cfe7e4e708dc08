#pragma once

#include <QString>
#include <QWidget>
#include <optional>
#include <vector>

#include "core/hlo/opcode.h"

class QGridLayout;
class QLabel;

namespace hloscope::ui {

/// "Bytes  8.85 MB  in 5.01 · out 3.84".
struct Property {
  QString name;
  QString value;
  QString note;       ///< Grey, behind the value.
  bool mono = false;  ///< HLO text: fixed font.
  std::optional<hlo::OpClass> op_class = {};
};

/// Names left, values right. Long values are elided and complete in the tool tip.
class PropertyGrid : public QWidget {
  Q_OBJECT
 public:
  explicit PropertyGrid(QWidget* parent = nullptr);
  void setProperties(std::vector<Property> properties);
  [[nodiscard]] const std::vector<Property>& properties() const { return properties_; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void paintRow(QPainter& painter, const Property& property, QRect row) const;
  std::vector<Property> properties_;
};

}  // namespace hloscope::ui
