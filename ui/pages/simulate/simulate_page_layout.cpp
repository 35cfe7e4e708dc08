// How SimulatePage is put together.
#include <QAction>
#include <QApplication>
#include <QButtonGroup>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/charts/bottleneck_bars.h"
#include "ui/charts/lane_timeline.h"
#include "ui/charts/program_strip.h"
#include "ui/charts/roofline_chart.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/models/kernel_delegates.h"
#include "ui/pages/command_action.h"
#include "ui/pages/simulate/assumptions_panel.h"
#include "ui/pages/simulate/machine_times_model.h"
#include "ui/pages/simulate/simulate_page.h"
#include "ui/theme/fonts.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {
namespace {

constexpr int kMargin = 12;
constexpr int kGap = 8;
constexpr int kRowHeight = 40;
constexpr int kSideWidth = 352;
constexpr int kNarrowestSide = 300;
constexpr double kZoomStep = 1.5;
constexpr int kEmptyTextWidth = 440;

QToolButton* textButton(const QString& text, const QString& help) {
  auto* button = new QToolButton;
  button->setText(text);
  button->setToolTip(help);
  button->setAccessibleName(help);
  return button;
}

QToolButton* segment(const QString& text, QButtonGroup& group, int id) {
  auto* button = new QToolButton;
  button->setText(text);
  button->setCheckable(true);
  group.addButton(button, id);
  return button;
}

/// Buttons that belong together, edge to edge.
QWidget* segments(const QButtonGroup& group) {
  auto* box = new QWidget;
  auto* layout = new QHBoxLayout(box);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  for (QAbstractButton* button : group.buttons()) layout->addWidget(button);
  return box;
}

}  // namespace

SimulatePage::SimulatePage(TaskRunner& tasks, QWidget* parent) : Page(parent), tasks_(tasks) {
  auto* splitter = new QSplitter(Qt::Horizontal);
  splitter->setChildrenCollapsible(false);
  splitter->setHandleWidth(kGap);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(kMargin, 0, kMargin, kMargin);
  layout->setSpacing(0);
  layout->addWidget(makeRow());
  layout->addWidget(splitter, 1);
  centre_ = new QStackedWidget;
  centre_->addWidget(makeEmpty());
  centre_->addWidget(makeCharts());
  assumptions_ = new AssumptionsPanel;
  assumptions_->setMinimumWidth(kNarrowestSide);
  splitter->addWidget(centre_);
  splitter->addWidget(assumptions_);
  splitter->setStretchFactor(0, 1);
  splitter->setStretchFactor(1, 0);
  splitter->setSizes({1150, kSideWidth});
  connect(assumptions_, &AssumptionsPanel::machineRequested, this, &SimulatePage::machineRequested);
  connect(assumptions_, &AssumptionsPanel::messageRequested, this, &SimulatePage::messageRequested);
  connectCharts();
  makeCommands();
  setTimeline(nullptr);
  setReports({});
  fillMachines();
}

QWidget* SimulatePage::makeRow() {
  auto* row = new QWidget(this);
  row->setFixedHeight(kRowHeight);
  programs_ = new QComboBox;
  programs_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  programs_->setMinimumContentsLength(28);
  machines_ = new QComboBox;
  machines_->setMinimumWidth(140);
  machines_->setToolTip(tr("The machine of the whole window, as in the tool bar"));
  comparison_ = new QComboBox;
  comparison_->setMinimumWidth(140);
  comparison_->setToolTip(
      tr("Times on another machine or of the pinned baseline, kernel by kernel, beside "
         "those here"));
  auto* save = export_ = new QToolButton;
  save->setIcon(icon(Icon::kExport));
  save->setText(tr("Export"));
  save->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  save->setPopupMode(QToolButton::InstantPopup);
  save->setMenu(makeExportMenu());
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  const std::pair<QString, QComboBox*> combos[] = {
      {tr("Program"), programs_}, {tr("Machine"), machines_}, {tr("Compare with"), comparison_}};
  for (const auto& [text, combo] : combos) {
    combo->setAccessibleName(text);
    layout->addWidget(mutedLabel(text, false));
    layout->addWidget(combo);
  }
  layout->addStretch(1);
  layout->addWidget(save);
  connect(programs_, &QComboBox::activated, this, [this](int index) {
    if (index < static_cast<int>(reports_.size())) {
      emit selectionRequested(reports_[static_cast<size_t>(index)], {});
    }
  });
  connect(machines_, &QComboBox::activated, this, &SimulatePage::chooseMachine);
  connect(comparison_, &QComboBox::activated, this, &SimulatePage::chooseComparison);
  return row;
}

