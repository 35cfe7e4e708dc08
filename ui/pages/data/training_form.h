#pragma once

#include <QVariantMap>

#include "db/training_session.h"
#include "ui/theme/panel.h"

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace hloscope::ui {

class ElidedLabel;

/// What a training is made with. Locked while one runs.
class TrainingForm : public Panel {
  Q_OBJECT
 public:
  explicit TrainingForm(QWidget* parent = nullptr);

  /// What is learned from; `why` says what is missing, or is empty.
  void setExamples(const QString& file, const QString& split, const QString& why);
  void setLocked(bool locked);
  [[nodiscard]] db::TrainingOrder order() const;
  void reset();
  [[nodiscard]] QVariantMap saveState() const;
  void restoreState(const QVariantMap& state);
  [[nodiscard]] QPushButton* trainButton() const { return train_; }

 signals:
  void trainRequested(const hloscope::db::TrainingOrder& order);

 private:
  void addModel(QFormLayout& form);
  void addNumbers(QFormLayout& form);
  void addOutput(QFormLayout& form);
  void addButtons();
  QSpinBox* number(const QString& name, const QString& help, int low, int high);
  void chooseOutput();
  void updateTexts();

  QString file_;
  QString split_;
  QString why_;
  bool locked_ = false;
  bool own_output_ = false;  ///< The user chose it.
  QWidget* fields_;
  ElidedLabel* examples_;
  QComboBox* preset_;
  QLineEdit* options_;
  QLineEdit* output_;
  QSpinBox* steps_;
  QDoubleSpinBox* rate_;
  QSpinBox* nodes_;
  QSpinBox* configurations_;
  QSpinBox* every_;
  QSpinBox* patience_;
  QSpinBox* seed_;
  QSpinBox* threads_;
  QLabel* note_;
  QPushButton* train_;
  QPushButton* reset_;
};

}  // namespace hloscope::ui
