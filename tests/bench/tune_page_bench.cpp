// How soon the Autotune page shows a stored session, and how long the window stands still
// meanwhile:
//   tune_page_bench FILE.hloscope SESSION [VIEW]
// Opens the page on another session of the file, or on none, selects SESSION, and prints the time
// until table and charts are complete, what was there when, and the longest times that the GUI
// thread was busy with one event. VIEW is 0 for the trials, 1 for parallel coordinates, 2 for the
// tile map. Run with QT_QPA_PLATFORM=offscreen; the best of several runs counts.

#include <QApplication>
#include <QElapsedTimer>
#include <QThread>
#include <algorithm>
#include <cstdio>

#include "ui/pages/tune/search_views.h"
#include "ui/pages/tune/tune_page.h"
#include "ui/theme/theme.h"

using namespace hloscope;

namespace {

/// Knows how long each event took.
class TimedApplication : public QApplication {
 public:
  using QApplication::QApplication;

  bool notify(QObject* receiver, QEvent* event) override {
    if (QThread::currentThread() != thread()) return QApplication::notify(receiver, event);
    const bool outermost = depth_ == 0;
    if (outermost) clock_.start();
    ++depth_;
    const bool handled = QApplication::notify(receiver, event);
    --depth_;
    if (outermost) busy_ms.push_back(static_cast<double>(clock_.nsecsElapsed()) / 1e6);
    return handled;
  }

  std::vector<double> busy_ms;

 private:
  QElapsedTimer clock_;
  int depth_ = 0;
};

void until(const std::function<bool()>& is_done) {
  while (!is_done()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
}

}  // namespace

int main(int argc, char** argv) {
  TimedApplication app(argc, argv);
  const QStringList arguments = QApplication::arguments();
  if (arguments.size() < 3) {
    std::fprintf(stderr, "tune_page_bench FILE.hloscope SESSION [VIEW]\n");
    return 2;
  }
  ui::installTheme(ui::ThemeMode::kLight);
  ui::TaskRunner tasks;
  ui::TunePage page(tasks, arguments[1].toStdString());
  page.resize(1600, 1000);
  page.views()->showView(static_cast<ui::SearchViews::View>(arguments.value(3).toInt()));
  page.show();
  const qint64 session = arguments[2].toLongLong();
  // The newest session is chosen by the page itself.
  until([&] { return page.isReady() && tasks.isIdle(); });
  if (page.currentSession() == session) {
    std::fprintf(stderr, "session %lld is the first choice: take another one\n",
                 static_cast<long long>(session));
    return 1;
  }
  app.busy_ms.clear();
  QElapsedTimer clock;
  clock.start();
  page.selectSession(session);
  const double selected_ms = static_cast<double>(clock.nsecsElapsed()) / 1e6;
  double first_ms = 0;
  until([&] {
    if (first_ms == 0 && page.trials()->rowCount() > 0)
      first_ms = static_cast<double>(clock.elapsed());
    return page.isReady();
  });
  QCoreApplication::processEvents();
  std::printf("session %lld: %d trials, complete after %lld ms, first rows after %.0f ms\n",
              static_cast<long long>(session), page.trials()->rowCount(),
              static_cast<long long>(clock.elapsed()), first_ms);
  std::ranges::sort(app.busy_ms, std::greater());
  std::printf("selection itself %.1f ms; longest events:", selected_ms);
  for (size_t i = 0; i < std::min<size_t>(6, app.busy_ms.size()); ++i) {
    std::printf(" %.1f", app.busy_ms[i]);
  }
  std::printf(" ms\n");
  return 0;
}
