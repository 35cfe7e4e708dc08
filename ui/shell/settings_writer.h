#pragma once

#include <QObject>

#include "ui/tasks/worker_threads.h"

class QSettings;

namespace hloscope::ui {

/// Writes changed settings to their file on a thread of its own: QSettings would do so in the GUI
/// thread, where the wait for the disk, or for another program that holds the file, is a window
/// that stands still.
class SettingsWriter : public QObject {
 public:
  /// `settings` must live longer than this, and writes what is left when it goes.
  explicit SettingsWriter(QSettings& settings, QObject* parent = nullptr);

  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QSettings& settings_;
  WorkerThreads worker_{1};  // Last: its thread uses what stands above.
};

}  // namespace hloscope::ui
