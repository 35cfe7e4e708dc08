#include <QCoreApplication>

#include "tests/support/test_registry.h"

int main(int argc, char** argv) {
  const QCoreApplication app(argc, argv);
  return hloscope::testing::run_all(argc, argv);
}
