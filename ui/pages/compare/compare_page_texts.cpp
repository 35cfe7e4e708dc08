// What ComparePage says about its points.
#include <QLabel>
#include <algorithm>

#include "ui/charts/scatter_chart.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/theme/format.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {

size_t ComparePage::untimedCount() const {
  return static_cast<size_t>(std::count_if(
      points_.begin(), points_.end(),
      [this](const analysis::ComparePoint& point) { return !(point.estimate_ns(source()) > 0); }));
}

QString ComparePage::noErrorsText() const {
  if (untimedCount() == points_.size()) {
    return tr("No kernel here has both a measured and an estimated time.");
  }
  if (in_chart_.empty()) return tr("No point matches the filter.");
  return tr("No point lies in the selected range.");
}

QString ComparePage::setText() const {
  std::vector<std::pair<std::string_view, std::pair<int, std::string_view>>> kernels;
  for (const analysis::ComparePoint& point : points_) {
    kernels.emplace_back(point.file_path,
                         std::pair(point.module_number, std::string_view(point.kernel_name)));
  }
  std::sort(kernels.begin(), kernels.end());
  const auto distinct = std::unique(kernels.begin(), kernels.end()) - kernels.begin();
  QString text = countOf(static_cast<size_t>(distinct), tr("kernel"));
  if (showsTiles()) {
    text = tr("%1 of %2").arg(countOf(points_.size(), tr("measured tile")), text);
  }
  return text;
}

void ComparePage::refreshTexts() {
  QStringList context{setText()};
  if (in_chart_.size() != points_.size() - untimedCount()) {
    context.prepend(tr("%1 shown").arg(formatCount(static_cast<int64_t>(in_chart_.size()))));
  }
  if (report_) context += textOf(report_->machine.title);
  chart_panel_->setContext(points_.empty() ? QString() : context.join(QStringLiteral(" · ")));
  QStringList restrictions;
  if (op_class_) restrictions += textOf(hlo::name(*op_class_));
  if (range_ns_) {
    restrictions +=
        tr("%1 to %2 µs").arg(formatTimeUs(range_ns_->first), formatTimeUs(range_ns_->second));
  }
  restriction_->setVisible(!restrictions.isEmpty());
  restriction_->setText(tr("Only %1: show all").arg(restrictions.join(QStringLiteral(", "))));
  errors_panel_->setContext(textOf(analysis::info(source()).name));
  metrics_panel_->setContext(range_ns_ ? tr("of the selected range") : QString());
  const QString keys = tr(
      "Click selects · Double-click opens the graph · Drag selects a range · Ctrl+drag and wheel "
      "zoom · Space fits all");
  note_->setText(points_.empty() ? QString() : meaningText() + '\n' + keys);
}

QString ComparePage::noteText() const {
  return note_->text();
}

QString ComparePage::meaningText() const {
  if (source() == analysis::TimeSource::kCompiler) {
    return tr(
        "Measured: the compiler's default configuration, else the fastest one. XLA estimate: the "
        "cycles that the compiler wrote into the program, at the clock of the machine.");
  }
  if (source() == analysis::TimeSource::kPredicted) {
    return tr(
        "Measured: the compiler's default configuration, else the fastest one. Predicted: by a "
        "learned model, which says nothing of other tiles.");
  }
  if (!showsTiles()) {
    return tr(
        "Measured: the compiler's default configuration, else the fastest one. Estimated: at "
        "the tile that the model chooses.");
  }
  QString text = tr("Each point is one measured tile, estimated at that tile.");
  if (const size_t untimed = untimedCount(); untimed > 0) {
    text +=
        ' ' +
        tr("Left out: %1 without bounds that fit the kernel.").arg(countOf(untimed, tr("tile")));
  }
  return text;
}

void ComparePage::showEmpty() {
  if (!points_.empty() && untimedCount() == points_.size()) {
    chart_->setEmptyText(
        tr("None of the measured tiles has bounds that fit its kernel, so none can be estimated.\n"
           "Choose \"default configuration\" above."));
  } else if (!points_.empty()) {
    chart_->setEmptyText(tr("No point matches the filter.\nEsc in the filter shows all again."));
  } else if (!failure_.isEmpty()) {
    chart_->setEmptyText(tr("The results file could not be read.\n%1").arg(failure_));
  } else if (kernelSet() == KernelSet::kStore) {
    chart_->setEmptyText(
        tr("Nothing measured is stored yet for this machine.\nMeasured times are stored when a "
           "tuning file is opened, e.g. the sample \"Eight TPU v3 kernels\"."));
  } else if (!report_) {
    chart_->setEmptyText(
        tr("No program is open.\nOpen a file with measured times, e.g. the sample \"Eight TPU v3 "
           "kernels\" on the Start page."));
  } else if (report_->program_measured_ns) {
    chart_->setEmptyText(
        tr("This file measures the whole program only: %1 (simulated %2, analytical %3).\n"
           "Times of single kernels come with tile tuning files.")
            .arg(formatTime(*report_->program_measured_ns), formatTime(report_->simulated_total_ns),
                 formatTime(report_->analytical_total_ns)));
  } else {
    chart_->setEmptyText(tr("%1.\nOpen a tuning file, e.g. the sample \"Eight TPU v3 kernels\" on "
                            "the Start page, or "
                            "choose \"All measured\" above.")
                             .arg(kernelSet() == KernelSet::kAllOpen
                                      ? tr("No measured times in the open files")
                                      : tr("No measured times in this file")));
  }
}

QString ComparePage::toolTipText(int chart_point) const {
  const analysis::ComparePoint& point = points_[in_chart_[static_cast<size_t>(chart_point)]];
  QStringList lines;
  lines += QString::fromStdString(point.kernel_name + "  " + point.program_name);
  if (!point.configuration.empty()) lines += QString::fromStdString(point.configuration);
  for (const analysis::TimeSourceInfo& info : analysis::kTimeSources) {
    const double time = point.estimate_ns(info.source);
    if (!(time > 0)) continue;
    QString line = textOf(info.name) + ' ' + formatTimeUs(time) + QStringLiteral(" µs");
    if (info.is_estimate) line += ' ' + formatSignedPercent(point.error(info.source));
    lines += line;
  }
  lines += tr("Double-click opens its graph");
  return lines.join('\n');
}

}  // namespace hloscope::ui
