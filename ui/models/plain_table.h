#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

class QTableView;

namespace hloscope::ui {

/// A column of a PlainTable. Texts are made when they are shown, so that 100,000 rows cost little.
struct PlainColumn {
  QString title;
  QString help = {};       ///< Tool tip of the header.
  bool is_number = false;  ///< Stands at the right.
  std::function<QString(size_t row)> text;
  std::vector<double> keys = {};  ///< Of each row, to sort by; NaN comes last. Empty: not sorted.
  /// Further roles: icons, tool tips, fonts, colours. May be empty.
  std::function<QVariant(size_t row, int role)> look = {};
};

/// Rows of one kind as columns. May be made on a worker.
struct PlainTable {
  size_t rows = 0;
  std::vector<PlainColumn> columns;
  std::vector<std::string> search;  ///< Lower-case text of each row that filters look in.
};

/// Keys that sort like the texts do, without regard to case; equal texts have equal keys.
[[nodiscard]] std::vector<double> textKeys(std::span<const std::string> texts);
/// ASCII letters in lower case, for PlainTable::search.
[[nodiscard]] std::string lowerCase(std::string_view text);

enum class TextFormat { kCsv, kTsv, kMarkdown };

/// Shows a PlainTable; sorts and filters it. Rows keep their number in the table.
class PlainTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;

  /// Filter and sort order stay. Returns the table before: freeing a large one takes a while.
  PlainTable setTable(PlainTable table);
  [[nodiscard]] const PlainTable& table() const { return table_; }
  /// All words must stand in a row's search text; case is ignored.
  void setWords(const QString& words);
  /// Only rows for which `keeps` is true; empty: all.
  void setRowFilter(std::function<bool(size_t row)> keeps);
  /// Both at once.
  void setFilter(const QString& words, std::function<bool(size_t row)> keeps);
  /// Before a table is set as well.
  void setSortOrder(int column, Qt::SortOrder order);

  /// The number in the table of a shown row.
  [[nodiscard]] size_t rowOf(const QModelIndex& index) const {
    return shown_[static_cast<size_t>(index.row())];
  }
  /// Invalid while the row is filtered away.
  [[nodiscard]] QModelIndex indexOf(size_t row, int column = 0) const;
  [[nodiscard]] const std::vector<uint32_t>& shownRows() const { return shown_; }
  /// Of the rows given, with a header line.
  [[nodiscard]] QString text(std::span<const uint32_t> rows, TextFormat format) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;
  void sort(int column, Qt::SortOrder order) override;

 private:
  void orderRows();
  void filterRows();

  PlainTable table_;
  std::vector<std::string> words_;
  std::function<bool(size_t)> keeps_;
  std::vector<uint32_t> order_;  ///< All rows as they are sorted.
  std::vector<uint32_t> shown_;
  int sort_column_ = -1;
  Qt::SortOrder sort_order_ = Qt::AscendingOrder;
};

/// The rows selected in a view of the model, in the order they are shown in.
[[nodiscard]] std::vector<uint32_t> selectedRows(const QTableView& view,
                                                 const PlainTableModel& model);

}  // namespace hloscope::ui
