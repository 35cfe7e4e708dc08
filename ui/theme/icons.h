#pragma once

#include <QIcon>
#include <optional>

#include "ui/theme/theme.h"

namespace hloscope::ui {

/// Icons drawn as paths on a 16 x 16 grid; they follow size, device pixel ratio and theme.
enum class Icon {
  kOpen,
  kReload,
  kBack,
  kForward,
  kSearch,
  kTheme,
  kStart,
  kGraph,
  kCompare,
  kFile,
  kFolder,
  kClipboard,
  kCopy,
  kClose,
  kFloat,
  kPin,
  kFit,
  kFilter,
  kExport,
  kColumns,
  kPlus,
  kMinus,
  kUp,
  kDown,
  kError,
  kWarning,
  kHistory,
  kTune,
  kPlay,
  kPause,
  kStop,
  kCheck,
  kQueued,
  kSimulate,
  kTiles,
};

/// In the text colour (muted when disabled, `kOnAccentSoft` when checked), or in one role's colour.
[[nodiscard]] QIcon icon(Icon name, std::optional<Role> role = std::nullopt);

/// The square with the letter of an op class, as tables and docks show it.
[[nodiscard]] QIcon opClassIcon(hlo::OpClass op_class);

}  // namespace hloscope::ui
