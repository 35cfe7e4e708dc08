// Commands of the window: files, places, help.
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QStackedWidget>

#include "ui/models/filter_edit.h"
#include "ui/pages/start/start_page.h"
#include "ui/shell/dock.h"
#include "ui/shell/main_window.h"
#include "ui/shell/quick_open.h"
#include "ui/shell/shortcuts_dialog.h"

namespace hloscope::ui {

namespace {

constexpr int kRecentInMenu = 10;

QList<QKeySequence> keys(const char* text) {
  return {QKeySequence(QString::fromLatin1(text))};
}

QWidget* firstFocusable(QWidget* panel) {
  if (panel->focusPolicy() & Qt::TabFocus) return panel;
  for (QWidget* child : panel->findChildren<QWidget*>()) {
    if ((child->focusPolicy() & Qt::TabFocus) && child->isVisibleTo(panel) && child->isEnabled()) {
      return child;
    }
  }
  return nullptr;
}

/// Position of the panel that holds the keyboard focus; -1: none.
qsizetype indexOfFocus(const QList<QWidget*>& panels) {
  const QWidget* focus = QApplication::focusWidget();
  for (qsizetype i = 0; focus != nullptr && i < panels.size(); ++i) {
    if (panels[i]->isAncestorOf(focus)) return i;
  }
  return -1;
}

}  // namespace

void MainWindow::addFileCommands() {
  const QString group = tr("File");
  commands_.add({"file.open", group, tr("Open…"), {QKeySequence::Open}, Icon::kOpen},
                [this] { openDialog(); });
  commands_.find("file.open")->setIconText(tr("Open"));
  commands_.add(
      {"file.paste", group, tr("Paste HLO text"), {QKeySequence::Paste}, Icon::kClipboard},
      [this] { paste(); });
  commands_.add({"file.measured", group, tr("Add measured times…")}, [this] { measuredDialog(); });
  commands_.add({"file.reload", group, tr("Reload"), keys("F5"), Icon::kReload},
                [this] { workspace_.reload(); });
  commands_.add({"file.restore", group, tr("Restore last session"), {}, Icon::kHistory},
                [this] { restoreSession(); });
  commands_.add({"file.close", group, tr("Close file"), {QKeySequence::Close}},
                [this] { workspace_.closeCurrentFile(); });
  commands_.add({"file.close_all", group, tr("Close all files")}, [this] {
    workspace_.closeAll();
    showPage(QStringLiteral("start"));
  });
  commands_.add({"file.quit", group, tr("Quit"), keys("Ctrl+Q")}, [this] { close(); });
  commands_.find("file.quit")->setMenuRole(QAction::QuitRole);
}

void MainWindow::addGoCommands() {
  const QString group = tr("Go");
  commands_.add({"go.back", group, tr("Back"), {QKeySequence::Back}, Icon::kBack},
                [this] { workspace_.goBack(); });
  commands_.add({"go.forward", group, tr("Forward"), {QKeySequence::Forward}, Icon::kForward},
                [this] { workspace_.goForward(); });
  commands_.add({"go.to", group, tr("Go to kernel or instruction…"), keys("Ctrl+P"), Icon::kSearch},
                [this] { quick_open_->popUp({}); });
  commands_.add({"go.command", group, tr("Run a command…"), keys("Ctrl+Shift+P")},
                [this] { quick_open_->popUp(QStringLiteral(">")); });
  commands_.add({"go.filter", group, tr("Filter of the panel"), {}, Icon::kFilter},
                [this] { focusFilter(); });
  commands_.add({"go.next_panel", group, tr("Next panel"), keys("F6")},
                [this] { focusNextPanel(); });
  const QString help = tr("Help");
  commands_.add({"help.shortcuts", help, tr("Keyboard shortcuts"), keys("F1")},
                [this] { showShortcuts(commands_, this); });
  commands_.add({"help.about", help, tr("About hloscope")}, [this] { showAbout(); });
}

void MainWindow::addPageCommands() {
  for (size_t i = 0; i < pages_.size(); ++i) {
    Page* page = pages_[i];
    const QString key = QStringLiteral("Ctrl+%1").arg(i + 1);
    commands_.add(
        {"page." + page->id(), tr("Page"), page->title(), {QKeySequence(key)}, page->pageIcon()},
        [this, page] { showPage(page->id()); });
    for (QAction* action : page->commands()) commands_.adopt(page->title(), action, page);
  }
}

void MainWindow::makeMenus() {
  const auto add = [this](QMenu* menu, std::initializer_list<const char*> ids) {
    for (const char* id : ids) {
      if (QAction* action = commands_.find(id)) {
        menu->addAction(action);
      } else {
        menu->addSeparator();
      }
    }
  };
  QMenu* file = menuBar()->addMenu(tr("&File"));
  add(file, {"file.open", "file.paste", "file.measured"});
  QMenu* samples = file->addMenu(tr("Open &sample"));
  fillSamplesMenu(*samples);
  QMenu* recent = file->addMenu(tr("Open &recent"));
  connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecentMenu(*recent); });
  add(file, {"file.restore", "", "file.reload", "file.close", "file.close_all", "", "file.quit"});
  QMenu* view = menuBar()->addMenu(tr("&View"));
  for (const Page* page : pages_) view->addAction(commands_.find("page." + page->id()));
  view->addSeparator();
  for (Dock* dock : docks_) view->addAction(dock->toggleViewAction());
  view->addAction(commands_.find("view.reset_docks"));
  add(view, {"", "view.raw_kernels"});
  QMenu* baseline = view->addMenu(tr("&Baseline"));
  add(baseline, {"baseline.pin_times", "baseline.pin_kernel", "", "baseline.unpin"});
  view->addSeparator();
  QMenu* colours = view->addMenu(tr("&Colours"));
  add(colours, {"view.theme_system", "view.theme_light", "view.theme_dark"});
  QMenu* scale = view->addMenu(tr("&Interface scale"));
  for (const Commands::Entry& entry : commands_.all()) {
    if (entry.action->objectName().startsWith("view.scale_")) scale->addAction(entry.action);
  }
  add(view, {"", "view.full_screen"});
  for (Page* page : pages_) {
    if (page->commands().isEmpty()) continue;
    menuBar()->addMenu(page->title())->addActions(page->commands());
  }
  QMenu* go = menuBar()->addMenu(tr("&Go"));
  add(go, {"go.back", "go.forward", "", "go.to", "go.command", "", "go.filter", "go.next_panel"});
  QMenu* help = menuBar()->addMenu(tr("&Help"));
  add(help, {"help.shortcuts", "help.about"});
}

