#pragma once

#include <QDir>
#include <QTest>

namespace hloscope::testing {

/// The folder of real files beside the checkout, or an empty string where there is none.
inline QString shared_folder() {
  const QDir folder(QStringLiteral(HLOSCOPE_SOURCE_DIR "/../shared"));
  return folder.exists() ? folder.canonicalPath() : QString();
}

}  // namespace hloscope::testing

/// Skips the test function, saying so, where the shared files are absent.
#define HLOSCOPE_NEEDS_SHARED()                     \
  if (hloscope::testing::shared_folder().isEmpty()) \
  QSKIP("needs the folder ../shared, which is not here")
