#include "app/gui/screenshot.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QPixmap>
#include <QTimer>
#include <optional>

namespace hloscope::gui {

namespace {

constexpr int kPollMs = 10;
constexpr qint64 kTimeoutMs = 300'000;
// Rounds of the event loop without work before the window counts as quiet: what a result sets off
// (a layout, a chart) starts in the next round.
constexpr int kQuietRounds = 8;

void pollOnce() {
  QEventLoop loop;
  QTimer::singleShot(kPollMs, &loop, &QEventLoop::quit);
  loop.exec();
}

Status waitUntilQuiet(ui::MainWindow& window) {
  QElapsedTimer clock;
  clock.start();
  int quiet = 0;
  while (quiet < kQuietRounds) {
    pollOnce();
    const bool busy = !window.tasks().isIdle() || !window.currentPage()->isReady();
    quiet = busy ? 0 : quiet + 1;
    if (clock.elapsed() > kTimeoutMs) {
      return fail(ErrorCode::kInternal, "The window was not ready after 5 minutes");
    }
  }
  return {};
}

Status save(ui::MainWindow& window, const Options::Screenshot& shot) {
  window.showPage(shot.page);  // It is there: see checkPages().
  HLOSCOPE_TRY(waitUntilQuiet(window));
  if (window.grab().save(shot.file)) return {};
  Error error;
  error.code = ErrorCode::kIo;
  error.message = "The picture could not be written";
  error.file = shot.file.toStdString();
  error.hint = "The folder must exist and the name must end with .png";
  return fail(std::move(error));
}

}  // namespace

Status selectByName(ui::Workspace& workspace, const QString& name) {
  const auto& report = workspace.report();
  ui::Selection selection;
  if (report) selection.instruction = report->module.program->find_instruction(name.toStdString());
  if (!selection.instruction.valid()) {
    return fail(ErrorCode::kNotFound, "There is no instruction " + name.toStdString(),
                "the first module was searched; name another one by FILE#N");
  }
  selection.kernel = report->kernels.kernel_of[selection.instruction];
  workspace.select(report, selection);
  return {};
}

Status checkPages(const ui::MainWindow& window, const Options& options) {
  QStringList known;
  for (const ui::Page* page : window.pages()) known << page->id();
  for (const Options::Screenshot& shot : options.screenshots) {
    if (known.contains(shot.page)) continue;
    return fail(ErrorCode::kInvalidInput, "There is no page " + shot.page.toStdString(),
                "The pages are " + known.join(", ").toStdString());
  }
  return {};
}

Status takeScreenshots(ui::MainWindow& window, const Options& options) {
  std::optional<Error> failed;
  QObject::connect(&window.workspace(), &ui::Workspace::openFailed, &window,
                   [&failed](const ui::Source&, const Error& error) {
                     if (!failed) failed = error;
                   });
  window.show();
  // One after the other: the first file given comes first and the last one is shown.
  for (const QString& file : options.files) {
    window.workspace().open(QStringList{file});
    HLOSCOPE_TRY(waitUntilQuiet(window));
  }
  if (failed) return fail(*failed);
  // There are none where all files are databases.
  const auto& reports = window.workspace().reports();
  if (options.files.size() > 1 && !reports.empty()) window.workspace().select(reports.front(), {});
  if (options.select) HLOSCOPE_TRY(selectByName(window.workspace(), *options.select));
  for (const Options::Screenshot& shot : options.screenshots) {
    HLOSCOPE_TRY(save(window, shot));
  }
  return {};
}

}  // namespace hloscope::gui
