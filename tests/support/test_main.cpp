#include <QCoreApplication>

#include "tests/support/test_registry.h"

namespace hloscope::testing {

std::vector<std::function<std::unique_ptr<QObject>()>>& registry() {
  static std::vector<std::function<std::unique_ptr<QObject>()>> classes;
  return classes;
}

}  // namespace hloscope::testing

int main(int argc, char** argv) {
  const QCoreApplication app(argc, argv);
  int failed = 0;
  for (const auto& make : hloscope::testing::registry()) {
    const std::unique_ptr<QObject> test = make();
    failed += QTest::qExec(test.get(), argc, argv);
  }
  return failed == 0 ? 0 : 1;
}
