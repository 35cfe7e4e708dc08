// Which two sources ComparePage compares, and errors by group.
#include <QComboBox>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <algorithm>
#include <utility>

#include "ui/charts/group_error_chart.h"
#include "ui/charts/residual_chart.h"
#include "ui/charts/series_legend.h"
#include "ui/charts/series_style.h"
#include "ui/models/filter_edit.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/theme/format.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {
namespace {

constexpr size_t kMostGroups = 40;

using analysis::PairSource;

/// Which source stands in for one without times: what others are best judged by, and what is best
/// worth judging.
constexpr std::array kForX{PairSource::kMeasured, PairSource::kSimulated, PairSource::kAnalytical,
                           PairSource::kPredicted, PairSource::kCompiler};
constexpr std::array kForY{PairSource::kSimulated, PairSource::kPredicted, PairSource::kAnalytical,
                           PairSource::kCompiler, PairSource::kScaled};

}  // namespace

PairSource ComparePage::source(const QComboBox* combo) {
  return static_cast<PairSource>(combo->currentData().toInt());
}

std::optional<PairSource> ComparePage::baseline() const {
  const int chosen = baseline_->currentData().toInt();
  if (chosen < 0 || chosen == static_cast<int>(source(y_))) return std::nullopt;
  if (chosen == static_cast<int>(source(x_))) return std::nullopt;
  return static_cast<PairSource>(chosen);
}

analysis::Grouping ComparePage::grouping() const {
  return static_cast<analysis::Grouping>(group_by_->currentIndex());
}

QString ComparePage::absenceOf(PairSource source) const {
  if (points().empty() || data_->has_times[static_cast<size_t>(source)]) return {};
  switch (source) {
    case PairSource::kMeasured:
      return tr("Nothing here is measured: open a tuning file, or import a profile");
    case PairSource::kScaled:
      return tr("The factor is fitted to measured times, and nothing here is measured");
    case PairSource::kPredicted:
      return tr("No learned model has predicted these kernels");
    case PairSource::kPinned:
      if (!pinned_) return tr("Nothing is pinned: the button Baseline in the tool bar pins times");
      return kernelSet() == KernelSet::kStore
                 ? tr("Of the results file there are no pinned times: choose the open files")
                 : tr("%1 has no time of these kernels").arg(textOf(pinned_->label()));
    case PairSource::kCompiler:
      return tr("None of these programs holds an estimate of XLA");
    default:
      return tr("None of these kernels has such a time");
  }
}

void ComparePage::setSources(PairSource x, PairSource y) {
  for (const auto& [combo, chosen] : {std::pair(x_, x), std::pair(y_, y)}) {
    const QSignalBlocker blocker(combo);
    combo->setCurrentIndex(combo->findData(static_cast<int>(chosen)));
  }
}

PairSource ComparePage::standIn(PairSource wanted, std::span<const PairSource> candidates,
                                std::optional<PairSource> taken) const {
  if (absenceOf(wanted).isEmpty() && wanted != taken) return wanted;
  for (const PairSource candidate : candidates) {
    if (absenceOf(candidate).isEmpty() && candidate != taken) return candidate;
  }
  return wanted;
}

void ComparePage::chooseSource(QComboBox* chosen) {
  const bool is_x = chosen == x_;
  PairSource& wanted = is_x ? wanted_x_ : wanted_y_;
  const PairSource before = std::exchange(wanted, source(chosen));
  // Both the same: the other one takes what this one was.
  if (source(x_) == source(y_)) (is_x ? wanted_y_ : wanted_x_) = before;
  if (is_x) {
    setSources(wanted_x_, standIn(wanted_y_, kForY, wanted_x_));
  } else {
    setSources(standIn(wanted_x_, kForX, wanted_y_), wanted_y_);
  }
  range_ns_.reset();
  group_.reset();
  refresh(false);
}

void ComparePage::showSources(PairSource x, PairSource y, KernelSet set) {
  wanted_x_ = x;
  wanted_y_ = y;
  filter_->clear();
  filter_->apply();
  set_->setCurrentIndex(static_cast<int>(set));
  offerSources();
  refresh(false);
}

void ComparePage::offerSources() {
  for (QComboBox* combo : {x_, y_, baseline_}) {
    const QSignalBlocker blocker(combo);
    auto* entries = qobject_cast<QStandardItemModel*>(combo->model());
    for (int i = 0; i < combo->count(); ++i) {
      const int source = combo->itemData(i).toInt();
      if (source < 0) continue;
      const QString absence = absenceOf(static_cast<PairSource>(source));
      entries->item(i)->setEnabled(absence.isEmpty());
      combo->setItemData(i, absence, Qt::ToolTipRole);
      if (combo == baseline_ && !absence.isEmpty() && combo->currentIndex() == i) {
        combo->setCurrentIndex(0);
      }
    }
  }
  const PairSource x = standIn(wanted_x_, kForX, std::nullopt);
  setSources(x, standIn(wanted_y_, kForY, x));
}

void ComparePage::refreshGroups() {
  const CompareView& view = shown_->view;
  std::vector<SeriesLegend::Entry> entries(view.group_sources.begin(), view.group_sources.end());
  const size_t all = view.groups.size();
  groups_panel_->setContext(
      all > kMostGroups ? tr("%1 of %2 programs, those of most kernels").arg(kMostGroups).arg(all)
                        : QString());
  const auto end = view.groups.begin() + static_cast<ptrdiff_t>(std::min(all, kMostGroups));
  groups_->setGroups(view.group_sources, {view.groups.begin(), end}, shown_->request.grouping);
  groups_->setPicked(shown_->request.group);
  groups_legend_->setEntries(std::move(entries));
}

void ComparePage::refreshResiduals() {
  const analysis::ResidualHistogram& histogram = shown_->view.residuals;
  const analysis::PairAxes& pair = shown_->request.axes;
  residuals_->setEmptyText(histogram.n == 0 ? tr("No ratios to show: the chart has no points.")
                                            : QString());
  residuals_->setHistogram(
      histogram,
      tr("%1 / %2, as a ratio")
          .arg(textOf(analysis::info(pair.y).name), textOf(analysis::info(pair.x).name)),
      seriesOf(pair.y), analysis::kErrorBand);
  if (histogram.n == 0) return residuals_panel_->setContext({});
  QString context = tr("median ×%1").arg(formatNumber(histogram.median_ratio, 3));
  if (histogram.n > 1) context += tr(" · spread ×/÷ %1").arg(formatNumber(histogram.spread, 3));
  residuals_panel_->setContext(context);
}

}  // namespace hloscope::ui
