#include "ui/shell/session.h"

namespace hloscope::ui {

void saveSession(QSettings& settings, const Session& session) {
  settings.setValue("session/files", session.files);
  settings.setValue("session/current_file", session.current_file);
  settings.setValue("session/module_number", session.module_number);
  settings.setValue("session/kernel", session.kernel);
  settings.setValue("session/instruction", session.instruction);
  settings.setValue("session/page", session.page);
  settings.setValue("session/raw_kernels", session.raw_kernels);
  settings.setValue("session/baseline_database", session.baseline_database);
  settings.setValue("session/baseline_run", session.baseline_run);
  settings.setValue("session/views", session.views);
  settings.setValue("session/title", session.title);
  settings.setValue("session/saved", session.saved);
}

Session loadSession(const QSettings& settings) {
  Session session;
  session.files = settings.value("session/files").toStringList();
  session.current_file = settings.value("session/current_file").toString();
  session.module_number = settings.value("session/module_number", 1).toInt();
  session.kernel = settings.value("session/kernel").toString();
  session.instruction = settings.value("session/instruction").toString();
  session.page = settings.value("session/page").toString();
  session.raw_kernels = settings.value("session/raw_kernels", false).toBool();
  session.baseline_database = settings.value("session/baseline_database").toString();
  session.baseline_run = settings.value("session/baseline_run").toLongLong();
  session.views = settings.value("session/views").toMap();
  session.title = settings.value("session/title").toString();
  session.saved = settings.value("session/saved").toDateTime();
  return session;
}

}  // namespace hloscope::ui
