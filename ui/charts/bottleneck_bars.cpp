#include "ui/charts/bottleneck_bars.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <numeric>

#include "ui/charts/plot_axes.h"
#include "ui/charts/plot_widget.h"
#include "ui/charts/unit_style.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/models/kernel_delegates.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"

namespace hloscope::ui {
namespace {

constexpr double kRow = 22;
constexpr double kBarsNames = 0.36;  ///< Of the width.
constexpr double kBarsRight = 64;    ///< Total behind the bar.
constexpr double kBarsAxisHeight = 38;
constexpr double kBarsLetter = 14;
constexpr double kBar = 13;
constexpr double kBarsPadding = 8;

template <typename Visit>
void eachPart(const sim::TimeParts& parts, Visit visit) {
  for (size_t p = 0; p < parts.size(); ++p) {
    if (parts[p] > 0) visit(static_cast<sim::TimePart>(p), parts[p]);
  }
}

double sum(const sim::TimeParts& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

}  // namespace

BottleneckBars::BottleneckBars(QWidget* parent) : QAbstractScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Bottlenecks"));
  setAccessibleDescription(tr("Up and Down select a kernel, Enter shows it in the graph."));
  setMinimumSize(280, 150);
  verticalScrollBar()->setSingleStep(static_cast<int>(kRow));
}

void BottleneckBars::setTimeline(std::shared_ptr<const analysis::ProgramTimeline> timeline) {
  timeline_ = std::move(timeline);
  rows_.clear();
  if (timeline_) {
    rows_.resize(timeline_->spans().size());
    std::iota(rows_.begin(), rows_.end(), 0U);
    const auto& spans = timeline_->spans();
    std::stable_sort(rows_.begin(), rows_.end(), [&spans](uint32_t a, uint32_t b) {
      return spans[a].time_ns * spans[a].executions > spans[b].time_ns * spans[b].executions;
    });
  }
  updateScrollBar();
  viewport()->update();
}

void BottleneckBars::setEmptyText(const QString& text) {
  empty_text_ = text;
  viewport()->update();
}

const analysis::KernelSpan& BottleneckBars::spanOf(size_t row) const {
  return timeline_->spans()[rows_[row]];
}

int BottleneckBars::selectedRow() const {
  const auto span = timeline_ ? timeline_->span_of(selected_) : std::nullopt;
  if (!span) return -1;
  return static_cast<int>(std::find(rows_.begin(), rows_.end(), *span) - rows_.begin());
}

void BottleneckBars::setSelected(graph::KernelId kernel) {
  selected_ = kernel;
  const int row = selectedRow();
  if (row >= 0) {
    const int top = static_cast<int>(row * kRow);
    const int height = static_cast<int>(plotArea().height() - kRow);
    QScrollBar* bar = verticalScrollBar();
    if (top < bar->value()) bar->setValue(top);
    if (top > bar->value() + height) bar->setValue(top - height);
  }
  viewport()->update();
}

QRectF BottleneckBars::plotArea() const {
  const QSizeF size = viewport()->size();
  const double names = std::clamp(kBarsNames * size.width(), 120.0, 230.0);
  return {names, headHeight(), std::max(20.0, size.width() - names - kBarsRight),
          std::max(kRow, size.height() - headHeight() - kBarsAxisHeight)};
}

void BottleneckBars::updateScrollBar() {
  QPixmap nowhere(1, 1);
  QPainter painter(&nowhere);
  legend_height_ = paintLegend(painter, false);
  const auto page = static_cast<int>(plotArea().height());
  const auto all = static_cast<int>(kRow * static_cast<double>(rows_.size()));
  verticalScrollBar()->setPageStep(page);
  verticalScrollBar()->setRange(0, std::max(0, all - page));
}

void BottleneckBars::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  updateScrollBar();
}

double BottleneckBars::paintLegend(QPainter& painter, bool draw) const {
  painter.setFont(smallFont());
  double x = kBarsPadding;
  double y = kBarsPadding + 8;
  for (size_t p = 0; timeline_ && p < sim::kTimePartCount; ++p) {
    const auto part = static_cast<sim::TimePart>(p);
    if (!(timeline_->total_parts()[p] > 0)) continue;
    const double width = painter.fontMetrics().horizontalAdvance(partTitle(part)) + 18;
    if (x > kBarsPadding && x + width > viewport()->width() - kBarsPadding) {
      x = kBarsPadding;
      y += 18;
    }
    if (draw) {
      paintPartLetter(painter, QRectF(x, y - 6.5, 13, 13), part);
      painter.setFont(smallFont());
      painter.setPen(theme().role(Role::kTextMuted));
      painter.drawText(QRectF(x + 17, y - 9, width, 18), Qt::AlignLeft | Qt::AlignVCenter,
                       partTitle(part));
    }
    x += width + 12;
  }
  return y + 12;
}

