#pragma once

#include "core/analysis/compare_pairs.h"
#include "ui/pages/data/evaluation_panel.h"
#include "ui/pages/page.h"

class QButtonGroup;
class QStackedWidget;

namespace hloscope::db {
struct TrainingOrder;
}

namespace hloscope::ui {

class DataSetsPanel;
class ErrorStrip;
class ModelsPanel;
class SamplesPanel;
class Panel;
class StatisticsPanel;
class TrainingForm;
class TrainingPanel;

/// The page "Data": data sets and their splits, training with live curves, evaluation, models.
class DataPage : public Page {
  Q_OBJECT
 public:
  enum Tab { kStatistics, kEvaluation, kModels, kSamples, kTabCount };

  explicit DataPage(TaskRunner& tasks, QWidget* parent = nullptr);

  [[nodiscard]] QString id() const override { return QStringLiteral("data"); }
  [[nodiscard]] QString title() const override { return tr("Data"); }
  [[nodiscard]] Icon pageIcon() const override { return Icon::kColumns; }

  void setReport(const ReportPtr& report) override;
  void setSelection(const Selection& selection) override;
  [[nodiscard]] QVariantMap saveState() const override;
  void restoreState(const QVariantMap& state) override;
  [[nodiscard]] QList<QAction*> commands() const override;

  void showTab(Tab tab);
  void openDataSets(const QStringList& paths);

  [[nodiscard]] DataSetsPanel* dataSets() const { return sets_; }
  [[nodiscard]] TrainingPanel* training() const { return training_; }
  [[nodiscard]] TrainingForm* form() const { return form_; }
  [[nodiscard]] StatisticsPanel* statistics() const { return statistics_; }
  [[nodiscard]] EvaluationPanel* evaluation() const { return evaluation_; }
  [[nodiscard]] ModelsPanel* models() const { return models_; }
  [[nodiscard]] SamplesPanel* samples() const { return samples_; }
  [[nodiscard]] ErrorStrip* strip() const { return strip_; }

 signals:
  /// A built-in model or a file is to predict the times of what is opened.
  void useModelRequested(const QString& model);
  /// Two sources of times are to be compared, of a program (a file; empty: of what is open).
  /// `model` predicts one of them; it may be empty.
  void compareRequested(const QString& file, const QString& model, hloscope::analysis::PairSource x,
                        hloscope::analysis::PairSource y);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  Panel* makeTabs();
  void makeActions();
  void connectPanels();
  void follow();
  /// Empty, or why nothing can be learned from the chosen split.
  [[nodiscard]] QString whyNoTraining() const;
  void train(const db::TrainingOrder& order);
  void showError(const Error& error);
  void showUnreadable(const QString& path, const Error& error);
  void offerUndo(const QString& text);
  // data_page_compare.cpp
  void compareEvaluated(const EvaluationPanel::Place& place);
  /// Of a program of the data set that is chosen; empty where it is not found.
  [[nodiscard]] QString fileOf(const QString& program) const;

  TaskRunner& tasks_;
  ErrorStrip* strip_;
  DataSetsPanel* sets_;
  TrainingPanel* training_;
  TrainingForm* form_;
  QStackedWidget* stack_ = nullptr;
  QButtonGroup* tabs_ = nullptr;
  Panel* tab_panel_ = nullptr;
  StatisticsPanel* statistics_;
  EvaluationPanel* evaluation_;
  ModelsPanel* models_;
  SamplesPanel* samples_;
  QStringList pending_files_;  ///< Models of the last session, read when the page is shown.
  QList<QAction*> commands_;
};

}  // namespace hloscope::ui
