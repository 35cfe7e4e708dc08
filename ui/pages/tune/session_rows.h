#pragma once

#include "db/tuning.h"
#include "ui/models/tune_session_model.h"

namespace hloscope::ui {

/// A stored session as the table shows it.
[[nodiscard]] TuneSessionRow rowOf(const db::SessionInfo& session);

/// "model tpu_v3_fusion, measure top 10", "recorded runs only".
[[nodiscard]] QString evaluatorText(const tune::Settings& settings);
[[nodiscard]] QString strategyText(tune::StrategyKind kind);
/// Whether the times that decide are the simulator's or a model's: marked with ≈.
[[nodiscard]] bool hardwareIsSimulated(const tune::Settings& settings);
/// "measured", "simulated".
[[nodiscard]] QString hardwareWord(const tune::Settings& settings);
/// "about 12 s", "about 3 min".
[[nodiscard]] QString durationText(double seconds);

}  // namespace hloscope::ui
