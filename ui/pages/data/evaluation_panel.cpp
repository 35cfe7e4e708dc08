#include "ui/pages/data/evaluation_panel.h"

#include <QApplication>
#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/models/plain_table_view.h"
#include "ui/pages/data/control_row.h"
#include "ui/pages/data/example_split.h"
#include "ui/pages/data/models_panel.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"
#include "ui/theme/icons.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {
namespace {

using Values = std::vector<std::optional<double>>;
using EvaluationPtr = std::shared_ptr<const db::Evaluation>;

QString metricTitle(const db::EvaluationMetric& metric) {
  QString title =
      QString::fromUtf8(metric.title.data(), static_cast<qsizetype>(metric.title.size()));
  title.replace(QStringLiteral("tau"), QStringLiteral("τ"))
      .replace(QStringLiteral(">="), QStringLiteral("≥"));
  return metric.is_fraction ? title + QStringLiteral(", %") : title;
}

QString metricHelp(const db::EvaluationMetric& metric) {
  const QString better = metric.is_better_high ? EvaluationPanel::tr("more is better")
                                               : EvaluationPanel::tr("less is better");
  if (metric.title == "program") {
    return EvaluationPanel::tr("Error of the sum over a program's kernels; %1").arg(better);
  }
  if (metric.title.starts_with("top")) {
    return EvaluationPanel::tr(
               "Slowdown of the fastest of the first so many; over those with 10 configurations or "
               "more; %1")
        .arg(better);
  }
  return better;
}

QString valueText(const db::EvaluationMetric& metric, std::optional<double> value) {
  if (!value) return noValue();
  return metric.is_fraction ? formatNumber(*value * 100, 1) : formatNumber(*value, 3);
}

bool isBetter(const db::EvaluationMetric& metric, double a, double b) {
  return metric.is_better_high ? a > b : a < b;
}

/// The best of some values; empty where none is known.
std::optional<double> best(const db::EvaluationMetric& metric, const Values& values) {
  std::optional<double> out;
  for (const auto& value : values) {
    if (value && (!out || isBetter(metric, *value, *out))) out = value;
  }
  return out;
}

QString modelTitle(const db::EvaluatedModel& model) {
  const QString name = QString::fromStdString(model.name);
  return name.contains('/') ? QFileInfo(name).fileName() : name;
}

QString strangerNote() {
  return EvaluationPanel::tr(
      "Trained with another data set or split: it may know kernels of this part");
}

/// A column of one metric: cells by row, the best of `bold` marked.
PlainColumn valueColumn(const QString& title, const db::EvaluationMetric& metric, Values values,
                        std::vector<std::optional<double>> bold) {
  PlainColumn column{.title = title, .is_number = true, .text = {}};
  column.help = metricHelp(metric);
  for (const auto& value : values) {
    column.keys.push_back(value.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  column.text = [metric, values](size_t row) { return valueText(metric, values[row]); };
  column.look = [values, bold = std::move(bold)](size_t row, int role) -> QVariant {
    if (role == Qt::FontRole && values[row] && values[row] == bold[row]) return boldFont();
    return {};
  };
  return column;
}

PlainTable byModel(const EvaluationPtr& evaluation) {
  const db::Evaluation& of = *evaluation;
  PlainTable table;
  table.rows = of.models.size();
  PlainColumn names{.title = EvaluationPanel::tr("Model"), .text = {}};
  names.text = [evaluation](size_t row) {
    const db::EvaluatedModel& model = evaluation->models[row];
    return modelTitle(model) + (model.trained_with_this_split ? QString() : QStringLiteral(" *"));
  };
  names.look = [evaluation](size_t row, int role) -> QVariant {
    if (role != Qt::ToolTipRole) return {};
    const db::EvaluatedModel& model = evaluation->models[row];
    const QString name = QString::fromStdString(model.name);
    return model.trained_with_this_split ? name : name + "\n* " + strangerNote();
  };
  table.columns.push_back(std::move(names));
  PlainColumn kinds{.title = EvaluationPanel::tr("Kind"), .text = {}};
  kinds.text = [evaluation](size_t row) {
    return QString::fromStdString(evaluation->models[row].kind);
  };
  table.columns.push_back(std::move(kinds));
  for (size_t m = 0; m < of.metrics.size(); ++m) {
    Values values;
    for (const db::EvaluatedModel& model : of.models) values.push_back(model.values[m]);
    const Values bold(values.size(), best(of.metrics[m], values));
    table.columns.push_back(
        valueColumn(metricTitle(of.metrics[m]), of.metrics[m], std::move(values), bold));
  }
  table.search.resize(table.rows);
  return table;
}

/// One metric: programs down, models across, all programs at the end.
PlainTable byProgram(const EvaluationPtr& evaluation, size_t m) {
  const db::Evaluation& of = *evaluation;
  const size_t programs = of.programs.size();
  PlainTable table;
  table.rows = programs + 1;
  PlainColumn names{.title = EvaluationPanel::tr("Program"), .text = {}};
  names.text = [evaluation, programs](size_t row) {
    return row < programs ? QString::fromStdString(evaluation->programs[row])
                          : EvaluationPanel::tr("all of part %1")
                                .arg(QString::fromStdString(evaluation->part));
  };
  names.look = [programs](size_t row, int role) {
    return role == Qt::FontRole && row == programs ? QVariant(boldFont()) : QVariant();
  };
  table.columns.push_back(std::move(names));
  PlainColumn counts{.title = EvaluationPanel::tr("Kernels"), .is_number = true, .text = {}};
  counts.text = [evaluation, programs](size_t row) {
    return formatCount(static_cast<int64_t>(row < programs ? evaluation->program_examples[row]
                                                           : evaluation->examples));
  };
  table.columns.push_back(std::move(counts));
  const auto value = [&of, m, programs](const db::EvaluatedModel& model, size_t row) {
    return row < programs ? model.programs[row][m] : model.values[m];
  };
  Values bold(table.rows);
  for (size_t row = 0; row < table.rows; ++row) {
    Values values;
    for (const db::EvaluatedModel& model : of.models) values.push_back(value(model, row));
    bold[row] = best(of.metrics[m], values);
  }
  for (const db::EvaluatedModel& model : of.models) {
    Values values;
    for (size_t row = 0; row < table.rows; ++row) values.push_back(value(model, row));
    table.columns.push_back(valueColumn(modelTitle(model), of.metrics[m], std::move(values), bold));
  }
  table.search.resize(table.rows);
  return table;
}

}  // namespace

EvaluationPanel::EvaluationPanel(TaskRunner& tasks, QWidget* parent)
    : QWidget(parent), tasks_(tasks) {
  part_ = new QComboBox;
  part_->setAccessibleName(tr("Part"));
  for (const char* part : {"test", "valid", "train"}) part_->addItem(QString::fromLatin1(part));
  models_ = new QToolButton;
  models_->setPopupMode(QToolButton::InstantPopup);
  menu_ = new QMenu(this);
  models_->setMenu(menu_);
  view_ = new QComboBox;
  view_->setAccessibleName(tr("Shown"));
  view_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  evaluate_ = new QPushButton(icon(Icon::kPlay), tr("Evaluate"));
  note_ = mutedLabel(QString());
  note_->setWordWrap(true);
  note_->setContentsMargins(8, 4, 8, 4);
  table_ = new PlainTableView(tr("Evaluation"));
  auto* row = controlRow();
  row->addWidget(mutedLabel(tr("Part"), false));
  row->addWidget(part_);
  row->addWidget(models_);
  row->addWidget(evaluate_);
  row->addStretch(1);
  row->addWidget(view_);
  setRowOverBody(this, row, table_);
  layout()->addWidget(note_);
  connect(evaluate_, &QPushButton::clicked, this, &EvaluationPanel::evaluate);
  connect(view_, &QComboBox::currentIndexChanged, this, &EvaluationPanel::show);
  connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) {
    // With Ctrl and Shift rows are selected, to be copied.
    if (QApplication::keyboardModifiers() == Qt::NoModifier) emit compareRequested(placeAt(index));
  });
  fillMenu();
  fillViews();
  updateTexts();
}

