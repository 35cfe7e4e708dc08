#pragma once

#include <QStringList>
#include <vector>

#include "app/gui/options.h"
#include "core/base/result.h"
#include "ui/shell/main_window.h"

namespace hloscope::gui {

/// Whether the window has the pages that are to be drawn. Error: kInvalidInput.
[[nodiscard]] Status checkPages(const ui::MainWindow& window, const Options& options);

/// After checkPages(): opens the files, waits until everything is read, laid out and stored, and
/// writes the pictures. Errors: the first file that could not be read, a picture that could not be
/// written.
[[nodiscard]] Status takeScreenshots(ui::MainWindow& window, const Options& options);

/// Selects the kernel or instruction with that name in the current module. Error: kNotFound.
[[nodiscard]] Status selectByName(ui::Workspace& workspace, const QString& name);

}  // namespace hloscope::gui
