#include "ui/pages/data/training_form.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/pages/data/example_split.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/icons.h"

namespace hloscope::ui {
namespace {

constexpr int kFieldWidth = 80;

}  // namespace

TrainingForm::TrainingForm(QWidget* parent) : Panel(tr("Train a model"), parent) {
  fields_ = new QWidget;
  auto* form = new QFormLayout(fields_);
  form->setContentsMargins(10, 8, 10, 8);
  form->setSpacing(6);
  form->setLabelAlignment(Qt::AlignRight | Qt::AlignVCenter);
  form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
  addModel(*form);
  addNumbers(*form);
  addOutput(*form);
  auto* scroll = new QScrollArea;
  scroll->setWidget(fields_);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);  // The fields have it.
  scroll->setMinimumWidth(fields_->minimumSizeHint().width());
  scroll->viewport()->setAutoFillBackground(false);
  fields_->setAutoFillBackground(false);
  body()->addWidget(scroll, 1);
  addButtons();
  reset();
  updateTexts();
}

void TrainingForm::addModel(QFormLayout& form) {
  examples_ = new ElidedLabel;
  // Fields that may be ignored get no width in a form.
  examples_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  examples_->setMinimumWidth(kFieldWidth);
  form.addRow(tr("Learn from"), examples_);
  preset_ = new QComboBox;
  for (const std::string& name : db::training_presets()) {
    preset_->addItem(QString::fromStdString(name));
  }
  preset_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  preset_->setMinimumContentsLength(11);
  preset_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  preset_->setAccessibleName(tr("Architecture"));
  preset_->setToolTip(tr("The architecture of the model"));
  form.addRow(tr("Architecture"), preset_);
  options_ = new QLineEdit;
  options_->setAccessibleName(tr("Differences"));
  options_->setPlaceholderText(tr("none"));
  options_->setToolTip(
      tr("JSON of what differs from the architecture, as --model-options of hloscope-cli train "
         "takes it, e.g. {\"hidden_width\": 64}"));
  form.addRow(tr("Differences"), options_);
}

