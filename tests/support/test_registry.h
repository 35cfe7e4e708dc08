#pragma once

#include <QObject>
#include <QTest>
#include <functional>
#include <memory>
#include <vector>

namespace hloscope::testing {

/// The test classes of one executable; its main() runs them all.
std::vector<std::function<std::unique_ptr<QObject>()>>& registry();
/// Runs all classes of the executable; the exit code of main().
int run_all(int argc, char** argv);

template <typename T>
struct Register {
  Register() {
    registry().push_back([] { return std::make_unique<T>(); });
  }
};

}  // namespace hloscope::testing

/// Put after the class; its private slots are then run by the executable it is linked into.
#define HLOSCOPE_TEST(Class) \
  static const ::hloscope::testing::Register<Class> hloscope_register_##Class
