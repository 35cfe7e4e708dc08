#pragma once

#include <QWidget>

#include "ui/shell/commands.h"

namespace hloscope::ui {

/// Opens (not modal) the list of all commands with their shortcuts, and of the keys and gestures
/// of the graph.
void showShortcuts(const Commands& commands, QWidget* parent);

}  // namespace hloscope::ui