void TrainingForm::addNumbers(QFormLayout& form) {
  const auto add = [this, &form](const QString& name, const QString& help, int low, int high) {
    QSpinBox* box = number(name, help, low, high);
    form.addRow(name, box);
    return box;
  };
  steps_ = add(tr("Steps"), tr("At most"), 1, 10'000'000);
  rate_ = new QDoubleSpinBox;
  rate_->setDecimals(5);
  rate_->setRange(0.00001, 1);
  rate_->setSingleStep(0.0005);
  rate_->setAccessibleName(tr("Learning rate"));
  rate_->setToolTip(tr("The greatest one"));
  rate_->setMinimumWidth(kFieldWidth);
  rate_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  form.addRow(tr("Learning rate"), rate_);
  nodes_ = add(tr("Batch, nodes"), tr("About"), 1, 10'000'000);
  configurations_ = add(tr("Configurations"),
                        tr("Of tiles and layouts: of a kernel in a batch, at most"), 2, 1024);
  every_ = add(tr("Evaluate every"), tr("Steps; a checkpoint is written as well"), 1, 1'000'000);
  patience_ = add(tr("Patience"), tr("Evaluations without a better one until the end; 0: no limit"),
                  0, 100'000);
  seed_ = add(tr("Seed"), tr("Of parameters and batches"), 0, 2'000'000'000);
  threads_ = add(tr("Threads"), tr("They do not change the result"), 0, 256);
  threads_->setSpecialValueText(tr("all"));
}

void TrainingForm::addOutput(QFormLayout& form) {
  auto* output = new QWidget;
  auto* row = new QHBoxLayout(output);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(4);
  output_ = new QLineEdit;
  output_->setAccessibleName(tr("Model file"));
  auto* browse = new QToolButton;
  browse->setIcon(icon(Icon::kFolder));
  browse->setToolTip(tr("Choose the file"));
  browse->setAccessibleName(tr("Choose the file"));
  row->addWidget(output_, 1);
  row->addWidget(browse);
  form.addRow(tr("Model file"), output);
  connect(browse, &QToolButton::clicked, this, &TrainingForm::chooseOutput);
  connect(output_, &QLineEdit::textEdited, this, [this] { own_output_ = true; });
  connect(output_, &QLineEdit::textChanged, this, &TrainingForm::updateTexts);
}

void TrainingForm::addButtons() {
  note_ = mutedLabel(QString());
  note_->setWordWrap(true);
  note_->setContentsMargins(10, 4, 10, 4);
  body()->addWidget(note_);
  auto* row = new QWidget;
  auto* buttons = new QHBoxLayout(row);
  buttons->setContentsMargins(10, 6, 10, 8);
  train_ = new QPushButton(icon(Icon::kPlay), tr("Train"));
  train_->setDefault(true);
  reset_ = new QPushButton(tr("Reset"));
  reset_->setToolTip(tr("The values that hloscope-cli train uses"));
  buttons->addWidget(train_);
  buttons->addWidget(reset_);
  buttons->addStretch(1);
  body()->addWidget(row);
  connect(train_, &QPushButton::clicked, this, [this] { emit trainRequested(order()); });
  connect(reset_, &QPushButton::clicked, this, &TrainingForm::reset);
}

QSpinBox* TrainingForm::number(const QString& name, const QString& help, int low, int high) {
  auto* box = new QSpinBox;
  box->setRange(low, high);
  box->setAccessibleName(name);
  box->setToolTip(help);
  // Their own hint has room for the greatest number.
  box->setMinimumWidth(kFieldWidth);
  box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  return box;
}

void TrainingForm::reset() {
  const db::TrainingOrder defaults;
  preset_->setCurrentText(QString::fromStdString(defaults.preset));
  options_->clear();
  steps_->setValue(static_cast<int>(defaults.steps));
  rate_->setValue(defaults.learning_rate);
  nodes_->setValue(static_cast<int>(defaults.batch_nodes));
  configurations_->setValue(static_cast<int>(defaults.configurations));
  every_->setValue(static_cast<int>(defaults.evaluate_every));
  patience_->setValue(static_cast<int>(defaults.patience));
  seed_->setValue(static_cast<int>(defaults.seed));
  threads_->setValue(static_cast<int>(defaults.threads));
}

db::TrainingOrder TrainingForm::order() const {
  db::TrainingOrder order;
  order.examples = exampleChoice(file_, split_);
  order.preset = preset_->currentText().toStdString();
  order.model_options = options_->text().trimmed().toStdString();
  order.output = output_->text().toStdString();
  order.seed = static_cast<uint64_t>(seed_->value());
  order.steps = static_cast<uint64_t>(steps_->value());
  order.batch_nodes = static_cast<uint64_t>(nodes_->value());
  order.configurations = static_cast<uint64_t>(configurations_->value());
  order.learning_rate = rate_->value();
  order.evaluate_every = static_cast<uint64_t>(every_->value());
  order.patience = static_cast<uint64_t>(patience_->value());
  order.threads = static_cast<size_t>(threads_->value());
  return order;
}

void TrainingForm::setExamples(const QString& file, const QString& split, const QString& why) {
  if (file != file_) own_output_ = false;
  file_ = file;
  split_ = split;
  why_ = why;
  if (!own_output_ && !file.isEmpty()) {
    const QFileInfo info(file);
    output_->setText(info.path() + '/' + info.completeBaseName() + ".safetensors");
  }
  updateTexts();
}

void TrainingForm::setLocked(bool locked) {
  locked_ = locked;
  fields_->setEnabled(!locked);
  reset_->setEnabled(!locked);
  updateTexts();
}

void TrainingForm::updateTexts() {
  examples_->setWholeText(file_.isEmpty() ? tr("no data set")
                                          : tr("%1, %2").arg(QFileInfo(file_).completeBaseName(),
                                                             split_.isEmpty() ? tr("no split")
                                                             : split_ == heldOut()
                                                                 ? tr("held-out configurations")
                                                                 : split_));
  const bool ready = why_.isEmpty() && !output_->text().isEmpty();
  train_->setEnabled(ready && !locked_);
  const QString output = output_->text();
  output_->setToolTip(output);
  QString note = why_;
  if (locked_) {
    note = tr("Locked while a training runs or is paused.");
  } else if (ready &&
             QFileInfo::exists(QString::fromStdString(db::checkpoint_path(output.toStdString())))) {
    note = tr("A checkpoint of this model lies beside it: Train goes on from there.");
  } else if (ready && QFileInfo::exists(output)) {
    note = tr("There is such a file: it is replaced when the training is done.");
  } else if (ready) {
    note = tr("What is kept is what was best on the validation part.");
  }
  note_->setText(note);
}

void TrainingForm::chooseOutput() {
  const QString path = QFileDialog::getSaveFileName(this, tr("The model to make"), output_->text(),
                                                    tr("Models (*.safetensors)"), nullptr,
                                                    QFileDialog::DontConfirmOverwrite);
  if (path.isEmpty()) return;
  own_output_ = true;
  output_->setText(path.endsWith(QStringLiteral(".safetensors")) ? path : path + ".safetensors");
}

QVariantMap TrainingForm::saveState() const {
  return {{"preset", preset_->currentText()}, {"options", options_->text()},
          {"steps", steps_->value()},         {"rate", rate_->value()},
          {"nodes", nodes_->value()},         {"configurations", configurations_->value()},
          {"every", every_->value()},         {"patience", patience_->value()},
          {"seed", seed_->value()},           {"threads", threads_->value()}};
}

void TrainingForm::restoreState(const QVariantMap& state) {
  if (state.isEmpty()) return;
  preset_->setCurrentText(state["preset"].toString());
  options_->setText(state["options"].toString());
  steps_->setValue(state["steps"].toInt());
  rate_->setValue(state["rate"].toDouble());
  nodes_->setValue(state["nodes"].toInt());
  configurations_->setValue(state["configurations"].toInt());
  every_->setValue(state["every"].toInt());
  patience_->setValue(state["patience"].toInt());
  seed_->setValue(state["seed"].toInt());
  threads_->setValue(state["threads"].toInt());
}

}  // namespace hloscope::ui
