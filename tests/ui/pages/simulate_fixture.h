#pragma once

#include <QApplication>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <memory>

#include "tests/ui/models/report_fixture.h"
#include "ui/pages/simulate/simulate_page.h"

namespace hloscope::testing {

inline constexpr const char* kSample =
    HLOSCOPE_SOURCE_DIR "/samples/control_flow.cpu_after_optimizations.txt";

inline ui::ReportPtr sample(const char* machine = "tpu_v3") {
  const auto file = hlo::read_file(kSample);
  if (!file) qFatal("%s", file.error().format().c_str());
  return *analysis::analyse(file->modules.front(), kSample, 1, *sim::find_machine(machine));
}

// A page that answers its own selection, as the window does.
struct ShownSimulation {
  ui::TaskRunner tasks;
  ui::SimulatePage page{tasks};

  explicit ShownSimulation(const ui::ReportPtr& report) {
    QObject::connect(&page, &ui::SimulatePage::selectionRequested, &page,
                     [this](const ui::ReportPtr&, const ui::Selection& selection) {
                       page.setSelection(selection);
                     });
    page.setMachine(*sim::find_machine("tpu_v3"));
    page.resize(1500, 900);
    page.show();
    if (!QTest::qWaitForWindowExposed(&page)) qFatal("not shown");
    if (report) show(report);
  }
  void show(const ui::ReportPtr& report) {
    page.setReports({report});
    page.setReport(report);
    page.setSelection({});
    if (!QTest::qWaitFor([this] { return tasks.isIdle(); }, 20'000)) qFatal("still busy");
    QApplication::processEvents();
  }
};

inline bool near(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

}  // namespace hloscope::testing
