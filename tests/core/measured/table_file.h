#pragma once

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <string>

namespace hloscope::testing {

/// A file with this text for as long as the object lives.
class TableFile {
 public:
  explicit TableFile(const std::string& text) : path_(folder_.filePath("table.csv")) {
    QFile file(path_);
    if (!file.open(QIODevice::WriteOnly)) qFatal("can't write %s", qPrintable(path_));
    file.write(text.data(), static_cast<qint64>(text.size()));
  }
  [[nodiscard]] std::string path() const { return path_.toStdString(); }

 private:
  QTemporaryDir folder_;
  QString path_;
};

}  // namespace hloscope::testing
