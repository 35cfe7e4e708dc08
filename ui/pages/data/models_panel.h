#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "core/predict/model_card.h"
#include "ui/tasks/task_runner.h"

class QLabel;
class QPushButton;

namespace hloscope::ui {

class PlainTableView;

/// The models that are built in and those of files, with the card of the chosen one.
class ModelsPanel : public QWidget {
  Q_OBJECT
 public:
  explicit ModelsPanel(TaskRunner& tasks, QWidget* parent = nullptr);

  /// Reads the built-in ones, once.
  void readBuiltin();
  void addFiles(const QStringList& paths);
  [[nodiscard]] QStringList files() const;
  [[nodiscard]] const std::vector<predict::ModelCard>& cards() const { return *cards_; }
  [[nodiscard]] PlainTableView* list() const { return list_; }
  [[nodiscard]] PlainTableView* card() const { return card_; }
  /// Uses the chosen one.
  void use();
  void openDialog();

 signals:
  void cardsChanged();
  /// The window is to predict times with it.
  void useRequested(const QString& model);
  void failed(const hloscope::Error& error);

 private:
  void put(predict::ModelCard card);
  void showList();
  void showCard();
  [[nodiscard]] const predict::ModelCard* chosen() const;

  TaskRunner& tasks_;
  std::shared_ptr<const std::vector<predict::ModelCard>> cards_ =
      std::make_shared<const std::vector<predict::ModelCard>>();
  bool builtin_read_ = false;
  QString used_;
  PlainTableView* list_;
  PlainTableView* card_;
  QPushButton* use_;
  QLabel* note_;
};

/// Of a built-in model its name, of a file that without folder.
[[nodiscard]] QString modelName(const predict::ModelCard& card);

}  // namespace hloscope::ui
