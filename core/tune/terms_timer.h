#pragma once

#include "core/predict/ensemble.h"
#include "core/tune/kernel_timer.h"

namespace hloscope::tune {

/// Whether the models see the terms of the analytical model and nothing of the instructions
/// (predict::Readout::kNone, task fusion).
[[nodiscard]] bool sees_terms_only(const predict::Ensemble& ensemble);

/// Times by such models: nothing is encoded, which takes most of the time of other ones. The same
/// numbers as predict::predict_ensemble().
[[nodiscard]] std::unique_ptr<KernelTimer> make_terms_timer(
    const sim::Machine& machine, std::shared_ptr<const predict::Ensemble> ensemble);

}  // namespace hloscope::tune
