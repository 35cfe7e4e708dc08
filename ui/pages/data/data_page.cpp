#include "ui/pages/data/data_page.h"
#include "ui/pages/command_action.h"

#include <QAction>
#include <QButtonGroup>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/pages/data/data_sets_panel.h"
#include "ui/pages/data/evaluation_panel.h"
#include "ui/pages/data/models_panel.h"
#include "ui/pages/data/samples_panel.h"
#include "ui/pages/data/statistics_panel.h"
#include "ui/pages/data/training_form.h"
#include "ui/pages/data/training_panel.h"
#include "ui/shell/error_strip.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {
namespace {

constexpr int kMargin = 12;
constexpr int kGap = 8;

QSplitter* splitter(Qt::Orientation orientation) {
  auto* out = new QSplitter(orientation);
  out->setChildrenCollapsible(false);
  out->setHandleWidth(kGap);
  return out;
}

}  // namespace

DataPage::DataPage(TaskRunner& tasks, QWidget* parent) : Page(parent), tasks_(tasks) {
  strip_ = new ErrorStrip;
  sets_ = new DataSetsPanel(tasks_);
  training_ = new TrainingPanel(tasks_);
  form_ = new TrainingForm;
  statistics_ = new StatisticsPanel;
  samples_ = new SamplesPanel(tasks_);
  evaluation_ = new EvaluationPanel(tasks_);
  models_ = new ModelsPanel(tasks_);
  auto* centre = splitter(Qt::Vertical);
  centre->addWidget(training_);
  centre->addWidget(makeTabs());
  centre->setStretchFactor(0, 1);
  centre->setStretchFactor(1, 1);
  auto* all = splitter(Qt::Horizontal);
  all->addWidget(sets_);
  all->addWidget(centre);
  all->addWidget(form_);
  all->setStretchFactor(0, 5);
  all->setStretchFactor(1, 8);
  all->setStretchFactor(2, 3);
  all->setSizes({460, 770, 300});
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
  layout->setSpacing(kGap);
  layout->addWidget(strip_);
  layout->addWidget(all, 1);
  makeActions();
  connectPanels();
  follow();
}

Panel* DataPage::makeTabs() {
  const QString names[kTabCount] = {tr("Statistics"), tr("Evaluation"), tr("Models"),
                                    tr("Samples")};
  QWidget* pages[kTabCount] = {statistics_, evaluation_, models_, samples_};
  tab_panel_ = new Panel(tr("Data set and models"));
  tabs_ = new QButtonGroup(this);
  stack_ = new QStackedWidget;
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  for (int i = 0; i < kTabCount; ++i) {
    auto* choose = new QToolButton;
    choose->setText(names[i]);
    choose->setCheckable(true);
    tabs_->addButton(choose, i);
    layout->addWidget(choose);
    stack_->addWidget(pages[i]);
  }
  tab_panel_->addControl(row);
  tab_panel_->body()->addWidget(stack_, 1);
  connect(tabs_, &QButtonGroup::idClicked, this, [this](int tab) { showTab(Tab(tab)); });
  showTab(kStatistics);
  return tab_panel_;
}

void DataPage::showTab(Tab tab) {
  tabs_->button(tab)->setChecked(true);
  stack_->setCurrentIndex(tab);
}

void DataPage::makeActions() {
  const auto add = [this](const char* id, const QString& text, const QKeySequence& keys,
                          auto&& slot) {
    commands_ << addCommand(this, QString::fromLatin1(id), text, keys, slot);
  };
  commands_ = sets_->commands();
  add("data.train", tr("Train a model"), QKeySequence(Qt::CTRL | Qt::Key_R),
      [this] { form_->trainButton()->click(); });
  add("data.pause", tr("Pause or resume the training"), QKeySequence(Qt::CTRL | Qt::Key_Space),
      [this] {
        training_->state() == TrainingPanel::State::kPaused ? training_->resume()
                                                            : training_->pause();
      });
  add("data.keep", tr("Stop the training and keep the best"), {},
      [this] { training_->stopAndKeep(); });
  add("data.evaluate", tr("Evaluate models"), {}, [this] {
    showTab(kEvaluation);
    evaluation_->evaluate();
  });
  add("data.open_model", tr("Open model file…"), {}, [this] {
    showTab(kModels);
    models_->openDialog();
  });
}

void DataPage::connectPanels() {
  connect(sets_, &DataSetsPanel::currentChanged, this, &DataPage::follow);
  connect(sets_, &DataSetsPanel::detailsChanged, this, &DataPage::follow);
  connect(sets_, &DataSetsPanel::failed, this, &DataPage::showError);
  connect(sets_, &DataSetsPanel::unreadable, this, &DataPage::showUnreadable);
  connect(sets_, &DataSetsPanel::readable, this,
          [this](const QString& path) { strip_->remove("set:" + path); });
  connect(sets_, &DataSetsPanel::messageRequested, this, &DataPage::messageRequested);
  connect(form_, &TrainingForm::trainRequested, this, &DataPage::train);
  connect(training_, &TrainingPanel::stateChanged, this,
          [this] { form_->setLocked(training_->isBusy()); });
  connect(training_, &TrainingPanel::failed, this, &DataPage::showError);
  connect(training_, &TrainingPanel::messageRequested, this, &DataPage::messageRequested);
  connect(training_, &TrainingPanel::trained, this, [this](const QString& file) {
    models_->addFiles({file});
    evaluation_->tick(file);
    follow();
  });
  connect(sets_, &DataSetsPanel::undoOffered, this, &DataPage::offerUndo);
  connect(evaluation_, &EvaluationPanel::failed, this, &DataPage::showError);
  connect(evaluation_, &EvaluationPanel::compareRequested, this, &DataPage::compareEvaluated);
  connect(evaluation_, &EvaluationPanel::tickedChanged, this,
          [this] { samples_->setModels(evaluation_->ticked()); });
  connect(samples_, &SamplesPanel::failed, this, &DataPage::showError);
  connect(models_, &ModelsPanel::failed, this, &DataPage::showError);
  connect(models_, &ModelsPanel::cardsChanged, this,
          [this] { evaluation_->setModels(models_->cards()); });
  connect(models_, &ModelsPanel::useRequested, this, &DataPage::useModelRequested);
}

