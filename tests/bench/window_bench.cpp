// How long the window stands still:
//   window_bench [FILE...] [--db RESULTS] [--size WxH] [--pages ID,ID] [--all]
// Walks through the window as a user does. Prints for each step the longest single event of the GUI
// thread in ms: CPU time, what of it was painting, waiting for files and locks, wall time, and when
// nothing moved any more. Events of more than 50 ms of CPU and waiting are marked; without --all
// only those of more than 25 ms are shown. Run with QT_QPA_PLATFORM=offscreen and XDG_CONFIG_HOME
// in a folder of its own; QT_SCALE_FACTOR=2 doubles the pixels.

#include <QAbstractButton>
#include <QButtonGroup>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>
#include <QTreeView>
#include <cstdio>
#include <filesystem>
#include <functional>

#include "tests/bench/send_events.h"
#include "tests/bench/timed_application.h"
#include "ui/charts/plot_widget.h"
#include "ui/graph/graph_view.h"
#include "ui/models/filter_edit.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme.h"

using namespace hloscope;

namespace {

constexpr double kBarMs = 50;
constexpr double kShownMs = 25;
constexpr int kPollMs = 10;
constexpr qint64 kQuietMs = 400;  // Longer than any delay between a key and its effect.
constexpr int kMostChoices = 5;
constexpr QSize kLarge(2560, 1440);

struct Options {
  QStringList files;
  QStringList pages;  ///< Empty: all.
  QString database;
  QSize size{1600, 1000};
  bool all = false;
};

Options parse(const QStringList& arguments) {
  Options out;
  for (qsizetype i = 1; i < arguments.size(); ++i) {
    const QString& word = arguments[i];
    if (word == "--db") {
      out.database = arguments.value(++i);
    } else if (word == "--pages") {
      out.pages = arguments.value(++i).split(',');
    } else if (word == "--size") {
      const QStringList sides = arguments.value(++i).split('x');
      out.size = {sides.value(0).toInt(), sides.value(1).toInt()};
    } else if (word == "--all") {
      out.all = true;
    } else {
      out.files << word;
    }
  }
  return out;
}

class Walk {
 public:
  Walk(testing::TimedApplication& app, Options options)
      : app_(app),
        options_(std::move(options)),
        settings_(folder_.filePath("settings.ini"), QSettings::IniFormat) {}

  void run();

 private:
  void step(const QString& name, const std::function<void()>& act);
  void waitUntilQuiet();
  void print(const QString& name, double until_idle_ms);
  [[nodiscard]] QList<ui::Page*> pages() const;
  [[nodiscard]] QString here(const QString& what) const;
  template <typename T>
  [[nodiscard]] QList<T*> visible() const;

  void showPages(const QString& when);
  void selectOnPages();
  void selectKernel(double share);
  void usePages();
  void clickHeaders();
  void chooseInCombos();
  void expandTrees();
  void quickOpen();
  void pressSwitches();
  void filter();
  void scroll();
  void zoom();
  void chooseMachine(const char* id);
  void loadMost();
  void resize();
  void changeTheme();

