#include "ui/shell/file_kind.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QtEndian>

namespace hloscope::ui {

namespace {

// The length of the JSON that begins the file, then the JSON.
bool isModel(const QByteArray& start, qint64 bytes) {
  constexpr qsizetype kLengthSize = 8;
  if (start.size() <= kLengthSize || start[kLengthSize] != '{') return false;
  const auto length = qFromLittleEndian<quint64>(start.constData());
  return length <= static_cast<quint64>(bytes - kLengthSize);
}

}  // namespace

FileKind kindOf(const QString& path) {
  if (QFileInfo(path).isDir()) return FileKind::kFolder;
  // Reading a pipe or device would take something out of it.
  QFile file(path);
  if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly)) return FileKind::kProgram;
  constexpr qint64 kStart = 16;
  const QByteArray start = file.read(kStart);
  if (start.startsWith("SQLite format 3")) return FileKind::kDatabase;
  if (start.startsWith("PK\x03\x04")) return FileKind::kArchive;
  if (isModel(start, file.size())) return FileKind::kModel;
  return FileKind::kProgram;
}

QString openableKinds() {
  return QCoreApplication::translate(
      "FileKind",
      "Opened are HLO text and protos (.hlo .txt .pb, also .gz), TpuGraphs tuning files (.pb) and "
      ".npz, HLO op stats of XProf (.json .csv), results files and data sets (.hloscope), and "
      "models (.safetensors)");
}

}  // namespace hloscope::ui
