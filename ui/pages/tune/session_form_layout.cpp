// How SessionForm is put together.
#include <QApplication>
#include <QButtonGroup>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>
#include <cmath>

#include "core/predict/builtin_models.h"
#include "ui/pages/tune/session_form.h"
#include "ui/theme/fonts.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {
namespace {

constexpr int kLabelWidth = 84;
constexpr int kFieldHeight = 24;
constexpr int kCommandHeight = 78;
constexpr int kMost = 2'000'000'000;

/// A demi-bold line over a group of fields.
QLabel* heading(const QString& text) {
  auto* label = new QLabel(text);
  label->setFont(boldFont());
  label->setContentsMargins(0, 6, 0, 0);
  return label;
}

QLabel* fieldLabel(const QString& text) {
  QLabel* label = mutedLabel(text, false);
  label->setMinimumSize(kLabelWidth, kFieldHeight);
  label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  return label;
}

QWidget* row(std::initializer_list<QWidget*> widgets) {
  auto* box = new QWidget;
  auto* layout = new QHBoxLayout(box);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  for (QWidget* widget : widgets) layout->addWidget(widget);
  layout->addStretch(1);
  return box;
}

/// Without the zeros at the end.
class PlainNumber : public QDoubleSpinBox {
 public:
  [[nodiscard]] QString textFromValue(double value) const override {
    return locale().toString(value, 'g', 6);
  }
};

QSpinBox* whole(int low, int high, int value, int width = 92) {
  auto* box = new QSpinBox;
  box->setRange(low, high);
  box->setValue(value);
  box->setFixedSize(width, kFieldHeight);
  return box;
}

QDoubleSpinBox* number(double low, double high, double value, int decimals, double step,
                       int width = 76) {
  auto* box = new PlainNumber;
  box->setRange(low, high);
  box->setDecimals(decimals);
  box->setSingleStep(step);
  box->setValue(value);
  box->setFixedSize(width, kFieldHeight);
  return box;
}

QComboBox* combo(std::initializer_list<QString> entries) {
  auto* box = new QComboBox;
  for (const QString& entry : entries) box->addItem(entry);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(8);
  return box;
}

/// Names of the ensembles that are built in: their files end in -1, -2 ...
QStringList builtinModels() {
  QStringList names;
  for (const predict::BuiltinModel& file : predict::builtin_model_files()) {
    QString name = QString::fromUtf8(file.name.data(), static_cast<qsizetype>(file.name.size()));
    name = name.left(name.lastIndexOf('-'));
    if (!names.contains(name)) names << name;
  }
  return names;
}

}  // namespace

SessionForm::SessionForm(QWidget* parent) : QWidget(parent) {
  auto* content = new QWidget;
  form_ = new QFormLayout(content);
  form_->setContentsMargins(10, 4, 10, 10);
  form_->setHorizontalSpacing(8);
  form_->setVerticalSpacing(5);
  form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  makeTarget(*form_);
  makeSearch(*form_);
  makeEvaluator(*form_);
  makeBudget(*form_);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);  // The fields have it.
  scroll->setWidget(content);
  scroll->viewport()->setAutoFillBackground(false);
  content->setAutoFillBackground(false);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(scroll, 1);
  layout->addWidget(makeFooter());
  setNames();
  connectFields();
  useDefaults();
  setReport(nullptr);
}

void SessionForm::makeTarget(QFormLayout& form) {
  form.addRow(heading(tr("Target")));
  tune_ = combo({tr("Tiles of a kernel"), tr("Tiles of all kernels"), tr("Fusion of a program"),
                 tr("Layout of a program")});
  kernel_ = combo({});
  kernel_->setMaxVisibleItems(24);
  space_text_ = mutedLabel({}, false);
  space_text_->setObjectName(QStringLiteral("spaceText"));
  space_text_->setWordWrap(true);
  form.addRow(fieldLabel(tr("Tune")), tune_);
  form.addRow(fieldLabel(tr("Kernel")), kernel_);
  form.addRow(fieldLabel(tr("Space")), space_text_);
}

