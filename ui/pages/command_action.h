#pragma once

#include <QAction>
#include <QKeySequence>
#include <QString>
#include <functional>

namespace hloscope::ui {

/// Adds a command to a page: one of its actions(), which menu, command palette and list of
/// shortcuts take from there. `keys` (may be empty) work while the focus is in the page; `id` names
/// the action for tests and settings.
QAction* addCommand(QWidget* page, const QString& id, const QString& text, const QKeySequence& keys,
                    std::function<void()> run);

}  // namespace hloscope::ui
