#include "ui/pages/data/data_sets_panel.h"
#include "ui/pages/command_action.h"

#include <QAction>
#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "ui/models/kernel_cell_text.h"
#include "ui/models/plain_columns.h"
#include "ui/models/plain_table_view.h"
#include "ui/pages/data/data_set_forms.h"
#include "ui/pages/data/example_split.h"
#include "ui/pages/data/split_bar.h"
#include "ui/pages/file_watch.h"
#include "ui/theme/format.h"
#include "ui/theme/icons.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {
namespace {

QToolButton* button(QAction* action) {
  auto* button = new QToolButton;
  button->setDefaultAction(action);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  return button;
}

QString taskText(data::Task task) {
  switch (task) {
    case data::Task::kTile:
      return DataSetsPanel::tr("rank tiles");
    case data::Task::kFusion:
      return DataSetsPanel::tr("times");
    case data::Task::kLayout:
      return DataSetsPanel::tr("rank layouts");
  }
  return {};
}

}  // namespace

DataSetsPanel::DataSetsPanel(TaskRunner& tasks, QWidget* parent)
    : QWidget(parent), tasks_(tasks), watch_(new FileWatch(this)) {
  const auto read_again = [this](const std::filesystem::path& path) {
    read(QString::fromStdString(path.string()));
  };
  connect(watch_, &FileWatch::replaced, this, read_again);
  connect(watch_, &FileWatch::changed, this, read_again);
  makeActions();
  auto* splitter = new QSplitter(Qt::Vertical);
  splitter->setChildrenCollapsible(false);
  splitter->setHandleWidth(8);
  splitter->addWidget(makeListPanel());
  splitter->addWidget(makeSplitPanel());
  splitter->setStretchFactor(0, 2);
  splitter->setStretchFactor(1, 3);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(splitter);
  showList();
  showCurrent();
}

void DataSetsPanel::makeActions() {
  const auto add = [this](const char* id, const QString& text, const QKeySequence& keys, Icon name,
                          auto&& slot) {
    QAction* action = addCommand(this, QString::fromLatin1(id), text, keys, slot);
    action->setIcon(icon(name));
    commands_ << action;
    return action;
  };
  add("data.open", tr("Open data set…"), {}, Icon::kOpen, [this] { openDialog(); });
  add("data.generate", tr("Generate with the simulator…"), {}, Icon::kPlus, [this] {
    if (const auto answer = askGenerate(this)) generate(*answer);
  });
  add("data.import", tr("Import measured times…"), {}, Icon::kFolder,
      [this] { askWhatToImport(); });
  add("data.merge", tr("Merge shards…"), {}, Icon::kColumns, [this] {
    if (const auto answer = askMerge(this)) merge(*answer);
  });
  make_split_ = add("data.split", tr("Make a split…"), {}, Icon::kColumns, [this] {
    if (const auto answer = askSplit(this)) makeSplit(*answer);
  });
  remove_ = add("data.remove", tr("Remove from this list"), QKeySequence::Delete, Icon::kMinus,
                [this] { removeCurrent(); });
  rename_ = add("data.rename", tr("Rename data set…"), QKeySequence(Qt::Key_F2), Icon::kFile,
                [this] { askName(); });
  undo_ =
      add("data.undo", tr("Undo renaming"), QKeySequence::Undo, Icon::kBack, [this] { undo(); });
  undo_->setEnabled(false);
  remove_->setToolTip(tr("The file stays (Del)"));
  remove_->setIconText(tr("Remove"));
  commands_.front()->setIconText(tr("Open…"));
  make_split_->setIconText(tr("New split…"));
}

Panel* DataSetsPanel::makeListPanel() {
  list_panel_ = new Panel(tr("Data sets"));
  list_ = new PlainTableView(tr("Data sets"));
  list_->setColumnWidths({104, 72, 60, 62});
  list_->setSelectionMode(QAbstractItemView::SingleSelection);
  list_->setEmptyText(
      tr("No data set is open. Open one (.hloscope), generate one with the "
         "simulator from programs, or import measured times."));
  list_->addActions({rename_, undo_, remove_});
  connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          &DataSetsPanel::showCurrent);
  about_ = mutedLabel(QString());
  about_->setWordWrap(true);
  about_->setContentsMargins(8, 4, 8, 4);
  auto* more = new QToolButton;
  more->setText(tr("New"));
  more->setIcon(icon(Icon::kPlus));
  more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  more->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(more);
  menu->addActions(commands_.mid(1, 3));
  more->setMenu(menu);
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(8, 4, 8, 6);
  layout->setSpacing(8);
  layout->addWidget(button(commands_[0]));
  layout->addWidget(more);
  layout->addStretch(1);
  layout->addWidget(button(remove_));
  list_panel_->body()->addWidget(list_, 1);
  list_panel_->body()->addWidget(about_);
  list_panel_->body()->addWidget(row);
  return list_panel_;
}