void SessionForm::makeSearch(QFormLayout& form) {
  form.addRow(heading(tr("Search")));
  strategy_ = combo({tr("Exhaustive"), tr("Random"), tr("Simulated annealing"), tr("Genetic")});
  temperature_ = number(0.00001, 100, 0.3, 5, 0.05, 74);
  cooling_ = number(0.5, 1, 0.995, 5, 0.001, 74);
  cooling_row_ =
      row({temperature_, mutedLabel(QStringLiteral("×")), cooling_, mutedLabel(tr("a trial"))});
  restarts_ = whole(1, kMost, 500);
  restarts_->setSuffix(tr(" trials"));
  restarts_->setFixedWidth(112);
  population_ = whole(2, 10'000, 40);
  mutation_ = number(0, 0.99, 0.5, 2, 0.05);
  from_default_ = new QRadioButton(tr("default"));
  from_random_ = new QRadioButton(tr("random"));
  from_default_->setChecked(true);
  start_row_ = row({from_default_, from_random_});
  seed_ = whole(0, kMost, 1);
  new_seed_ = new QPushButton(icon(Icon::kReload), tr("New"));
  new_seed_->setToolTip(tr("Another seed: the same search with other random moves"));
  seed_row_ = row({seed_, new_seed_});
  form.addRow(fieldLabel(tr("Strategy")), strategy_);
  form.addRow(fieldLabel(tr("Temperature")), cooling_row_);
  form.addRow(fieldLabel(tr("Restart after")), restarts_);
  form.addRow(fieldLabel(tr("Population")), population_);
  form.addRow(fieldLabel(tr("Mutation")), mutation_);
  form.addRow(fieldLabel(tr("Start from")), start_row_);
  form.addRow(fieldLabel(tr("Seed")), seed_row_);
}

void SessionForm::makeEvaluator(QFormLayout& form) {
  form.addRow(heading(tr("Evaluator")));
  way_ = new QButtonGroup(this);
  way_box_ = new QWidget;
  auto* ways = new QVBoxLayout(way_box_);
  ways->setContentsMargins(0, 0, 0, 0);
  ways->setSpacing(4);
  const QString texts[] = {tr("Model first, then measure top k"), tr("Measure only"),
                           tr("Model only")};
  for (int i = 0; i < 3; ++i) {
    auto* radio = new QRadioButton(texts[i]);
    radio->setChecked(i == 0);
    way_->addButton(radio, i);
    ways->addWidget(radio);
  }
  search_ = combo({tr("Learned model"), tr("Analytical model"), tr("Simulator")});
  model_ = combo({tr("built-in one of the machine")});
  model_->addItems(builtinModels());
  model_->addItem(tr("Files…"));
  model_->setToolTip(tr("A built-in model, or files of hloscope-cli train"));
  top_ = whole(1, 1'000'000, 10, 64);
  top_->setToolTip(tr("So many of the best of the search are run, of the whole session"));
  refine_ = whole(0, 1'000'000, 0, 64);
  refine_->setToolTip(
      tr("Then so many more runs around the best of them: which of the model's "
         "changes the hardware likes"));
  top_row_ = row({top_, mutedLabel(tr("then refine")), refine_});
  measure_ = combo({});
  compile_ = number(0, 3600, 1, 1, 0.5);
  repeats_ = whole(1, 1'000'000, 3, 64);
  hardware_row_ = row({compile_, mutedLabel(tr("s, then")), repeats_, mutedLabel(tr("runs"))});
  form.addRow(fieldLabel(QString()), way_box_);
  form.addRow(fieldLabel(tr("Search with")), search_);
  form.addRow(fieldLabel(tr("Model")), model_);
  form.addRow(fieldLabel(tr("Top k")), top_row_);
  form.addRow(fieldLabel(tr("Measure with")), measure_);
  form.addRow(fieldLabel(tr("Compile for")), hardware_row_);
}

void SessionForm::makeBudget(QFormLayout& form) {
  form.addRow(heading(tr("Budget")));
  trials_ = whole(1, kMost, 1000);
  no_trials_ = new QCheckBox(tr("no limit"));
  time_ = number(1, 1e7, 300, 0, 60, 92);
  time_->setSuffix(tr(" s"));
  no_time_ = new QCheckBox(tr("no limit"));
  no_time_->setChecked(true);
  hardware_ = number(0.1, 1e7, 60, 1, 10, 92);
  hardware_->setSuffix(tr(" s"));
  no_hardware_ = new QCheckBox(tr("no limit"));
  no_hardware_->setChecked(true);
  form.addRow(fieldLabel(tr("Trials")), row({trials_, no_trials_}));
  form.addRow(fieldLabel(tr("Time")), row({time_, no_time_}));
  form.addRow(fieldLabel(tr("Hardware")), row({hardware_, no_hardware_}));
}

QWidget* SessionForm::makeFooter() {
  auto* footer = new QWidget;
  auto* layout = new QVBoxLayout(footer);
  layout->setContentsMargins(10, 6, 10, 10);
  layout->setSpacing(6);
  estimate_ = mutedLabel({}, false);
  estimate_->setWordWrap(true);
  problem_ = new RoleLabel(QString(), Role::kBad);
  problem_->setWordWrap(true);
  problem_->setObjectName(QStringLiteral("formProblem"));
  start_ = new QPushButton(tr("Start session"));
  start_->setProperty("primary", true);
  start_->setIcon(icon(Icon::kPlay, Role::kAccentText));
  start_->setToolTip(tr("Runs now, as soon as a slot is free (Ctrl+R)"));
  queue_ = new QPushButton(tr("Add to queue"));
  queue_->setToolTip(tr("Waits behind the others for a free slot"));
  auto* buttons = row({start_, queue_});
  auto* copy = new LinkButton(tr("Copy"));
  auto* title = new QLabel(tr("Same run on the command line"));
  title->setFont(smallFont());
  auto* title_row = new QWidget;
  auto* title_layout = new QHBoxLayout(title_row);
  title_layout->setContentsMargins(0, 0, 0, 0);
  title_layout->addWidget(title, 1);
  title_layout->addWidget(copy);
  command_ = new QPlainTextEdit;
  command_->setReadOnly(true);
  command_->setFont(monoFont());
  command_->setFixedHeight(kCommandHeight);
  command_->setTabChangesFocus(true);
  for (QWidget* widget : {static_cast<QWidget*>(estimate_), static_cast<QWidget*>(problem_),
                          buttons, title_row, static_cast<QWidget*>(command_)}) {
    layout->addWidget(widget);
  }
  connect(copy, &LinkButton::clicked, this, [this] {
    QApplication::clipboard()->setText(commandText());
    emit copied();
  });
  return footer;
}

void SessionForm::setNames() {
  const std::pair<QWidget*, QString> names[] = {{tune_, tr("Tune")},
                                                {kernel_, tr("Kernel")},
                                                {strategy_, tr("Strategy")},
                                                {temperature_, tr("Temperature")},
                                                {cooling_, tr("Cooling")},
                                                {restarts_, tr("Restart after")},
                                                {population_, tr("Population")},
                                                {mutation_, tr("Mutation")},
                                                {seed_, tr("Seed")},
                                                {search_, tr("Search with")},
                                                {model_, tr("Model")},
                                                {top_, tr("Top k")},
                                                {refine_, tr("Refine")},
                                                {measure_, tr("Measure with")},
                                                {compile_, tr("Compile time")},
                                                {repeats_, tr("Runs of a measurement")},
                                                {trials_, tr("Budget of trials")},
                                                {time_, tr("Budget of time")},
                                                {hardware_, tr("Budget of hardware time")},
                                                {no_trials_, tr("No limit of trials")},
                                                {no_time_, tr("No limit of time")},
                                                {no_hardware_, tr("No limit of hardware time")},
                                                {command_, tr("Command line")}};
  for (const auto& [widget, name] : names) widget->setAccessibleName(name);
}

void SessionForm::connectFields() {
  const auto on = [this] { changed(); };
  connect(tune_, &QComboBox::currentIndexChanged, this, [this] { useDefaults(); });
  for (QComboBox* box : {kernel_, strategy_, search_, measure_}) {
    connect(box, &QComboBox::currentIndexChanged, this, on);
  }
  connect(model_, &QComboBox::currentIndexChanged, this, on);
  connect(model_, &QComboBox::activated, this, [this](int index) {
    if (index == model_->count() - 1) chooseModelFiles();
  });
  for (QSpinBox* box : {restarts_, population_, seed_, top_, refine_, repeats_, trials_}) {
    connect(box, &QSpinBox::valueChanged, this, on);
  }
  for (QDoubleSpinBox* box : {temperature_, cooling_, mutation_, compile_, time_, hardware_}) {
    connect(box, &QDoubleSpinBox::valueChanged, this, on);
  }
  for (QCheckBox* box : {no_trials_, no_time_, no_hardware_}) {
    connect(box, &QCheckBox::toggled, this, on);
  }
  connect(from_random_, &QRadioButton::toggled, this, on);
  connect(way_, &QButtonGroup::idToggled, this, [this](int, bool is_on) {
    if (is_on) changed();
  });
  connect(new_seed_, &QPushButton::clicked, this,
          [this] { seed_->setValue(seed_->value() >= kMost ? 0 : seed_->value() + 1); });
  connect(start_, &QPushButton::clicked, this, [this] { emit startRequested(settings()); });
  connect(queue_, &QPushButton::clicked, this, [this] { emit queueRequested(settings()); });
}

}  // namespace hloscope::ui
