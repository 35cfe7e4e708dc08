#pragma once

#include <QWidget>
#include <optional>

#include "core/tune/settings.h"
#include "ui/pages/page.h"
#include "ui/pages/tune/tune_work.h"

class QButtonGroup;
class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QRadioButton;
class QSpinBox;

namespace hloscope::ui {

/// The form of a new session. What makes no sense is said in place, and cannot be started.
class SessionForm : public QWidget {
  Q_OBJECT
 public:
  explicit SessionForm(QWidget* parent = nullptr);

  /// Null: no program is open, and only then the form is off.
  void setReport(const ReportPtr& report);
  /// The kernel of the window's selection is the one to tune.
  void setKernel(graph::KernelId kernel);
  [[nodiscard]] tune::Settings settings() const;
  void setSettings(const tune::Settings& settings);
  /// Of settings(), or why they cannot be started. Answers spaceWanted().
  void setSpace(const Result<SpaceFacts>& space);
  /// Counting was cancelled: a session can be started all the same.
  void setSpaceUnknown();
  /// Why no session can be stored; empty: it can.
  void setBlocked(const QString& reason);
  /// So many trials a second in earlier sessions of the kind; 0: not known.
  void setTrialRate(double trials_per_s);

  [[nodiscard]] bool canStart() const;
  [[nodiscard]] QString problemText() const;
  [[nodiscard]] QString commandText() const;
  [[nodiscard]] QString estimateText() const;
  void focusFirst();

 signals:
  void startRequested(const hloscope::tune::Settings& settings);
  void queueRequested(const hloscope::tune::Settings& settings);
  /// The settings have changed: how large is the space?
  void spaceWanted(const hloscope::tune::Settings& settings);
  void copied();

 private:
  enum class Way { kModelFirst, kMeasureOnly, kModelOnly };

  // session_form_layout.cpp
  void makeTarget(QFormLayout& form);
  void makeSearch(QFormLayout& form);
  void makeEvaluator(QFormLayout& form);
  void makeBudget(QFormLayout& form);
  QWidget* makeFooter();
  void connectFields();
  void setNames();

  // session_form_fields.cpp
  void showFields();
  void fillKernels();
  void fillMeasure();
  void useDefaults();
  /// A built-in one, or files with commas between; empty: that of the machine.
  void useModel(const QString& name);
  void chooseModelFiles();

  void changed();
  void refresh();
  void refreshTexts();
  [[nodiscard]] tune::SpaceKind spaceKind() const;
  [[nodiscard]] tune::StrategyKind strategyKind() const;
  [[nodiscard]] Way way() const;
  [[nodiscard]] std::optional<tune::EvaluatorSettings> measureSettings() const;
  [[nodiscard]] tune::EvaluatorSettings searchSettings() const;

  ReportPtr report_;
  bool filling_ = false;
  ReportPtr space_of_;  ///< What spaceWanted() was last asked of.
  std::optional<tune::Settings> space_settings_;
  bool space_known_ = false;
  SpaceFacts space_;
  QString space_error_;
  bool space_cancelled_ = false;
  QString blocked_;
  double trials_per_s_ = 0;

  QFormLayout* form_ = nullptr;
  QComboBox* tune_;
  QComboBox* kernel_;
  QLabel* space_text_;
  QComboBox* strategy_;
  QWidget* cooling_row_;
  QDoubleSpinBox* temperature_;
  QDoubleSpinBox* cooling_;
  QSpinBox* restarts_;
  QSpinBox* population_;
  QDoubleSpinBox* mutation_;
  QWidget* start_row_;
  QRadioButton* from_default_;
  QRadioButton* from_random_;
  QWidget* seed_row_;
  QSpinBox* seed_;
  QPushButton* new_seed_;
  QWidget* way_box_;
  QButtonGroup* way_;
  QComboBox* search_;
  QComboBox* model_;
  QWidget* top_row_;
  QSpinBox* top_;
  QSpinBox* refine_;
  tune::DefaultTiles default_tiles_ = {};  ///< Of a session that is run again.
  QComboBox* measure_;
  QWidget* hardware_row_;
  QDoubleSpinBox* compile_;
  QSpinBox* repeats_;
  QSpinBox* trials_;
  QCheckBox* no_trials_;
  QDoubleSpinBox* time_;
  QCheckBox* no_time_;
  QDoubleSpinBox* hardware_;
  QCheckBox* no_hardware_;
  QLabel* estimate_;
  QLabel* problem_;
  QPushButton* start_;
  QPushButton* queue_;
  QPlainTextEdit* command_;
};

}  // namespace hloscope::ui
