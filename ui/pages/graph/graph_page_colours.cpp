// What GraphPage colours its nodes by.
#include <QComboBox>
#include <QStandardItemModel>
#include <algorithm>
#include <limits>

#include "ui/pages/graph/graph_page.h"

namespace hloscope::ui {
namespace {

constexpr int kMarks = kColourModeCount;  ///< Behind the modes that every program has.

bool hasMeasuredTimes(const analysis::ModuleReport& report) {
  const auto& times = report.measured_ns;
  return std::any_of(times.begin(), times.end(), [](const auto& t) { return t.has_value(); });
}

}  // namespace

void GraphPage::setMarked(const hlo::ProgramPtr& program,
                          const std::vector<graph::KernelId>& kernels) {
  marked_program_ = program;
  marked_ = {kernels.begin(), kernels.end()};
  if (report_) updateColourChoices();
  if (report_ && report_->module.program == program) colour_->setCurrentIndex(kMarks);
  applyColour();
}

void GraphPage::setBaseline(const analysis::BaselinePtr& baseline) {
  if (baseline == baseline_) return;
  baseline_ = baseline;
  if (report_) updateColourChoices();
  applyColour();
}

void GraphPage::updateColourChoices() {
  const bool measured = hasMeasuredTimes(*report_);
  const bool marked = report_->module.program == marked_program_;
  auto* items = qobject_cast<QStandardItemModel*>(colour_->model());
  const auto offer = [&](int index, bool on, const QString& reason) {
    items->item(index)->setEnabled(on);
    items->item(index)->setToolTip(on ? QString() : reason);
    if (!on && colour_->currentIndex() == index) {
      colour_->setCurrentIndex(static_cast<int>(ColourMode::kOpClass));
    }
  };
  for (ColourMode mode : {ColourMode::kMeasuredTime, ColourMode::kError}) {
    offer(static_cast<int>(mode), measured, tr("This program has no measured times"));
  }
  offer(static_cast<int>(ColourMode::kChange), baseline_ != nullptr,
        tr("Nothing is pinned: the button Baseline in the tool bar pins times"));
  offer(kMarks, marked, tr("Of programs that were opened from a trial on the page Autotune"));
}

GraphColouringPtr GraphPage::marks() const {
  auto out = std::make_shared<GraphColouring>();
  out->title = tr("Differs from the start");
  out->low = tr("same kernel");
  out->high = tr("different");
  for (const graph::KernelId kernel : drawing_.graph.kernels) {
    const bool differs = marked_.count(kernel) > 0;
    out->value.push_back(!kernel.valid() ? std::numeric_limits<float>::quiet_NaN()
                         : differs       ? 1.F
                                         : 0.F);
  }
  return out;
}

void GraphPage::applyColour() {
  if (!shown_report_ || !drawing_.graph.model) return;
  const int index = std::max(0, colour_->currentIndex());
  const bool marked = index == kMarks && shown_report_->module.program == marked_program_;
  view_->setColouring(marked ? marks()
                             : colouring(*shown_report_, drawing_.graph,
                                         static_cast<ColourMode>(index % kColourModeCount),
                                         baseline_));
}

}  // namespace hloscope::ui
