#pragma once

#include <QDateTime>
#include <QSettings>
#include <QStringList>
#include <QVariantMap>

namespace hloscope::ui {

/// What comes back after a restart or a crash: written a moment after every change.
struct Session {
  QStringList files;
  QString current_file;
  int module_number = 1;
  QString kernel;  ///< Names, not ids: the file may have changed meanwhile.
  QString instruction;
  QString page;
  bool raw_kernels = false;
  // The stored run that was pinned as baseline; 0: none. Others are not kept.
  QString baseline_database;
  qint64 baseline_run = 0;
  QVariantMap views;  ///< State of every page and dock by its id.
  QString title;      ///< One line for the start page.
  QDateTime saved;

  [[nodiscard]] bool isEmpty() const { return files.isEmpty(); }
};

void saveSession(QSettings& settings, const Session& session);
[[nodiscard]] Session loadSession(const QSettings& settings);

}  // namespace hloscope::ui
