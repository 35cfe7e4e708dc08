#pragma once

#include <QDialog>

#include "core/tune/settings.h"
#include "core/tune/trial_store.h"

class QCheckBox;
class QDoubleSpinBox;
class QSpinBox;

namespace hloscope::ui {

/// Asks for the new whole budget of a session.
class ExtendDialog : public QDialog {
  Q_OBJECT
 public:
  ExtendDialog(const tune::Budget& budget, const tune::SessionState& spent,
               QWidget* parent = nullptr);
  [[nodiscard]] tune::Budget budget() const;

 private:
  QSpinBox* trials_;
  QCheckBox* no_trials_;
  QDoubleSpinBox* time_;
  QCheckBox* no_time_;
  QDoubleSpinBox* hardware_;
  QCheckBox* no_hardware_;
};

}  // namespace hloscope::ui
