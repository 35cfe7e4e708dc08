#include "ui/pages/graph/kernel_dock.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/analysis/kernel_columns.h"
#include "core/hlo/print.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/models/kernel_tables.h"
#include "ui/pages/graph/hlo_text_view.h"
#include "ui/pages/graph/kernel_details.h"
#include "ui/pages/graph/kernel_links.h"
#include "ui/pages/graph/property_grid.h"
#include "ui/pages/graph/time_bars.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {

KernelDock::KernelDock(QWidget* parent) : ReportView(parent) {
  auto* splitter = new QSplitter(Qt::Vertical, this);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(makeDetails());
  splitter->addWidget(makeText());
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 2);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(makeHead());
  layout->addWidget(splitter, 1);
  showNothing();
}

QWidget* KernelDock::makeHead() {
  auto* head = new QWidget(this);
  name_ = new ElidedLabel(head);
  name_->setFont(headlineFont());
  share_ = mutedLabel(QString());
  copy_ = new QToolButton(head);
  copy_->setIcon(icon(Icon::kCopy));
  copy_->setToolTip(QStringLiteral("Copy as"));
  copy_->setAccessibleName(QStringLiteral("Copy as"));
  copy_->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(copy_);
  menu->addAction(QStringLiteral("Name"), this, &KernelDock::copyName);
  menu->addAction(QStringLiteral("HLO line"), this, &KernelDock::copyLine);
  menu->addAction(QStringLiteral("Standalone module"), this, &KernelDock::copyModule);
  menu->addAction(QStringLiteral("Shape"), this, &KernelDock::copyShape);
  copy_->setMenu(menu);
  pin_ = new QToolButton(head);
  pin_->setObjectName(QStringLiteral("pin_kernel"));
  pin_->setIcon(icon(Icon::kPin));
  pin_->setCheckable(true);
  pin_->setAccessibleName(QStringLiteral("Pin as baseline"));
  connect(pin_, &QToolButton::clicked, this, &KernelDock::pinRequested);
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(8, 6, 6, 2);
  row->addWidget(name_, 1);
  row->addWidget(share_);
  row->addWidget(pin_);
  row->addWidget(copy_);
  return head;
}

QWidget* KernelDock::makeDetails() {
  auto* details = new QWidget;
  properties_ = new PropertyGrid;
  empty_ = mutedLabel(tr("No program is open. Open an HLO file (Ctrl+O), or take a sample of the "
                         "Start page: what a kernel does, its times, operands and users stand "
                         "here."),
                      false);
  empty_->setObjectName(QStringLiteral("kernelEmpty"));
  empty_->setWordWrap(true);
  empty_->setMargin(8);
  time_title_ = new SectionTitle(QStringLiteral("Time, µs"));
  times_ = new TimeBars;
  operands_ = new KernelLinks(QStringLiteral("Operands"));
  users_ = new KernelLinks(QStringLiteral("Users"));
  auto* layout = new QVBoxLayout(details);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(empty_);
  for (QWidget* part : {static_cast<QWidget*>(properties_), static_cast<QWidget*>(time_title_),
                        static_cast<QWidget*>(times_), static_cast<QWidget*>(operands_),
                        static_cast<QWidget*>(users_)}) {
    layout->addWidget(part);
  }
  layout->addStretch(1);
  for (KernelLinks* links : {operands_, users_}) {
    connect(links, &KernelLinks::linkClicked, this,
            [this](const Selection& target) { emit selectionRequested(nullptr, target); });
    connect(links, &KernelLinks::linkActivated, this,
            [this](const Selection& target) { emit activationRequested(nullptr, target); });
  }
  auto* scroll = new QScrollArea;
  scroll->setWidget(details);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  return scroll;
}

QWidget* KernelDock::makeText() {
  auto* box = new QWidget;
  text_title_ = new SectionTitle(QStringLiteral("HLO text"));
  text_ = new HloTextView;
  auto* layout = new QVBoxLayout(box);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(text_title_);
  layout->addWidget(text_, 1);
  return box;
}

void KernelDock::setBaseline(const analysis::BaselinePtr& baseline) {
  if (baseline == baseline_) return;
  baseline_ = baseline;
  if (report_ && selection_.kernel.valid()) showTimes();
  showPin();
}

void KernelDock::setReport(const ReportPtr& report) {
  if (report == report_) return;
  report_ = report;
  shown_text_ = {};
  setSelection({});
}

void KernelDock::setSelection(const Selection& selection) {
  selection_ = selection;
  if (!report_) return showNothing();
  const hlo::Program& program = *report_->module.program;
  setWindowTitle(selection.instruction.valid() ? textOf(program[selection.instruction].name)
                                               : QString());
  if (selection.kernel.valid()) {
    showKernel();
  } else if (selection.instruction.valid()) {
    showInstruction();
  } else {
    showModule();
  }
  const bool some = selection.kernel.valid() || selection.instruction.valid();
  const bool kernel = selection.kernel.valid();
  copy_->setEnabled(some);
  showPin();
  empty_->hide();
  time_title_->setVisible(kernel);
  times_->setVisible(kernel);
  operands_->setVisible(kernel);
  users_->setVisible(kernel);
  showText();
}

void KernelDock::showNothing() {
  name_->setWholeText(QStringLiteral("No kernel"));
  share_->clear();
  copy_->setEnabled(false);
  showPin();
  properties_->setProperties({});
  empty_->show();
  time_title_->hide();
  times_->hide();
  operands_->hide();
  users_->hide();
  text_->setLines({}, nullptr);
  text_title_->note()->clear();
}

