// How RunsPage is put together.
#include <QAction>
#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/filter_edit.h"
#include "ui/models/kernel_delegates.h"
#include "ui/pages/command_action.h"
#include "ui/pages/file_watch.h"
#include "ui/pages/runs/run_tables.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/shell/error_strip.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {
namespace {

constexpr int kMargin = 12;
constexpr int kRowHeight = 40;
constexpr int kNarrowestFile = 60;  ///< Of the last column.

/// The last column takes what the others leave, and never less than the width it has before.
void setWidths(QHeaderView& header, const std::vector<int>& widths) {
  header.setStretchLastSection(false);
  for (size_t i = 0; i < widths.size(); ++i) header.resizeSection(static_cast<int>(i), widths[i]);
  header.resizeSection(header.count() - 1, kNarrowestFile);
  header.setStretchLastSection(true);
}

QLabel* emptyLabel() {
  QLabel* label = mutedLabel(QString(), false);
  label->setAlignment(Qt::AlignCenter);
  label->setWordWrap(true);
  label->setMargin(24);
  return label;
}

QToolButton* button(QAction* action, Qt::ToolButtonStyle style = Qt::ToolButtonTextBesideIcon) {
  auto* button = new QToolButton;
  button->setDefaultAction(action);
  button->setToolButtonStyle(style);
  return button;
}

QToolButton* menuButton(const QString& text, QMenu* menu) {
  auto* button = new QToolButton;
  button->setText(text);
  button->setPopupMode(QToolButton::InstantPopup);
  button->setMenu(menu);
  return button;
}

}  // namespace

RunsPage::RunsPage(TaskRunner& tasks, std::filesystem::path database, QWidget* parent)
    : Page(parent),
      tasks_(tasks),
      own_database_(std::move(database)),
      database_(own_database_),
      reader_(std::make_shared<RunsReader>(database_)) {
  strip_ = new ErrorStrip;
  watch_ = new FileWatch(this);
  watch_->watch({database_});
  connect(watch_, &FileWatch::replaced, this, &RunsPage::fileReplaced);
  connect(watch_, &FileWatch::changed, this, &RunsPage::reload);
  makeActions();
  auto* splitter = new QSplitter(Qt::Vertical);
  splitter->setChildrenCollapsible(false);
  splitter->setHandleWidth(8);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(kMargin, 0, kMargin, kMargin);
  layout->setSpacing(0);
  layout->addWidget(makeRow());
  layout->addWidget(strip_);
  layout->addWidget(splitter, 1);
  splitter->addWidget(makeListPanel());
  splitter->addWidget(makeDetails());
  splitter->setStretchFactor(0, 1);
  splitter->setStretchFactor(1, 1);
  contentRead(noRuns());
  for (int i = 0; i < kListCount; ++i) sizeColumns(static_cast<List>(i));
  showList(kRuns);
}

QWidget* RunsPage::makeRow() {
  auto* row = new QWidget;
  row->setFixedHeight(kRowHeight);
  path_label_ = new ElidedLabel;
  auto* open = new QToolButton;
  open->setText(tr("Open another…"));
  open->setIcon(icon(Icon::kOpen));
  open->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  connect(open, &QToolButton::clicked, this, &RunsPage::openDatabaseDialog);
  auto* recent = new QMenu(this);
  recent->setToolTipsVisible(true);
  connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecentMenu(*recent); });
  own_button_ = new QToolButton;
  own_button_->setText(tr("Back to own"));
  own_button_->setToolTip(tr("The results file of this window"));
  connect(own_button_, &QToolButton::clicked, this, [this] { setDatabase(own_database_); });
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addWidget(mutedLabel(tr("Results file"), false));
  layout->addWidget(path_label_, 1);
  layout->addWidget(open);
  layout->addWidget(menuButton(tr("Recent"), recent));
  layout->addWidget(own_button_);
  return row;
}

QWidget* RunsPage::makeFilterRow() {
  auto* row = new QWidget;
  filter_ = new QLineEdit;
  filter_->setObjectName(kFilterName);
  filter_->setPlaceholderText(tr("Filter: program, source, state"));
  filter_->setToolTip(tr("Words of program, file, source, machine, model and state"));
  filter_->setAccessibleName(tr("Filter"));
  filter_->setClearButtonEnabled(true);
  filter_->addAction(icon(Icon::kFilter), QLineEdit::LeadingPosition);
  filter_->setMaximumWidth(360);
  source_ = new QComboBox;
  source_->setAccessibleName(tr("Source"));
  source_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  source_->addItem(tr("all sources"), QString());
  connect(filter_, &QLineEdit::textChanged, this, &RunsPage::applyFilter);
  connect(source_, &QComboBox::currentIndexChanged, this, &RunsPage::applyFilter);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(8, 4, 8, 4);
  layout->setSpacing(8);
  layout->addWidget(filter_, 1);
  layout->addWidget(source_);
  layout->addStretch(1);
  layout->addWidget(button(open_program_));
  layout->addWidget(button(pin_));
  layout->addWidget(button(remove_));
  layout->addWidget(button(undo_));
  layout->addWidget(menuButton(tr("Export"), makeExportMenu()));
  return row;
}

