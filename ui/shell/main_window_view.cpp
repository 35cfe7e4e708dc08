// Commands that change how the window looks: colours, scale, docks; and the machine.
#include <QActionGroup>
#include <QApplication>
#include <QProcess>

#include "ui/shell/dock.h"
#include "ui/shell/main_tool_bar.h"
#include "ui/shell/main_window.h"

namespace hloscope::ui {

namespace {

constexpr std::array<int, 7> kScales = {80, 90, 100, 125, 150, 175, 200};

}  // namespace

void MainWindow::addViewCommands() {
  const QString group = tr("View");
  addThemeCommands();
  addScaleCommands();
  QAction* raw =
      commands_.add({"view.raw_kernels", group, tr("Raw kernels, without own fusion")}, [this] {
        const bool on = commands_.find("view.raw_kernels")->isChecked();
        workspace_.setKernelChoice(on ? analysis::KernelChoice::kRaw
                                      : analysis::KernelChoice::kOwnFusion);
      });
  raw->setCheckable(true);
  commands_.add({"view.reset_docks", group, tr("Reset the arrangement of panels")}, [this] {
    for (Dock* dock : docks_) {
      dock->setFloating(false);
      dock->show();
    }
    addDockWidget(Qt::LeftDockWidgetArea, docks_[0]);
    addDockWidget(Qt::RightDockWidgetArea, docks_[1]);
    addDockWidget(Qt::BottomDockWidgetArea, docks_[2]);
    setDefaultDockSizes();
  });
  commands_.add({"view.full_screen", group, tr("Full screen"), {QKeySequence("F11")}},
                [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
}

void MainWindow::addThemeCommands() {
  struct Entry {
    const char* id;
    ThemeMode mode;
    QString text;
  };
  const std::array<Entry, 3> entries = {{
      {"view.theme_system", ThemeMode::kSystem, tr("Colours of the system")},
      {"view.theme_light", ThemeMode::kLight, tr("Light colours")},
      {"view.theme_dark", ThemeMode::kDark, tr("Dark colours")},
  }};
  auto* modes = new QActionGroup(this);
  for (const Entry& entry : entries) {
    QAction* action = commands_.add({entry.id, tr("View"), entry.text}, [this, mode = entry.mode] {
      setThemeMode(mode);
      settings_.setValue("window/theme", static_cast<int>(mode));
    });
    action->setCheckable(true);
    action->setChecked(themeMode() == entry.mode);
    modes->addAction(action);
    connect(&themeNotifier(), &ThemeNotifier::changed, action,
            [action, mode = entry.mode] { action->setChecked(themeMode() == mode); });
  }
}

void MainWindow::addScaleCommands() {
  const int current = settings_.value("window/scale", 100).toInt();
  auto* scales = new QActionGroup(this);
  for (const int percent : kScales) {
    QAction* action = commands_.add({QStringLiteral("view.scale_%1").arg(percent), tr("View"),
                                     tr("Interface scale %1 %").arg(percent)},
                                    [this, percent] { changeScale(percent); });
    action->setCheckable(true);
    action->setChecked(percent == current);
    scales->addAction(action);
  }
}

void MainWindow::changeScale(int percent) {
  settings_.setValue("window/scale", percent);
  ErrorStrip::Message message;
  message.is_warning = true;
  message.text = tr("The scale of %1 % is used from the next start on").arg(percent);
  message.key = QStringLiteral("scale");
  message.action_text = tr("Restart now");
  message.action = [this] {
    storeSession();
    settings_.sync();
    QProcess::startDetached(QApplication::applicationFilePath(), {QStringLiteral("--restore")});
    close();
  };
  errors_->add(std::move(message));
}

void MainWindow::showKernelChoice() {
  const ReportPtr& report = workspace_.report();
  std::optional<analysis::KernelOrigin> origin;
  if (report) origin = report->origin;
  tool_bar_->setKernels(origin);
  QAction* raw = commands_.find("view.raw_kernels");
  raw->setEnabled(origin && *origin != analysis::KernelOrigin::kCompiled);
  raw->setChecked(workspace_.kernelChoice() == analysis::KernelChoice::kRaw);
}

void MainWindow::chooseMachine(const QString& id) {
  const auto other = other_machines_.find(id);
  if (other != other_machines_.end()) {
    return useMachine(sim::Machine(other->second.first), QString(other->second.second));
  }
  const auto machine = sim::find_machine(id.toStdString());
  if (!machine) return errors_->add(messageOf(machine.error()));
  settings_.setValue("window/machine", id);
  workspace_.setMachine(*machine);
}

}  // namespace hloscope::ui
