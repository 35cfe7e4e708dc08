#pragma once

#include "core/base/result.h"
#include "core/tune/layout_assignment.h"

namespace hloscope::tune {

/// The program with these orders: operands and results of its kernels, and everything in the bodies
/// of fusions, have them, and copies (`copy.NAME`) stand before users that read a value in another
/// order. Parameters and results of the entry stay as they are, and so does what it computes. The
/// program shares nothing with the old one. Errors: check_structure().
[[nodiscard]] Result<hlo::ProgramPtr> write_layouts(const LayoutGroups& groups,
                                                    const LayoutOrders& orders);

/// One kernel of that program alone, as graph::extract() gives it: it is the root of the entry.
/// Not for async pairs, whose layouts stay as they are. Errors: check_structure().
[[nodiscard]] Result<hlo::ProgramPtr> write_kernel(const LayoutGroups& groups,
                                                   const LayoutOrders& orders,
                                                   hlo::InstructionId kernel);
/// A copy alone.
[[nodiscard]] Result<hlo::ProgramPtr> write_copy(const LayoutGroups& groups,
                                                 const LayoutCopy& copy);

}  // namespace hloscope::tune