  testing::TimedApplication& app_;
  const Options options_;
  QTemporaryDir folder_;
  QSettings settings_;
  std::unique_ptr<ui::MainWindow> window_;
  int over_ = 0;
  int steps_ = 0;
};

/// `act` happens in an event, as all that a user does.
void Walk::step(const QString& name, const std::function<void()>& act) {
  app_.take();
  QElapsedTimer clock;
  clock.start();
  QMetaObject::invokeMethod(&app_, act, Qt::QueuedConnection);
  QCoreApplication::processEvents();
  waitUntilQuiet();
  const qint64 idle_ms = clock.elapsed() - app_.sinceBusy().elapsed();
  print(name, static_cast<double>(std::max<qint64>(idle_ms, 0)));
}

void Walk::waitUntilQuiet() {
  const auto is_quiet = [this] {
    if (app_.sinceBusy().elapsed() < kQuietMs) return false;
    return !window_ || (window_->tasks().isIdle() && window_->currentPage()->isReady());
  };
  while (!is_quiet()) {
    QEventLoop loop;
    QTimer::singleShot(kPollMs, &loop, &QEventLoop::quit);
    loop.exec();
  }
}

void Walk::print(const QString& name, double until_idle_ms) {
  const std::vector<testing::TimedApplication::Busy> events = app_.take();
  const auto longest =
      std::ranges::max_element(events, {}, [](const auto& e) { return e.cpu_ms + e.waiting_ms; });
  if (longest == events.end()) return;
  const double own_ms = longest->cpu_ms + longest->waiting_ms;
  const bool is_over = own_ms > kBarMs;
  over_ += is_over ? 1 : 0;
  ++steps_;
  if (!options_.all && own_ms < kShownMs) return;
  std::printf("%s %-44s cpu %6.1f (painting %5.1f) waiting %5.1f wall %6.1f idle after %6.0f  %s\n",
              is_over ? "!" : " ", qPrintable(name), longest->cpu_ms, longest->paint_ms,
              longest->waiting_ms, longest->wall_ms, until_idle_ms, longest->what.constData());
  std::fflush(stdout);
}

QList<ui::Page*> Walk::pages() const {
  QList<ui::Page*> out;
  for (ui::Page* page : window_->pages()) {
    if (options_.pages.isEmpty() || options_.pages.contains(page->id())) out << page;
  }
  return out;
}

QString Walk::here(const QString& what) const {
  return window_->currentPage()->id() + ": " + what;
}

template <typename T>
QList<T*> Walk::visible() const {
  QList<T*> out;
  for (T* widget : window_->findChildren<T*>()) {
    if (widget->isVisible()) out << widget;
  }
  return out;
}

void Walk::showPages(const QString& when) {
  for (ui::Page* page : pages()) {
    step(page->id() + ": shown " + when, [&] { window_->showPage(page->id()); });
  }
}

void Walk::selectKernel(double share) {
  const ui::ReportPtr report = window_->workspace().report();
  if (!report || report->kernels.kernels.empty()) return;
  const auto last = static_cast<double>(report->kernels.kernels.size() - 1);
  const graph::KernelId kernel(static_cast<uint32_t>(share * last));
  const ui::Selection selection{kernel, report->kernels.kernels[kernel].instruction};
  step(here("another kernel"), [&] { window_->workspace().select(nullptr, selection); });
}

void Walk::selectOnPages() {
  double share = 0.3;
  for (ui::Page* page : pages()) {
    window_->showPage(page->id());
    waitUntilQuiet();
    selectKernel(share);
    selectKernel(share + 0.01);
    share += 0.05;
  }
}

void Walk::clickHeaders() {
  for (QHeaderView* header : visible<QHeaderView>()) {
    if (!header->sectionsClickable() || header->orientation() != Qt::Horizontal) continue;
    for (int i = 0; i < std::min(header->count(), 3); ++i) {
      const int x = header->sectionViewportPosition(header->logicalIndex(i)) + 6;
      if (header->isSectionHidden(header->logicalIndex(i)) || x > header->width()) continue;
      const QPointF at(x, header->height() / 2.0);
      QWidget* target = header->viewport();
      step(here(QStringLiteral("sort by column %1 of %2")
                    .arg(i)
                    .arg(header->parentWidget()->metaObject()->className())),
           [&] { testing::click(target, at); });
    }
  }
}

/// By the arrow keys, as far down as it goes and back.
void Walk::chooseInCombos() {
  for (auto* combo : visible<QComboBox>()) {
    if (!combo->isEnabled() || combo->isEditable()) continue;
    const int before = combo->currentIndex();
    for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Up}) {
      for (int i = 0; i < std::min(combo->count(), kMostChoices); ++i) {
        if (key == Qt::Key_Up && combo->currentIndex() == before) break;
        // Dialogs ask back.
        if (combo->itemText(combo->currentIndex() + 1).endsWith(QChar(0x2026))) break;
        step(here("choose in " + combo->accessibleName()), [&] { testing::press(combo, key); });
        if (!combo->isVisible()) return;
      }
    }
  }
}

void Walk::expandTrees() {
  for (auto* tree : visible<QTreeView>()) {
    step(here("expand all"), [&] { tree->expandAll(); });
    step(here("collapse all"), [&] { tree->collapseAll(); });
  }
}

void Walk::quickOpen() {
  step("quick open", [&] { window_->commands().find("go.to")->trigger(); });
  for (const char* text : {"f", "fu", "fus", "a", ""}) {
    step(QStringLiteral("quick open \"%1\"").arg(text), [&] {
      if (auto* edit = qobject_cast<QLineEdit*>(QApplication::focusWidget())) edit->setText(text);
    });
  }
  step("quick open left", [&] {
    if (QWidget* target = QApplication::focusWidget()) testing::press(target, Qt::Key_Escape);
  });
}

/// Tabs and switches between views.
void Walk::pressSwitches() {
  for (QButtonGroup* group : window_->currentPage()->findChildren<QButtonGroup*>()) {
    if (!group->exclusive()) continue;
    QAbstractButton* before = group->checkedButton();
    QList<QAbstractButton*> buttons = group->buttons();
    if (before != nullptr) buttons << before;
    for (QAbstractButton* button : buttons) {
      if (!button->isVisible() || !button->isEnabled() || button->isChecked()) continue;
      step(here("press " + button->text()), [&] { button->click(); });
    }
  }
}

