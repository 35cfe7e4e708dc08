#include "ui/shell/main_tool_bar.h"

#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QStandardItemModel>

#include "ui/shell/commands.h"
#include "ui/theme/draw.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {

namespace {

constexpr int kBarHeight = 36;
constexpr int kButton = 28;
constexpr int kGoToWidth = 284;
constexpr int kNarrowestGoTo = 88;
constexpr int kBaselineWidth = 180;  ///< Of its text,
constexpr int kBaselineFrom = 1000;  ///< which bars from this width on show.

QWidget* spacer(int width) {
  auto* widget = new QWidget;
  if (width > 0) {
    widget->setFixedWidth(width);
  } else {
    widget->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  }
  return widget;
}

}  // namespace

GoToBox::GoToBox(const QString& shortcut, QWidget* parent)
    : QToolButton(parent), shortcut_(shortcut) {
  setText(tr("Go to instruction or command"));
  setToolTip(tr("Go to a kernel, instruction or module; > lists the commands"));
  setFocusPolicy(Qt::TabFocus);
  setCursor(Qt::IBeamCursor);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

QSize GoToBox::sizeHint() const {
  return {kGoToWidth, 24};
}

QSize GoToBox::minimumSizeHint() const {
  return {kNarrowestGoTo, 24};
}

void GoToBox::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  ControlFrame frame;
  frame.fill = theme().role(Role::kBase);
  frame.border = theme().role(hasFocus() ? Role::kAccent : Role::kControlBorder);
  frame.focus_ring = hasFocus();
  drawControlFrame(painter, rect(), frame);
  ui::icon(Icon::kSearch).paint(&painter, QRect(7, (height() - 14) / 2, 14, 14));
  painter.setFont(smallFont());
  const int cap_width = painter.fontMetrics().horizontalAdvance(shortcut_) + 10;
  const QRect cap(width() - cap_width - 5, 4, cap_width, height() - 8);
  painter.setPen(theme().role(Role::kTextFaint));
  painter.setFont(font());
  const QRect words(28, 0, cap.left() - 34, height());
  painter.drawText(words, Qt::AlignVCenter,
                   fontMetrics().elidedText(text(), Qt::ElideRight, words.width()));
  ControlFrame key;
  key.fill = theme().role(Role::kBase);
  key.border = theme().role(Role::kBorder);
  drawControlFrame(painter, cap, key);
  painter.setFont(smallFont());
  painter.setPen(theme().role(Role::kTextMuted));
  painter.drawText(cap, Qt::AlignCenter, shortcut_);
}

MainToolBar::MainToolBar(const Commands& commands, QWidget* parent)
    : QToolBar(tr("Main tool bar"), parent) {
  setObjectName(QStringLiteral("main_tool_bar"));
  setMovable(false);
  setFloatable(false);
  setFixedHeight(kBarHeight);
  setContextMenuPolicy(Qt::PreventContextMenu);
  for (const char* id : {"file.open", "file.reload", "", "go.back", "go.forward", ""}) {
    QAction* action = commands.find(id);
    if (action == nullptr) {
      addSeparator();
      continue;
    }
    addAction(action);
    auto* button = qobject_cast<QToolButton*>(widgetForAction(action));
    button->setFixedHeight(kButton);
    button->setFocusPolicy(Qt::TabFocus);  // A tool bar takes it away.
    const bool with_text = action->objectName() == "file.open";
    if (with_text) button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    if (!with_text) button->setFixedWidth(kButton);
  }
  addMachineCombo();
  addKernelsCombo();
  addBaselineButton(commands);
  addWidget(spacer(0));
  auto* go_to = new GoToBox(QStringLiteral("Ctrl+P"));
  connect(go_to, &QToolButton::clicked, commands.find("go.to"), &QAction::trigger);
  addWidget(go_to);
  addThemeButton(commands);
  addWidget(spacer(6));
}

void MainToolBar::addMachineCombo() {
  addWidget(spacer(4));
  addWidget(mutedLabel(tr("Machine"), false));
  machines_ = new QComboBox;
  machines_->setAccessibleName(tr("Machine"));
  machines_->setToolTip(tr("The TPU whose times are estimated, on every page"));
  machines_->setMinimumWidth(140);
  for (const sim::Machine& machine : sim::builtin_machines()) {
    machines_->addItem(QString::fromStdString(machine.title), QString::fromStdString(machine.id));
  }
  connect(machines_, &QComboBox::activated, this,
          [this](int index) { emit machineChosen(machines_->itemData(index).toString()); });
  addWidget(spacer(4));
  addWidget(machines_);
}

void MainToolBar::addKernelsCombo() {
  addWidget(spacer(8));
  addWidget(mutedLabel(tr("Kernels"), false));
  kernels_ = new QComboBox;
  kernels_->setObjectName(QStringLiteral("kernels_combo"));
  kernels_->setAccessibleName(tr("Kernels"));
  kernels_->setMinimumWidth(110);
  connect(kernels_, &QComboBox::activated, this, [this](int index) {
    emit kernelsChosen(static_cast<analysis::KernelChoice>(kernels_->itemData(index).toInt()));
  });
  addWidget(spacer(4));
  addWidget(kernels_);
  setKernels(std::nullopt);
}