EvaluationPanel::Place EvaluationPanel::placeAt(const QModelIndex& index) const {
  if (!evaluation_ || !index.isValid()) return {};
  const size_t row = table_->table()->rowOf(index);
  if (view_->currentIndex() == 0) return {{}, &evaluation_->models[row]};
  Place place;
  if (row < evaluation_->programs.size()) {
    place.program = QString::fromStdString(evaluation_->programs[row]);
  }
  // Names and counts stand before the models.
  const int model = std::max(0, index.column() - 2);
  place.model = &evaluation_->models[static_cast<size_t>(model)];
  return place;
}

void EvaluationPanel::setExamples(const QString& file, const QString& split, const QString& task,
                                  const QString& why) {
  const bool other_task = task != task_;
  file_ = file;
  split_ = split;
  task_ = task;
  why_ = why;
  if (other_task) fillMenu();
  updateTexts();
}

void EvaluationPanel::setModels(const std::vector<predict::ModelCard>& cards) {
  cards_ = cards;
  fillMenu();
  emit tickedChanged();
}

void EvaluationPanel::tick(const QString& model) {
  if (!ticked_.contains(model)) ticked_ << model;
  fillMenu();
  emit tickedChanged();
}

QStringList EvaluationPanel::ticked() const {
  QStringList out;
  for (const predict::ModelCard& card : cards_) {
    const QString name = QString::fromStdString(card.name);
    if (QString::fromStdString(card.task) == task_ && ticked_.contains(name)) out << name;
  }
  return out;
}

