#include "ui/pages/graph/kernels_dock.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QSaveFile>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/models/empty_note.h"
#include "ui/models/filter_edit.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/models/kernel_delegates.h"
#include "ui/models/kernel_table_model.h"
#include "ui/models/kernel_tables.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"

namespace hloscope::ui {

using analysis::ColumnKind;
using analysis::kernel_columns;

namespace {

constexpr int kClassLetters = 11;  ///< "All classes"

int usualWidth(const analysis::KernelColumn& column) {
  switch (column.kind) {
    case ColumnKind::kName:
      return 186;
    case ColumnKind::kClass:
      return 104;
    case ColumnKind::kCount:
      return column.key == "instrs" ? 56 : 80;
    case ColumnKind::kShare:
      return 128;
    case ColumnKind::kError:
      return analysis::is_optional(column) ? 136 : 104;
    case ColumnKind::kTime:
      return analysis::is_optional(column) ? 116 : 100;  // The names of these are longer.
    case ColumnKind::kDelta:
      return analysis::info(column.source).is_optional ? 124 : 104;
    case ColumnKind::kSpread:
      return 104;
    case ColumnKind::kFlag:
      return analysis::is_optional(column) ? 118 : 76;
    case ColumnKind::kIntensity:
      return 66;
    case ColumnKind::kTile:
      return 220;
    default:
      return 76;
  }
}

QToolButton* menuButton(Icon symbol, const QString& text, QMenu* menu, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setIcon(icon(symbol));
  button->setText(text);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setPopupMode(QToolButton::InstantPopup);
  button->setMenu(menu);
  return button;
}

size_t columnOfKind(ColumnKind kind) {
  const auto& columns = kernel_columns();
  return static_cast<size_t>(
      std::find_if(columns.begin(), columns.end(),
                   [kind](const auto& column) { return column.kind == kind; }) -
      columns.begin());
}

}  // namespace

KernelsDock::KernelsDock(QWidget* parent)
    : ReportView(parent),
      filter_(new FilterEdit(QStringLiteral("Filter, e.g. class:conv err>5 measured>100"), this)),
      classes_(new QComboBox(this)),
      totals_(new ElidedLabel(this)),
      table_(new QTableView(this)),
      model_(new KernelTableModel(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  makeTable();
  makeFilterRow();
  layout->addWidget(table_);
  updateTotals();
}

void KernelsDock::makeFilterRow() {
  classes_->addItem(QStringLiteral("All classes"));
  for (int i = 0; i < hlo::kOpClassCount; ++i) {
    const auto op_class = static_cast<hlo::OpClass>(i);
    classes_->addItem(opClassIcon(op_class), textOf(hlo::name(op_class)));
  }
  classes_->setAccessibleName(QStringLiteral("Class"));
  classes_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  classes_->setMinimumContentsLength(kClassLetters);
  connect(classes_, &QComboBox::currentIndexChanged, this, [this](int index) {
    filter_->setFixedTerms(
        index <= 0 ? QString() : QStringLiteral("class:\"%1\"").arg(classes_->currentText()));
  });
  connect(filter_, &FilterEdit::queryChanged, this, &KernelsDock::applyQuery);
  filter_->setMaximumWidth(320);
  filter_->setMinimumWidth(120);
  totals_->setFont(smallFont());
  totals_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 4, 8, 4);
  row->setSpacing(8);
  row->addWidget(filter_, 2);
  row->addWidget(classes_);
  row->addWidget(menuButton(Icon::kColumns, QStringLiteral("Columns"), makeColumnsMenu(), this));
  row->addWidget(menuButton(Icon::kExport, QStringLiteral("Export"), makeExportMenu(), this));
  row->addWidget(totals_, 3);
  static_cast<QVBoxLayout*>(layout())->addLayout(row);
  auto* find = new QAction(QStringLiteral("Filter the kernel table"), this);
  find->setShortcut(QKeySequence::Find);
  find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  connect(find, &QAction::triggered, filter_, qOverload<>(&QWidget::setFocus));
  addAction(find);
}

void KernelsDock::makeTable() {
  table_->setModel(model_);
  styleTable(*table_);
  table_->setAccessibleName(QStringLiteral("Kernels"));
  new EmptyNote(table_, [this] {
    return report_ ? tr("No kernel matches the filter. Esc in the filter shows all again.")
                   : tr("No program is open. Its kernels and their times stand here: Ctrl+O opens "
                        "one.");
  });
  setDelegates();
  QHeaderView* header = table_->horizontalHeader();
  for (size_t i = 0; i < kernel_columns().size(); ++i) {
    header->resizeSection(static_cast<int>(i), usualWidth(kernel_columns()[i]));
    header->setSectionHidden(static_cast<int>(i), !kernel_columns()[i].shown);
    wanted_.push_back(kernel_columns()[i].shown);
  }
  showOptionalColumns();
  // A window of 1280 pixels shows the times and the share without scrolling.
  const auto share = static_cast<int>(columnOfKind(ColumnKind::kShare));
  header->moveSection(share, static_cast<int>(columnOfKind(ColumnKind::kError)));
  // The kernels that cost most come first until the user orders otherwise.
  header->setSortIndicator(share, Qt::DescendingOrder);
  header->setSortIndicatorClearable(true);
  table_->setSortingEnabled(true);
  // Who sorts looks for the first rows.
  connect(header, &QHeaderView::sortIndicatorChanged, table_, &QTableView::scrollToTop);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this] { requestCurrent(false); });
  connect(table_, &QTableView::activated, this, [this] { requestCurrent(true); });
  table_->setContextMenuPolicy(Qt::ActionsContextMenu);
  auto* copy = new QAction(QStringLiteral("Copy rows"), table_);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  connect(copy, &QAction::triggered, this, [this] { copyRows(analysis::TableFormat::kTsv); });
  table_->addAction(copy);
}

