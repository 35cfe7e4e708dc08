#pragma once

#include <QString>

#include "core/analysis/kernel_columns.h"
#include "core/analysis/predicted_times.h"

namespace hloscope::ui {

/// A number of a column as tables show it, without the unit that stands in the header.
[[nodiscard]] QString cellText(const analysis::KernelColumn& column, double value);

/// One sentence on what a column means, for the header's tool tip.
[[nodiscard]] QString columnHelp(const analysis::KernelColumn& column,
                                 analysis::TimeSource share_source);

/// "1 kernel", "2 384 kernels".
[[nodiscard]] QString countOf(size_t count, const QString& noun);

[[nodiscard]] QString textOf(std::string_view text);

/// "12.3 ± 0.4 µs"; without the spread where there is none.
[[nodiscard]] QString predictedText(const analysis::PredictedTimes& times,
                                    const analysis::PredictedTime& time);
/// "tpu_v3_fusion@4f1c09ab, 3 models".
[[nodiscard]] QString modelText(const analysis::PredictedBy& by);

}  // namespace hloscope::ui