Panel* DataSetsPanel::makeSplitPanel() {
  split_panel_ = new Panel(tr("Split"));
  split_ = new QComboBox;
  split_->setAccessibleName(tr("Split"));
  split_->setMinimumWidth(130);
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(8, 6, 8, 2);
  layout->setSpacing(8);
  layout->addWidget(split_, 1);
  layout->addWidget(button(make_split_));
  bar_ = new SplitBar;
  programs_ = new PlainTableView(tr("Programs of the data set"));
  programs_->setColumnWidths({144, 80, 66});
  programs_->setSortingEnabled(true);
  programs_->horizontalHeader()->setSortIndicator(1, Qt::DescendingOrder);
  split_panel_->body()->addWidget(row);
  split_panel_->body()->addWidget(bar_);
  split_panel_->body()->addWidget(programs_, 1);
  connect(split_, &QComboBox::currentIndexChanged, this, [this] {
    readDetails();
    emit currentChanged();
  });
  return split_panel_;
}

void DataSetsPanel::add(const QStringList& paths) {
  for (const QString& given : paths) {
    const QString path = QFileInfo(given).absoluteFilePath();
    auto known = std::find_if(entries_->begin(), entries_->end(),
                              [&path](const Entry& entry) { return entry.path == path; });
    if (known == entries_->end()) {
      // The table shares the rows: a new list takes their place.
      entries_ = std::make_shared<std::vector<Entry>>(*entries_);
      entries_->push_back({path, std::nullopt});
    }
    read(path);
  }
  showList();
  if (!paths.isEmpty()) select(QFileInfo(paths.back()).absoluteFilePath());
}

void DataSetsPanel::askWhatToImport(const QStringList& paths) {
  if (const auto answer = askImportOf(this, paths)) import(*answer);
}

void DataSetsPanel::reread() {
  const QString shown = currentPath();
  add(paths());
  select(shown);
}

QStringList DataSetsPanel::paths() const {
  QStringList out;
  for (const Entry& entry : *entries_) out << entry.path;
  return out;
}

void DataSetsPanel::showList() {
  std::vector<std::filesystem::path> files;
  for (const Entry& entry : *entries_) files.emplace_back(entry.path.toStdString());
  watch_->watch(files);
  const std::shared_ptr<const std::vector<Entry>> entries = entries_;
  const auto number = [entries](const QString& title, int64_t db::DataSetCounts::*count) {
    return numberColumn(
        title, entries,
        [count](const Entry& entry) {
          return entry.summary && *entry.summary
                     ? static_cast<double>((*entry.summary)->counts.*count)
                     : std::nan("");
        },
        [](double value) { return formatNumber(value, 0); });
  };
  PlainTable table;
  table.rows = entries->size();
  table.columns = {textColumn(tr("Data set"), entries,
                              [](const Entry& entry) {
                                if (entry.summary && *entry.summary) {
                                  return (*entry.summary)->info.name;
                                }
                                return QFileInfo(entry.path).completeBaseName().toStdString();
                              }),
                   textColumn(tr("Task"), entries,
                              [](const Entry& entry) {
                                if (!entry.summary) return tr("reading…").toStdString();
                                if (!*entry.summary) return tr("not read").toStdString();
                                return taskText((*entry.summary)->info.task).toStdString();
                              }),
                   number(tr("Kernels"), &db::DataSetCounts::graphs),
                   number(tr("Samples"), &db::DataSetCounts::samples),
                   textColumn(tr("Times"), entries, [](const Entry& entry) {
                     return entry.summary && *entry.summary ? (*entry.summary)->info.target.label()
                                                            : std::string();
                   })};
  table.columns.front().look = [entries](size_t row, int role) -> QVariant {
    const Entry& entry = (*entries)[row];
    const bool bad = entry.summary && !*entry.summary;
    if (role == Qt::ToolTipRole) {
      return bad ? QString::fromStdString(entry.summary->error().format()) : entry.path;
    }
    if (role == Qt::DecorationRole) {
      return bad ? icon(Icon::kError, Role::kBad) : icon(Icon::kColumns);
    }
    return {};
  };
  fillSearch(table);
  list_->setTable(std::move(table));
  list_panel_->setContext(entries->empty() ? QString() : countOf(entries->size(), tr("file")));
}

const DataSetsPanel::Entry* DataSetsPanel::currentEntry() const {
  const int row = list_->currentRow();
  return row < 0 || row >= static_cast<int>(entries_->size())
             ? nullptr
             : &(*entries_)[static_cast<size_t>(row)];
}

QString DataSetsPanel::currentPath() const {
  const Entry* entry = currentEntry();
  return entry == nullptr ? QString() : entry->path;
}

const db::DataSetSummary* DataSetsPanel::current() const {
  const Entry* entry = currentEntry();
  return entry != nullptr && entry->summary && *entry->summary ? &**entry->summary : nullptr;
}

QString DataSetsPanel::split() const {
  return split_->currentData().toString();
}

