#pragma once

#include "ui/pages/page.h"

namespace hloscope::ui {

/// The same selection after a module was analysed again: what has that name in `to`, first of all
/// in the computation of the same name. A fusion that `to` does not have is what it computes last.
/// What is not found is not selected.
[[nodiscard]] Selection selectionIn(const analysis::ModuleReport& to, const Selection& selection,
                                    const analysis::ModuleReport& from);

}  // namespace hloscope::ui
