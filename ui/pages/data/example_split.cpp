#include "ui/pages/data/example_split.h"

namespace hloscope::ui {

QString heldOut() {
  // No split of a data set is called so: names have no such character.
  return QStringLiteral("\u2215held-out configurations");
}

db::ExampleChoice exampleChoice(const QString& file, const QString& split) {
  db::ExampleChoice out;
  out.file = file.toStdString();
  out.hold_out_configurations = split == heldOut();
  if (!out.hold_out_configurations) out.split = split.toStdString();
  return out;
}

}  // namespace hloscope::ui
