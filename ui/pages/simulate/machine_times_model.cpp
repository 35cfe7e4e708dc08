#include "ui/pages/simulate/machine_times_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "ui/models/item_roles.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/models/kernel_tables.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"

namespace hloscope::ui {

void MachineTimesModel::setTimes(std::shared_ptr<const analysis::ModuleReport> report,
                                 std::vector<analysis::MachineTimes> machines) {
  beginResetModel();
  report_ = std::move(report);
  baseline_ = nullptr;
  machines_ = std::move(machines);
  rows_.resize(report_ ? report_->kernels.kernels.size() : 0);
  std::iota(rows_.begin(), rows_.end(), 0U);
  endResetModel();
  if (!machines_.empty()) sort(kFirstMachine, Qt::DescendingOrder);
}

void MachineTimesModel::setBaseline(std::shared_ptr<const analysis::ModuleReport> report,
                                    const analysis::BaselinePtr& baseline) {
  constexpr auto kSource = analysis::TimeSource::kSimulated;
  const double none = std::numeric_limits<double>::quiet_NaN();
  analysis::MachineTimes now{report->machine, {}, report->simulated_total_ns};
  analysis::MachineTimes before{{}, {}, baseline->total_ns(*report, kSource).value_or(none)};
  before.machine.title = baseline->label();
  const auto pinned = baseline->match(*report);
  for (uint32_t k = 0; k < pinned.size(); ++k) {
    const graph::KernelId id(k);
    now.time_ns.push_back(report->times.simulated[id].time_ns);
    const auto* times = pinned[id];
    before.time_ns.push_back(
        times == nullptr ? none : (*times)[static_cast<size_t>(kSource)].value_or(none));
  }
  std::vector<uint32_t> all(pinned.size());
  std::iota(all.begin(), all.end(), 0U);
  beginResetModel();
  total_delta_ = kernelTable(report, baseline)->totals(all).delta[static_cast<size_t>(kSource)];
  report_ = std::move(report);
  baseline_ = baseline;
  machines_ = {std::move(now), std::move(before)};
  rows_ = std::move(all);
  endResetModel();
  sort(kFirstMachine, Qt::DescendingOrder);
}

double MachineTimesModel::delta(graph::KernelId kernel) const {
  if (!kernel.valid()) return total_delta_;
  return analysis::relative_change(timeOf(kernel, 0), timeOf(kernel, 1));
}

MachineTimesModel::Place MachineTimesModel::place(int column) {
  const auto at = static_cast<size_t>(column - kFirstMachine);
  return {(at + 1) / 2, at > 0 && at % 2 == 0};
}

double MachineTimesModel::timeOf(graph::KernelId kernel, size_t machine) const {
  if (!kernel.valid()) return machines_[machine].total_ns;
  return machines_[machine].time_ns[kernel] * report_->kernels.kernels[kernel].executions;
}

double MachineTimesModel::value(int row, int column) const {
  const graph::KernelId kernel = kernelAt(row);
  if (column == kExecutions) {
    return kernel.valid() ? report_->kernels.kernels[kernel].executions : 1;
  }
  const auto [machine, is_ratio] = place(column);
  if (is_ratio && baseline_) return delta(kernel);
  const double time_ns = timeOf(kernel, machine);
  return is_ratio ? time_ns / timeOf(kernel, 0) : time_ns;
}

graph::KernelId MachineTimesModel::kernelAt(int row) const {
  if (row < 1 || row > static_cast<int>(rows_.size())) return {};
  return graph::KernelId(rows_[static_cast<size_t>(row - 1)]);
}

int MachineTimesModel::rowOf(graph::KernelId kernel) const {
  const auto found = std::find(rows_.begin(), rows_.end(), kernel.value);
  return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin()) + 1;
}

int MachineTimesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || machines_.empty() ? 0 : static_cast<int>(rows_.size()) + 1;
}

int MachineTimesModel::columnCount(const QModelIndex& parent) const {
  if (parent.isValid()) return 0;
  // The first machine has no ratio.
  return kFirstMachine + std::max(0, 2 * static_cast<int>(machines_.size()) - 1);
}

