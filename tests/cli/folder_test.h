#pragma once

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace hloscope::testing {

/// A test class with a folder of its own, and short ways to its files.
class FolderTest : public QObject {
 protected:
  [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }
  /// The path of the file. Where it cannot be written, the test fails.
  QString write(const QString& name, const QByteArray& bytes) const {
    QFile file(path(name));
    const bool is_open = file.open(QIODevice::WriteOnly);
    QTest::qVerify(is_open, "the file can be written", qPrintable(file.fileName()), __FILE__,
                   __LINE__);
    if (is_open) file.write(bytes);
    return file.fileName();
  }
  /// Empty for what is not there.
  [[nodiscard]] static QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  QTemporaryDir folder_;
};

}  // namespace hloscope::testing