void Walk::filter() {
  for (auto* edit : visible<QLineEdit>()) {
    if (edit->objectName() != ui::kFilterName) continue;
    for (const char* text : {"f", "fu", ""}) {
      step(here(QStringLiteral("filter \"%1\"").arg(text)), [&] { edit->setText(text); });
    }
  }
}

void Walk::scroll() {
  for (auto* area : visible<QAbstractScrollArea>()) {
    for (QScrollBar* bar : {area->verticalScrollBar(), area->horizontalScrollBar()}) {
      if (bar->maximum() <= bar->minimum()) continue;
      const QString name = here(QStringLiteral("scroll ") + area->metaObject()->className());
      step(name, [&] { bar->setValue(bar->maximum()); });
      step(name, [&] { bar->setValue((bar->minimum() + bar->maximum()) / 2); });
      step(name, [&] { bar->setValue(bar->minimum()); });
    }
  }
}

void Walk::zoom() {
  QList<QWidget*> targets;
  for (auto* view : visible<ui::GraphView>()) targets << view->viewport();
  for (auto* chart : visible<ui::PlotWidget>()) targets << chart;
  for (QWidget* target : targets) {
    const QPointF middle(target->width() / 2.0, target->height() / 2.0);
    const QWidget* named = target->parentWidget()->inherits("hloscope::ui::GraphView")
                               ? target->parentWidget()
                               : target;
    const QString name = here(QStringLiteral("zoom ") + named->metaObject()->className());
    for (const int angle : {120, 240, 480, -120, -960}) {
      step(name, [&] { testing::turnWheel(target, middle, angle); });
    }
    step(here(QStringLiteral("pointer over ") + named->metaObject()->className()),
         [&] { testing::hover(target, middle); });
  }
}

/// The longest jobs that a page offers.
void Walk::loadMost() {
  ui::Page* page = window_->currentPage();
  if (page->id() == "tiles") {
    QVariantMap state = page->saveState();
    state["most"] = 50'000;
    state["beside_measured"] = true;
    step(here("50,000 tiles"), [&] { page->restoreState(state); });
    clickHeaders();
    filter();
  }
  if (QAction* action =
          page->id() == "data" ? window_->commands().find("data.evaluate") : nullptr) {
    step(here("evaluate"), [&] { action->trigger(); });
  }
}

void Walk::usePages() {
  for (ui::Page* page : pages()) {
    window_->showPage(page->id());
    waitUntilQuiet();
    pressSwitches();
    chooseInCombos();
    expandTrees();
    clickHeaders();
    filter();
    scroll();
    zoom();
    loadMost();
    resize();
    changeTheme();
  }
}

void Walk::resize() {
  const QSize before = window_->size();
  step(here("resize to 2560x1440"), [&] { window_->resize(kLarge); });
  step(here("resize back"), [&] { window_->resize(before); });
}

void Walk::changeTheme() {
  for (const char* id : {"view.theme_dark", "view.theme_light"}) {
    step(here(id), [&] { window_->commands().find(id)->trigger(); });
  }
}

void Walk::chooseMachine(const char* id) {
  const auto machine = sim::find_machine(id);
  if (!machine) return;
  for (ui::Page* page : pages()) {
    window_->showPage(page->id());
    waitUntilQuiet();
    const bool other = window_->workspace().machine().id == id;
    const auto chosen = other ? sim::find_machine("tpu_v3") : machine;
    step(here("another machine"), [&] { window_->workspace().setMachine(*chosen); });
  }
}

void Walk::run() {
  step("window made", [&] {
    const QString own = folder_.filePath("results.hloscope");
    const QString& database = options_.database.isEmpty() ? own : options_.database;
    window_ = std::make_unique<ui::MainWindow>(settings_, database.toStdString());
    window_->resize(options_.size);
  });
  step("window shown", [&] { window_->show(); });
  for (const QString& file : options_.files) {
    const QString name =
        QString::fromStdString(std::filesystem::path(file.toStdString()).filename().string());
    step("open " + name, [&] { window_->workspace().open(QStringList{file}); });
  }
  showPages("first");
  showPages("again");
  selectOnPages();
  usePages();
  quickOpen();
  chooseMachine("tpu_v4");
  showPages("at the end");
  for (size_t i = window_->workspace().files().size(); i > 0; --i) {
    step("close a file", [&] { window_->workspace().closeCurrentFile(); });
  }
  step("window closed", [&] { window_->close(); });
  step("window gone", [&] { window_.reset(); });
  std::printf("%d of %d steps over %.0f ms\n", over_, steps_, kBarMs);
}

}  // namespace

int main(int argc, char** argv) {
  testing::TimedApplication app(argc, argv);
  QApplication::setQuitOnLastWindowClosed(false);
  ui::installTheme(ui::ThemeMode::kLight);
  Walk(app, parse(QApplication::arguments())).run();
}