QString DataSetsPanel::storedSplit() const {
  return split() == heldOut() ? QString() : split();
}

void DataSetsPanel::select(const QString& path) {
  for (size_t i = 0; i < entries_->size(); ++i) {
    if ((*entries_)[i].path == path) list_->selectTableRow(static_cast<int>(i));
  }
  showCurrent();
}

void DataSetsPanel::setSplit(const QString& name) {
  const int index = split_->findData(name);
  if (index >= 0) split_->setCurrentIndex(index);
}

void DataSetsPanel::showCurrent() {
  remove_->setEnabled(currentEntry() != nullptr);
  const db::DataSetSummary* summary = current();
  rename_->setEnabled(summary != nullptr);
  const bool finished = summary != nullptr && summary->state == db::DataSetState::kFinished;
  make_split_->setEnabled(finished);
  if (summary != nullptr && shown_path_ == currentPath()) return;
  shown_path_ = summary == nullptr ? QString() : currentPath();
  const QString before = split();
  const QSignalBlocker blocker(split_);
  split_->clear();
  for (size_t i = 0; summary != nullptr && i < summary->splits.size(); ++i) {
    const QString name = QString::fromStdString(summary->splits[i]);
    split_->addItem(name, name);
  }
  if (summary != nullptr && summary->info.task == data::Task::kLayout) {
    split_->addItem(tr("held-out configurations"), heldOut());
    split_->setItemData(split_->count() - 1,
                        tr("A fifth of the configurations of each graph for validation, a fifth "
                           "for testing: says how well a model knows these graphs, and nothing of "
                           "others"),
                        Qt::ToolTipRole);
  }
  if (split_->count() == 0) split_->addItem(tr("no split"), QString());
  split_->setCurrentIndex(std::max(0, split_->findData(before)));
  split_->setEnabled(summary != nullptr && !split().isEmpty());
  QString about;
  if (summary != nullptr) {
    about = tr("%1, %2, %3")
                .arg(countOf(summary->programs, tr("program")),
                     formatBytes(static_cast<double>(summary->bytes)),
                     QString::fromStdString(summary->info.target.label()));
    if (!finished) about += tr(". Not finished: the same generation goes on where it was.");
  }
  about_->setText(about);
  about_->setVisible(!about.isEmpty());
  readDetails();
  emit currentChanged();
}

void DataSetsPanel::readDetails() {
  details_.reset();
  showPrograms();
  emit detailsChanged();
  const db::DataSetSummary* summary = current();
  if (summary == nullptr || summary->state != db::DataSetState::kFinished) return;
  tasks_.run<Result<db::DataSetDetails>>(
      {.label = tr("Counting %1").arg(QFileInfo(currentPath()).fileName()), .key = "data.details"},
      [path = summary->path, split = storedSplit().toStdString()](const Progress& progress) {
        return db::data_set_details(path, split, progress);
      },
      this,
      [this, path = currentPath()](Result<db::DataSetDetails> details) {
        if (path != currentPath()) return;
        if (!details) {
          emit failed(details.error());
          return;
        }
        details_ = std::make_shared<const db::DataSetDetails>(std::move(*details));
        showPrograms();
        emit detailsChanged();
      });
}

void DataSetsPanel::showPrograms() {
  std::vector<SplitBar::Part> parts;
  if (details_) {
    for (const auto& part : details_->statistics.parts) {
      parts.push_back({QString::fromStdString(part.name), part.graphs});
    }
  }
  bar_->setParts(std::move(parts));
  QString context;
  if (details_ && details_->split) context = tr("no program stands in two parts");
  if (details_ && split() == heldOut()) context = tr("3/5 train, 1/5 valid, 1/5 test");
  split_panel_->setContext(context);
  if (!details_) {
    programs_->setEmptyText(whyNoPrograms());
    programs_->setTable({});
    return;
  }
  using Program = db::DataSetProgram;
  // The rows live as long as the details do.
  const PlainRows<Program> rows(details_, &details_->programs);
  PlainTable table;
  table.rows = rows->size();
  table.columns = {
      textColumn(tr("Program"), rows, [](const Program& program) { return program.source.name; }),
      numberColumn(
          tr("Kernels"), rows, [](const Program& program) { return program.graphs; },
          [](int64_t count) { return formatCount(count); }),
      textColumn(tr("Part"), rows,
                 [](const Program& program) {
                   return program.part ? std::string(data::name(*program.part)) : std::string();
                 }),
      textColumn(tr("Family"), rows, [](const Program& program) { return program.source.family; })};
  table.columns[2].look = [rows](size_t row, int role) -> QVariant {
    const auto& part = (*rows)[row].part;
    return role == Qt::DecorationRole && part ? QVariant(partIcon(static_cast<int>(*part)))
                                              : QVariant();
  };
  fillSearch(table);
  programs_->setTable(std::move(table));
}

}  // namespace hloscope::ui
