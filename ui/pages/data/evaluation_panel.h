#pragma once

#include <QStringList>
#include <QWidget>
#include <memory>
#include <vector>

#include "core/predict/model_card.h"
#include "db/evaluate_models.h"
#include "ui/tasks/task_runner.h"

class QComboBox;
class QLabel;
class QMenu;
class QPushButton;
class QToolButton;

namespace hloscope::ui {

class PlainTableView;

/// Models and controls on a part of a data set: all of it by every metric, or program by program by
/// one. The best of each is bold.
class EvaluationPanel : public QWidget {
  Q_OBJECT
 public:
  explicit EvaluationPanel(TaskRunner& tasks, QWidget* parent = nullptr);

  /// What can be evaluated; `why` says what is missing, or is empty.
  void setExamples(const QString& file, const QString& split, const QString& task,
                   const QString& why);
  void setModels(const std::vector<predict::ModelCard>& cards);
  /// Marks a model to be evaluated.
  void tick(const QString& model);
  void evaluate();
  [[nodiscard]] const std::shared_ptr<const db::Evaluation>& evaluation() const {
    return evaluation_;
  }
  [[nodiscard]] PlainTableView* table() const { return table_; }
  [[nodiscard]] QComboBox* view() const { return view_; }

  /// What stands in a row and column of the table. Both may be empty.
  struct Place {
    QString program;
    const db::EvaluatedModel* model = nullptr;
  };
  [[nodiscard]] Place placeAt(const QModelIndex& index) const;
  /// Models of the task that are to be evaluated.
  [[nodiscard]] QStringList ticked() const;

 signals:
  void tickedChanged();
  void failed(const hloscope::Error& error);
  /// A row was clicked: whose times are to be seen beside the true ones.
  void compareRequested(const hloscope::ui::EvaluationPanel::Place& place);

 private:
  void fillMenu();
  void fillViews();
  void show();
  void updateTexts();

  TaskRunner& tasks_;
  QString file_;
  QString split_;
  QString task_;
  QString why_;
  std::vector<predict::ModelCard> cards_;
  QStringList ticked_;
  std::shared_ptr<const db::Evaluation> evaluation_;
  QString evaluated_file_;
  QComboBox* part_;
  QToolButton* models_;
  QMenu* menu_;
  QComboBox* view_;
  QPushButton* evaluate_;
  QLabel* note_;
  PlainTableView* table_;
};

}  // namespace hloscope::ui
