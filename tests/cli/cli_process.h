#pragma once

#include <QByteArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStringList>

namespace {

/// What a run of the real program gave; code -1: it crashed.
struct Outcome {
  int code;
  QByteArray out;
  QByteArray err;
};

inline Outcome run(const QStringList& arguments) {
  QProcess process;
  process.start(QStringLiteral(HLOSCOPE_BINARY_DIR "/hloscope-cli"), arguments);
  process.waitForFinished(60000);
  const int code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
  return {code, process.readAllStandardOutput(), process.readAllStandardError()};
}

/// The JSON that the program printed.
inline QJsonObject object(const Outcome& outcome) {
  return QJsonDocument::fromJson(outcome.out).object();
}

}  // namespace