QWidget* SimulatePage::makeEmpty() {
  auto* panel = new Panel(tr("Simulate"));
  auto* headline = new QLabel(tr("No program is open"));
  headline->setFont(headlineFont());
  auto* text = mutedLabel(
      tr("Open an HLO program to see where its simulated time goes: which unit works when, what "
         "each kernel waits for, and how near it comes to what the machine can do."),
      false);
  text->setWordWrap(true);
  text->setAlignment(Qt::AlignCenter);
  // A layout that centres a label gives it one line.
  text->setFixedSize(kEmptyTextWidth, text->heightForWidth(kEmptyTextWidth));
  auto* open = new QPushButton(tr("Open a program…"));
  open->setProperty("primary", true);
  open->setObjectName(QStringLiteral("open_program"));
  connect(open, &QPushButton::clicked, this, &SimulatePage::openRequested);
  QVBoxLayout* body = panel->body();
  body->addStretch(2);
  body->addWidget(headline, 0, Qt::AlignHCenter);
  body->addSpacing(8);
  body->addWidget(text, 0, Qt::AlignHCenter);
  body->addSpacing(12);
  body->addWidget(open, 0, Qt::AlignHCenter);
  body->addStretch(3);
  return panel;
}

QWidget* SimulatePage::makeCharts() {
  auto* bottom = new QSplitter(Qt::Horizontal);
  bottom->setChildrenCollapsible(false);
  bottom->setHandleWidth(kGap);
  bottom->addWidget(makeRooflinePanel());
  bottom->addWidget(makeBottlenecksPanel());
  bottom->setSizes({560, 590});
  bottom->setStretchFactor(0, 1);
  bottom->setStretchFactor(1, 1);
  auto* charts = new QSplitter(Qt::Vertical);
  charts->setChildrenCollapsible(false);
  charts->setHandleWidth(kGap);
  charts->addWidget(makeLanesPanel());
  charts->addWidget(bottom);
  charts->setSizes({290, 420});
  charts->setStretchFactor(0, 2);
  charts->setStretchFactor(1, 3);
  auto* all = new QWidget;
  auto* layout = new QVBoxLayout(all);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(kGap);
  layout->addWidget(makeStripPanel());
  layout->addWidget(charts, 1);
  return all;
}

Panel* SimulatePage::makeStripPanel() {
  strip_panel_ = new Panel(tr("Program"));
  strip_ = new ProgramStrip;
  strip_panel_->body()->addWidget(strip_);
  strip_panel_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  return strip_panel_;
}

Panel* SimulatePage::makeLanesPanel() {
  lanes_panel_ = new Panel(tr("Units"));
  lanes_ = new LaneTimeline;
  auto* less = textButton(QString(QChar(0x2212)), tr("Zoom out (S)"));
  auto* more = textButton(QStringLiteral("+"), tr("Zoom in (W)"));
  auto* kernel = textButton(tr("Kernel"), tr("Show the selected kernel (F)"));
  auto* fit = textButton(tr("Fit"), tr("Show the whole program (Space)"));
  auto* measure =
      textButton(tr("Measure"), tr("Measure the selected kernel, or drag with Shift (M)"));
  measure->setCheckable(true);
  for (QToolButton* button : {measure, less, more, kernel, fit}) lanes_panel_->addControl(button);
  connect(less, &QToolButton::clicked, lanes_, [this] { lanes_->zoomBy(1 / kZoomStep); });
  connect(more, &QToolButton::clicked, lanes_, [this] { lanes_->zoomBy(kZoomStep); });
  connect(kernel, &QToolButton::clicked, lanes_, &LaneTimeline::zoomToSelection);
  connect(fit, &QToolButton::clicked, lanes_, &LaneTimeline::fit);
  connect(measure, &QToolButton::clicked, lanes_, &LaneTimeline::measureSelection);
  connect(lanes_, &LaneTimeline::measureChanged, measure,
          [this, measure] { measure->setChecked(lanes_->measured().has_value()); });
  lanes_panel_->body()->addWidget(lanes_, 1);
  return lanes_panel_;
}

