#include <QApplication>
#include <QStandardPaths>

#include "tests/support/test_registry.h"

int main(int argc, char** argv) {
  // Tests see neither the screen nor the settings of the user.
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QStandardPaths::setTestModeEnabled(true);
  const QApplication app(argc, argv);
  return hloscope::testing::run_all(argc, argv);
}
