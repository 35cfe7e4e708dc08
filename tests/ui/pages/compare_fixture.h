#pragma once

#include <QComboBox>
#include <QTest>
#include <vector>

#include "core/hlo/read.h"
#include "tests/ui/models/report_fixture.h"
#include "ui/pages/compare/compare_models.h"
#include "ui/pages/compare/compare_page.h"

namespace hloscope::testing {

/// The analytical estimate is twice the simulated one.
inline analysis::ComparePoint point(const char* name, double measured_ns, double estimate_ns,
                                    hlo::OpClass op_class) {
  analysis::ComparePoint point;
  point.kernel_name = name;
  point.program_name = "net";
  point.file_path = "net.pb";
  point.op_class = op_class;
  point.time_ns = {measured_ns, estimate_ns, 2 * estimate_ns};
  return point;
}

/// Errors +50 %, 0, −10 %, +20 %.
inline std::vector<analysis::ComparePoint> points() {
  return {point("a", 2000, 3000, hlo::OpClass::kElementwise),
          point("b", 4000, 4000, hlo::OpClass::kElementwise),
          point("c", 10000, 9000, hlo::OpClass::kMatmulConv),
          point("d", 20000, 24000, hlo::OpClass::kMatmulConv)};
}

inline QString metric(const ui::ComparePage& page, int row, int column) {
  return page.metrics()->index(row, column).data().toString();
}

inline std::vector<ui::ReportPtr> sampleReports() {
  const std::string path = HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb";
  const auto file = hlo::read_file(path);
  std::vector<ui::ReportPtr> reports;
  for (size_t m = 0; file && m < file->modules.size(); ++m) {
    reports.push_back(*analysis::analyse(file->modules[m], path, static_cast<int>(m) + 1,
                                         *sim::find_machine("tpu_v3")));
  }
  return reports;
}

inline QComboBox* combo(const ui::ComparePage& page, const QString& name) {
  for (QComboBox* box : page.findChildren<QComboBox*>()) {
    if (box->accessibleName() == name) return box;
  }
  return nullptr;
}

inline void show(QWidget& widget) {
  widget.resize(1500, 900);
  widget.show();
  QVERIFY(QTest::qWaitForWindowExposed(&widget));
}

}  // namespace hloscope::testing
