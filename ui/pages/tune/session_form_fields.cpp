// Which fields of SessionForm there are, and what stands in them.
#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QRadioButton>
#include <QSpinBox>
#include <QStandardItemModel>
#include <algorithm>
#include <numeric>

#include "core/tune/command_line.h"
#include "ui/pages/tune/session_form.h"
#include "ui/theme/icons.h"

namespace hloscope::ui {
namespace {

constexpr size_t kMostKernels = 2000;

int searchIndex(tune::EvaluatorKind kind) {
  return kind == tune::EvaluatorKind::kModel ? 0 : kind == tune::EvaluatorKind::kAnalytical ? 1 : 2;
}

}  // namespace

tune::SpaceKind SessionForm::spaceKind() const {
  return static_cast<tune::SpaceKind>(std::max(0, tune_->currentIndex()));
}

tune::StrategyKind SessionForm::strategyKind() const {
  return static_cast<tune::StrategyKind>(std::max(0, strategy_->currentIndex()));
}

SessionForm::Way SessionForm::way() const {
  return static_cast<Way>(std::max(0, way_->checkedId()));
}

void SessionForm::showFields() {
  const tune::StrategyKind strategy = strategyKind();
  const bool anneals = strategy == tune::StrategyKind::kAnnealing;
  const bool evolves = strategy == tune::StrategyKind::kGenetic;
  const bool is_random = strategy != tune::StrategyKind::kExhaustive;
  const bool searches = way() != Way::kMeasureOnly;
  const bool measures = way() != Way::kModelOnly;
  const bool simulates = measures && measure_->currentData().toInt() ==
                                         static_cast<int>(tune::EvaluatorKind::kSimulator);
  form_->setRowVisible(kernel_, spaceKind() == tune::SpaceKind::kTiles);
  form_->setRowVisible(cooling_row_, anneals);
  form_->setRowVisible(restarts_, anneals);
  form_->setRowVisible(population_, evolves);
  form_->setRowVisible(mutation_, evolves);
  form_->setRowVisible(start_row_, anneals || evolves);
  form_->setRowVisible(seed_row_, is_random);
  form_->setRowVisible(search_, searches);
  form_->setRowVisible(model_, searches && search_->currentIndex() == 0);
  form_->setRowVisible(top_row_, searches && measures);
  form_->setRowVisible(measure_, measures);
  form_->setRowVisible(hardware_row_, simulates);
  trials_->setEnabled(!no_trials_->isChecked());
  time_->setEnabled(!no_time_->isChecked());
  hardware_->setEnabled(!no_hardware_->isChecked());
}

void SessionForm::fillMeasure() {
  const QVariant before = measure_->currentData();
  measure_->clear();
  if (spaceKind() == tune::SpaceKind::kTiles) {
    measure_->addItem(tr("Recorded runs"), static_cast<int>(tune::EvaluatorKind::kRecorded));
    measure_->setItemData(0, tr("Replays the measured runs of this kernel that are stored"),
                          Qt::ToolTipRole);
  }
  measure_->addItem(tr("Simulator in the place of hardware"),
                    static_cast<int>(tune::EvaluatorKind::kSimulator));
  measure_->setItemData(measure_->count() - 1,
                        tr("No time is measured: the simulator stands for a TPU"), Qt::ToolTipRole);
  const int again = measure_->findData(before);
  // Those of layouts are of the whole program, and cannot be replayed.
  const bool has_runs =
      report_ && std::any_of(report_->module.runs.begin(), report_->module.runs.end(),
                             [](const hlo::MeasuredRun& run) { return run.layout_hash == 0; });
  measure_->setCurrentIndex(has_runs || again < 0 ? 0 : again);
  // Recorded runs are the first choice only where the file holds some.
  if (!has_runs && before.isNull()) measure_->setCurrentIndex(measure_->count() - 1);
}

void SessionForm::fillKernels() {
  kernel_->clear();
  if (!report_) return;
  const auto& kernels = report_->kernels.kernels;
  std::vector<uint32_t> order(kernels.size());
  std::iota(order.begin(), order.end(), 0);
  const auto time = [this](uint32_t k) {
    const graph::KernelId id(k);
    return report_->times.analytical[id].time_ns * report_->kernels.kernels[id].executions;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&time](uint32_t a, uint32_t b) { return time(a) > time(b); });
  if (order.size() > kMostKernels) order.resize(kMostKernels);
  const hlo::Program& program = *report_->module.program;
  for (uint32_t k : order) {
    const graph::Kernel& kernel = kernels[graph::KernelId(k)];
    const std::string_view name = program[kernel.instruction].name;
    kernel_->addItem(opClassIcon(kernel.op_class),
                     QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())), k);
  }
}

