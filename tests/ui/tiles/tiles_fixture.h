#pragma once

#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "core/hlo/read.h"
#include "tests/ui/models/report_fixture.h"
#include "ui/pages/tiles/tiles_page.h"

namespace hloscope::testing {

/// Module N (from 1) of the sample with measured tiles: 2 is the convolution with 579 of them, 8
/// has none.
inline ui::ReportPtr tilesReport(size_t module) {
  const std::string path = HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb";
  static const hlo::File file = *hlo::read_file(path);
  return *analysis::analyse(file.modules[module - 1], path, static_cast<int>(module),
                            *sim::find_machine("tpu_v3"));
}

/// A page with a results file of its own, which shows what it is given as the window does.
class TilesFixture {
 public:
  TilesFixture() : page(tasks, database()) {
    page.resize(1500, 900);
    page.show();
    if (!QTest::qWaitForWindowActive(&page)) qFatal("the page was not activated");
  }
  [[nodiscard]] std::filesystem::path database() const {
    return folder.filePath(QStringLiteral("results.hloscope")).toStdString();
  }
  void open(const std::vector<ui::ReportPtr>& reports, const ui::Selection& selection = {}) {
    page.setReports(reports);
    page.setReport(reports.empty() ? nullptr : reports.front());
    page.setSelection(selection);
    wait();
  }
  void wait() {
    if (!QTest::qWaitFor([this] { return tasks.isIdle(); }, 60'000)) qFatal("still busy");
    QCoreApplication::processEvents();
  }
  [[nodiscard]] QString cell(int row, int column) const {
    return page.model()->index(row, column).data().toString();
  }
  template <typename T>
  [[nodiscard]] T* named(const QString& accessible_name) const {
    for (T* one : page.findChildren<T*>()) {
      if (one->accessibleName() == accessible_name) return one;
    }
    return nullptr;
  }

  QTemporaryDir folder;
  ui::TaskRunner tasks;
  ui::TilesPage page;
};

}  // namespace hloscope::testing