QTableView* RunsPage::makeTable(PlainTableModel*& model, const QString& name) {
  model = new PlainTableModel(this);
  auto* view = new QTableView;
  view->setModel(model);
  styleTable(*view);
  view->setAccessibleName(name);
  view->setSortingEnabled(false);
  view->horizontalHeader()->setStretchLastSection(true);
  view->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  view->setContextMenuPolicy(Qt::ActionsContextMenu);
  auto* copy = new QAction(tr("Copy rows"), view);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  connect(copy, &QAction::triggered, this, [this] { copyRows(TextFormat::kTsv); });
  view->addAction(copy);
  return view;
}

Panel* RunsPage::makeListPanel() {
  list_panel_ = new Panel(tr("In this file"));
  list_buttons_ = new QButtonGroup(this);
  stack_ = new QStackedWidget;
  const QString names[kListCount] = {tr("Runs"), tr("Programs"), tr("Measured times")};
  auto* switcher = new QWidget;
  auto* switches = new QHBoxLayout(switcher);
  switches->setContentsMargins(0, 0, 0, 0);
  switches->setSpacing(0);
  for (int i = 0; i < kListCount; ++i) {
    auto* choose = new QToolButton;
    choose->setText(names[i]);
    choose->setCheckable(true);
    list_buttons_->addButton(choose, i);
    switches->addWidget(choose);
    QTableView* view = views_[i] = makeTable(models_[i], names[i]);
    view->addActions({open_program_, rename_});
    stack_->addWidget(view);
    view->setSortingEnabled(true);
    connect(view, &QTableView::activated, this, &RunsPage::openProgram);
    connect(view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            i == kRuns ? &RunsPage::followSelection : &RunsPage::updateActions);
  }
  views_[kRuns]->addActions({pin_, remove_, undo_});
  views_[kRuns]->horizontalHeader()->setSortIndicator(static_cast<int>(RunColumn::kRun),
                                                      Qt::DescendingOrder);
  constexpr int kLastOpened = 5;
  views_[kPrograms]->horizontalHeader()->setSortIndicator(kLastOpened, Qt::DescendingOrder);
  views_[kMeasured]->horizontalHeader()->setSortIndicator(0, Qt::AscendingOrder);
  list_panel_->addControl(switcher);
  empty_ = emptyLabel();
  stack_->addWidget(empty_);
  connect(list_buttons_, &QButtonGroup::idClicked, this,
          [this](int list) { showList(static_cast<List>(list)); });
  list_panel_->body()->addWidget(makeFilterRow());
  list_panel_->body()->addWidget(stack_, 1);
  return list_panel_;
}

QWidget* RunsPage::makeDetails() {
  auto* details = new QSplitter(Qt::Horizontal);
  details->setChildrenCollapsible(false);
  details->setHandleWidth(8);
  property_panel_ = new Panel(tr("Run"));
  properties_view_ = makeTable(properties_, tr("Properties of the run"));
  properties_view_->setTextElideMode(Qt::ElideMiddle);  // Of a path both ends matter.
  property_empty_ = emptyLabel();
  property_empty_->setText(tr("Select a run to see what made it."));
  property_stack_ = new QStackedWidget;
  property_stack_->addWidget(properties_view_);
  property_stack_->addWidget(property_empty_);
  property_panel_->body()->addWidget(property_stack_);
  kernel_panel_ = new Panel(tr("Kernels"));
  kernels_view_ = makeTable(kernels_, tr("Kernels of the run"));
  kernels_view_->setItemDelegateForColumn(0, new KernelNameDelegate(kernels_view_));
  kernels_view_->setSortingEnabled(true);
  connect(kernels_view_, &QTableView::activated, this, &RunsPage::openKernel);
  kernel_empty_ = emptyLabel();
  kernel_stack_ = new QStackedWidget;
  kernel_stack_->addWidget(kernels_view_);
  kernel_stack_->addWidget(kernel_empty_);
  kernel_panel_->body()->addWidget(kernel_stack_);
  details->addWidget(property_panel_);
  details->addWidget(kernel_panel_);
  details->setStretchFactor(0, 2);
  details->setStretchFactor(1, 5);
  details->setSizes({420, 1080});
  return details;
}

