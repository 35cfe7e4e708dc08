#include <QSignalSpy>
#include <QThread>
#include <atomic>
#include <latch>

#include "tests/support/test_registry.h"
#include "tests/ui/shell/window_fixture.h"
#include "ui/shell/job_bar.h"
#include "ui/tasks/task_runner.h"

namespace hloscope::testing {

using ui::Job;
using ui::TaskRunner;

class TestTaskRunner : public QObject {
  Q_OBJECT
 private slots:
  void init() { fail_on_warnings(); }

  void deliversInTheGuiThread() {
    TaskRunner tasks;
    QObject context;
    int result = 0;
    QThread* worker = nullptr;
    QThread* receiver = nullptr;
    tasks.run<int>(
        {.label = "sum"},
        [&worker](const Progress&) {
          worker = QThread::currentThread();
          return 42;
        },
        &context,
        [&](int value) {
          result = value;
          receiver = QThread::currentThread();
        });
    QTRY_COMPARE(result, 42);
    QVERIFY(worker != receiver);
    QCOMPARE(receiver, QThread::currentThread());
    QTRY_VERIFY(tasks.isIdle());
  }

  void reportsProgressAndCancels() {
    TaskRunner tasks;
    QObject context;
    bool delivered = false;
    std::atomic<bool> stopped = false;
    const quint64 id = tasks.run<int>(
        {.label = "long"},
        [&stopped](const Progress& progress) {
          progress.report(0.25, "first quarter");
          while (!progress.stop_requested()) QThread::yieldCurrentThread();
          stopped = true;
          return 1;
        },
        &context, [&delivered](int) { delivered = true; });
    QTRY_COMPARE(tasks.jobs().front().fraction, 0.25);
    QCOMPARE(tasks.jobs().front().what, "first quarter");
    QSignalSpy cancelled(&tasks, &TaskRunner::cancelled);
    tasks.cancel(id);
    QVERIFY(tasks.jobs().empty());
    QCOMPARE(cancelled.size(), 1);
    QTRY_VERIFY(tasks.isIdle());
    QVERIFY(stopped);
    QVERIFY(!delivered);
  }

  void newestOfAKeyWins() {
    TaskRunner tasks;
    QObject context;
    std::vector<int> results;
    const auto start = [&](int value) {
      tasks.run<int>(
          {.label = "layout", .key = "layout"}, [value](const Progress&) { return value; },
          &context, [&results](int result) { results.push_back(result); });
    };
    for (int i = 1; i <= 5; ++i) start(i);
    QTRY_VERIFY(tasks.isIdle());
    QCOMPARE(results, std::vector<int>{5});
  }

  void runsSerialTasksInOrder() {
    TaskRunner tasks;
    QObject context;
    std::vector<int> order;
    for (int i = 0; i < 20; ++i) {
      tasks.run<int>(
          {.label = "write", .serial = true},
          [&order, i](const Progress&) {
            order.push_back(i);
            return i;
          },
          &context, [](int) {});
    }
    QTRY_VERIFY(tasks.isIdle());
    std::vector<int> expected(20);
    for (int i = 0; i < 20; ++i) expected[static_cast<size_t>(i)] = i;
    QCOMPARE(order, expected);
  }

  void escapeSparesWhatCannotBeCancelled() {
    TaskRunner tasks;
    QObject context;
    std::latch gate(1);
    const auto wait = [&gate](const Progress&) {
      gate.wait();
      return 0;
    };
    int done = 0;
    const auto count = [&done](int) { ++done; };
    tasks.run<int>({.label = "save", .cancellable = false}, wait, &context, count);
    QVERIFY(!tasks.cancelNewest());
    tasks.run<int>({.label = "read"}, wait, &context, count);
    QVERIFY(tasks.cancelNewest());
    QCOMPARE(tasks.jobs().size(), 1U);
    QCOMPARE(tasks.jobs().front().label, "save");
    gate.count_down();
    QTRY_VERIFY(tasks.isIdle());
    QCOMPARE(done, 1);
  }

  void dropsResultsOfGoneReceivers() {
    TaskRunner tasks;
    bool delivered = false;
    std::latch gate(1);
    {
      QObject context;
      tasks.run<int>(
          {.label = "late"},
          [&gate](const Progress&) {
            gate.wait();
            return 0;
          },
          &context, [&delivered](int) { delivered = true; });
    }
    gate.count_down();
    QTRY_VERIFY(tasks.isIdle());
    QVERIFY(!delivered);
  }

  void destructorStopsTheWorkers() {
    std::atomic<bool> stopped = false;
    {
      TaskRunner tasks;
      QObject context;
      tasks.run<int>(
          {.label = "endless"},
          [&stopped](const Progress& progress) {
            while (!progress.stop_requested()) QThread::yieldCurrentThread();
            stopped = true;
            return 0;
          },
          &context, [](int) {});
    }
    QVERIFY(stopped);
  }

  void saysTheTimeLeft() {
    QCOMPARE(ui::timeLeftText(std::nullopt), QString());
    QCOMPARE(ui::timeLeftText(6.4), "about 6 s left");
    QCOMPARE(ui::timeLeftText(0.1), "about 1 s left");
    QCOMPARE(ui::timeLeftText(200), "about 3 min left");
  }
};

HLOSCOPE_TEST(TestTaskRunner);

}  // namespace hloscope::testing

#include "test_task_runner.moc"
