#include "ui/shell/settings_writer.h"

#include <QEvent>
#include <QSettings>

namespace hloscope::ui {

SettingsWriter::SettingsWriter(QSettings& settings, QObject* parent)
    : QObject(parent), settings_(settings) {
  settings_.installEventFilter(this);
}

bool SettingsWriter::eventFilter(QObject* watched, QEvent* event) {
  // Sent once some time after the first change; the next one comes after a sync().
  if (event->type() != QEvent::UpdateRequest) return QObject::eventFilter(watched, event);
  worker_.run([this, file = settings_.fileName(), format = settings_.format()] {
    // All QSettings of one file in a process share what is not written yet.
    QSettings(file, format).sync();
    QMetaObject::invokeMethod(
        this, [this] { settings_.sync(); }, Qt::QueuedConnection);
  });
  return true;
}

}  // namespace hloscope::ui