void SessionForm::setReport(const ReportPtr& report) {
  const bool same = report == report_ && kernel_->count() > 0;
  report_ = report;
  setEnabled(report_ != nullptr);
  if (same) return;
  filling_ = true;
  fillKernels();
  measure_->clear();
  fillMeasure();
  filling_ = false;
  changed();
}

void SessionForm::setKernel(graph::KernelId kernel) {
  if (!report_ || !kernel.valid()) return;
  int index = kernel_->findData(kernel.value);
  if (index < 0 && report_->kernels.kernels.contains(kernel)) {
    const auto& one = report_->kernels.kernels[kernel];
    const std::string_view name = (*report_->module.program)[one.instruction].name;
    kernel_->addItem(opClassIcon(one.op_class),
                     QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())),
                     kernel.value);
    index = kernel_->count() - 1;
  }
  if (index >= 0) kernel_->setCurrentIndex(index);
}

void SessionForm::useDefaults() {
  filling_ = true;
  const tune::Settings usual = tune::default_settings(spaceKind());
  default_tiles_ = usual.default_tiles;
  fillMeasure();
  strategy_->setCurrentIndex(static_cast<int>(usual.strategy.kind));
  temperature_->setValue(usual.strategy.temperature);
  cooling_->setValue(usual.strategy.cooling);
  if (usual.budget.trials) trials_->setValue(static_cast<int>(*usual.budget.trials));
  filling_ = false;
  changed();
}

tune::EvaluatorSettings SessionForm::searchSettings() const {
  static constexpr tune::EvaluatorKind kinds[] = {tune::EvaluatorKind::kModel,
                                                  tune::EvaluatorKind::kAnalytical,
                                                  tune::EvaluatorKind::kSimulator};
  tune::EvaluatorSettings search;
  search.kind = kinds[std::max(0, search_->currentIndex())];
  const int index = model_->currentIndex();
  const bool is_named = index > 0 && index < model_->count() - 1;
  if (search.kind != tune::EvaluatorKind::kModel || !is_named) return search;
  for (const QString& name : model_->currentText().split(',', Qt::SkipEmptyParts)) {
    search.models.push_back(name.trimmed().toStdString());
  }
  return search;
}

void SessionForm::useModel(const QString& name) {
  int index = name.isEmpty() ? 0 : model_->findText(name);
  if (index < 0) {
    index = model_->count() - 1;
    model_->insertItem(index, name);
  }
  model_->setCurrentIndex(index);
}

void SessionForm::chooseModelFiles() {
  const QStringList files = QFileDialog::getOpenFileNames(this, tr("Models that predict together"),
                                                          QString(), tr("Models (*.safetensors)"));
  useModel(files.join(','));
}

std::optional<tune::EvaluatorSettings> SessionForm::measureSettings() const {
  if (way() == Way::kModelOnly) return std::nullopt;
  tune::EvaluatorSettings measure;
  measure.kind = static_cast<tune::EvaluatorKind>(measure_->currentData().toInt());
  if (measure.kind == tune::EvaluatorKind::kSimulator) {
    measure.compile_s = compile_->value();
    measure.repeats = static_cast<uint64_t>(repeats_->value());
  }
  return measure;
}

