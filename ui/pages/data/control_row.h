#pragma once

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <QWidget>

namespace hloscope::ui {

/// A row of controls of a panel, still empty.
[[nodiscard]] inline QHBoxLayout* controlRow() {
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 6, 8, 6);
  row->setSpacing(8);
  return row;
}

/// Divides a panel: the row at its top, the body takes what is left.
inline void setRowOverBody(QWidget* panel, QHBoxLayout* row, QWidget* body) {
  auto* layout = new QVBoxLayout(panel);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(row);
  layout->addWidget(body, 1);
}

}  // namespace hloscope::ui
