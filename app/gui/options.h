#pragma once

#include <QSize>
#include <QStringList>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "ui/theme/theme.h"

namespace hloscope::gui {

/// The command line of hloscope.
struct Options {
  struct Screenshot {
    QString page;
    QString file;
  };

  QStringList files;
  std::optional<QString> database;
  std::optional<QString> machine;
  QStringList models;  ///< Files, or one name of a built-in one; empty: what is built in.
  std::optional<ui::ThemeMode> theme;
  std::optional<QSize> size;
  std::optional<double> scale;
  std::optional<QString> select;
  std::vector<Screenshot> screenshots;
  bool raw = false;
  bool restore = false;
  bool help = false;
  bool version = false;
};

/// `arguments` without the program's name. Error: kInvalidInput, to be answered with exit code 2.
[[nodiscard]] Result<Options> parseOptions(const QStringList& arguments);
[[nodiscard]] QString helpText();

}  // namespace hloscope::gui
