#include "ui/shell/main_window.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/pages/compare/compare_page.h"
#include "ui/pages/graph/graph_page.h"
#include "ui/pages/graph/kernel_dock.h"
#include "ui/pages/graph/kernels_dock.h"
#include "ui/pages/graph/program_dock.h"
#include "ui/pages/simulate/simulate_page.h"
#include "ui/pages/start/start_page.h"
#include "ui/shell/dock.h"
#include "ui/shell/main_tool_bar.h"
#include "ui/shell/page_bar.h"
#include "ui/shell/quick_open.h"
#include "ui/shell/settings_writer.h"
#include "ui/shell/window_status.h"

namespace hloscope::ui {

namespace {

constexpr int kDockVersion = 1;
constexpr int kProgramWidth = 268;
constexpr int kKernelWidth = 332;
constexpr int kKernelsHeight = 236;
constexpr int kWideFrom = 1200;
constexpr int kSessionDelayMs = 1000;
constexpr size_t kSearchLimit = 200;

}  // namespace

MainWindow::MainWindow(QSettings& settings, const std::filesystem::path& database)
    : settings_(settings),
      workspace_(tasks_, database),
      commands_(this),
      recent_(settings),
      last_session_(loadSession(settings)) {
  new SettingsWriter(settings_, this);
  setAcceptDrops(true);
  setMinimumSize(800, 520);
  resize(1600, 1000);
  addFileCommands();
  addViewCommands();
  addBaselineCommands();
  addGoCommands();
  makeCentre();
  makePages();
  makeDocks();
  addPageCommands();
  makeMenus();
  connectWorkspace();
  connectStartPage();
  restoreGeometry(settings_.value("window/geometry").toByteArray());
  dock_state_ = settings_.value("window/docks").toByteArray();
  session_timer_.setSingleShot(true);
  session_timer_.setInterval(kSessionDelayMs);
  connect(&session_timer_, &QTimer::timeout, this, &MainWindow::storeSession);
  updateViews();
  showPageAt(0);
}

MainWindow::~MainWindow() {
  // Pages and docks use the task runner, a member, and must go before it.
  disconnect(&workspace_, nullptr, this, nullptr);
  disconnect(&tasks_, nullptr, nullptr, nullptr);
  delete takeCentralWidget();
  for (Dock* dock : docks_) delete dock;
}

void MainWindow::makeCentre() {
  tool_bar_ = new MainToolBar(commands_, this);
  addToolBar(Qt::TopToolBarArea, tool_bar_);
  page_bar_ = new PageBar(this);
  addToolBar(Qt::LeftToolBarArea, page_bar_);
  errors_ = new ErrorStrip;
  stack_ = new QStackedWidget;
  auto* centre = new QWidget;
  auto* layout = new QVBoxLayout(centre);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(errors_);
  layout->addWidget(stack_, 1);
  setCentralWidget(centre);
  status_ = new WindowStatus(workspace_, this);
  setStatusBar(status_);
  quick_open_ = new QuickOpen([this](const QString& text) { return search(text); }, this);
  connect(quick_open_, &QuickOpen::chosen, this, &MainWindow::follow);
  connect(page_bar_, &PageBar::activated, this, &MainWindow::showPageAt);
  connect(tool_bar_, &MainToolBar::machineChosen, this, &MainWindow::chooseMachine);
  connect(tool_bar_, &MainToolBar::kernelsChosen, &workspace_, &Workspace::setKernelChoice);
}

void MainWindow::makePages() {
  start_ = new StartPage;
  addPage(start_);
  addPage(createGraphPage(tasks_));
  addPage(createComparePage(tasks_, workspace_.store().path()));
  addPage(makeTilesPage());
  addPage(makeSimulatePage());
  addPage(makeTunePage());
  addDataPage();
  addRunsPage();
}

void MainWindow::addPage(Page* page) {
  pages_.push_back(page);
  // In a small window a page scrolls: squeezed it would cut its texts.
  auto* area = new QScrollArea;
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setFocusPolicy(Qt::NoFocus);
  area->setWidget(page);
  stack_->addWidget(area);
  const QString shortcut = QStringLiteral("Ctrl+%1").arg(pages_.size());
  page_bar_->addEntry(page->title(), icon(page->pageIcon()),
                      QStringLiteral("%1 (%2)").arg(page->title(), shortcut));
  connectView(page);
}

void MainWindow::makeDocks() {
  setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
  const auto add = [this](const QString& id, const QString& title, ReportView* content,
                          Qt::DockWidgetArea area) {
    auto* dock = new Dock(id, title, content, this);
    addDockWidget(area, dock);
    docks_.push_back(dock);
    connectView(content);
    dock->hide();
    return dock;
  };
  Dock* program = add("program", tr("Program"), new ProgramDock, Qt::LeftDockWidgetArea);
  program->widget()->setMinimumWidth(200);
  auto* kernel_content = new KernelDock;
  Dock* kernel = add("kernel", tr("Kernel"), kernel_content, Qt::RightDockWidgetArea);
  connect(kernel_content, &KernelDock::pinRequested, this, &MainWindow::pinKernel);
  kernel->widget()->setMinimumWidth(280);
  add("kernels", tr("Kernels"), new KernelsDock, Qt::BottomDockWidgetArea);
}

void MainWindow::connectView(ReportView* view) {
  views_.push_back(view);
  connect(view, &ReportView::selectionRequested, &workspace_, &Workspace::select);
  connect(view, &ReportView::activationRequested, this, &MainWindow::activate);
  connect(view, &ReportView::messageRequested, status_, &WindowStatus::setMessage);
}

void MainWindow::connectWorkspace() {
  // Of every change of the workspace the selection is told last.
  connect(&workspace_, &Workspace::selectionChanged, this, &MainWindow::updateViews);
  connect(&workspace_, &Workspace::machineChanged, this, [this] {
    tool_bar_->setMachine(workspace_.machine());
    errors_->remove(QStringLiteral("stale"));
  });
  connect(&workspace_, &Workspace::kernelChoiceChanged, this, &MainWindow::showKernelChoice);
  connect(&workspace_, &Workspace::opened, this, &MainWindow::fileOpened);
  connect(&workspace_, &Workspace::openFailed, this, &MainWindow::openFailed);
  connect(&workspace_, &Workspace::openedWithWarnings, this, &MainWindow::warn);
  connectMeasured();
  connectFileWatch();
  connectOpening();
  connect(&workspace_.store(), &ResultStore::failed, this, [this](const Error& error) {
    ErrorStrip::Message message = messageOf(error);
    message.is_warning = true;
    message.key = QStringLiteral("store");
    message.action_text = tr("Save again");
    message.action = [this] { workspace_.store().save(workspace_.reports()); };
    errors_->add(std::move(message));
  });
  connect(&tasks_, &TaskRunner::cancelled, this,
          [this](const QString& label) { status_->setMessage(tr("%1: cancelled").arg(label)); });
  tool_bar_->setMachine(workspace_.machine());
}

void MainWindow::connectStartPage() {
  connect(start_, &StartPage::openRequested, &workspace_,
          [this](const QStringList& paths) { workspace_.open(paths); });
  connect(start_, &StartPage::openDialogRequested, this, &MainWindow::openDialog);
  connect(start_, &StartPage::pasteRequested, this, &MainWindow::paste);
  connect(start_, &StartPage::restoreRequested, this, &MainWindow::restoreSession);
  connect(start_, &StartPage::shortcutsRequested, commands_.find("help.shortcuts"),
          &QAction::trigger);
  connect(start_, &StartPage::locateRequested, this, &MainWindow::locate);
  connect(start_, &StartPage::forgetRequested, &recent_, &RecentFiles::remove);
  connect(start_, &StartPage::forgetMissingRequested, &recent_, &RecentFiles::removeMissing);
  connect(&recent_, &RecentFiles::changed, this, [this] { start_->setRecent(recent_.entries()); });
  start_->setRecent(recent_.entries());
  start_->setSamples(readSamples(samplesFolder()));
  offerSession();
}

Page* MainWindow::currentPage() const {
  const int index = stack_->currentIndex();
  return index < 0 ? nullptr : pages_[static_cast<size_t>(index)];
}

bool MainWindow::showPage(const QString& id) {
  for (size_t i = 0; i < pages_.size(); ++i) {
    if (pages_[i]->id() != id) continue;
    showPageAt(static_cast<int>(i));
    return true;
  }
  return false;
}

void MainWindow::showPageAt(int index) {
  Page* page = pages_[static_cast<size_t>(index)];
  stack_->setCurrentIndex(index);
  showDocks(page->usesDocks());
  page_bar_->setCurrent(index);
  if (page == start_) recent_.refresh();
  page->setFocus();
  updateBaselineCommands();
  updateTitle();
  session_timer_.start();
}

void MainWindow::showDocks(bool on) {
  if (on == docks_shown_) return;
  docks_shown_ = on;
  if (!on) {
    dock_state_ = saveState(kDockVersion);
    for (Dock* dock : docks_) dock->hide();
  } else if (!restoreState(dock_state_, kDockVersion)) {
    for (Dock* dock : docks_) dock->show();
    setDefaultDockSizes();
  }
  updateCommands();
}

void MainWindow::setDefaultDockSizes() {
  resizeDocks({docks_[0], docks_[1]}, {kProgramWidth, kKernelWidth}, Qt::Horizontal);
  resizeDocks({docks_[2]}, {kKernelsHeight}, Qt::Vertical);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  const bool narrow = width() < kWideFrom;
  if (docks_.empty() || narrow == narrow_) return;
  narrow_ = narrow;
  Dock* kernel = docks_[1];
  if (kernel->isFloating()) return;
  // In a small window the graph needs the room at the right.
  if (narrow) {
    tabifyDockWidget(docks_[2], kernel);
    docks_[2]->raise();
  } else {
    addDockWidget(Qt::RightDockWidgetArea, kernel);
    if (docks_shown_) setDefaultDockSizes();
  }
}

std::vector<QuickHit> MainWindow::search(const QString& text) const {
  if (text.startsWith('>')) return findCommands(commands_, text.mid(1).trimmed());
  return findPlaces(workspace_.reports(), workspace_.report(), text.trimmed(), kSearchLimit);
}

void MainWindow::follow(const QuickHit& hit) {
  if (hit.action == nullptr) return activate(hit.report, hit.selection);
  for (const Commands::Entry& entry : commands_.all()) {
    if (entry.action != hit.action || entry.owner == nullptr) continue;
    showPage(static_cast<Page*>(entry.owner)->id());
  }
  hit.action->trigger();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!mayClose()) return event->ignore();
  if (docks_shown_) dock_state_ = saveState(kDockVersion);
  settings_.setValue("window/geometry", saveGeometry());
  settings_.setValue("window/docks", dock_state_);
  storeSession();
  tasks_.cancelAll();
  event->accept();
}

void MainWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  // Sizes of docks count only once the window has its own size.
  if (docks_shown_ && dock_state_.isEmpty()) setDefaultDockSizes();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  dropped(event->mimeData()->urls());
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
  // Arrives here only when no pop-up, search or page has used it.
  if (event->key() == Qt::Key_Escape && tasks_.cancelNewest()) return;
  // Not a shortcut of the window: panels have one of their own for it.
  if (event->matches(QKeySequence::Find)) return focusFilter();
  QMainWindow::keyPressEvent(event);
}

}  // namespace hloscope::ui
