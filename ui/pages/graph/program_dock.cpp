#include "ui/pages/graph/program_dock.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/empty_note.h"
#include "ui/models/filter_edit.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/models/kernel_delegates.h"
#include "ui/models/kernel_tables.h"
#include "ui/models/program_tree_model.h"
#include "ui/theme/fonts.h"

namespace hloscope::ui {
namespace {

constexpr int kTimeColumnWidth = 68;
constexpr int kIndentation = 12;
/// More rows than this are not expanded at once by a filter.
constexpr int kExpandLimit = 5000;

QTreeView* makeTree(ProgramTreeModel* model, QWidget* parent) {
  auto* tree = new QTreeView(parent);
  tree->setModel(model);
  tree->setUniformRowHeights(true);
  tree->setIndentation(kIndentation);
  tree->setHeaderHidden(true);
  tree->setFrameShape(QFrame::NoFrame);
  tree->setAccessibleName(QStringLiteral("Program tree"));
  tree->setItemDelegateForColumn(0, new KernelNameDelegate(tree));
  tree->setAllColumnsShowFocus(true);
  tree->setExpandsOnDoubleClick(false);
  tree->setContextMenuPolicy(Qt::CustomContextMenu);
  tree->header()->setStretchLastSection(false);
  tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  tree->header()->setSectionResizeMode(1, QHeaderView::Fixed);
  tree->header()->resizeSection(1, kTimeColumnWidth);
  return tree;
}

}  // namespace

ProgramDock::ProgramDock(QWidget* parent)
    : ReportView(parent),
      filter_(new FilterEdit(QStringLiteral("Filter: name, opcode:, shape:, class:"), this)),
      unit_(new QLabel(this)),
      model_(new ProgramTreeModel(this)) {
  tree_ = makeTree(model_, this);
  new EmptyNote(tree_, [this] {
    return reports_.empty() ? tr("No program is open. Open an HLO file (Ctrl+O), or drop one here.")
                            : tr("Nothing matches the filter. Esc in the filter shows all again.");
  });
  unit_->setFont(smallFont());
  unit_->setForegroundRole(QPalette::PlaceholderText);
  unit_->setAlignment(Qt::AlignRight);
  auto* head = new QVBoxLayout;
  head->setContentsMargins(8, 6, 8, 4);
  head->setSpacing(4);
  head->addWidget(filter_);
  head->addWidget(unit_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(head);
  layout->addWidget(tree_);
  connect(filter_, &FilterEdit::queryChanged, this, &ProgramDock::applyQuery);
  connect(tree_, &QTreeView::clicked, this, [this](const QModelIndex& i) { request(i, false); });
  connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          &ProgramDock::walked);
  connect(tree_, &QTreeView::activated, this, [this](const QModelIndex& i) { request(i, true); });
  connect(tree_, &QTreeView::customContextMenuRequested, this, &ProgramDock::showMenu);
  auto* find = new QAction(QStringLiteral("Filter the program tree"), this);
  find->setShortcut(QKeySequence::Find);
  find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  connect(find, &QAction::triggered, filter_, qOverload<>(&QWidget::setFocus));
  addAction(find);
}

void ProgramDock::setReports(const std::vector<ReportPtr>& reports) {
  if (reports == reports_) return;
  reports_ = reports;
  std::vector<ProgramTreeModel::TablePtr> tables;
  tables.reserve(reports.size());
  for (const ReportPtr& report : reports) tables.push_back(kernelTable(report));
  model_->setModules(std::move(tables));
  unit_->setText(model_->timeTitle());
  expandUsual();
}

void ProgramDock::setReport(const ReportPtr& report) {
  const bool changed = report != report_;
  report_ = report;
  const auto at = std::find(reports_.begin(), reports_.end(), report);
  const int module = at == reports_.end() ? -1 : static_cast<int>(at - reports_.begin());
  model_->setCurrentModule(module);
  unit_->setText(model_->timeTitle());
  if (module < 0) return;
  if (changed) expandUsual();
}

void ProgramDock::setSelection(const Selection& selection) {
  selection_ = selection;
  showSelection();
}

void ProgramDock::applyQuery(const analysis::KernelQuery& query) {
  model_->setQuery(query);
  expandUsual();
  showSelection();
}

void ProgramDock::expandUsual() {
  const auto current = std::find(reports_.begin(), reports_.end(), report_);
  for (int file = 0; file < model_->rowCount({}); ++file) {
    const QModelIndex parent = model_->index(file, 0, {});
    tree_->expand(parent);
    if (model_->rowCount(parent) == 1) tree_->expand(model_->index(0, 0, parent));
  }
  const auto module = current == reports_.end() ? 0 : static_cast<int>(current - reports_.begin());
  const QModelIndex index = model_->indexOfModule(module);
  tree_->expand(index);
  int budget = kExpandLimit;
  for (int row = 0; row < model_->rowCount(index) && (row == 0 || model_->isFiltered()); ++row) {
    const QModelIndex computation = model_->index(row, 0, index);
    budget -= model_->rowCount(computation);
    if (budget < 0 && row > 0) break;
    tree_->expand(computation);
  }
}

void ProgramDock::showSelection() {
  const auto at = std::find(reports_.begin(), reports_.end(), report_);
  if (at == reports_.end()) return;
  const int module = static_cast<int>(at - reports_.begin());
  QModelIndex index;
  if (selection_.kernel.valid()) {
    index = model_->indexOfKernel(module, selection_.kernel);
  } else if (selection_.instruction.valid()) {
    const hlo::Program& program = *report_->module.program;
    index = model_->indexOfComputation(module, program[selection_.instruction].computation);
  }
  following_ = true;
  tree_->setCurrentIndex(index);
  following_ = false;
  if (!index.isValid()) index = model_->indexOfModule(module);
  if (index.isValid()) tree_->scrollTo(index);
}

void ProgramDock::walked(const QModelIndex& index) {
  // Clicks are told by clicked(). Keys stay in the module: another one means another layout.
  if (following_ || !index.isValid() || QApplication::mouseButtons() != Qt::NoButton) return;
  const int module = model_->placeAt(index).module;
  if (reports_[static_cast<size_t>(module)] == report_) request(index, false);
}

void ProgramDock::request(const QModelIndex& index, bool activate) {
  if (!index.isValid()) return;
  const ProgramTreeModel::Place place = model_->placeAt(index);
  const ReportPtr& report = reports_[static_cast<size_t>(place.module)];
  const hlo::Program& program = *report->module.program;
  Selection selection;
  if (place.kernel.valid()) {
    selection.kernel = place.kernel;
    selection.instruction = report->kernels.kernels[place.kernel].instruction;
  } else if (place.computation.valid()) {
    selection.instruction = program[place.computation].root;
    if (report->kernels.kernel_of.contains(selection.instruction)) {
      selection.kernel = report->kernels.kernel_of[selection.instruction];
    }
  }
  const ReportPtr target = report == report_ ? nullptr : report;
  if (activate) {
    emit activationRequested(target, selection);
  } else {
    emit selectionRequested(target, selection);
  }
}

void ProgramDock::showMenu(const QPoint& position) {
  const QModelIndex index = tree_->indexAt(position);
  if (!index.isValid()) return;
  const QString name = index.siblingAtColumn(0).data().toString();
  QMenu menu(this);
  menu.addAction(QStringLiteral("Show in graph"), this, [this, index] { request(index, true); });
  menu.addAction(QStringLiteral("Copy name"), this,
                 [name] { QApplication::clipboard()->setText(name); });
  menu.exec(tree_->viewport()->mapToGlobal(position));
}

QVariantMap ProgramDock::saveState() const {
  return {{QStringLiteral("filter"), filter_->text()}};
}

void ProgramDock::restoreState(const QVariantMap& state) {
  filter_->setText(state.value(QStringLiteral("filter")).toString());
  filter_->apply();
}

}  // namespace hloscope::ui
