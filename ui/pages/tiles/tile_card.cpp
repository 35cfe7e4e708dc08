#include "ui/pages/tiles/tile_card.h"

#include <QPainter>
#include <array>

#include "ui/charts/series_style.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {
namespace {

constexpr int kHead = 28;
constexpr int kCardPadding = 8;
constexpr int kCardHeight = 100;
constexpr double kGood = 0.01;  ///< Slowdowns below are fine,
constexpr double kSlow = 0.08;  ///< from here on they are worth a look.

QColor slowdownColor(double slowdown) {
  if (slowdown < kGood) return theme().role(Role::kGood);
  return theme().role(slowdown >= kSlow ? Role::kWarn : Role::kText);
}

}  // namespace

TileCard::TileCard(analysis::TimeSource source, QWidget* parent) : QFrame(parent), source_(source) {
  setAccessibleName(tr("%1: measured slowdown").arg(title()));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

QString TileCard::title() const {
  switch (source_) {
    case analysis::TimeSource::kPredicted:
      return tr("Model picks");
    case analysis::TimeSource::kSimulated:
      return tr("Simulator picks");
    case analysis::TimeSource::kAnalytical:
      return tr("Analytical picks");
    case analysis::TimeSource::kMeasured:
    case analysis::TimeSource::kCompiler:
      break;
  }
  return textOf(analysis::info(source_).title);
}

void TileCard::setRanking(const predict::TileRanking* ranking) {
  has_kernel_ = ranking != nullptr;
  has_measured_ = has_kernel_ && ranking->list.measured > 0;
  const predict::TileColumn column = has_kernel_ ? ranking->column(source_) : predict::TileColumn();
  absence_ = has_kernel_ && column.is_empty() ? textOf(ranking->absence) : QString();
  tiles_ = has_kernel_ ? ranking->list.measured : 0;
  is_score_ = column.is_score;
  ranking_ = column.ranking;
  errors_ = column.errors;
  setAccessibleDescription(text());
  setToolTip(text());
  update();
}

QString TileCard::reason() const {
  if (!has_kernel_) return tr("no kernel");
  if (!absence_.isEmpty()) return absence_;
  if (!has_measured_) return tr("needs measured tiles");
  if (!ranking_.top1_slowdown) {
    return tr("needs 10 measured tiles, has %1").arg(tiles_);
  }
  return {};
}

QString TileCard::footText() const {
  if (!absence_.isEmpty() || !has_measured_) return {};
  QString text =
      tr("Kendall τ %1")
          .arg(ranking_.kendall_tau ? formatNumber(*ranking_.kendall_tau, 3) : noValue());
  return text +
         (is_score_ ? tr(" · ranks only") : tr(" · MAPE %1").arg(formatPercent(errors_.mean)));
}

QString TileCard::text() const {
  const QString why = reason();
  if (!why.isEmpty()) return footText().isEmpty() ? why : why + QStringLiteral("; ") + footText();
  const auto slow = [](const std::optional<double>& value) {
    return value ? formatPercent(*value) : noValue();
  };
  return tr("Measured time of the best of its first 1, 5 and 10 choices against the best of all "
            "tiles: top-1 %1, top-5 %2, top-10 %3 slower; %4")
      .arg(slow(ranking_.top1_slowdown), slow(ranking_.top5_slowdown),
           slow(ranking_.top10_slowdown), footText());
}

QSize TileCard::sizeHint() const {
  return {220, kCardHeight};
}

QSize TileCard::minimumSizeHint() const {
  return {150, kCardHeight};
}

void TileCard::paintHead(QPainter& painter) const {
  painter.fillRect(QRect(0, 0, width(), kHead), theme().role(Role::kRaised));
  painter.setPen(theme().role(Role::kBorderSoft));
  painter.drawLine(0, kHead, width(), kHead);
  paintMarker(painter, seriesOf(source_), QPointF(kCardPadding + 6, kHead / 2.0), 9);
  const QRect room(kCardPadding + 18, 0, width() - 2 * kCardPadding - 18, kHead);
  painter.setFont(boldFont());
  painter.setPen(theme().role(Role::kText));
  const QString heading = painter.fontMetrics().elidedText(title(), Qt::ElideRight, room.width());
  painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, heading);
  const int used = painter.fontMetrics().horizontalAdvance(heading) + 8;
  painter.setFont(smallFont());
  painter.setPen(theme().role(Role::kTextMuted));
  const QString context = tr("slower than the best");
  if (painter.fontMetrics().horizontalAdvance(context) <= room.width() - used) {
    painter.drawText(room.adjusted(used, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, context);
  }
}

void TileCard::paintSlowdowns(QPainter& painter) const {
  const std::array<std::pair<QString, std::optional<double>>, 3> cells = {
      {{tr("top-1"), ranking_.top1_slowdown},
       {tr("top-5"), ranking_.top5_slowdown},
       {tr("top-10"), ranking_.top10_slowdown}}};
  const int pitch = (width() - 2 * kCardPadding) / 3;
  const bool is_narrow =
      QFontMetrics(headlineFont()).horizontalAdvance(formatPercent(0.234)) + 6 > pitch;
  int left = kCardPadding;
  for (const auto& [name, value] : cells) {
    painter.setFont(smallFont());
    painter.setPen(theme().role(Role::kTextMuted));
    painter.drawText(QRect(left, kHead + 6, pitch, 16), Qt::AlignLeft | Qt::AlignVCenter, name);
    painter.setFont(is_narrow ? boldFont() : headlineFont());
    painter.setPen(value ? slowdownColor(*value) : theme().role(Role::kTextFaint));
    painter.drawText(QRect(left, kHead + 22, pitch, 20), Qt::AlignLeft | Qt::AlignVCenter,
                     value ? formatPercent(*value) : noValue());
    left += pitch;
  }
}

void TileCard::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().role(Role::kBase));
  paintHead(painter);
  const QString why = reason();
  if (why.isEmpty()) {
    paintSlowdowns(painter);
  } else {
    painter.setFont(font());
    painter.setPen(theme().role(Role::kTextMuted));
    painter.drawText(QRect(kCardPadding, kHead + 4, width() - 2 * kCardPadding, 40),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, why);
  }
  painter.setFont(smallFont());
  painter.setPen(theme().role(Role::kTextMuted));
  const QString foot =
      painter.fontMetrics().elidedText(footText(), Qt::ElideRight, width() - 2 * kCardPadding);
  painter.drawText(QRect(kCardPadding, kHead + 46, width() - 2 * kCardPadding, 20),
                   Qt::AlignLeft | Qt::AlignVCenter, foot);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(theme().role(Role::kBorder));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

}  // namespace hloscope::ui
