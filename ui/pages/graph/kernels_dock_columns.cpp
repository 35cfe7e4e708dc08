// Which columns the kernel table shows, and what is kept of it between sessions.
#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QMenu>
#include <QTableView>

#include "ui/models/filter_edit.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/models/kernel_table_model.h"
#include "ui/pages/graph/kernels_dock.h"

namespace hloscope::ui {

using analysis::kernel_columns;

namespace {

constexpr int kStateVersion = 1;

}  // namespace

QMenu* KernelsDock::makeColumnsMenu() {
  auto* menu = new QMenu(this);
  for (size_t i = 1; i < kernel_columns().size(); ++i) {
    const int column = static_cast<int>(i);
    QAction* action = menu->addAction(QString::fromStdString(kernel_columns()[i].title));
    action->setCheckable(true);
    connect(action, &QAction::toggled, this, [this, column](bool shown) {
      wanted_[static_cast<size_t>(column)] = shown;
      table_->setColumnHidden(column, !shown);
    });
    connect(menu, &QMenu::aboutToShow, action, [this, column, action] {
      const QSignalBlocker blocker(action);
      action->setVisible(hasColumn(static_cast<size_t>(column)));
      action->setChecked(!table_->isColumnHidden(column));
    });
  }
  QHeaderView* header = table_->horizontalHeader();
  header->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(header, &QWidget::customContextMenuRequested, menu,
          [menu, header](const QPoint& at) { menu->popup(header->mapToGlobal(at)); });
  return menu;
}

bool KernelsDock::hasColumn(size_t column) const {
  if (model_->table()) return model_->table()->has_column(column);
  return !analysis::is_optional(kernel_columns()[column]);
}

void KernelsDock::showOptionalColumns() {
  for (size_t i = 0; i < kernel_columns().size(); ++i) {
    if (!analysis::is_optional(kernel_columns()[i])) continue;
    table_->setColumnHidden(static_cast<int>(i), !hasColumn(i) || !wanted_[i]);
  }
}

QStringList KernelsDock::wantedOptional() const {
  QStringList keys;
  for (size_t i = 0; i < kernel_columns().size(); ++i) {
    const analysis::KernelColumn& column = kernel_columns()[i];
    if (analysis::is_optional(column) && wanted_[i]) keys += textOf(column.key);
  }
  return keys;
}

void KernelsDock::setWantedOptional(const QStringList& keys, bool with_deltas) {
  for (size_t i = 0; i < kernel_columns().size(); ++i) {
    const analysis::KernelColumn& column = kernel_columns()[i];
    const bool is_said = with_deltas || column.kind != analysis::ColumnKind::kDelta;
    if (analysis::is_optional(column) && is_said) wanted_[i] = keys.contains(textOf(column.key));
  }
}

std::vector<size_t> KernelsDock::shownColumns() const {
  std::vector<size_t> columns;
  const QHeaderView* header = table_->horizontalHeader();
  for (int visual = 0; visual < header->count(); ++visual) {
    const int logical = header->logicalIndex(visual);
    if (!header->isSectionHidden(logical)) columns.push_back(static_cast<size_t>(logical));
  }
  return columns;
}

QVariantMap KernelsDock::saveState() const {
  return {{QStringLiteral("version"), kStateVersion},
          {QStringLiteral("filter"), filter_->text()},
          {QStringLiteral("class"), classes_->currentIndex()},
          {QStringLiteral("columns"), static_cast<int>(kernel_columns().size())},
          {QStringLiteral("optional"), wantedOptional()},
          {QStringLiteral("header"), table_->horizontalHeader()->saveState()}};
}

void KernelsDock::restoreState(const QVariantMap& state) {
  if (state.value(QStringLiteral("version")).toInt() != kStateVersion) return;
  // Another version of the program may have other columns; their widths would be mixed up.
  const bool has_same_columns =
      state.value(QStringLiteral("columns")).toInt() == static_cast<int>(kernel_columns().size());
  if (has_same_columns) {
    table_->horizontalHeader()->restoreState(state.value(QStringLiteral("header")).toByteArray());
  }
  if (state.contains(QStringLiteral("optional"))) {
    setWantedOptional(state.value(QStringLiteral("optional")).toStringList(), has_same_columns);
  }
  showOptionalColumns();
  filter_->setText(state.value(QStringLiteral("filter")).toString());
  classes_->setCurrentIndex(state.value(QStringLiteral("class")).toInt());
  filter_->apply();
}

}  // namespace hloscope::ui
