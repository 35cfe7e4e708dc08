// The Simulate page and the machines that it makes.
#include "ui/pages/simulate/simulate_page.h"
#include "ui/shell/main_window.h"

namespace hloscope::ui {

Page* MainWindow::makeSimulatePage() {
  SimulatePage* page = createSimulatePage(tasks_);
  connect(page, &SimulatePage::machineRequested, this, &MainWindow::useMachine);
  connect(page, &SimulatePage::openRequested, this, &MainWindow::openDialog);
  connect(&workspace_, &Workspace::machineChanged, page,
          [this, page] { page->setMachine(workspace_.machine()); });
  page->setMachine(workspace_.machine());
  return page;
}

void MainWindow::useMachine(const sim::Machine& machine, const QString& path) {
  const QString id = QString::fromStdString(machine.id);
  const auto& known = sim::builtin_machines();
  const bool is_builtin = std::any_of(known.begin(), known.end(), [&](const sim::Machine& other) {
    return other.hash == machine.hash;
  });
  if (!is_builtin) other_machines_[id] = {machine, path};
  // The next start finds what is built in or in a file.
  if (is_builtin || !path.isEmpty()) {
    settings_.setValue("window/machine", is_builtin ? id : path);
  }
  workspace_.setMachine(machine);
}

}  // namespace hloscope::ui