QString MachineTimesModel::kernelText(int row) const {
  const graph::KernelId kernel = kernelAt(row);
  if (!kernel.valid()) return tr("whole program");
  return textOf((*report_->module.program)[report_->kernels.kernels[kernel].instruction].name);
}

QString MachineTimesModel::numberText(int row, int column) const {
  const double number = value(row, column);
  if (std::isnan(number)) return noValue();
  if (column == kExecutions) return formatNumber(number, number == std::floor(number) ? 0 : 1);
  if (!place(column).is_ratio) return formatTimeUs(number);
  return baseline_ ? formatSignedPercent(number) : formatNumber(number, 2) + QStringLiteral(" ×");
}

QVariant MachineTimesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const int column = index.column();
  const graph::KernelId kernel = kernelAt(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return column == kKernel ? kernelText(index.row()) : numberText(index.row(), column);
    case kValueRole:
      return column == kKernel ? QVariant() : QVariant(value(index.row(), column));
    case kOpClassRole:
      if (column != kKernel || !kernel.valid()) return {};
      return static_cast<int>(report_->kernels.kernels[kernel].op_class);
    case Qt::FontRole:
      return kernel.valid() ? uiFont() : boldFont();
    case Qt::TextAlignmentRole:
      return int((column == kKernel ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default:
      return {};
  }
}

QString MachineTimesModel::helpText(int section) const {
  const auto [machine, is_ratio] = place(section);
  const QString title = textOf(machines_[machine].machine.title);
  if (is_ratio && baseline_) {
    return tr("Change against the baseline, %1: positive where it takes longer now").arg(title);
  }
  if (is_ratio) {
    return tr("Time on %1 / time on %2").arg(title, textOf(machines_.front().machine.title));
  }
  if (machine == 1 && baseline_) {
    return tr("Simulated time of the baseline, %1, all executions of now, µs").arg(title);
  }
  return tr("Simulated time on %1, all executions, µs").arg(title);
}

QString MachineTimesModel::titleText(int section) const {
  const auto [machine, is_ratio] = place(section);
  if (is_ratio) return baseline_ ? tr("Δ") : tr("ratio");
  if (machine == 1 && baseline_) return tr("Baseline µs");
  return tr("%1 µs").arg(QString::fromStdString(analysis::short_title(machines_[machine].machine)));
}

QVariant MachineTimesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) {
    return int((section == kKernel ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  }
  const bool is_machine = section >= kFirstMachine && !machines_.empty();
  if (role == Qt::ToolTipRole && is_machine) return helpText(section);
  if (role != Qt::DisplayRole) return {};
  if (section == kKernel) return tr("Kernel");
  if (section == kExecutions) return tr("Runs");
  return is_machine ? titleText(section) : QVariant();
}

void MachineTimesModel::sort(int column, Qt::SortOrder order) {
  if (machines_.empty() || column < 0 || column >= columnCount()) return;
  emit layoutAboutToBeChanged();
  const QModelIndexList before = persistentIndexList();
  std::vector<graph::KernelId> kernels;
  for (const QModelIndex& index : before) kernels.push_back(kernelAt(index.row()));
  std::iota(rows_.begin(), rows_.end(), 0U);
  std::vector<double> keys(rows_.size());
  if (column != kKernel) {
    for (uint32_t k : rows_) keys[k] = value(static_cast<int>(k) + 1, column);
  }
  const bool descending = order == Qt::DescendingOrder;
  std::stable_sort(rows_.begin(), rows_.end(), [&](uint32_t a, uint32_t b) {
    if (column == kKernel) return descending ? a > b : a < b;  // Program order.
    // What has no value comes last both ways.
    if (std::isnan(keys[a]) || std::isnan(keys[b]))
      return std::isnan(keys[b]) > std::isnan(keys[a]);
    return descending ? keys[a] > keys[b] : keys[a] < keys[b];
  });
  QModelIndexList after;
  for (size_t i = 0; i < kernels.size(); ++i) {
    const int row = kernels[i].valid() ? rowOf(kernels[i]) : 0;
    after << index(row, before[static_cast<qsizetype>(i)].column());
  }
  changePersistentIndexList(before, after);
  emit layoutChanged();
}

}  // namespace hloscope::ui
