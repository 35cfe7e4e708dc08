#pragma once

#include <QFont>

namespace hloscope::ui {

/// The system font at 9 pt (12 px), in which all text without another font is set.
[[nodiscard]] QFont uiFont();
/// The same in demi-bold.
[[nodiscard]] QFont boldFont();
/// 11 px: footers, units, table headers.
[[nodiscard]] QFont smallFont();
/// Demi-bold of another size; 14 px: headline of a page, 24 px: title of the start page.
[[nodiscard]] QFont headlineFont(int pixels = 14);
/// The system's fixed font; 11 px: HLO text, 10 px: shapes in docks, 9.5 px: shapes in nodes.
[[nodiscard]] QFont monoFont(double pixels = 11);

}  // namespace hloscope::ui