void EvaluationPanel::fillMenu() {
  menu_->clear();
  for (const predict::ModelCard& card : cards_) {
    if (QString::fromStdString(card.task) != task_) continue;
    const QString name = QString::fromStdString(card.name);
    QAction* action = menu_->addAction(modelName(card));
    action->setToolTip(name);
    action->setCheckable(true);
    action->setChecked(ticked_.contains(name));
    connect(action, &QAction::toggled, this, [this, name](bool on) {
      ticked_.removeAll(name);
      if (on) ticked_ << name;
      updateTexts();
      emit tickedChanged();
    });
  }
  if (menu_->isEmpty())
    menu_->addAction(tr("No model has the task of this data set"))->setEnabled(false);
  menu_->setToolTipsVisible(true);
  updateTexts();
}

void EvaluationPanel::fillViews() {
  const int before = view_->currentIndex();
  const QSignalBlocker blocker(view_);
  view_->clear();
  view_->addItem(tr("all metrics"));
  if (evaluation_) {
    for (const db::EvaluationMetric& metric : evaluation_->metrics) {
      view_->addItem(tr("by program: %1").arg(metricTitle(metric)));
    }
  }
  view_->setCurrentIndex(before >= 0 && before < view_->count() ? before : 0);
  view_->setEnabled(evaluation_ != nullptr);
}

void EvaluationPanel::evaluate() {
  db::EvaluationOrder order;
  order.examples = exampleChoice(file_, split_);
  order.part = part_->currentText().toStdString();
  for (const QString& model : ticked()) order.models.push_back(model.toStdString());
  tasks_.run<Result<db::Evaluation>>(
      {.label = tr("Evaluating on %1").arg(QFileInfo(file_).fileName()),
       .key = QStringLiteral("data.evaluate")},
      [order](const Progress& progress) { return db::evaluate_models(order, progress); }, this,
      [this, file = file_](Result<db::Evaluation> evaluation) {
        if (!evaluation) {
          emit failed(evaluation.error());
          return;
        }
        evaluation_ = std::make_shared<const db::Evaluation>(std::move(*evaluation));
        evaluated_file_ = file;
        fillViews();
        show();
      });
}

void EvaluationPanel::show() {
  if (!evaluation_) return table_->setTable({});
  const int view = view_->currentIndex();
  std::vector<int> widths = {view == 0 ? 240 : 200, 84};
  widths.resize(2 + evaluation_->metrics.size() + evaluation_->models.size(), view == 0 ? 92 : 180);
  table_->setColumnWidths(std::move(widths));
  table_->setTable({});
  table_->setTable(view == 0 ? byModel(evaluation_)
                             : byProgram(evaluation_, static_cast<size_t>(view - 1)));
  updateTexts();
}

void EvaluationPanel::updateTexts() {
  const auto count = ticked().size();
  models_->setText(count == 0 ? tr("Models: controls only") : tr("Models: %1").arg(count));
  models_->setToolTip(tr("Which models are compared; controls are always among them"));
  evaluate_->setEnabled(why_.isEmpty());
  evaluate_->setToolTip(why_);
  table_->setEmptyText(
      why_.isEmpty()
          ? tr("Press Evaluate: errors and ranks of the ticked models, of the analytical "
               "model, also scaled by class, and of a linear regression.")
          : why_);
  if (!evaluation_) return note_->hide();
  QStringList parts = {tr("A click compares the times of a row. %1: %2 times, split %3, part %4, "
                          "%5 examples; bold: best")
                           .arg(QFileInfo(evaluated_file_).fileName(),
                                QString::fromStdString(evaluation_->label),
                                QString::fromStdString(evaluation_->split),
                                QString::fromStdString(evaluation_->part),
                                formatCount(static_cast<int64_t>(evaluation_->examples)))};
  for (const db::EvaluatedModel& model : evaluation_->models) {
    if (model.trained_with_this_split) continue;
    parts << QStringLiteral("* ") + strangerNote();
    break;
  }
  note_->setText(parts.join(QStringLiteral(". ")));
  note_->show();
}

}  // namespace hloscope::ui