void MainWindow::fillRecentMenu(QMenu& menu) {
  menu.clear();
  recent_.refresh();
  int shown = 0;
  for (const RecentEntry& entry : recent_.entries()) {
    if (shown++ == kRecentInMenu) break;
    const QString path = entry.path;
    QAction* action = menu.addAction(QFileInfo(path).fileName(), this,
                                     [this, path] { workspace_.open(QStringList{path}); });
    action->setToolTip(path);
    action->setEnabled(entry.exists);
  }
  if (menu.isEmpty()) menu.addAction(tr("No file was opened yet"))->setEnabled(false);
  menu.setToolTipsVisible(true);
}

void MainWindow::fillSamplesMenu(QMenu& menu) {
  for (const SampleEntry& sample : readSamples(samplesFolder())) {
    menu.addAction(sample.title, this,
                   [this, path = sample.path] { workspace_.open(QStringList{path}); });
  }
  if (menu.isEmpty()) menu.addAction(tr("No samples were installed"))->setEnabled(false);
}

void MainWindow::updateCommands() {
  const bool any = workspace_.report() != nullptr;
  const OpenFile* file = workspace_.currentFile();
  commands_.find("file.reload")->setEnabled(file != nullptr && !file->source.is_text);
  commands_.find("file.close")->setEnabled(any);
  commands_.find("file.measured")->setEnabled(any);
  commands_.find("file.close_all")->setEnabled(any);
  commands_.find("file.restore")->setEnabled(!last_session_.isEmpty());
  commands_.find("go.back")->setEnabled(workspace_.canGoBack());
  commands_.find("go.forward")->setEnabled(workspace_.canGoForward());
  commands_.find("view.reset_docks")->setEnabled(docks_shown_);
  showKernelChoice();
  updateBaselineCommands();
  for (Dock* dock : docks_) dock->toggleViewAction()->setEnabled(docks_shown_);
}

void MainWindow::openDialog() {
  const QString folder = settings_.value("window/open_folder").toString();
  const QStringList paths = QFileDialog::getOpenFileNames(
      this, tr("Open"), folder,
      tr("All that can be opened (*.hlo *.txt *.pb *.pbtxt *.gz *.npz *.json *.csv *.hloscope "
         "*.safetensors);;HLO programs (*.hlo *.txt *.pb *.pbtxt *.gz);;All files (*)"));
  if (paths.isEmpty()) return;
  settings_.setValue("window/open_folder", QFileInfo(paths.front()).absolutePath());
  workspace_.open(paths);
}

void MainWindow::locate(const QString& missing_path) {
  const QString name = QFileInfo(missing_path).fileName();
  const QString path =
      QFileDialog::getOpenFileName(this, tr("Where is %1 now?").arg(name), QString(), name);
  if (path.isEmpty()) return;
  recent_.remove(missing_path);
  workspace_.open(QStringList{path});
}

void MainWindow::paste() {
  const QString text = QApplication::clipboard()->text();
  if (!text.trimmed().isEmpty()) return workspace_.openText(text);
  ErrorStrip::Message message;
  message.is_warning = true;
  message.text = tr("The clipboard holds no text");
  message.hint = tr("Copy the text of an HLO module first; it begins with the word HloModule");
  message.key = QStringLiteral("paste");
  errors_->add(std::move(message));
}

QList<QWidget*> MainWindow::visiblePanels() const {
  QList<QWidget*> panels;
  panels << currentPage();
  for (Dock* dock : docks_) {
    if (dock->isVisible()) panels << dock->widget();
  }
  return panels;
}

void MainWindow::focusFilter() {
  QList<QWidget*> panels = visiblePanels();
  const qsizetype current = indexOfFocus(panels);
  if (current >= 0) panels.move(current, 0);
  for (const QWidget* panel : panels) {
    for (auto* filter : panel->findChildren<QLineEdit*>(kFilterName)) {
      if (!filter->isVisible()) continue;
      filter->setFocus(Qt::ShortcutFocusReason);
      filter->selectAll();
      return;
    }
  }
}

void MainWindow::focusNextPanel() {
  const QList<QWidget*> panels = visiblePanels();
  const qsizetype current = indexOfFocus(panels);
  for (qsizetype step = 1; step <= panels.size(); ++step) {
    QWidget* target = firstFocusable(panels[(current + step) % panels.size()]);
    if (target == nullptr) continue;
    target->setFocus(Qt::TabFocusReason);
    return;
  }
}

void MainWindow::showAbout() {
  QMessageBox::about(
      this, tr("About hloscope"),
      tr("<b>hloscope %1</b><br>Kernels of XLA HLO programs on TPUs: graph, times, comparison."
         "<br>Apache License 2.0<br><br>Results are stored in<br>%2")
          .arg(QApplication::applicationVersion(),
               QString::fromStdString(workspace_.store().path().string()).toHtmlEscaped()));
}

}  // namespace hloscope::ui