void BottleneckBars::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), theme().role(Role::kBase));
  if (!timeline_ || rows_.empty()) {
    paintEmptyText(painter, viewport()->rect(), empty_text_);
    return;
  }
  painter.setRenderHint(QPainter::Antialiasing);
  paintLegend(painter, true);
  const QRectF plot = plotArea();
  paintProgram(painter, plot);
  paintAxis(painter, plot);
  painter.setClipRect(QRectF(0, plot.top(), viewport()->width(), plot.height()));
  const double scroll = verticalScrollBar()->value();
  const auto first = static_cast<size_t>(scroll / kRow);
  for (size_t row = first; row < rows_.size(); ++row) {
    const double top = plot.top() + static_cast<double>(row) * kRow - scroll;
    if (top > plot.bottom()) break;
    paintRow(painter, row, top, plot);
  }
  painter.setClipping(false);
  if (!hasFocus()) return;
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(theme().role(Role::kAccent));
  painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
}

void BottleneckBars::paintParts(QPainter& painter, const QRectF& bar,
                                const sim::TimeParts& parts) const {
  const double scale = bar.width() / sum(parts);
  double x = bar.left();
  painter.setRenderHint(QPainter::Antialiasing, false);
  eachPart(parts, [&](sim::TimePart part, double ns) {
    paintPartBar(painter, QRectF(x, bar.top(), ns * scale, bar.height()), part);
    x += ns * scale;
  });
  painter.setRenderHint(QPainter::Antialiasing);
}

void BottleneckBars::paintProgram(QPainter& painter, const QRectF& plot) const {
  const QRectF line(0, legend_height_, viewport()->width(), kRow);
  painter.setFont(boldFont());
  painter.setPen(theme().role(Role::kText));
  painter.drawText(line.adjusted(kBarsPadding, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                   tr("whole program"));
  paintParts(painter, QRectF(plot.left(), line.center().y() - kBar / 2, plot.width(), kBar),
             timeline_->total_parts());
  painter.setFont(smallFont());
  painter.setPen(theme().role(Role::kText));
  painter.drawText(QRectF(plot.right() + 5, line.top(), kBarsRight - 5, kRow),
                   Qt::AlignLeft | Qt::AlignVCenter, formatTime(timeline_->total_ns()));
  painter.setPen(theme().role(Role::kBorderSoft));
  painter.drawLine(QPointF(0, plot.top() - 2.5), QPointF(viewport()->width(), plot.top() - 2.5));
}

void BottleneckBars::paintRow(QPainter& painter, size_t row, double top, const QRectF& plot) const {
  const analysis::KernelSpan& span = spanOf(row);
  const analysis::ModuleReport& report = timeline_->report();
  const graph::Kernel& kernel = report.kernels.kernels[span.kernel];
  const QRectF line(0, top, viewport()->width(), kRow);
  const bool is_selected = span.kernel == selected_;
  if (is_selected) painter.fillRect(line, theme().role(Role::kAccentSoft));
  paintOpClassLetter(painter,
                     QRectF(kBarsPadding, top + (kRow - kBarsLetter) / 2, kBarsLetter, kBarsLetter),
                     kernel.op_class);
  painter.setFont(is_selected ? boldFont() : uiFont());
  painter.setPen(theme().role(Role::kText));
  const QString name = textOf((*report.module.program)[kernel.instruction].name);
  const int room = static_cast<int>(plot.left()) - 34;
  painter.drawText(QRectF(28, top, room, kRow), Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(name, Qt::ElideRight, room));
  const double all_ns = span.time_ns * span.executions;
  const double longest_ns = spanOf(0).time_ns * spanOf(0).executions;
  const QRectF bar(plot.left(), top + (kRow - kBar) / 2, plot.width() * all_ns / longest_ns, kBar);
  paintParts(painter, bar, timeline_->parts(span.kernel));
  painter.setFont(smallFont());
  painter.setPen(theme().role(is_selected ? Role::kText : Role::kTextMuted));
  painter.drawText(QRectF(bar.right() + 5, top, kBarsRight, kRow), Qt::AlignLeft | Qt::AlignVCenter,
                   formatTimeUs(all_ns));
}

void BottleneckBars::paintAxis(QPainter& painter, const QRectF& plot) const {
  const double longest_ns = spanOf(0).time_ns * spanOf(0).executions;
  const PlotAxis axis{{}, 0, longest_ns / 1e3, false};
  painter.setFont(smallFont());
  const int most = std::max(2, static_cast<int>(plot.width() / 70));
  for (double tick : axis.ticks(most)) {
    const double x = plot.left() + plot.width() * axis.part(tick);
    painter.setPen(theme().role(Role::kGrid));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    painter.setPen(theme().role(Role::kTextMuted));
    painter.drawText(QRectF(x - 40, plot.bottom() + 3, 80, 15), Qt::AlignCenter,
                     axis.label(tick, most));
  }
  painter.setPen(theme().role(Role::kTextMuted));
  painter.drawText(QRectF(plot.left(), plot.bottom() + 18, plot.width(), 16), Qt::AlignCenter,
                   tr("simulated, all executions, µs"));
  painter.setPen(theme().role(Role::kBorder));
  painter.drawLine(plot.bottomLeft(), plot.bottomRight());
}

QPoint BottleneckBars::rowPosition(size_t row) const {
  const double top =
      plotArea().top() + static_cast<double>(row) * kRow - verticalScrollBar()->value();
  return QPoint(static_cast<int>(plotArea().left()) + 4, static_cast<int>(top + kRow / 2));
}

int BottleneckBars::rowAt(const QPoint& position) const {
  const QRectF plot = plotArea();
  if (position.y() < plot.top() || position.y() > plot.bottom()) return -1;
  const auto row =
      static_cast<int>((position.y() - plot.top() + verticalScrollBar()->value()) / kRow);
  return row < static_cast<int>(rows_.size()) ? row : -1;
}

void BottleneckBars::select(int row) {
  if (row < 0 || row >= static_cast<int>(rows_.size())) return;
  const graph::KernelId kernel = spanOf(static_cast<size_t>(row)).kernel;
  setSelected(kernel);
  emit kernelClicked(kernel);
}

void BottleneckBars::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) select(rowAt(event->position().toPoint()));
}

