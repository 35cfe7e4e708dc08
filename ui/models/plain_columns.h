#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ui/models/plain_table.h"

namespace hloscope::ui {

/// Columns of rows that the table shares: `text` and `number` are asked for each row.
template <typename Row>
using PlainRows = std::shared_ptr<const std::vector<Row>>;

template <typename Row>
[[nodiscard]] PlainColumn textColumn(const QString& title, const PlainRows<Row>& rows, auto text) {
  std::vector<std::string> texts;
  texts.reserve(rows->size());
  for (const Row& row : *rows) texts.push_back(text(row));
  PlainColumn column{.title = title, .text = {}};
  column.keys = textKeys(texts);
  column.text = [texts = std::move(texts)](size_t row) {
    return QString::fromStdString(texts[row]);
  };
  return column;
}

/// `text` makes the cell of a number.
template <typename Row>
[[nodiscard]] PlainColumn numberColumn(const QString& title, const PlainRows<Row>& rows,
                                       auto number, auto text) {
  PlainColumn column{.title = title, .is_number = true, .text = {}};
  column.keys.reserve(rows->size());
  for (const Row& row : *rows) column.keys.push_back(static_cast<double>(number(row)));
  column.text = [rows, number, text](size_t row) { return QString(text(number((*rows)[row]))); };
  return column;
}

/// Every row's search text: all its texts.
inline void fillSearch(PlainTable& table) {
  table.search.assign(table.rows, {});
  for (size_t row = 0; row < table.rows; ++row) {
    for (const PlainColumn& column : table.columns) {
      if (column.is_number) continue;
      table.search[row] += lowerCase(column.text(row).toStdString()) + '\n';
    }
  }
}

}  // namespace hloscope::ui