void KernelsDock::setDelegates() {
  for (size_t i = 0; i < kernel_columns().size(); ++i) {
    const int column = static_cast<int>(i);
    switch (kernel_columns()[i].kind) {
      case ColumnKind::kName:
        table_->setItemDelegateForColumn(column, new KernelNameDelegate(table_));
        break;
      case ColumnKind::kError:
      case ColumnKind::kDelta:
        table_->setItemDelegateForColumn(column, new ErrorTintDelegate(table_));
        break;
      case ColumnKind::kTime:
        table_->setItemDelegateForColumn(column, new MarkedNumberDelegate(table_));
        break;
      case ColumnKind::kShare:
        share_ = new ShareBarDelegate(table_);
        table_->setItemDelegateForColumn(column, share_);
        break;
      default:
        break;
    }
  }
}

QMenu* KernelsDock::makeExportMenu() {
  auto* menu = new QMenu(this);
  menu->addAction(QStringLiteral("Save as CSV…"), this, &KernelsDock::exportFile);
  menu->addSeparator();
  const std::pair<QString, analysis::TableFormat> formats[] = {
      {QStringLiteral("Copy as TSV"), analysis::TableFormat::kTsv},
      {QStringLiteral("Copy as CSV"), analysis::TableFormat::kCsv},
      {QStringLiteral("Copy as Markdown"), analysis::TableFormat::kMarkdown}};
  for (const auto& [text, format] : formats) {
    menu->addAction(text, this, [this, format = format] { copyRows(format); });
  }
  return menu;
}

void KernelsDock::setBaseline(const analysis::BaselinePtr& baseline) {
  if (baseline == baseline_) return;
  baseline_ = baseline;
  showTable();
  showSelection();
}

void KernelsDock::setReport(const ReportPtr& report) {
  if (report == report_) return;
  // New times of the same program leave the rows where they are.
  const bool is_other = !report || !report_ || report->module.program != report_->module.program;
  report_ = report;
  setWindowTitle(report ? textOf(report->module.program->name()) : QString());
  showTable();
  if (is_other) table_->scrollToTop();
}

void KernelsDock::showTable() {
  following_ = true;
  model_->setTable(kernelTable(report_, baseline_));
  following_ = false;
  showOptionalColumns();
  double largest = 0;
  const size_t share = columnOfKind(ColumnKind::kShare);
  for (uint32_t row = 0; model_->table() && row < model_->table()->row_count(); ++row) {
    largest = std::fmax(largest, model_->table()->number(row, share));
  }
  share_->setFullValue(std::min(1.0, largest * 1.25));
  updateTotals();
}

void KernelsDock::setSelection(const Selection& selection) {
  selection_ = selection;
  showSelection();
}

void KernelsDock::showSelection() {
  const QModelIndex index = model_->indexOf(selection_.kernel);
  if (index.isValid() && table_->currentIndex().row() == index.row()) return;
  following_ = true;
  table_->setCurrentIndex(index);
  if (!index.isValid()) table_->clearSelection();
  following_ = false;
  if (index.isValid()) table_->scrollTo(index);
}

void KernelsDock::applyQuery(const analysis::KernelQuery& query) {
  following_ = true;
  model_->setQuery(query);
  following_ = false;
  updateTotals();
  table_->scrollToTop();
  showSelection();
}

