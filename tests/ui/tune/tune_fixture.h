#pragma once

#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include "db/new_session.h"
#include "db/run_session.h"
#include "tests/ui/models/report_fixture.h"
#include "ui/pages/tune/session_processes.h"
#include "ui/pages/tune/tune_page.h"

/// A page Autotune with a results file of its own, and what is needed to press its buttons.
namespace hloscope::testing::tune_page {

using namespace hloscope::ui;

inline constexpr int kLong = 40'000;  ///< Milliseconds: machines that build meanwhile are slow.

inline constexpr const char* kDot = R"(HloModule big_dot, is_scheduled=true

ENTRY main {
  a = f32[1024,512]{1,0} parameter(0)
  b = f32[512,2048]{1,0} parameter(1)
  ROOT dot.1 = f32[1024,2048]{1,0} dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)";

/// A window's page with a results file of its own.
struct Fixture {
  QTemporaryDir folder;
  std::filesystem::path path = folder.filePath("results.hloscope").toStdString();
  TaskRunner tasks;
  TunePage page{tasks, path};
  std::vector<int64_t> launched;

  enum RealProcesses { kRealProcesses };
  explicit Fixture(RealProcesses) { page.resize(1500, 900); }
  Fixture() {
    page.processes()->setLaunch([this](int64_t session) {
      launched.push_back(session);
      return QString();
    });
    page.resize(1500, 900);
  }
  void settle() {
    page.show();
    page.poll();
    QVERIFY(QTest::qWaitFor([this] { return page.isReady() && tasks.isIdle(); }, 20'000));
  }
  /// Made and run to its end in this process.
  int64_t run(const ReportPtr& report, tune::Settings settings) const {
    auto database = db::Database::open(path);
    if (!database) qFatal("%s", database.error().format().c_str());
    const auto session =
        db::new_session(report->module, addressOf(*report), std::move(settings), *database);
    if (!session) qFatal("%s", session.error().format().c_str());
    const auto row = db::TuneSessions(*database).create(*session);
    if (!row) qFatal("%s", row.error().format().c_str());
    const auto ending = db::run_tune_session(*database, *row);
    if (!ending) qFatal("%s", ending.error().format().c_str());
    return row->value;
  }
};

/// The analytical model searches, the simulator stands for hardware.
inline tune::Settings tiles(uint64_t trials) {
  tune::Settings settings;
  settings.kernel = "dot.1";
  settings.search.kind = tune::EvaluatorKind::kAnalytical;
  settings.measure = tune::EvaluatorSettings();
  settings.measure->kind = tune::EvaluatorKind::kSimulator;
  settings.top_k = 5;
  settings.budget.trials = trials;
  return settings;
}

inline QPushButton* button(const TunePage& page, const QString& text) {
  for (QPushButton* one : page.findChildren<QPushButton*>()) {
    if (one->text() == text) return one;
  }
  return nullptr;
}

template <typename Widget>
Widget* named(const TunePage& page, const QString& name) {
  for (Widget* one : page.findChildren<Widget*>()) {
    if (one->accessibleName() == name) return one;
  }
  return nullptr;
}

}  // namespace hloscope::testing::tune_page
