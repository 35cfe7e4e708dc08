#pragma once

class QWidget;

namespace hloscope::ui {

/// Gives every button and every label of a field in a dialog a letter for Alt of its own, where one
/// is free; letters that texts have already stay. To be called when all of them are there.
void assignMnemonics(const QWidget& dialog);

}  // namespace hloscope::ui
