#include "tests/support/test_registry.h"

namespace hloscope::testing {

std::vector<std::function<std::unique_ptr<QObject>()>>& registry() {
  static std::vector<std::function<std::unique_ptr<QObject>()>> classes;
  return classes;
}

int run_all(int argc, char** argv) {
  int failed = 0;
  for (const auto& make : registry()) {
    const std::unique_ptr<QObject> test = make();
    failed += QTest::qExec(test.get(), argc, argv);
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace hloscope::testing