void RunsPage::sizeColumns(List list) {
  static const std::vector<int> widths[kListCount] = {
      {56, 90, 96, 150, 76, 92, 166, 90, 70, 96, 84, 140},
      {300, 96, 104, 76, 140, 140, 92},
      {300, 240, 76, 76, 92, 92}};
  setWidths(*views_[list]->horizontalHeader(), widths[list]);
}

void RunsPage::hideEmptyColumns() {
  const std::vector<db::RunInfo>& runs = content_->runs;
  const bool has_names =
      std::any_of(runs.begin(), runs.end(), [](const auto& run) { return !run.name.empty(); });
  const bool has_fusions = std::any_of(runs.begin(), runs.end(), [](const auto& run) {
    return run.key.settings.find("kernels") != std::string::npos;
  });
  views_[kRuns]->setColumnHidden(static_cast<int>(RunColumn::kName), !has_names);
  views_[kRuns]->setColumnHidden(static_cast<int>(RunColumn::kFusion), !has_fusions);
}

void RunsPage::layKernelsOut() {
  const bool is_pair = pair_ && pair_->b;
  if (laid_out_for_pair_ == is_pair) return;
  laid_out_for_pair_ = is_pair;
  static const std::vector<int> single = {220, 80, 80, 122, 86, 86, 90};
  static const std::vector<int> pair = {300, 92, 100, 100, 76, 164, 150};
  const std::vector<int>& widths = is_pair ? pair : single;
  kernels_->setTable(kernelTable(*pair_, std::make_shared<const std::vector<db::RunKernel>>()));
  QHeaderView* header = kernels_view_->horizontalHeader();
  setWidths(*header, widths);
  header->setSortIndicator(weightColumn(*pair_), Qt::DescendingOrder);
  QAbstractItemDelegate* old = kernels_view_->itemDelegateForColumn(kRatioColumn);
  kernels_view_->setItemDelegateForColumn(kRatioColumn,
                                          is_pair ? new ErrorTintDelegate(kernels_view_) : nullptr);
  delete old;
}

QMenu* RunsPage::makeExportMenu() {
  auto* menu = new QMenu(this);
  menu->addAction(tr("Save runs as CSV…"), this, [this] { saveRuns(QStringLiteral("csv")); });
  menu->addAction(tr("Save runs as JSON…"), this, [this] { saveRuns(QStringLiteral("json")); });
  menu->addSeparator();
  const std::pair<QString, TextFormat> formats[] = {
      {tr("Copy as TSV"), TextFormat::kTsv},
      {tr("Copy as CSV"), TextFormat::kCsv},
      {tr("Copy as Markdown"), TextFormat::kMarkdown}};
  for (const auto& [text, format] : formats) {
    menu->addAction(text, this, [this, format = format] { copyRows(format); });
  }
  return menu;
}

void RunsPage::makeActions() {
  const auto add = [this](const char* id, const QString& text, const QKeySequence& keys, Icon name,
                          auto&& slot) {
    QAction* action = addCommand(this, QString::fromLatin1(id), text, keys, slot);
    action->setIcon(icon(name));
    commands_ << action;
    return action;
  };
  open_program_ =
      add("runs.open_program", tr("Open program"), QKeySequence(Qt::CTRL | Qt::Key_Return),
          Icon::kGraph, [this] { openProgram(); });
  pin_ = add("runs.pin", tr("Pin as baseline"), QKeySequence(Qt::CTRL | Qt::Key_D), Icon::kPin,
             [this] { pinBaseline(); });
  pin_->setCheckable(true);
  pin_->setToolTip(
      tr("Every run that is selected from now on is compared with this one, and all times of the "
         "window with its times (Ctrl+D)"));
  remove_ = add("runs.delete", tr("Delete"), QKeySequence::Delete, Icon::kClose,
                [this] { removeSelected(); });
  rename_ = add("runs.rename", tr("Rename…"), QKeySequence(Qt::Key_F2), Icon::kFile,
                [this] { askName(); });
  rename_->setToolTip(tr("Names a run, or the program of the selected line (F2)"));
  undo_ = add("runs.undo", tr("Undo"), QKeySequence::Undo, Icon::kBack, [this] { undo(); });
  undo_->setToolTip(
      tr("Takes the last deletion or renaming back (Ctrl+Z); until the window closes"));
  add("runs.reload", tr("Read the file again"), {}, Icon::kReload, [this] { reload(); });
  add("runs.open_database", tr("Open another results file…"), {}, Icon::kOpen,
      [this] { openDatabaseDialog(); });
  add("runs.csv", tr("Save runs as CSV…"), QKeySequence(Qt::CTRL | Qt::Key_E), Icon::kExport,
      [this] { saveRuns(QStringLiteral("csv")); });
  add("runs.find", tr("Filter"), QKeySequence::Find, Icon::kFilter,
      [this] { filter_->setFocus(Qt::ShortcutFocusReason); });
}

}  // namespace hloscope::ui
