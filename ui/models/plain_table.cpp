#include "ui/models/plain_table.h"

#include <QTableView>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "ui/theme/format.h"

namespace hloscope::ui {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

QString cellText(QString cell, TextFormat format) {
  switch (format) {
    case TextFormat::kCsv:
      if (!cell.contains(',') && !cell.contains('"') && !cell.contains('\n')) return cell;
      return '"' + cell.replace('"', QStringLiteral("\"\"")) + '"';
    case TextFormat::kTsv:
      return cell.replace('\t', ' ').replace('\n', ' ');
    case TextFormat::kMarkdown:
      return cell.replace('|', QStringLiteral("\\|")).replace('\n', ' ');
  }
  return cell;
}

QString lineText(const QStringList& cells, TextFormat format) {
  switch (format) {
    case TextFormat::kCsv:
      return cells.join(',') + '\n';
    case TextFormat::kTsv:
      return cells.join('\t') + '\n';
    case TextFormat::kMarkdown:
      return QStringLiteral("| ") + cells.join(QStringLiteral(" | ")) + QStringLiteral(" |\n");
  }
  return {};
}

/// Programs that read tables want plain numbers.
QString plainNumber(QString text) {
  text.remove(QChar(0x2009)).replace(QChar(0x2212), '-');
  return text == noValue() ? QString() : text;
}

}  // namespace

std::string lowerCase(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

std::vector<double> textKeys(std::span<const std::string> texts) {
  std::vector<uint32_t> order(texts.size());
  std::iota(order.begin(), order.end(), 0U);
  std::vector<std::string> folded;
  folded.reserve(texts.size());
  for (const std::string& text : texts) folded.push_back(lowerCase(text));
  std::sort(order.begin(), order.end(),
            [&folded](uint32_t a, uint32_t b) { return folded[a] < folded[b]; });
  std::vector<double> keys(texts.size());
  double key = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && folded[order[i]] != folded[order[i - 1]]) ++key;
    keys[order[i]] = key;
  }
  return keys;
}

PlainTable PlainTableModel::setTable(PlainTable table) {
  beginResetModel();
  PlainTable before = std::exchange(table_, std::move(table));
  orderRows();
  filterRows();
  endResetModel();
  return before;
}

void PlainTableModel::setWords(const QString& words) {
  setFilter(words, keeps_);
}

void PlainTableModel::setFilter(const QString& words, std::function<bool(size_t)> keeps) {
  beginResetModel();
  keeps_ = std::move(keeps);
  words_.clear();
  for (const QString& word : words.split(' ', Qt::SkipEmptyParts)) {
    words_.push_back(lowerCase(word.toStdString()));
  }
  filterRows();
  endResetModel();
}

void PlainTableModel::setRowFilter(std::function<bool(size_t)> keeps) {
  beginResetModel();
  keeps_ = std::move(keeps);
  filterRows();
  endResetModel();
}

void PlainTableModel::setSortOrder(int column, Qt::SortOrder order) {
  sort_column_ = column;
  sort_order_ = order;
}

void PlainTableModel::orderRows() {
  order_.resize(table_.rows);
  std::iota(order_.begin(), order_.end(), 0U);
  if (sort_column_ < 0 || sort_column_ >= static_cast<int>(table_.columns.size())) return;
  const std::vector<double>& keys = table_.columns[static_cast<size_t>(sort_column_)].keys;
  if (keys.empty()) return;
  const bool descending = sort_order_ == Qt::DescendingOrder;
  std::stable_sort(order_.begin(), order_.end(), [&keys, descending](uint32_t a, uint32_t b) {
    if (std::isnan(keys[a]) || std::isnan(keys[b])) return !std::isnan(keys[a]);
    return descending ? keys[b] < keys[a] : keys[a] < keys[b];
  });
}

void PlainTableModel::filterRows() {
  shown_.clear();
  for (const uint32_t row : order_) {
    if (keeps_ && !keeps_(row)) continue;
    const bool has_all = std::all_of(words_.begin(), words_.end(), [&](const std::string& word) {
      return table_.search[row].find(word) != std::string::npos;
    });
    if (has_all) shown_.push_back(row);
  }
}

void PlainTableModel::sort(int column, Qt::SortOrder order) {
  setSortOrder(column, order);
  const QModelIndexList before = persistentIndexList();
  std::vector<size_t> rows;
  for (const QModelIndex& index : before) rows.push_back(rowOf(index));
  emit layoutAboutToBeChanged({}, VerticalSortHint);
  orderRows();
  filterRows();
  std::vector<int> position(table_.rows, -1);
  for (size_t i = 0; i < shown_.size(); ++i) position[shown_[i]] = static_cast<int>(i);
  QModelIndexList after;
  for (qsizetype i = 0; i < before.size(); ++i) {
    after << index(position[rows[static_cast<size_t>(i)]], before[i].column());
  }
  changePersistentIndexList(before, after);
  emit layoutChanged({}, VerticalSortHint);
}

QModelIndex PlainTableModel::indexOf(size_t row, int column) const {
  const auto at = std::find(shown_.begin(), shown_.end(), row);
  return at == shown_.end() ? QModelIndex() : index(static_cast<int>(at - shown_.begin()), column);
}

QString PlainTableModel::text(std::span<const uint32_t> rows, TextFormat format) const {
  QStringList cells;
  for (const PlainColumn& column : table_.columns) cells << cellText(column.title, format);
  QString out = lineText(cells, format);
  if (format == TextFormat::kMarkdown) {
    for (size_t i = 0; i < table_.columns.size(); ++i) {
      cells[static_cast<qsizetype>(i)] =
          QString::fromLatin1(table_.columns[i].is_number ? "---:" : "---");
    }
    out += lineText(cells, format);
  }
  for (const uint32_t row : rows) {
    cells.clear();
    for (const PlainColumn& column : table_.columns) {
      const QString cell = column.text(row);
      cells << cellText(column.is_number ? plainNumber(cell) : cell, format);
    }
    out += lineText(cells, format);
  }
  return out;
}

int PlainTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

int PlainTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(table_.columns.size());
}

QVariant PlainTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const PlainColumn& column = table_.columns[static_cast<size_t>(index.column())];
  const size_t row = rowOf(index);
  if (role == Qt::DisplayRole) return column.text(row);
  if (role == Qt::TextAlignmentRole) {
    return QVariant(Qt::AlignVCenter | (column.is_number ? Qt::AlignRight : Qt::AlignLeft));
  }
  return column.look ? column.look(row, role) : QVariant();
}

QVariant PlainTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const PlainColumn& column = table_.columns[static_cast<size_t>(section)];
  switch (role) {
    case Qt::DisplayRole:
      return column.title;
    case Qt::ToolTipRole:
      return column.help.isEmpty() ? QVariant() : QVariant(column.help);
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter | (column.is_number ? Qt::AlignRight : Qt::AlignLeft));
    default:
      return {};
  }
}

std::vector<uint32_t> selectedRows(const QTableView& view, const PlainTableModel& model) {
  // By ranges: a hundred thousand selected rows are mostly one of them.
  std::vector<int> positions;
  for (const QItemSelectionRange& range : view.selectionModel()->selection()) {
    for (int row = range.top(); row <= range.bottom(); ++row) positions.push_back(row);
  }
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  std::vector<uint32_t> rows;
  rows.reserve(positions.size());
  for (const int position : positions) {
    rows.push_back(static_cast<uint32_t>(model.rowOf(model.index(position, 0))));
  }
  return rows;
}

}  // namespace hloscope::ui