bool KernelsDock::hasDelta(analysis::TimeSource source) const {
  const auto& columns = kernel_columns();
  const auto column = std::find_if(columns.begin(), columns.end(), [source](const auto& one) {
    return one.kind == ColumnKind::kDelta && one.source == source;
  });
  return hasColumn(static_cast<size_t>(column - columns.begin()));
}

QString KernelsDock::totalsText() const {
  if (!model_->table()) return QStringLiteral("No program is open");
  const auto totals = model_->totals();
  const size_t all = model_->table()->row_count();
  const QString of_all = countOf(all, QStringLiteral("kernel"));
  QStringList parts;
  parts += totals.kernels == all
               ? of_all
               : QStringLiteral("%1 of %2")
                     .arg(formatCount(static_cast<int64_t>(totals.kernels)), of_all);
  QStringList estimates;
  QStringList errors;
  for (size_t s = 0; s < analysis::kTimeSourceCount; ++s) {
    const QString name = textOf(analysis::kTimeSources[s].name);
    if (totals.timed[s] > 0) {
      QStringList& list = analysis::kTimeSources[s].is_estimate ? estimates : parts;
      QString sum = QStringLiteral("Σ %1 %2").arg(name, formatTime(totals.time_ns[s]));
      if (!std::isnan(totals.delta[s]) && hasDelta(analysis::kTimeSources[s].source)) {
        sum += QStringLiteral(" (Δ %1)").arg(formatSignedPercent(totals.delta[s]));
      }
      list += sum;
    }
    if (!std::isnan(totals.mape[s])) {
      errors += QStringLiteral("%1 %2").arg(name, formatPercent(totals.mape[s]));
    }
  }
  if (!estimates.isEmpty()) {
    // In front, so that it is not what a narrow window cuts off.
    parts += QStringLiteral("not measured: ") + estimates.join(QStringLiteral(", "));
  }
  if (!errors.isEmpty()) parts += QStringLiteral("MAPE: ") + errors.join(QStringLiteral(", "));
  return parts.join(QStringLiteral(" · "));
}

void KernelsDock::updateTotals() {
  totals_->setWholeText(totalsText());
  QString help = totals_->wholeText() + QStringLiteral("\nΣ: time × executions");
  if (baseline_) {
    help += QStringLiteral("\nΔ: change against the baseline, %1")
                .arg(QString::fromStdString(baseline_->label()));
  }
  if (model_->table()) {
    help += QStringLiteral("\nSimulated: ") +
            textOf(analysis::rule_share_text(model_->totals().rule_share));
  }
  totals_->setToolTip(help);
}

Selection KernelsDock::selectionAt(const QModelIndex& index) const {
  const graph::KernelId kernel = model_->kernelAt(index);
  if (!kernel.valid()) return {};
  return {kernel, report_->kernels.kernels[kernel].instruction};
}

void KernelsDock::requestCurrent(bool activate) {
  if (following_ || !table_->currentIndex().isValid()) return;
  selection_ = selectionAt(table_->currentIndex());
  if (activate) {
    emit activationRequested(nullptr, selection_);
  } else {
    emit selectionRequested(nullptr, selection_);
  }
}

void KernelsDock::copyRows(analysis::TableFormat format) {
  std::vector<int> rows;
  const QModelIndexList selected = table_->selectionModel()->selectedRows();
  if (selected.size() > 1) {
    for (const QModelIndex& index : selected) rows.push_back(index.row());
    std::sort(rows.begin(), rows.end());
  }
  QApplication::clipboard()->setText(model_->exportText(rows, shownColumns(), format));
  const auto count = rows.empty() ? model_->rowCount() : static_cast<int>(rows.size());
  emit messageRequested(QStringLiteral("%1 rows copied").arg(formatCount(count)));
}

void KernelsDock::exportFile() {
  const QString path =
      QFileDialog::getSaveFileName(this, QStringLiteral("Save kernels"),
                                   QStringLiteral("kernels.csv"), QStringLiteral("CSV (*.csv)"));
  if (path.isEmpty()) return;
  QSaveFile file(path);
  const QByteArray text =
      model_->exportText({}, shownColumns(), analysis::TableFormat::kCsv).toUtf8();
  const bool done =
      file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit();
  emit messageRequested(
      done ? QStringLiteral("Saved %1").arg(path)
           : QStringLiteral("%1 could not be written: %2").arg(path, file.errorString()));
}

}  // namespace hloscope::ui
