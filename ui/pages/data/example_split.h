#pragma once

#include <QString>

#include "db/training_session.h"

namespace hloscope::ui {

/// Stands for a split where there is none by program: a fifth of the configurations of each graph
/// is held out, of data sets of layouts (db::ExampleChoice::hold_out_configurations).
[[nodiscard]] QString heldOut();

/// The data set with this split, or with held-out configurations.
[[nodiscard]] db::ExampleChoice exampleChoice(const QString& file, const QString& split);

}  // namespace hloscope::ui