tune::Settings SessionForm::settings() const {
  tune::Settings settings;
  settings.space = spaceKind();
  if (settings.space == tune::SpaceKind::kTiles) {
    settings.kernel = kernel_->currentText().toStdString();
  }
  if (report_) settings.machine = report_->machine.id;
  if (tune::is_of_tiles(settings.space)) settings.default_tiles = default_tiles_;
  settings.strategy.kind = strategyKind();
  settings.strategy.seed = static_cast<uint64_t>(seed_->value());
  if (settings.strategy.kind == tune::StrategyKind::kAnnealing) {
    settings.strategy.temperature = temperature_->value();
    settings.strategy.cooling = cooling_->value();
    settings.strategy.restart_trials = static_cast<uint64_t>(restarts_->value());
  }
  if (settings.strategy.kind == tune::StrategyKind::kGenetic) {
    settings.strategy.population = static_cast<uint64_t>(population_->value());
    settings.strategy.mutation = mutation_->value();
  }
  settings.strategy.random_start = from_random_->isChecked() && start_row_->isVisibleTo(this);
  if (way() == Way::kMeasureOnly) {
    settings.search = *measureSettings();
  } else {
    settings.search = searchSettings();
    settings.measure = measureSettings();
    settings.top_k = static_cast<uint64_t>(top_->value());
    if (settings.measure) settings.refine = static_cast<uint64_t>(refine_->value());
  }
  if (!no_trials_->isChecked()) settings.budget.trials = static_cast<uint64_t>(trials_->value());
  if (!no_time_->isChecked()) settings.budget.time_s = time_->value();
  if (!no_hardware_->isChecked()) settings.budget.hardware_s = hardware_->value();
  return settings;
}

void SessionForm::setSettings(const tune::Settings& settings) {
  filling_ = true;
  tune_->setCurrentIndex(static_cast<int>(settings.space));
  fillMeasure();
  const int kernel = kernel_->findText(QString::fromStdString(settings.kernel));
  if (kernel >= 0) kernel_->setCurrentIndex(kernel);
  strategy_->setCurrentIndex(static_cast<int>(settings.strategy.kind));
  temperature_->setValue(settings.strategy.temperature);
  cooling_->setValue(settings.strategy.cooling);
  restarts_->setValue(static_cast<int>(settings.strategy.restart_trials));
  population_->setValue(static_cast<int>(settings.strategy.population));
  mutation_->setValue(settings.strategy.mutation);
  (settings.strategy.random_start ? from_random_ : from_default_)->setChecked(true);
  seed_->setValue(static_cast<int>(settings.strategy.seed));
  const Way way = settings.measure               ? Way::kModelFirst
                  : settings.searches_hardware() ? Way::kMeasureOnly
                                                 : Way::kModelOnly;
  way_->button(static_cast<int>(way))->setChecked(true);
  if (way != Way::kMeasureOnly) search_->setCurrentIndex(searchIndex(settings.search.kind));
  QStringList models;
  for (const std::string& name : settings.search.models) models << QString::fromStdString(name);
  useModel(models.join(','));
  const tune::EvaluatorSettings& hardware = settings.measure ? *settings.measure : settings.search;
  const int measure = measure_->findData(static_cast<int>(hardware.kind));
  if (measure >= 0) measure_->setCurrentIndex(measure);
  compile_->setValue(hardware.compile_s);
  repeats_->setValue(static_cast<int>(hardware.repeats));
  top_->setValue(static_cast<int>(settings.top_k));
  refine_->setValue(static_cast<int>(settings.refine));
  default_tiles_ = settings.default_tiles;
  no_trials_->setChecked(!settings.budget.trials);
  if (settings.budget.trials) trials_->setValue(static_cast<int>(*settings.budget.trials));
  no_time_->setChecked(!settings.budget.time_s);
  if (settings.budget.time_s) time_->setValue(*settings.budget.time_s);
  no_hardware_->setChecked(!settings.budget.hardware_s);
  if (settings.budget.hardware_s) hardware_->setValue(*settings.budget.hardware_s);
  filling_ = false;
  changed();
}

}  // namespace hloscope::ui