void SimulatePage::makeSourceButtons(Panel* panel) {
  sources_ = new QButtonGroup(this);
  for (const analysis::TimeSource source :
       {analysis::TimeSource::kSimulated, analysis::TimeSource::kPredicted,
        analysis::TimeSource::kMeasured}) {
    segment(textOf(analysis::info(source).title), *sources_, static_cast<int>(source));
  }
  panel->addControl(segments(*sources_));
  connect(sources_, &QButtonGroup::idClicked, this, [this](int id) {
    source_ = static_cast<analysis::TimeSource>(id);
    showRoofline();
  });
}

Panel* SimulatePage::makeRooflinePanel() {
  roofline_panel_ = new Panel(tr("Roofline"));
  roofline_ = new RooflineChart;
  makeSourceButtons(roofline_panel_);
  roofline_panel_->body()->addWidget(roofline_, 1);
  return roofline_panel_;
}

Panel* SimulatePage::makeBottlenecksPanel() {
  bottlenecks_panel_ = new Panel(tr("Bottlenecks"));
  bottlenecks_panel_->setContext(tr("where the time goes"));
  bottlenecks_ = new BottleneckBars;
  bottom_ = new QButtonGroup(this);
  segment(tr("Parts"), *bottom_, 0)->setToolTip(tr("What each kernel spends its time on"));
  segment(tr("Machines"), *bottom_, 1)->setToolTip(tr("Times on two or more machines"));
  bottlenecks_panel_->addControl(segments(*bottom_));
  bottom_stack_ = new QStackedWidget;
  bottom_stack_->addWidget(bottlenecks_);
  bottom_stack_->addWidget(makeMachineTable());
  bottlenecks_panel_->body()->addWidget(bottom_stack_, 1);
  bottom_->button(0)->setChecked(true);
  connect(bottom_, &QButtonGroup::idClicked, this, &SimulatePage::showBottom);
  return bottlenecks_panel_;
}

QWidget* SimulatePage::makeMachineTable() {
  machine_times_ = new MachineTimesModel(this);
  machine_view_ = new QTableView;
  machine_view_->setModel(machine_times_);
  styleTable(*machine_view_);
  machine_view_->setAccessibleName(tr("Times on machines"));
  names_ = new KernelNameDelegate(machine_view_);
  changes_ = new ErrorTintDelegate(machine_view_);
  machine_view_->horizontalHeader()->setStretchLastSection(false);
  machine_view_->setSortingEnabled(true);
  connect(machine_view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& index) {
            if (!following_) clickKernel(machine_times_->kernelAt(index.row()));
          });
  connect(machine_view_, &QTableView::activated, this, [this](const QModelIndex& index) {
    activateKernel(machine_times_->kernelAt(index.row()));
  });
  auto* hint =
      mutedLabel(tr("Choose a machine, or a pinned baseline, under \"Compare with\" to see "
                    "the times of every kernel on both."),
                 false);
  hint->setWordWrap(true);
  hint->setAlignment(Qt::AlignCenter);
  hint->setMargin(24);
  auto* stack = new QStackedWidget;
  stack->addWidget(hint);
  stack->addWidget(machine_view_);
  connect(machine_times_, &MachineTimesModel::modelReset, stack, [this, stack] {
    stack->setCurrentIndex(machine_times_->rowCount() > 0 ? 1 : 0);
    sizeMachineColumns();
  });
  return stack;
}

void SimulatePage::sizeMachineColumns() {
  QHeaderView* header = machine_view_->horizontalHeader();
  for (int column = 0; column < machine_times_->columnCount(); ++column) {
    const bool is_name = column == MachineTimesModel::kKernel;
    header->setSectionResizeMode(column, is_name ? QHeaderView::Stretch : QHeaderView::Interactive);
    const bool is_time = column >= MachineTimesModel::kFirstMachine &&
                         (column - MachineTimesModel::kFirstMachine + 1) % 2 == 0;
    const bool is_delta = !is_name && !is_time && column > 2 && machine_times_->baseline();
    // Beside a baseline the names get what the numbers do not need.
    const int time_width = machine_times_->baseline() ? 78 : 92;
    const int other_width = is_delta ? 62 : machine_times_->baseline() ? 46 : 58;
    if (!is_name) {
      header->resizeSection(column, is_time || column == 2 ? time_width : other_width);
    }
    machine_view_->setItemDelegateForColumn(column, is_name    ? names_
                                                    : is_delta ? changes_
                                                               : nullptr);
  }
  // With many machines the names keep their room and the table scrolls.
  if (machine_times_->machines().size() > 2) {
    header->setSectionResizeMode(0, QHeaderView::Interactive);
    header->resizeSection(0, 170);
  }
}