void DataPage::follow() {
  const db::DataSetSummary* set = sets_->current();
  const bool finished = set != nullptr && set->state == db::DataSetState::kFinished;
  QString why;
  if (set == nullptr) {
    why = tr("Open a data set, or make one: New, at the left.");
  } else if (!finished) {
    why = tr("This data set is not finished: the same generation goes on where it was.");
  }
  statistics_->setDetails(sets_->details(), set != nullptr ? set->info.task : data::Task::kFusion,
                          finished ? tr("Counting…") : why);
  samples_->setDataSet(sets_->currentPath(), set != nullptr ? set->info.task : data::Task::kFusion,
                       set != nullptr ? set->counts.graphs : 0, why);
  samples_->setModels(evaluation_->ticked());
  if (why.isEmpty() && sets_->split().isEmpty()) {
    why = tr("The data set has no split: make one under Split, at the left.");
  }
  const QString task =
      set == nullptr ? QString() : QString::fromUtf8(data::name(set->info.task).data());
  form_->setExamples(sets_->currentPath(), sets_->split(), why.isEmpty() ? whyNoTraining() : why);
  evaluation_->setExamples(sets_->currentPath(), sets_->split(), task, why);
}

QString DataPage::whyNoTraining() const {
  if (!sets_->details() || !sets_->details()->split) return {};
  for (const data::Statistics::Counts& part : sets_->details()->statistics.parts) {
    if (part.name == data::name(data::Part::kTrain) && part.graphs > 0) return {};
  }
  const bool is_layout = sets_->current()->info.task == data::Task::kLayout;
  return is_layout ? tr("Nothing of the split %1 is for training: choose \"held-out "
                        "configurations\" under Split, at the left.")
                         .arg(sets_->split())
                   : tr("Nothing of the split %1 is for training: choose or make another one under "
                        "Split, at the left.")
                         .arg(sets_->split());
}

void DataPage::train(const db::TrainingOrder& order) {
  strip_->remove(QStringLiteral("error"));
  training_->start(order);
}

void DataPage::showError(const Error& error) {
  ErrorStrip::Message message = messageOf(error);
  message.key = QStringLiteral("error");
  strip_->add(std::move(message));
}

void DataPage::showUnreadable(const QString& path, const Error& error) {
  ErrorStrip::Message message = messageOf(error);
  message.key = "set:" + path;
  message.action_text = tr("Retry");
  message.action = [this, path] { sets_->add({path}); };
  strip_->add(std::move(message));
}

void DataPage::offerUndo(const QString& text) {
  if (text.isEmpty()) return strip_->remove(QStringLiteral("change"));
  ErrorStrip::Message message;
  message.is_warning = true;
  message.text = text;
  message.hint = tr("Until the window closes, Undo (Ctrl+Z) takes it back.");
  message.key = QStringLiteral("change");
  message.action_text = tr("Undo");
  message.action = [this] { sets_->undo(); };
  strip_->add(std::move(message));
  emit messageRequested(text);
}

void DataPage::openDataSets(const QStringList& paths) {
  sets_->add(paths);
}

void DataPage::setReport(const ReportPtr& /*report*/) {}

void DataPage::setSelection(const Selection& /*selection*/) {}

void DataPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  models_->readBuiltin();
  models_->addFiles(std::exchange(pending_files_, {}));
}

QList<QAction*> DataPage::commands() const {
  return commands_;
}

QVariantMap DataPage::saveState() const {
  return {{QStringLiteral("sets"), sets_->paths()},
          {QStringLiteral("set"), sets_->currentPath()},
          {QStringLiteral("split"), sets_->split()},
          {QStringLiteral("models"), models_->files() + pending_files_},
          {QStringLiteral("tab"), stack_->currentIndex()},
          {QStringLiteral("form"), form_->saveState()}};
}

void DataPage::restoreState(const QVariantMap& state) {
  // Most are in the list already, and being read.
  const QStringList listed = sets_->paths();
  QStringList sets = state[QStringLiteral("sets")].toStringList();
  sets.removeIf([&listed](const QString& path) { return listed.contains(path); });
  sets_->add(sets);
  sets_->select(state[QStringLiteral("set")].toString());
  sets_->setSplit(state[QStringLiteral("split")].toString());
  // Files that are gone would only be errors.
  for (const QString& file : state[QStringLiteral("models")].toStringList()) {
    if (QFileInfo::exists(file)) pending_files_ << file;
  }
  if (isVisible()) models_->addFiles(std::exchange(pending_files_, {}));
  showTab(Tab(std::clamp(state[QStringLiteral("tab")].toInt(), 0, kTabCount - 1)));
  form_->restoreState(state[QStringLiteral("form")].toMap());
}

}  // namespace hloscope::ui