void BottleneckBars::mouseDoubleClickEvent(QMouseEvent* event) {
  const int row = rowAt(event->position().toPoint());
  if (row >= 0) emit kernelActivated(spanOf(static_cast<size_t>(row)).kernel);
}

void BottleneckBars::keyPressEvent(QKeyEvent* event) {
  const int row = selectedRow();
  const int page = std::max(1, static_cast<int>(plotArea().height() / kRow) - 1);
  const int last = static_cast<int>(rows_.size()) - 1;
  switch (event->key()) {
    case Qt::Key_Up:
      return select(std::max(0, row - 1));
    case Qt::Key_Down:
      return select(std::min(last, row + 1));
    case Qt::Key_PageUp:
      return select(std::max(0, row - page));
    case Qt::Key_PageDown:
      return select(std::min(last, row + page));
    case Qt::Key_Home:
      return select(0);
    case Qt::Key_End:
      return select(last);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (row >= 0) emit kernelActivated(selected_);
      return;
    default:
      QAbstractScrollArea::keyPressEvent(event);
  }
}

QString BottleneckBars::toolTipText(graph::KernelId kernel) const {
  if (!timeline_) return {};
  const auto span = timeline_->span_of(kernel);
  if (kernel.valid() && !span) return {};
  const sim::TimeParts& parts = span ? timeline_->parts(kernel) : timeline_->total_parts();
  const double executions = span ? timeline_->spans()[*span].executions : 1;
  const double all_ns = sum(parts);
  QStringList lines;
  if (span) {
    const analysis::ModuleReport& report = timeline_->report();
    lines << textOf((*report.module.program)[report.kernels.kernels[kernel].instruction].name);
  } else {
    lines << tr("whole program");
  }
  eachPart(parts, [&](sim::TimePart part, double ns) {
    lines << tr("%1 %2: %3 (%4)")
                 .arg(partLetter(part), partTitle(part), formatTime(ns * executions),
                      formatPercent(ns / all_ns));
  });
  return lines.join('\n');
}

bool BottleneckBars::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip || !timeline_) {
    return QAbstractScrollArea::viewportEvent(event);
  }
  const auto* help = static_cast<QHelpEvent*>(event);
  const int row = rowAt(help->pos());
  const bool on_program = help->pos().y() >= legend_height_ && help->pos().y() < plotArea().top();
  QString text;
  if (row >= 0) text = toolTipText(spanOf(static_cast<size_t>(row)).kernel);
  if (row < 0 && on_program) text = toolTipText({});
  QToolTip::showText(help->globalPos(), text, this);
  return true;
}

QString BottleneckBars::csv() const {
  QString text = QStringLiteral("kernel,executions,simulated_ns");
  for (size_t p = 0; p < sim::kTimePartCount; ++p) {
    text += QStringLiteral(",%1_ns").arg(
        textOf(sim::name(static_cast<sim::TimePart>(p))).toLower().replace(' ', '_'));
  }
  text += '\n';
  for (size_t row = 0; row < rows_.size(); ++row) {
    const analysis::KernelSpan& span = spanOf(row);
    const analysis::ModuleReport& report = timeline_->report();
    const auto& kernel = report.kernels.kernels[span.kernel];
    text += QStringLiteral("%1,%2,%3")
                .arg(textOf((*report.module.program)[kernel.instruction].name))
                .arg(span.executions, 0, 'g', 17)
                .arg(span.time_ns, 0, 'g', 17);
    for (double ns : timeline_->parts(span.kernel)) {
      text += QStringLiteral(",%1").arg(ns, 0, 'g', 17);
    }
    text += '\n';
  }
  return text;
}

void BottleneckBars::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  menu.addAction(tr("Copy as PNG"), this, [this] { QApplication::clipboard()->setPixmap(grab()); });
  menu.addAction(tr("Copy as CSV"), this, [this] { QApplication::clipboard()->setText(csv()); });
  menu.exec(event->globalPos());
}

}  // namespace hloscope::ui
