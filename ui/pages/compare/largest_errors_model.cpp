#include <algorithm>
#include <cmath>

#include "ui/models/item_roles.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/pages/compare/compare_models.h"
#include "ui/theme/format.h"

namespace hloscope::ui {
namespace {

QString signedText(double value, const QString& text) {
  return value >= 0 ? '+' + text : text;
}

}  // namespace

void LargestErrorsModel::setRows(Points points, std::vector<uint32_t> rows,
                                 const analysis::PairAxes& axes) {
  beginResetModel();
  points_ = std::move(points);
  axes_ = axes;
  rows_ = std::move(rows);
  sortRows();
  endResetModel();
}

const analysis::ComparePoint* LargestErrorsModel::pointAt(const QModelIndex& index) const {
  return index.isValid() ? &(*points_)[rows_[static_cast<size_t>(index.row())]] : nullptr;
}

double LargestErrorsModel::number(const analysis::ComparePoint& point, int column) const {
  switch (column) {
    case kX:
      return axes_.x_ns(point);
    case kY:
      return axes_.y_ns(point);
    case kDifference:
      return std::abs(axes_.y_ns(point) - axes_.x_ns(point));
    default:
      return std::abs(axes_.error(point));
  }
}

void LargestErrorsModel::sortRows() {
  const bool descending = sort_order_ == Qt::DescendingOrder;
  std::stable_sort(rows_.begin(), rows_.end(), [this, descending](uint32_t a, uint32_t b) {
    const analysis::ComparePoint& left = (*points_)[descending ? b : a];
    const analysis::ComparePoint& right = (*points_)[descending ? a : b];
    if (sort_column_ == kKernel) return left.kernel_name < right.kernel_name;
    if (sort_column_ == kProgram) return left.program_name < right.program_name;
    if (sort_column_ == kTile) return left.configuration < right.configuration;
    return number(left, sort_column_) < number(right, sort_column_);
  });
}

void LargestErrorsModel::sort(int column, Qt::SortOrder order) {
  if (column < 0) return;
  beginResetModel();
  sort_column_ = column;
  sort_order_ = order;
  sortRows();
  endResetModel();
}

int LargestErrorsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int LargestErrorsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumnCount;
}

QString LargestErrorsModel::cell(const analysis::ComparePoint& point, int column) const {
  const double difference = axes_.y_ns(point) - axes_.x_ns(point);
  const double error = axes_.error(point);
  switch (column) {
    case kKernel:
      return QString::fromStdString(point.kernel_name);
    case kProgram:
      return QString::fromStdString(point.program_name);
    case kTile:
      return point.configuration.empty() ? tr("default")
                                         : QString::fromStdString(point.configuration);
    case kX:
      return formatTimeUs(axes_.x_ns(point));
    case kY:
      return formatTimeUs(axes_.y_ns(point));
    case kDifference:
      return signedText(difference, formatTimeUs(difference));
    default:
      return signedText(error, formatNumber(error * 100, 1));
  }
}

QVariant LargestErrorsModel::data(const QModelIndex& index, int role) const {
  const analysis::ComparePoint* point = pointAt(index);
  if (point == nullptr) return {};
  switch (role) {
    case Qt::DisplayRole:
      return cell(*point, index.column());
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter | (index.column() >= kX ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::ToolTipRole:
      return index.column() <= kTile
                 ? QString::fromStdString(point->kernel_name + "\n" + point->program_name + "\n" +
                                          point->configuration)
                       .trimmed()
                 : QVariant();
    case kValueRole:
      return index.column() == kError ? QVariant(axes_.error(*point)) : QVariant();
    case kOpClassRole:
      return static_cast<int>(point->op_class);
    default:
      return {};
  }
}

QVariant LargestErrorsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) {
    return QVariant(Qt::AlignVCenter | (section >= kX ? Qt::AlignRight : Qt::AlignLeft));
  }
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case kKernel:
      return tr("Kernel");
    case kProgram:
      return tr("Program");
    case kTile:
      return tr("Tile");
    case kX:
      return tr("%1 µs").arg(textOf(analysis::info(axes_.x).title));
    case kY:
      return tr("%1 µs").arg(textOf(analysis::info(axes_.y).title));
    case kDifference:
      return tr("Δ µs");
    default:
      return tr("Error %");
  }
}

}  // namespace hloscope::ui
