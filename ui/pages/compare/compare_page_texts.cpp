// What ComparePage says about its points.
#include <QLabel>
#include <algorithm>

#include "ui/charts/scatter_chart.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/pages/compare/compare_models.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/theme/format.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {

QString ComparePage::noErrorsText() const {
  if (shown_->view.pairs == 0) {
    return tr("No kernel here has both a %1 and a %2 time.")
        .arg(textOf(analysis::info(axes().x).name), textOf(analysis::info(axes().y).name));
  }
  if (shown_->view.in_chart.empty()) return tr("No point matches the filter.");
  return tr("No point lies in the selected range.");
}

QString ComparePage::meaningTitle() const {
  return tr("%1 against %2")
      .arg(textOf(analysis::info(axes().y).title), textOf(analysis::info(axes().x).name));
}

QString ComparePage::setText() const {
  QString text = countOf(shown_->view.kernels, tr("kernel"));
  if (showsTiles()) {
    text = tr("%1 of %2").arg(countOf(shown_->view.timed, tr("measured run")), text);
  }
  if (points().size() >= kMostStoredPoints) text += tr(", the first of the results file");
  return text;
}

void ComparePage::refreshTexts() {
  const analysis::PairAxes pair = axes();
  QStringList context{setText()};
  if (shown_->view.in_chart.size() != shown_->view.pairs) {
    context.prepend(
        tr("%1 shown").arg(formatCount(static_cast<int64_t>(shown_->view.in_chart.size()))));
  }
  if (report_) context += textOf(report_->machine.title);
  chart_panel_->setContext(points().empty() ? QString() : context.join(QStringLiteral(" · ")));
  QStringList restrictions;
  if (group_) restrictions += textOf(*group_);
  if (range_ns_) {
    restrictions +=
        tr("%1 to %2 µs").arg(formatTimeUs(range_ns_->first), formatTimeUs(range_ns_->second));
  }
  restriction_->setVisible(!restrictions.isEmpty());
  restriction_->setText(tr("Only %1: show all").arg(restrictions.join(QStringLiteral(", "))));
  QString errors =
      tr("%1 − %2").arg(textOf(analysis::info(pair.y).name), textOf(analysis::info(pair.x).name));
  if (shown_->view.errors.size() == LargestErrorsModel::kMostRows) {
    errors += tr(" · the largest %1")
                  .arg(formatCount(static_cast<int64_t>(LargestErrorsModel::kMostRows)));
  }
  errors_panel_->setContext(errors);
  const QString judge = tr("against %1").arg(textOf(analysis::info(pair.x).name));
  metrics_panel_->setContext(range_ns_ ? tr("%1, of the selected range").arg(judge) : judge);
  const QString keys = tr(
      "Click selects · Double-click opens the graph · Drag selects a range · Ctrl+drag and wheel "
      "zoom · Space fits all");
  note_->setText(points().empty() ? QString() : meaningText() + '\n' + keys);
}

QString ComparePage::noteText() const {
  return note_->text();
}

QString ComparePage::unmeasuredText() const {
  if (report_ && report_->program_measured_ns) {
    return tr("This file measures the whole program only: %1 (simulated %2, analytical %3). ")
        .arg(formatTime(*report_->program_measured_ns), formatTime(report_->simulated_total_ns),
             formatTime(report_->analytical_total_ns));
  }
  return kernelSet() == KernelSet::kAllOpen ? tr("No measured times in the open files. ")
                                            : tr("No measured times in this file. ");
}

QString ComparePage::meaningText() const {
  using enum analysis::PairSource;
  const analysis::PairAxes pair = axes();
  const auto shows = [&pair](analysis::PairSource source) {
    return pair.x == source || pair.y == source;
  };
  QStringList parts;
  if (!data_->has_times[static_cast<size_t>(kMeasured)]) parts += unmeasuredText().trimmed();
  if (shows(kMeasured) && !showsTiles()) {
    parts += tr("Measured: the compiler's default configuration, else the fastest one.");
  }
  if (shows(kCompiler)) {
    parts +=
        tr("XLA estimate: the cycles that the compiler wrote into the program, at the clock "
           "of the machine.");
  }
  if (shows(kPredicted)) {
    parts += tr("Predicted: by a learned model, which says nothing of other tiles.");
  }
  if (shows(kScaled)) {
    parts += tr("Scaled: analytical times × %1, total measured over total analytical time.")
                 .arg(formatNumber(pair.scale, 3));
  }
  if (showsTiles()) {
    parts += tr("Each point is one measured run of a tile, estimated at that tile.");
    if (const size_t untimed = shown_->view.untimed; untimed > 0) {
      parts += tr("Left out: %1 of tiles that are not known or do not fit the kernel.")
                   .arg(countOf(untimed, tr("run")));
    }
  } else if (shows(kSimulated) || shows(kAnalytical) || shows(kScaled)) {
    parts += tr("Estimated: at the tile that the model chooses.");
  }
  return parts.join(' ');
}

void ComparePage::showEmpty() {
  if (reading_) {
    chart_->setEmptyText(tr("Reading times to compare…"));
  } else if (!points().empty() && shown_->view.pairs == 0 && showsTiles()) {
    chart_->setEmptyText(
        tr("None of the measured tiles has bounds that fit its kernel, so none can be estimated.\n"
           "Choose \"default configuration\" above."));
  } else if (!points().empty() && shown_->view.pairs == 0) {
    chart_->setEmptyText(tr("%1\nChoose other sources of times above.").arg(noErrorsText()));
  } else if (!points().empty()) {
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
  } else {
    chart_->setEmptyText(tr("%1\nOpen a tuning file, e.g. the sample \"Eight TPU v3 kernels\" on "
                            "the Start page, or choose \"All measured\" above.")
                             .arg(unmeasuredText().trimmed()));
  }
}

QString ComparePage::toolTipText(int chart_point) const {
  const analysis::ComparePoint& point = pointOf(chart_point);
  QStringList lines;
  lines += QString::fromStdString(point.kernel_name + "  " + point.program_name);
  if (!point.configuration.empty()) lines += QString::fromStdString(point.configuration);
  const analysis::PairAxes pair = axes();
  for (const analysis::PairSourceInfo& info : analysis::kPairSources) {
    const double time = pair.time_ns(point, info.source);
    const bool is_asked = info.source != analysis::PairSource::kScaled || pair.y == info.source ||
                          pair.x == info.source;
    if (!(time > 0) || !is_asked) continue;
    QString line = textOf(info.name) + ' ' + formatTimeUs(time) + QStringLiteral(" µs");
    if (info.source != pair.x && pair.x_ns(point) > 0) {
      line += ' ' + formatSignedPercent(pair.with_y(info.source).error(point));
    }
    lines += line;
  }
  lines += tr("Double-click opens its graph");
  return lines.join('\n');
}

}  // namespace hloscope::ui
