#pragma once

#include <Qt>

namespace hloscope::ui {

/// Roles that the delegates of ui/models read, whatever the model.
enum ItemRole {
  kValueRole = Qt::UserRole,  ///< double in SI units; NaN = none.
  kOpClassRole,               ///< int of hlo::OpClass; absent: no letter.
  kLabelRole,                 ///< Shown in grey behind the name.
};

}  // namespace hloscope::ui
