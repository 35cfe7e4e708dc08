#pragma once

#include <QProxyStyle>
#include <QStyleOptionComboBox>

namespace hloscope::ui {

/// Fusion with the metrics of the design and flat frames in the theme's colours. A QPushButton with
/// the dynamic property "primary" set to true is filled with the accent.
class Style : public QProxyStyle {
  Q_OBJECT
 public:
  Style();

  int pixelMetric(PixelMetric metric, const QStyleOption* option,
                  const QWidget* widget) const override;
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* result) const override;
  QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                         const QWidget* widget) const override;
  QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                       const QWidget* widget) const override;
  QRect subElementRect(SubElement element, const QStyleOption* option,
                       const QWidget* widget) const override;
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                   const QWidget* widget) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                          QPainter* painter, const QWidget* widget) const override;
  void polish(QWidget* widget) override;
  using QProxyStyle::polish;

 private:
  /// Its text cut with an ellipsis where there is no room for all of it.
  [[nodiscard]] QStyleOptionComboBox elidedLabel(const QStyleOptionComboBox& combo,
                                                 const QWidget* widget) const;
};

}  // namespace hloscope::ui
