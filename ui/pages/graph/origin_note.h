#pragma once

#include <QString>

#include "core/analysis/shown_module.h"

namespace hloscope::ui {

/// What stands above a graph.
struct OriginNote {
  QString text;
  QString tool_tip;
};
/// Where the kernels come from, and `counts`: "301 nodes".
[[nodiscard]] OriginNote originNote(analysis::KernelOrigin origin, const QString& counts);

}  // namespace hloscope::ui
