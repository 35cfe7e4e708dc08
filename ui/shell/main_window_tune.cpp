// MainWindow and the page Autotune: programs of trials, and what becomes of sessions.
#include "ui/pages/graph/graph_page.h"
#include "ui/pages/tune/tune_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/window_status.h"

namespace hloscope::ui {

Page* MainWindow::makeTunePage() {
  auto* page = new TunePage(tasks_, workspace_.store().path());
  connect(page, &TunePage::programRequested, this,
          [this](const QString& name, const std::string& text, const QStringList& kernels,
                 const QString& message) {
            tuned_ = {name, kernels, message};
            workspace_.open(Source{name, text, true, std::nullopt, 0, 0});
          });
  connect(page, &TunePage::errorRaised, this, [this](const Error& error) {
    ErrorStrip::Message message = messageOf(error);
    message.key = QStringLiteral("tune");
    errors_->add(std::move(message));
  });
  connect(page, &TunePage::errorSettled, this, [this] { errors_->remove(QStringLiteral("tune")); });
  return page;
}

void MainWindow::showTuned(const QString& path) {
  if (path != tuned_.name) return;
  const TunedView tuned = std::exchange(tuned_, {});
  showPage(QStringLiteral("graph"));
  const ReportPtr report = workspace_.find(path, 1);
  QString message = tuned.message;
  if (!tuned.kernels.isEmpty()) message += QStringLiteral(": ") + tuned.kernels.join(", ");
  std::vector<graph::KernelId> kernels;
  for (const QString& name : tuned.kernels) {
    if (!report) break;
    const hlo::InstructionId id = report->module.program->find_instruction(name.toStdString());
    const graph::KernelId kernel = id.valid() ? report->kernels.kernel_of[id] : graph::KernelId();
    if (kernel.valid()) kernels.push_back(kernel);
  }
  for (Page* page : pages_) {
    auto* graph = qobject_cast<GraphPage*>(page);
    if (graph != nullptr && report) graph->setMarked(report->module.program, kernels);
  }
  if (!kernels.empty()) {
    activate(report, {kernels.front(), report->kernels.kernels[kernels.front()].instruction});
  }
  status_->setMessage(message);
}

bool MainWindow::mayClose() {
  for (Page* page : pages_) {
    if (!page->mayClose()) return false;
  }
  return true;
}

}  // namespace hloscope::ui
