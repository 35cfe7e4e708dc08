#include "ui/pages/simulate/simulate_page.h"

#include <QAction>
#include <QButtonGroup>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/analysis/kernel_export.h"
#include "core/analysis/program_trace.h"
#include "core/base/write_file.h"
#include "ui/charts/bottleneck_bars.h"
#include "ui/charts/lane_timeline.h"
#include "ui/charts/program_strip.h"
#include "ui/charts/roofline_chart.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/models/kernel_tables.h"
#include "ui/pages/simulate/assumptions_panel.h"
#include "ui/pages/simulate/machine_times_model.h"
#include "ui/theme/format.h"

namespace hloscope::ui {
namespace {

constexpr int kNoMachine = -1;
constexpr int kAllMachines = -2;
constexpr int kPinned = -3;

/// "alexnet, module 2 of tiles.pb".
QString programText(const analysis::ModuleReport& report, bool is_one_of_many) {
  const QString name = textOf(report.module.program->name());
  const QString file = QFileInfo(QString::fromStdString(report.file_path)).fileName();
  if (!is_one_of_many) return SimulatePage::tr("%1, %2").arg(name, file);
  return SimulatePage::tr("%1, %2#%3").arg(name, file).arg(report.module_number);
}

}  // namespace

void SimulatePage::setReports(const std::vector<ReportPtr>& reports) {
  reports_ = reports;
  const QSignalBlocker blocker(programs_);
  programs_->clear();
  for (const ReportPtr& report : reports_) {
    const auto of_file = std::count_if(
        reports_.begin(), reports_.end(),
        [&report](const ReportPtr& other) { return other->file_path == report->file_path; });
    programs_->addItem(programText(*report, of_file > 1));
  }
  if (reports_.empty()) programs_->addItem(tr("none open"));
  programs_->setEnabled(!reports_.empty());
}

void SimulatePage::setReport(const ReportPtr& report) {
  const auto place = std::find(reports_.begin(), reports_.end(), report);
  if (place != reports_.end()) {
    const QSignalBlocker blocker(programs_);
    programs_->setCurrentIndex(static_cast<int>(place - reports_.begin()));
  }
  if (report == report_) return;
  report_ = report;
  centre_->setCurrentIndex(report_ ? 1 : 0);
  // Another program's kernels are not these; on another machine the old picture stays until done.
  const bool is_same =
      report_ && timeline_ && timeline_->report().module.program == report_->module.program;
  if (!is_same) {
    selection_ = {};
    setTimeline(nullptr);
  }
  workOut();
  compareMachines();
}

void SimulatePage::setSelection(const Selection& selection) {
  selection_ = selection;
  strip_->setSelected(selection_.kernel);
  lanes_->setSelected(selection_.kernel);
  roofline_->setSelected(selection_.kernel);
  bottlenecks_->setSelected(selection_.kernel);
  const int row = selection_.kernel.valid() ? machine_times_->rowOf(selection_.kernel) : -1;
  following_ = true;
  if (row >= 0) machine_view_->setCurrentIndex(machine_times_->index(row, 0));
  following_ = false;
  showTexts();
}

void SimulatePage::setMachine(const sim::Machine& machine) {
  assumptions_->setMachine(machine);
  if (machine.hash == machine_.hash) return;
  machine_ = machine;
  const auto is_it = [&machine](const sim::Machine& other) { return other.id == machine.id; };
  const std::vector<sim::Machine>& known = sim::builtin_machines();
  if (std::none_of(known.begin(), known.end(), is_it)) {
    std::erase_if(user_machines_, is_it);
    user_machines_.push_back(machine);
  }
  fillMachines();
}

void SimulatePage::fillMachines() {
  const QSignalBlocker block_machines(machines_);
  const QSignalBlocker block_comparison(comparison_);
  const int compared =
      comparison_->currentData().isValid() ? comparison_->currentData().toInt() : kNoMachine;
  machines_->clear();
  comparison_->clear();
  comparison_->addItem(tr("none"), kNoMachine);
  if (baseline_) {
    comparison_->addItem(tr("Baseline: %1").arg(textOf(baseline_->label())), kPinned);
  }
  int place = 0;
  for (const auto* list : {&sim::builtin_machines(), &std::as_const(user_machines_)}) {
    for (const sim::Machine& machine : *list) {
      machines_->addItem(textOf(machine.title), place);
      comparison_->addItem(textOf(machine.title), place++);
      if (machine.hash == machine_.hash) machines_->setCurrentIndex(machines_->count() - 1);
    }
  }
  comparison_->addItem(tr("all machines"), kAllMachines);
  comparison_->setCurrentIndex(std::max(0, comparison_->findData(compared)));
}

void SimulatePage::chooseMachine(int index) {
  const auto place = static_cast<size_t>(index);
  const size_t builtin = sim::builtin_machines().size();
  const sim::Machine& chosen =
      place < builtin ? sim::builtin_machines()[place] : user_machines_[place - builtin];
  emit machineRequested(sim::Machine(chosen), QString());
}

void SimulatePage::chooseComparison(int index) {
  const int chosen = comparison_->itemData(index).toInt();
  if (chosen == kPinned) return compareWithBaseline();
  std::vector<sim::Machine> machines;
  int place = 0;
  for (const auto* list : {&sim::builtin_machines(), &std::as_const(user_machines_)}) {
    for (const sim::Machine& machine : *list) {
      if (chosen == kAllMachines || chosen == place) machines.push_back(machine);
      ++place;
    }
  }
  compareWith(std::move(machines));
}

void SimulatePage::setBaseline(const analysis::BaselinePtr& baseline) {
  if (baseline == baseline_) return;
  baseline_ = baseline;
  with_baseline_ = with_baseline_ && baseline_;
  fillMachines();
  compareMachines();
  showRoofline();
  showTexts();
}

void SimulatePage::compareWithBaseline() {
  with_baseline_ = true;
  compared_.clear();
  compareMachines();
  showBottom(1);
}

void SimulatePage::compareWith(std::vector<sim::Machine> machines) {
  with_baseline_ = false;
  compared_ = std::move(machines);
  compareMachines();
  showBottom(compared_.empty() ? 0 : 1);
}

void SimulatePage::workOut() {
  if (!report_) return;
  if (timeline_) lanes_panel_->setContext(tr("simulating again…"));
  using Made = Result<std::shared_ptr<const analysis::ProgramTimeline>>;
  tasks_.run<Made>(
      {.label = tr("Units of %1").arg(textOf(report_->module.program->name())),
       .key = QStringLiteral("simulate.timeline")},
      [report = report_](const Progress& progress) {
        return analysis::ProgramTimeline::make(report, progress);
      },
      this,
      [this](Made made) {
        if (made && &(*made)->report() == report_.get()) return setTimeline(*made);
        if (!made && made.error().code == ErrorCode::kCancelled) {
          lanes_->setEmptyText(tr("Cancelled. F5 reads the file again."));
          lanes_panel_->setContext(tr("cancelled; F5 reads the file again"));
        }
      });
}

void SimulatePage::setTimeline(std::shared_ptr<const analysis::ProgramTimeline> timeline) {
  // The same program on another machine keeps its part of the run in view.
  double from = 0;
  double to = 1;
  if (timeline_ && timeline && timeline_->total_ns() > 0) {
    from = lanes_->windowFrom() / timeline_->total_ns();
    to = lanes_->windowTo() / timeline_->total_ns();
  }
  if (timeline && restored_) std::tie(from, to) = *std::exchange(restored_, std::nullopt);
  timeline_ = std::move(timeline);
  strip_->setTimeline(timeline_);
  lanes_->setTimeline(timeline_);
  bottlenecks_->setTimeline(timeline_);
  const QString why = timeline_ ? tr("No kernel of this program takes time: open another one")
                                : tr("Working out what the units do…");
  lanes_->setEmptyText(why);
  bottlenecks_->setEmptyText(why);
  export_->setEnabled(timeline_ != nullptr);
  const double total_ns = timeline_ ? timeline_->total_ns() : 1;
  setWindow(from * total_ns, to * total_ns);
  showRoofline();
  setSelection(selection_);
}

void SimulatePage::compareMachines() {
  machine_times_->setTimes(nullptr, {});
  if (report_ && with_baseline_) {
    machine_times_->setBaseline(report_, baseline_);
    return setSelection(selection_);
  }
  if (!report_ || compared_.empty()) return;
  std::vector<sim::Machine> machines{report_->machine};
  for (const sim::Machine& machine : compared_) {
    if (machine.hash != report_->machine.hash) machines.push_back(machine);
  }
  using Times = Result<std::vector<analysis::MachineTimes>>;
  tasks_.run<Times>(
      {.label = tr("Times on other machines"), .key = QStringLiteral("simulate.machines")},
      [report = report_, machines](const Progress& progress) {
        return analysis::machine_times(*report, machines, progress);
      },
      this,
      [this, report = report_](Times times) {
        if (!times || report != report_) return;
        machine_times_->setTimes(report, std::move(*times));
        setSelection(selection_);
      });
}

void SimulatePage::showRoofline() {
  for (QAbstractButton* button : sources_->buttons()) {
    const auto source = static_cast<analysis::TimeSource>(sources_->id(button));
    bool has = false;
    for (uint32_t k = 0; report_ && !has && k < report_->kernels.kernels.size(); ++k) {
      has = analysis::time_ns(*report_, source, graph::KernelId(k)).has_value();
    }
    button->setEnabled(has);
    button->setToolTip(
        has ? QString() : tr("No kernel has a %1 time").arg(textOf(analysis::info(source).name)));
    if (!has && source == source_) source_ = analysis::TimeSource::kSimulated;
  }
  if (auto* button = sources_->button(static_cast<int>(source_))) button->setChecked(true);
  if (!timeline_) {
    roofline_->setEmptyText(tr("Working out what the units do…"));
    return roofline_->setRoofline(nullptr, {});
  }
  analysis::Roofline line = analysis::roofline(*report_, source_, baseline_);
  roofline_->setEmptyText(
      line.points.empty()
          ? tr("No kernel here has FLOPs. Data movement and transcendentals, as tanh, have none.")
          : QString());
  roofline_->setRoofline(report_, std::move(line));
}

void SimulatePage::showTexts() {
  if (!timeline_) return;
  const analysis::ModuleReport& report = timeline_->report();
  const size_t count = timeline_->spans().size();
  const QString how = count == 1 ? QString() : tr(" one after another");
  QString text = tr("%1%2, simulated %3")
                     .arg(countOf(count, tr("kernel")), how, formatTime(timeline_->total_ns()));
  if (baseline_) {
    const auto before = baseline_->total_ns(report, analysis::TimeSource::kSimulated);
    const double change = analysis::relative_change(timeline_->total_ns(), before);
    if (!std::isnan(change)) {
      text += tr(" (Δ %1 to %2)").arg(formatSignedPercent(change), textOf(baseline_->label()));
    }
  }
  double measured_ns = 0;
  for (const analysis::KernelSpan& span : timeline_->spans()) {
    measured_ns += report.measured_ns[span.kernel].value_or(NAN) * span.executions;
  }
  if (report.program_measured_ns) measured_ns = *report.program_measured_ns;
  if (measured_ns > 0) text += tr(", measured %1").arg(formatTime(measured_ns));
  const bool repeats = std::any_of(timeline_->spans().begin(), timeline_->spans().end(),
                                   [](const auto& span) { return span.executions > 1; });
  if (repeats) text += tr("; all executions of a kernel stand together");
  strip_panel_->setContext(text);

  const auto span = timeline_->span_of(selection_.kernel);
  if (!span) {
    lanes_panel_->setContext(tr("bar height = share of time busy; busy column: whole program"));
    return;
  }
  const graph::Kernel& kernel = report.kernels.kernels[selection_.kernel];
  const analysis::TileChoice& choice =
      report.times.tiles[report.kernels.distinct_of[selection_.kernel]];
  const QString tile = textOf(sim::tile_text(choice.tile));
  QString selected = textOf((*report.module.program)[kernel.instruction].name);
  if (!tile.isEmpty()) selected += tr(", tile %1").arg(tile);
  selected += tr(", %1").arg(countOf(static_cast<size_t>(choice.tiles), tr("iteration")));
  lanes_panel_->setContext(tr("%1; busy column: this kernel").arg(selected));
}

void SimulatePage::setWindow(double from_ns, double to_ns) {
  strip_->setWindow(from_ns, to_ns);
  lanes_->setWindow(from_ns, to_ns);
}

void SimulatePage::showBottom(int page) {
  bottom_stack_->setCurrentIndex(page);
  if (auto* button = bottom_->button(page)) button->setChecked(true);
}

Selection SimulatePage::selectionOf(graph::KernelId kernel) const {
  return {kernel, report_->kernels.kernels[kernel].instruction};
}

void SimulatePage::clickKernel(graph::KernelId kernel) {
  if (!report_ || !kernel.valid()) return;
  emit selectionRequested(nullptr, selectionOf(kernel));
}

void SimulatePage::activateKernel(graph::KernelId kernel) {
  if (report_ && kernel.valid()) emit activationRequested(nullptr, selectionOf(kernel));
}

void SimulatePage::savePicture(QWidget* widget, const QString& name) {
  const QString path = QFileDialog::getSaveFileName(
      this, tr("Save chart"), name + QStringLiteral(".png"), tr("PNG (*.png)"));
  if (path.isEmpty()) return;
  emit messageRequested(widget->grab().save(path, "PNG") ? tr("Saved %1").arg(path)
                                                         : tr("%1 could not be written").arg(path));
}

void SimulatePage::saveMachineTimes() {
  if (!report_) return;
  if (!machine_times_->baseline()) {
    return saveText(QStringLiteral("machines.csv"),
                    textOf(analysis::machine_times_csv(*report_, machine_times_->machines())));
  }
  const auto table = kernelTable(report_, machine_times_->baseline());
  std::vector<size_t> columns;
  for (const char* key : {"name", "class", "executions", "simulated", "dsim"}) {
    columns.push_back(*analysis::column_by_key(key));
  }
  saveText(QStringLiteral("baseline.csv"),
           textOf(analysis::export_rows(*table, table->filtered({}), columns,
                                        analysis::TableFormat::kCsv)));
}

void SimulatePage::saveText(const QString& name, const QString& text) {
  const QString suffix = name.section('.', -1).toUpper();
  const QString path = QFileDialog::getSaveFileName(
      this, tr("Save"), name, QStringLiteral("%1 (*.%2)").arg(suffix, suffix.toLower()));
  if (path.isEmpty()) return;
  const Status written = write_file(path.toStdString(), text.toStdString());
  emit messageRequested(written ? tr("Saved %1").arg(path) : textOf(written.error().format()));
}

void SimulatePage::saveTrace() {
  if (!timeline_) return;
  const sim::TraceProcess trace = analysis::program_trace(*timeline_);
  const std::string text = sim::chrome_trace(report_->machine, {&trace, 1});
  saveText(QStringLiteral("trace.json"), QString::fromStdString(text));
}

QVariantMap SimulatePage::saveState() const {
  const double total_ns = timeline_ ? timeline_->total_ns() : 0;
  return {{QStringLiteral("from"), total_ns > 0 ? lanes_->windowFrom() / total_ns : 0.0},
          {QStringLiteral("to"), total_ns > 0 ? lanes_->windowTo() / total_ns : 1.0},
          {QStringLiteral("source"), textOf(analysis::info(source_).id)}};
}

void SimulatePage::restoreState(const QVariantMap& state) {
  const QString source = state.value(QStringLiteral("source")).toString();
  for (const analysis::TimeSourceInfo& info : analysis::kTimeSources) {
    if (source == textOf(info.id)) source_ = info.source;
  }
  showRoofline();
  const double from = state.value(QStringLiteral("from"), 0.0).toDouble();
  const double to = state.value(QStringLiteral("to"), 1.0).toDouble();
  if (!(from >= 0 && to <= 1 && from < to)) return;
  if (timeline_) {
    setWindow(from * timeline_->total_ns(), to * timeline_->total_ns());
  } else {
    restored_ = {from, to};
  }
}

SimulatePage* createSimulatePage(TaskRunner& tasks) {
  return new SimulatePage(tasks);
}

}  // namespace hloscope::ui