QMenu* SimulatePage::makeExportMenu() {
  auto* menu = new QMenu(this);
  menu->addAction(tr("Copy timeline as PNG"), this,
                  [this] { QApplication::clipboard()->setPixmap(lanes_->grab()); });
  menu->addAction(tr("Copy roofline as PNG"), this,
                  [this] { QApplication::clipboard()->setPixmap(roofline_->grab()); });
  menu->addAction(tr("Copy bottlenecks as CSV"), this,
                  [this] { QApplication::clipboard()->setText(bottlenecks_->csv()); });
  menu->addSeparator();
  menu->addAction(tr("Save as Chrome trace…"), this, &SimulatePage::saveTrace);
  menu->addAction(tr("Save timeline as PNG…"), this,
                  [this] { savePicture(lanes_, QStringLiteral("timeline")); });
  menu->addAction(tr("Save roofline as PNG…"), this,
                  [this] { savePicture(roofline_, QStringLiteral("roofline")); });
  menu->addAction(tr("Save roofline as CSV…"), this,
                  [this] { saveText(QStringLiteral("roofline.csv"), roofline_->csv()); });
  menu->addAction(tr("Save bottlenecks as CSV…"), this,
                  [this] { saveText(QStringLiteral("bottlenecks.csv"), bottlenecks_->csv()); });
  menu->addAction(tr("Save times on machines as CSV…"), this, &SimulatePage::saveMachineTimes);
  return menu;
}

void SimulatePage::makeCommands() {
  const auto add = [this](const char* id, const QString& text, const QKeySequence& keys,
                          auto&& slot) { addCommand(this, QLatin1String(id), text, keys, slot); };
  add("simulate.again", tr("Simulate again with the values of the panel"), QKeySequence(Qt::Key_F9),
      [this] { assumptions_->apply(); });
  add("simulate.reset", tr("Reset all values of the machine"), {},
      [this] { assumptions_->resetAll(); });
  add("simulate.save_machine", tr("Save the machine…"), {}, [this] { assumptions_->saveDialog(); });
  add("simulate.open_machine", tr("Open a machine…"), {}, [this] { assumptions_->loadDialog(); });
  add("simulate.show_kernel", tr("Show the selected kernel in the timeline"), {},
      [this] { lanes_->zoomToSelection(); });
  add("simulate.fit", tr("Show the whole program in the timeline"), {}, [this] { lanes_->fit(); });
  add("simulate.measure", tr("Measure the selected kernel in the timeline"), {},
      [this] { lanes_->measureSelection(); });
  add("simulate.trace", tr("Save as Chrome trace…"), {}, [this] { saveTrace(); });
}

void SimulatePage::connectCharts() {
  connect(strip_, &ProgramStrip::windowChanged, lanes_, &LaneTimeline::setWindow);
  connect(lanes_, &LaneTimeline::windowChanged, strip_, &ProgramStrip::setWindow);
  connect(strip_, &ProgramStrip::kernelClicked, this, &SimulatePage::clickKernel);
  connect(lanes_, &LaneTimeline::kernelClicked, this, &SimulatePage::clickKernel);
  connect(lanes_, &LaneTimeline::kernelActivated, this, &SimulatePage::activateKernel);
  connect(roofline_, &RooflineChart::kernelClicked, this, &SimulatePage::clickKernel);
  connect(roofline_, &RooflineChart::kernelActivated, this, &SimulatePage::activateKernel);
  connect(bottlenecks_, &BottleneckBars::kernelClicked, this, &SimulatePage::clickKernel);
  connect(bottlenecks_, &BottleneckBars::kernelActivated, this, &SimulatePage::activateKernel);
}

}  // namespace hloscope::ui
