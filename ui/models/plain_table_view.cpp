#include "ui/models/plain_table_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QPainter>

#include "ui/models/kernel_delegates.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {
namespace {

constexpr int kNarrowestLast = 40;

}  // namespace

PlainTableView::PlainTableView(const QString& name, QWidget* parent)
    : QTableView(parent), model_(new PlainTableModel(this)) {
  setModel(model_);
  styleTable(*this);
  setAccessibleName(name);
  horizontalHeader()->setStretchLastSection(true);
  setContextMenuPolicy(Qt::ActionsContextMenu);
  const std::pair<QString, TextFormat> formats[] = {
      {tr("Copy rows"), TextFormat::kTsv},
      {tr("Copy as CSV"), TextFormat::kCsv},
      {tr("Copy as Markdown"), TextFormat::kMarkdown}};
  for (const auto& [text, format] : formats) {
    auto* action = new QAction(text, this);
    connect(action, &QAction::triggered, this, [this, format = format] { copy(format); });
    addAction(action);
  }
  actions().front()->setShortcut(QKeySequence::Copy);
  actions().front()->setShortcutContext(Qt::WidgetShortcut);
}

void PlainTableView::setTable(PlainTable table) {
  const int row = currentRow();
  const int columns = model_->columnCount();
  model_->setTable(std::move(table));
  QHeaderView* header = horizontalHeader();
  header->setVisible(model_->columnCount() > 0);
  // A number far from its column is not read with it.
  const std::vector<PlainColumn>& shown = model_->table().columns;
  header->setStretchLastSection(false);  // What is left is known when the others are laid out.
  if (model_->columnCount() != columns) {
    for (size_t i = 0; i < widths_.size() && static_cast<int>(i) < header->count(); ++i) {
      header->resizeSection(static_cast<int>(i), widths_[i]);
    }
  }
  const bool is_stretched = !shown.empty() && !shown.back().is_number;
  // It is never less than the width it had before.
  if (is_stretched) header->resizeSection(header->count() - 1, kNarrowestLast);
  header->setStretchLastSection(is_stretched);
  selectTableRow(row);
}

void PlainTableView::setEmptyText(const QString& text) {
  empty_text_ = text;
  setAccessibleDescription(text);
  viewport()->update();
}

int PlainTableView::currentRow() const {
  return currentIndex().isValid() ? static_cast<int>(model_->rowOf(currentIndex())) : -1;
}

void PlainTableView::selectTableRow(int row) {
  if (row < 0) return;
  const QModelIndex index = model_->indexOf(static_cast<size_t>(row));
  if (index.isValid()) setCurrentIndex(index);
}

void PlainTableView::copy(TextFormat format) {
  std::vector<uint32_t> rows = selectedRows(*this, *model_);
  if (rows.size() < 2) rows = model_->shownRows();
  QApplication::clipboard()->setText(model_->text(rows, format));
}

void PlainTableView::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  if (model_->rowCount() > 0 || empty_text_.isEmpty()) return;
  constexpr int kMargin = 16;
  QPainter painter(viewport());
  painter.setPen(theme().role(Role::kTextMuted));
  painter.drawText(viewport()->rect().adjusted(kMargin, kMargin, -kMargin, -kMargin),
                   Qt::AlignCenter | Qt::TextWordWrap, empty_text_);
}

}  // namespace hloscope::ui
