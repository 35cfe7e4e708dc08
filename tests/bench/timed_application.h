#pragma once

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QMetaEnum>
#include <QThread>
#include <algorithm>
#include <cstdlib>
#include <vector>

namespace hloscope::testing {

/// CPU time of this thread in ms: what other processes take does not count.
inline double thread_cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

/// How long this thread was ready to run while others had the processor, ms; 0 where the system
/// does not tell. What is left of an event's time is CPU time or waiting for a file or a lock.
inline double thread_ready_ms() {
  static const int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  char text[64] = {};
  if (file < 0 || pread(file, text, sizeof text - 1, 0) <= 0) return 0;
  char* end = nullptr;
  std::strtoull(text, &end, 10);
  return 1e-6 * static_cast<double>(std::strtoull(end, nullptr, 10));
}

/// Knows how long the GUI thread was busy with each event.
class TimedApplication : public QApplication {
 public:
  struct Busy {
    double wall_ms = 0;
    double cpu_ms = 0;
    double waiting_ms = 0;  ///< For files and locks.
    double paint_ms = 0;    ///< CPU time of the widgets' paint events in it.
    QByteArray what;        ///< Receiver and type of the event.
  };
  using QApplication::QApplication;

  bool notify(QObject* receiver, QEvent* event) override {
    if (QThread::currentThread() != thread()) return QApplication::notify(receiver, event);
    if (depth_ == 0) return notifyOutermost(receiver, event);
    const bool paints = event->type() == QEvent::Paint && !is_painting_;
    const double start_ms = paints ? thread_cpu_ms() : 0;
    if (paints) is_painting_ = true;
    const bool handled = QApplication::notify(receiver, event);
    if (paints) {
      is_painting_ = false;
      paint_ms_ += thread_cpu_ms() - start_ms;
    }
    return handled;
  }

  /// Of all events since the last call, in their order.
  std::vector<Busy> take() {
    since_busy_.start();
    return std::exchange(busy_, {});
  }
  /// Runs since the last event of at least 1 ms ended, or since take().
  [[nodiscard]] const QElapsedTimer& sinceBusy() const { return since_busy_; }

 private:
  bool notifyOutermost(QObject* receiver, QEvent* event) {
    // The receiver may be gone afterwards.
    Busy busy;
    busy.what = receiver->metaObject()->className();
    const QMetaEnum types = QMetaEnum::fromType<QEvent::Type>();
    busy.what += QByteArray(" ") + types.valueToKey(event->type());
    ++depth_;
    paint_ms_ = 0;
    QElapsedTimer wall;
    wall.start();
    const double ready_ms = thread_ready_ms();
    const double start_ms = thread_cpu_ms();
    const bool handled = QApplication::notify(receiver, event);
    busy.cpu_ms = thread_cpu_ms() - start_ms;
    busy.wall_ms = static_cast<double>(wall.nsecsElapsed()) / 1e6;
    busy.waiting_ms = std::max(busy.wall_ms - busy.cpu_ms - (thread_ready_ms() - ready_ms), 0.0);
    busy.paint_ms = paint_ms_;
    --depth_;
    if (busy.wall_ms >= 1) since_busy_.start();
    busy_.push_back(std::move(busy));
    return handled;
  }

  std::vector<Busy> busy_;
  QElapsedTimer since_busy_;
  double paint_ms_ = 0;
  bool is_painting_ = false;
  int depth_ = 0;
};

}  // namespace hloscope::testing
