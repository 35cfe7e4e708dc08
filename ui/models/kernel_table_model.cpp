#include "ui/models/kernel_table_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/models/item_roles.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/theme/format.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {

using analysis::ColumnKind;
using analysis::kernel_columns;

void KernelTableModel::setTable(std::shared_ptr<const analysis::KernelTable> table) {
  beginResetModel();
  table_ = std::move(table);
  refill();
  endResetModel();
}

void KernelTableModel::setQuery(analysis::KernelQuery query) {
  beginResetModel();
  query_ = std::move(query);
  refill();
  endResetModel();
}

void KernelTableModel::refill() {
  rows_ = table_ ? table_->filtered(query_) : std::vector<uint32_t>();
  sortRows();
}

void KernelTableModel::sortRows() {
  position_.clear();
  if (!table_) return;
  if (sort_column_ < 0) {
    std::sort(rows_.begin(), rows_.end());
  } else {
    table_->sort(rows_, static_cast<size_t>(sort_column_), sort_order_ == Qt::DescendingOrder);
  }
}

void KernelTableModel::sort(int column, Qt::SortOrder order) {
  emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
  const QModelIndexList old = persistentIndexList();
  std::vector<graph::KernelId> kernels;
  kernels.reserve(static_cast<size_t>(old.size()));
  for (const QModelIndex& index : old) kernels.push_back(kernelAt(index));
  sort_column_ = column;
  sort_order_ = order;
  sortRows();
  for (qsizetype i = 0; i < old.size(); ++i) {
    const QModelIndex moved = indexOf(kernels[static_cast<size_t>(i)]);
    changePersistentIndex(old[i], index(moved.row(), old[i].column()));
  }
  emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

graph::KernelId KernelTableModel::kernelAt(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  return graph::KernelId(rows_[static_cast<size_t>(index.row())]);
}

QModelIndex KernelTableModel::indexOf(graph::KernelId kernel) const {
  if (!table_ || kernel.value >= table_->row_count()) return {};
  if (position_.empty()) {
    position_.assign(table_->row_count(), -1);
    for (size_t i = 0; i < rows_.size(); ++i) position_[rows_[i]] = static_cast<int>(i);
  }
  const int row = position_[kernel.value];
  return row < 0 ? QModelIndex() : index(row, 0);
}

analysis::KernelTable::Totals KernelTableModel::totals() const {
  return table_ ? table_->totals(rows_) : analysis::KernelTable::Totals();
}

QString KernelTableModel::exportText(const std::vector<int>& view_rows,
                                     const std::vector<size_t>& columns,
                                     analysis::TableFormat format) const {
  if (!table_) return {};
  std::vector<uint32_t> rows;
  rows.reserve(view_rows.size());
  for (int row : view_rows) rows.push_back(rows_[static_cast<size_t>(row)]);
  return QString::fromStdString(
      analysis::export_rows(*table_, view_rows.empty() ? rows_ : rows, columns, format));
}

int KernelTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int KernelTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(kernel_columns().size());
}

QVariant KernelTableModel::data(const QModelIndex& index, int role) const {
  if (!table_ || !index.isValid()) return {};
  const uint32_t row = rows_[static_cast<size_t>(index.row())];
  const auto column = static_cast<size_t>(index.column());
  const analysis::KernelColumn& info = kernel_columns()[column];
  switch (role) {
    case Qt::DisplayRole:
      return info.is_number() ? cellText(info, table_->number(row, column))
                              : textOf(table_->text(row, column));
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter | (info.is_number() ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::ForegroundRole:
      if (info.is_number() && std::isnan(table_->number(row, column))) {
        return theme().role(Role::kTextFaint);
      }
      return {};
    case Qt::DecorationRole:
      return table_->is_far(row, column) ? QVariant(icon(Icon::kWarning, Role::kWarn)) : QVariant();
    case Qt::ToolTipRole:
      return toolTip(row, column);
    case kValueRole:
      return info.is_number() ? QVariant(table_->number(row, column)) : QVariant();
    case kOpClassRole:
      return static_cast<int>(table_->kernel(row).op_class);
    case kLabelRole:
      return textOf(table_->label(row));
    default:
      return {};
  }
}

QVariant KernelTableModel::toolTip(uint32_t row, size_t column) const {
  const analysis::KernelColumn& info = kernel_columns()[column];
  if (info.kind == ColumnKind::kName) {
    return textOf(table_->name(row)) + '\n' + textOf(table_->label(row)) + '\n' +
           textOf(table_->shape(row));
  }
  if (info.key == "executions" && !table_->kernel(row).executions_known) {
    return QStringLiteral("Inside a loop whose trip count is unknown: counted once");
  }
  if (info.kind == ColumnKind::kDelta) return deltaToolTip(row, info.source);
  if (info.source == analysis::TimeSource::kPredicted) return predictedToolTip(row);
  return {};
}

QVariant KernelTableModel::deltaToolTip(uint32_t row, analysis::TimeSource source) const {
  const graph::KernelId id(row);
  const auto now = analysis::time_ns(table_->report(), source, id);
  const auto before = table_->baseline_ns(source, id);
  if (!now || !before) return {};
  return QStringLiteral("%1 now %2, baseline %3 (%4)")
      .arg(textOf(analysis::info(source).name), formatTime(*now), formatTime(*before),
           QString::fromStdString(table_->baseline()->label()));
}

QVariant KernelTableModel::predictedToolTip(uint32_t row) const {
  const analysis::PredictedTimes& times = table_->report().predicted;
  const graph::KernelId id(row);
  if (!times.of_kernels.contains(id) || !times.of_kernels[id]) return {};
  const analysis::PredictedTime& time = *times.of_kernels[id];
  QString text = predictedText(times, time) + QStringLiteral(" predicted by ") +
                 modelText(times.by) + QStringLiteral(", not measured");
  if (time.is_far) {
    text += QStringLiteral("\nFar from the kernels that the model learned from");
  }
  return text;
}

QVariant KernelTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const analysis::KernelColumn& column = kernel_columns()[static_cast<size_t>(section)];
  if (role == Qt::DisplayRole) return QString::fromStdString(column.title);
  if (role == Qt::TextAlignmentRole) {
    return QVariant(Qt::AlignVCenter | (column.is_number() ? Qt::AlignRight : Qt::AlignLeft));
  }
  if (role == Qt::ToolTipRole) {
    return columnHelp(column, table_ ? table_->share_source() : analysis::TimeSource::kSimulated);
  }
  return {};
}

}  // namespace hloscope::ui
