#pragma once

#include <string>

#include "core/analysis/kernel_table.h"

namespace hloscope::cli {

/// The kernels as an HTML table. The page holds all of them as data, in full precision and by the
/// keys of `kernels --json`; its script shows them page by page. Without scripts the rows with the
/// largest share are there. `number` tells the tables of a page apart.
[[nodiscard]] std::string html_kernel_table(const analysis::KernelTable& table, size_t number);

}  // namespace hloscope::cli