void KernelDock::showModule() {
  name_->setWholeText(textOf(report_->module.program->name()));
  share_->setText(QStringLiteral("whole program"));
  properties_->setProperties(moduleProperties(*kernelTable(report_)));
}

void KernelDock::showKernel() {
  const auto table = kernelTable(report_);
  const graph::KernelId id = selection_.kernel;
  name_->setWholeText(textOf(table->name(id.value)));
  const double share = table->number(id.value, *analysis::column_by_key("share"));
  share_->setText(QStringLiteral("%1 of program").arg(formatPercent(share)));
  properties_->setProperties(kernelProperties(*table, id));
  showTimes();
  operands_->setLinks(operandLinks(*table, id));
  users_->setLinks(userLinks(*table, id));
}

void KernelDock::showTimes() {
  const graph::KernelId id = selection_.kernel;
  TimeBars::Times times;
  TimeBars::Times pinned;
  for (const analysis::TimeSourceInfo& source : analysis::kTimeSources) {
    const auto at = static_cast<size_t>(source.source);
    times[at] = time_ns(*report_, source.source, id);
    if (baseline_) pinned[at] = baseline_->time_ns(*report_, source.source, id);
  }
  const auto& predicted = report_->predicted.of_kernels;
  times_->setTimes(times, predicted.contains(id) ? predicted[id] : std::nullopt, pinned);
  const bool measured = times[static_cast<size_t>(analysis::TimeSource::kMeasured)].has_value();
  QStringList notes;
  if (measured || !baseline_) notes += QStringLiteral("deviation from measured");
  if (baseline_) {
    notes += QStringLiteral("Δ to %1").arg(QString::fromStdString(baseline_->label()));
  }
  time_title_->note()->setText(notes.join(QStringLiteral(", ")));
}

void KernelDock::showPin() {
  const bool kernel = report_ && selection_.kernel.valid();
  const analysis::BaselineKernel* one = baseline_ ? baseline_->one_kernel() : nullptr;
  const bool is_it = kernel && one != nullptr &&
                     one->hash == report_->kernels.kernels[selection_.kernel].hash &&
                     name_->wholeText() == QString::fromStdString(one->name);
  pin_->setEnabled(kernel);
  pin_->setChecked(is_it);
  pin_->setToolTip(is_it ? QStringLiteral("All kernels are compared with this one: unpin (Ctrl+D)")
                         : QStringLiteral("Pin as baseline: all kernels are compared with this "
                                          "one (Ctrl+D)"));
}

void KernelDock::showInstruction() {
  const hlo::Program& program = *report_->module.program;
  name_->setWholeText(textOf(program[selection_.instruction].name));
  share_->setText(QStringLiteral("no kernel of its own"));
  properties_->setProperties(instructionProperties(program, selection_.instruction));
}

void KernelDock::showText() {
  const hlo::ProgramPtr& program = report_->module.program;
  const hlo::InstructionId wanted = selectedInstruction();
  if (!wanted.valid()) {
    shown_text_ = {};
    text_->setLines({}, nullptr);
    text_title_->note()->setText(QStringLiteral("select a kernel"));
    return;
  }
  if (wanted != shown_text_) {
    HloExcerpt excerpt = hloExcerpt(program, wanted);
    const auto count = static_cast<int64_t>(excerpt.lines.size());
    const uint32_t first = excerpt.lines.empty() ? 0 : excerpt.lines.front().number;
    text_title_->note()->setText(first > 0 ? QStringLiteral("from line %1").arg(formatCount(first))
                                           : QStringLiteral("%1 lines").arg(formatCount(count)));
    text_->setLines(std::move(excerpt.lines), std::move(excerpt.owner));
    shown_text_ = wanted;
  }
  markInstruction();
}

void KernelDock::markInstruction() {
  text_->setMarkedLine(-1);
  if (!selection_.instruction.valid() || selection_.instruction == shown_text_) return;
  const hlo::Program& program = *report_->module.program;
  const std::string name = '%' + std::string(program[selection_.instruction].name) + " = ";
  const uint32_t number = program[selection_.instruction].span.line;
  const auto& lines = text_->lines();
  const auto found = std::find_if(lines.begin(), lines.end(), [&](const HloTextView::Line& line) {
    return line.number != 0 ? line.number == number
                            : line.text.find(name) != std::string_view::npos;
  });
  if (found != lines.end()) text_->setMarkedLine(static_cast<int>(found - lines.begin()));
}

void KernelDock::copyName() {
  QApplication::clipboard()->setText(name_->wholeText());
}

void KernelDock::copyLine() {
  if (text_->lines().empty()) return;
  QApplication::clipboard()->setText(textOf(text_->lines().front().text).trimmed());
}

hlo::InstructionId KernelDock::selectedInstruction() const {
  return selection_.kernel.valid() ? report_->kernels.kernels[selection_.kernel].instruction
                                   : selection_.instruction;
}

void KernelDock::copyModule() {
  const auto module = graph::extract(*report_->module.program, selectedInstruction());
  if (!module) {
    emit messageRequested(QString::fromStdString(module.error().headline()));
    return;
  }
  QApplication::clipboard()->setText(QString::fromStdString(hlo::print(**module)));
  emit messageRequested(QStringLiteral("%1 copied as a module of its own").arg(name_->wholeText()));
}

void KernelDock::copyShape() {
  const hlo::Program& program = *report_->module.program;
  const hlo::InstructionId id = selectedInstruction();
  QApplication::clipboard()->setText(textOf(program.shapes().text(program[id].shape)));
}

}  // namespace hloscope::ui
