// The Simulate page and the machines that it makes.
#include "ui/pages/simulate/simulate_page.h"
#include "ui/shell/main_tool_bar.h"
#include "ui/shell/main_window.h"

namespace hloscope::ui {
namespace {

constexpr auto kMachineFiles = "window/machine_files";  ///< Those saved or opened once.

}  // namespace

Page* MainWindow::makeSimulatePage() {
  SimulatePage* page = createSimulatePage(tasks_);
  connect(page, &SimulatePage::machineRequested, this, &MainWindow::useMachine);
  connect(page, &SimulatePage::openRequested, this, &MainWindow::openDialog);
  connect(&workspace_, &Workspace::machineChanged, page,
          [this, page] { page->setMachine(workspace_.machine()); });
  page->setMachine(workspace_.machine());
  listOwnMachines();
  return page;
}

void MainWindow::listOwnMachines() {
  for (const QString& path : settings_.value(kMachineFiles).toStringList()) {
    const Result<sim::Machine> machine = sim::find_machine(path.toStdString());
    if (machine) {
      other_machines_[QString::fromStdString(machine->id)] = {*machine, path};
      tool_bar_->addMachine(*machine);
    } else {
      tool_bar_->addBadMachine(path, QString::fromStdString(machine.error().format()));
    }
  }
}

void MainWindow::useMachine(const sim::Machine& machine, const QString& path) {
  const QString id = QString::fromStdString(machine.id);
  const auto& known = sim::builtin_machines();
  const bool is_builtin = std::any_of(known.begin(), known.end(), [&](const sim::Machine& other) {
    return other.hash == machine.hash;
  });
  if (!is_builtin) other_machines_[id] = {machine, path};
  if (!is_builtin && !path.isEmpty()) {
    QStringList files = settings_.value(kMachineFiles).toStringList();
    if (!files.contains(path)) settings_.setValue(kMachineFiles, files << path);
  }
  // The next start finds what is built in or in a file.
  if (is_builtin || !path.isEmpty()) {
    settings_.setValue("window/machine", is_builtin ? id : path);
  }
  workspace_.setMachine(machine);
}

}  // namespace hloscope::ui
