#include "ui/graph/legend.h"

#include <QObject>

#include "ui/theme/fonts.h"
#include "ui/theme/format.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {

namespace {
constexpr int kLegendMargin = 12;
constexpr int kPadding = 8;
constexpr int kTitleHeight = 22;
constexpr int kRowHeight = 18;
constexpr int kClassWidth = 184;
constexpr int kScaleWidth = 264;
constexpr int kBarHeight = 10;
constexpr int kHatchHeight = 20;
}  // namespace

QRect Legend::rect(QSize view) const {
  const int width = colouring_ ? kScaleWidth : kClassWidth;
  const int height =
      kTitleHeight + kPadding +
      (colouring_ ? kBarHeight + kRowHeight + kHatchHeight : hlo::kOpClassCount * kRowHeight);
  // In a small view the graph is worth more.
  if (view.width() < 2 * width || view.height() < height + 2 * kLegendMargin) return {};
  return {view.width() - kLegendMargin - width, kLegendMargin, width, height};
}

std::optional<hlo::OpClass> Legend::classAt(QPoint position, QSize view) const {
  const QRect place = rect(view);
  if (colouring_ || !place.contains(position)) return std::nullopt;
  const int y = position.y() - place.top() - kTitleHeight;
  if (y < 0 || y >= hlo::kOpClassCount * kRowHeight) return std::nullopt;
  return static_cast<hlo::OpClass>(y / kRowHeight);
}

void Legend::paint(QPainter& painter, QSize view, const FrameReport& report,
                   std::optional<hlo::OpClass> only_class) const {
  const QRect place = rect(view);
  if (place.isEmpty()) return;
  painter.setPen(theme().role(Role::kBorderSoft));
  painter.setBrush(theme().role(Role::kBase));
  painter.drawRect(place.adjusted(0, 0, -1, -1));
  const QRect title(place.left() + kPadding, place.top() + 2, place.width() - 2 * kPadding,
                    kTitleHeight - 2);
  painter.setFont(boldFont());
  painter.setPen(theme().role(Role::kText));
  painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter,
                   colouring_ ? colouring_->title : QObject::tr("Op class"));
  painter.setFont(smallFont());
  painter.setPen(theme().role(Role::kTextMuted));
  painter.drawText(title, Qt::AlignRight | Qt::AlignVCenter,
                   colouring_ ? colouring_->unit : QObject::tr("shown"));
  if (colouring_) {
    paintScale(painter, place);
  } else {
    paintClasses(painter, place, report, only_class);
  }
}

void Legend::paintClasses(QPainter& painter, const QRect& place, const FrameReport& report,
                          std::optional<hlo::OpClass> only_class) const {
  for (int i = 0; i < hlo::kOpClassCount; ++i) {
    const auto op_class = static_cast<hlo::OpClass>(i);
    const QRect row(place.left() + kPadding, place.top() + kTitleHeight + i * kRowHeight,
                    place.width() - 2 * kPadding, kRowHeight);
    opClassIcon(op_class).paint(&painter, QRect(row.left(), row.top() + 2, 14, 14));
    const bool faint = only_class && *only_class != op_class;
    painter.setPen(theme().role(faint ? Role::kTextFaint : Role::kText));
    const auto text = hlo::name(op_class);
    painter.drawText(row.adjusted(20, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())));
    painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter,
                     formatCount(report.nodes_of_class[static_cast<size_t>(i)]));
  }
}

void Legend::paintScale(QPainter& painter, const QRect& place) const {
  const QRect bar(place.left() + kPadding, place.top() + kTitleHeight, place.width() - 2 * kPadding,
                  kBarHeight);
  const bool diverges = colouring_->scale == GraphColouring::Scale::kDiverging;
  for (int x = 0; x < bar.width(); ++x) {
    const double position = static_cast<double>(x) / (bar.width() - 1);
    painter.fillRect(
        bar.left() + x, bar.top(), 1, bar.height(),
        diverges ? theme().divergingTint((2 * position - 1) * 0.30) : theme().heat(position));
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(theme().role(Role::kBorder));
  painter.drawRect(bar.adjusted(0, 0, -1, -1));
  const QRect labels(bar.left(), bar.bottom() + 1, bar.width(), kRowHeight);
  painter.setPen(theme().role(Role::kTextMuted));
  painter.drawText(labels, Qt::AlignLeft | Qt::AlignVCenter, colouring_->low);
  painter.drawText(labels, Qt::AlignHCenter | Qt::AlignVCenter, colouring_->middle);
  painter.drawText(labels, Qt::AlignRight | Qt::AlignVCenter, colouring_->high);
  const QRect sample(bar.left(), labels.bottom() + 3, 18, 12);
  painter.setPen(theme().role(Role::kEdgeFaint));
  painter.setBrush(theme().role(Role::kCanvas));
  painter.drawRect(sample);
  painter.setPen(theme().role(Role::kTextMuted));
  painter.drawText(QRect(sample.right() + 6, labels.bottom(), bar.width(), kHatchHeight),
                   Qt::AlignLeft | Qt::AlignVCenter, QObject::tr("no value"));
}

}  // namespace hloscope::ui