void MainToolBar::setKernels(std::optional<analysis::KernelOrigin> origin) {
  const bool is_choice = origin && *origin != analysis::KernelOrigin::kCompiled;
  kernels_->clear();
  if (is_choice) {
    kernels_->addItem(tr("Own fusion"), static_cast<int>(analysis::KernelChoice::kOwnFusion));
    kernels_->addItem(tr("Raw"), static_cast<int>(analysis::KernelChoice::kRaw));
    kernels_->setCurrentIndex(*origin == analysis::KernelOrigin::kRaw ? 1 : 0);
  } else {
    kernels_->addItem(origin ? tr("As compiled") : tr("None"));
  }
  kernels_->setEnabled(is_choice);
  kernels_->setToolTip(
      is_choice ? tr("The program is not optimised. Own fusion: hloscope fuses it; raw: every "
                     "instruction is one kernel")
                : tr("Where the kernels come from: a program that is not optimised can be shown "
                     "with hloscope's own fusion or raw"));
}

void MainToolBar::addBaselineButton(const Commands& commands) {
  auto* menu = new QMenu(this);
  for (const char* id : {"baseline.pin_times", "baseline.pin_kernel", "baseline.unpin"}) {
    menu->addAction(commands.find(id));
  }
  baseline_ = new QToolButton;
  baseline_->setObjectName(QStringLiteral("baseline_button"));
  baseline_->setIcon(icon(Icon::kPin));
  baseline_->setFixedHeight(kButton);
  baseline_->setAccessibleName(tr("Baseline"));
  baseline_->setPopupMode(QToolButton::InstantPopup);
  baseline_->setFocusPolicy(Qt::TabFocus);
  baseline_->setMenu(menu);
  addWidget(spacer(8));
  addWidget(baseline_);
  setBaseline(nullptr, false);
}

void MainToolBar::setBaseline(const analysis::BaselinePtr& baseline, bool is_kept) {
  if (!baseline) {
    baseline_->setText({});
    fitBaseline();
    baseline_->setToolTip(
        tr("Baseline: pin times, and all tables show the change (Δ) against them"));
    return;
  }
  const QString label = QString::fromStdString(baseline->label());
  const QString text = tr("Δ to %1").arg(label);
  baseline_->setText(baseline_->fontMetrics().elidedText(text, Qt::ElideRight, kBaselineWidth));
  fitBaseline();
  baseline_->setToolTip(tr("Baseline: %1. Δ is the change of a time against it, positive where it "
                           "takes longer now.\n%2")
                            .arg(label, is_kept ? tr("It comes back with the session.")
                                                : tr("It lasts until the window is closed.")));
}

void MainToolBar::fitBaseline() {
  const bool has_room = width() >= kBaselineFrom && !baseline_->text().isEmpty();
  baseline_->setToolButtonStyle(has_room ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
}

void MainToolBar::resizeEvent(QResizeEvent* event) {
  fitBaseline();
  QToolBar::resizeEvent(event);
}

void MainToolBar::addThemeButton(const Commands& commands) {
  auto* menu = new QMenu(this);
  for (const char* id : {"view.theme_system", "view.theme_light", "view.theme_dark"}) {
    menu->addAction(commands.find(id));
  }
  auto* button = new QToolButton;
  button->setIcon(icon(Icon::kTheme));
  button->setFixedSize(kButton, kButton);
  button->setToolTip(tr("Colours: system, light or dark"));
  button->setAccessibleName(tr("Colours"));
  button->setPopupMode(QToolButton::InstantPopup);
  button->setMenu(menu);
  addWidget(button);
}

void MainToolBar::addMachine(const sim::Machine& machine) {
  const QString id = QString::fromStdString(machine.id);
  if (machines_->findData(id) >= 0) return;
  machines_->addItem(QString::fromStdString(machine.title), id);
}

void MainToolBar::addBadMachine(const QString& path, const QString& why) {
  machines_->addItem(icon(Icon::kError, Role::kBad),
                     tr("%1: not read").arg(QFileInfo(path).fileName()));
  const int index = machines_->count() - 1;
  machines_->setItemData(index, why, Qt::ToolTipRole);
  if (auto* entries = qobject_cast<QStandardItemModel*>(machines_->model())) {
    entries->item(index)->setEnabled(false);
  }
  machines_->setToolTip(machines_->toolTip() + "\n" + why);
}

void MainToolBar::setMachine(const sim::Machine& machine) {
  const QString id = QString::fromStdString(machine.id);
  int index = machines_->findData(id);
  if (index < 0) {
    machines_->addItem(QString::fromStdString(machine.title), id);
    index = machines_->count() - 1;
  }
  machines_->setItemText(index, QString::fromStdString(machine.title));
  machines_->setCurrentIndex(index);
}

}  // namespace hloscope::ui
