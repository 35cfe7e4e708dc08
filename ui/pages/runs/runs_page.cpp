#include "ui/pages/runs/runs_page.h"

#include <QAction>
#include <QButtonGroup>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <set>

#include "ui/models/kernel_cell_text.h"
#include "ui/pages/file_watch.h"
#include "ui/pages/runs/run_tables.h"
#include "ui/shell/error_strip.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/format.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {
namespace {

constexpr const char* kReadKey = "runs.read";
constexpr const char* kKernelsKey = "runs.kernels";

}  // namespace

void RunsPage::setReports(const std::vector<ReportPtr>& reports) {
  // What was opened has been stored, or is about to be: see the window.
  reports_ = reports;
}

void RunsPage::setReport(const ReportPtr& /*report*/) {}

void RunsPage::setSelection(const Selection& /*selection*/) {}

void RunsPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  // Other programs and windows store into the file as well.
  reload();
}

void RunsPage::setDatabase(const std::filesystem::path& path) {
  database_ = path;
  reader_ = std::make_shared<RunsReader>(path);
  watch_->watch({path});
  is_gone_ = false;
  baseline_.reset();
  const QString text = QString::fromStdString(path.string());
  if (path != own_database_) {
    recent_.removeAll(text);
    recent_.prepend(text);
    constexpr qsizetype kMostRecent = 10;
    while (recent_.size() > kMostRecent) recent_.removeLast();
  }
  contentRead(noRuns());
  reload();
}

void RunsPage::fileReplaced() {
  std::error_code ignored;
  is_gone_ = !std::filesystem::exists(database_, ignored);
  // Numbers of runs mean others in another file: nothing can be taken back there.
  baseline_.reset();
  writers_.erase(database_);
  std::erase_if(changes_,
                [this](const Change& change) { return change.writer->path() == database_; });
  if (changes_.empty()) strip_->remove(QStringLiteral("change"));
  contentRead(noRuns());
  reload();
}

void RunsPage::reload() {
  reading_ = true;
  updateTexts();
  using Tables = Result<std::optional<RunsTables>>;
  tasks_.run<Tables>(
      {.label = tr("Reading runs"), .key = QString::fromLatin1(kReadKey)},
      [reader = reader_, version = content_->version](const Progress& progress) {
        return reader->read(version, progress);
      },
      this,
      [this](Tables tables) {
        reading_ = false;
        if (!tables) return contentRead(hloscope::fail(std::move(tables).error()));
        if (*tables) return contentRead(std::move(**tables));
        updateTexts();
      });
}

void RunsPage::contentRead(Result<RunsTables> tables) {
  strip_->remove(QStringLiteral("read"));
  failed_ = !tables;
  if (!tables) {
    showError(tables.error());
    tables = noRuns();
  }
  const std::vector<db::RunId> selected = selectedRuns();
  following_ = true;
  auto before = std::make_shared<RunsTables>();
  before->content = std::exchange(content_, tables->content);
  fillSources(tables->sources);
  // The filter of before looks into the content of before.
  models_[kRuns]->setRowFilter({});
  before->runs = models_[kRuns]->setTable(std::move(tables->runs));
  before->programs = models_[kPrograms]->setTable(std::move(tables->programs));
  before->measured = models_[kMeasured]->setTable(std::move(tables->measured));
  following_ = false;
  hideEmptyColumns();
  discard(std::move(before));
  applyFilter();
  selectRuns(selected);
}

void RunsPage::discard(std::shared_ptr<RunsTables> tables) {
  constexpr size_t kMany = 10'000;
  if (tables->runs.rows < kMany) return;
  // Freeing a million texts takes longer than a frame. The worker's copy is the last one.
  tasks_.run<int>(
      {.label = tr("Reading runs"), .cancellable = false},
      [held = std::make_shared<std::shared_ptr<RunsTables>>(std::move(tables))](const Progress&) {
        held->reset();
        return 0;
      },
      this, [](int) {});
}

void RunsPage::fillSources(const std::set<std::string>& kinds) {
  const QString chosen = source_->currentData().toString();
  const QSignalBlocker blocker(source_);
  source_->clear();
  source_->addItem(tr("all sources"), QString());
  for (const std::string& kind : kinds) {
    source_->addItem(QString::fromStdString(kind), QString::fromStdString(kind));
  }
  source_->setCurrentIndex(std::max(0, source_->findData(chosen)));
}

void RunsPage::applyFilter() {
  const std::vector<db::RunId> selected = selectedRuns();
  following_ = true;
  const std::string kind = source_->currentData().toString().toStdString();
  const auto of_kind = [content = content_, kind](size_t row) {
    return content->runs[row].key.source_kind == kind;
  };
  models_[kRuns]->setFilter(filter_->text(),
                            kind.empty() ? std::function<bool(size_t)>() : of_kind);
  models_[kPrograms]->setWords(filter_->text());
  models_[kMeasured]->setWords(filter_->text());
  following_ = false;
  selectRuns(selected);
}

std::vector<db::RunId> RunsPage::selectedRuns() const {
  std::vector<db::RunId> runs;
  for (const uint32_t row : ui::selectedRows(*views_[kRuns], *models_[kRuns])) {
    runs.push_back(content_->runs[row].id);
  }
  return runs;
}

void RunsPage::selectRuns(const std::vector<db::RunId>& runs) {
  const std::set<db::RunId> wanted(runs.begin(), runs.end());
  QItemSelection selection;
  QModelIndex first;
  const std::vector<uint32_t>& shown = models_[kRuns]->shownRows();
  for (size_t i = 0; i < shown.size() && !wanted.empty(); ++i) {
    if (!wanted.contains(content_->runs[shown[i]].id)) continue;
    const QModelIndex at = models_[kRuns]->index(static_cast<int>(i), 0);
    if (!first.isValid()) first = at;
    selection.select(at, at);
  }
  // Something is shown at once: the newest run.
  if (!first.isValid() && !shown.empty()) {
    first = models_[kRuns]->index(0, 0);
    selection.select(first, first);
  }
  following_ = true;
  QItemSelectionModel* model = views_[kRuns]->selectionModel();
  model->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
  model->select(selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  following_ = false;
  followSelection();
}

const db::RunInfo* RunsPage::runOf(db::RunId run) const {
  const auto found = std::find_if(content_->runs.begin(), content_->runs.end(),
                                  [run](const db::RunInfo& info) { return info.id == run; });
  return found == content_->runs.end() ? nullptr : &*found;
}

std::optional<RunPair> RunsPage::selectedPair() const {
  const std::vector<db::RunId> selected = selectedRuns();
  if (selected.empty() || selected.size() > 2) return std::nullopt;
  const db::RunInfo* first = runOf(selected[0]);
  if (selected.size() == 2) {
    const db::RunInfo* second = runOf(selected[1]);
    // The older one is what the other is compared with.
    if (second->id < first->id) std::swap(first, second);
    return RunPair{*first, *second};
  }
  const db::RunInfo* pinned = baseline_ ? runOf(*baseline_) : nullptr;
  if (pinned == nullptr || pinned == first) return RunPair{*first, {}};
  return RunPair{*pinned, *first};
}

void RunsPage::followSelection() {
  if (following_) return;
  updateActions();
  pair_ = selectedPair();
  showPair();
}

void RunsPage::showPair() {
  const size_t selected = selectedRuns().size();
  if (!pair_) {
    tasks_.run<int>(
        {.label = tr("Reading kernels"), .key = QString::fromLatin1(kKernelsKey)},
        [](const Progress&) { return 0; }, this, [](int) {});
    pair_kernels_.reset();
    properties_->setTable({});
    property_stack_->setCurrentWidget(property_empty_);
    properties_view_->horizontalHeader()->hide();
    kernels_->setTable({});
    kernel_panel_->setContext({});
    kernel_empty_->setText(selected > 2
                               ? tr("%1 runs are selected. Select one to see its kernels, or two "
                                    "to compare them.")
                                     .arg(formatCount(static_cast<int64_t>(selected)))
                               : tr("Select a run to see its kernels, or two to compare them."));
    kernel_stack_->setCurrentWidget(kernel_empty_);
    return;
  }
  properties_->setTable(propertyTable(*pair_));
  property_stack_->setCurrentWidget(properties_view_);
  property_panel_->setContext(pair_->b ? tr("≠ and bold: differs") : QString());
  properties_view_->horizontalHeader()->show();
  properties_view_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  properties_view_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  using Kernels = Result<std::vector<db::RunKernel>>;
  tasks_.run<Kernels>(
      {.label = tr("Reading kernels"), .key = QString::fromLatin1(kKernelsKey)},
      [reader = reader_, pair = *pair_](const Progress& progress) {
        return reader->kernels(pair.a.id, pair.b ? pair.b->id : db::RunId(), progress);
      },
      this, [this, pair = *pair_](Kernels kernels) { kernelsRead(pair, std::move(kernels)); });
}

void RunsPage::kernelsRead(const RunPair& pair, Result<std::vector<db::RunKernel>> kernels) {
  if (!kernels) {
    // Those of the run before would stand beside the properties of this one.
    pair_kernels_.reset();
    kernels_->setTable({});
    kernel_panel_->setContext({});
    kernel_empty_->setText(tr("The kernels of this run could not be read: see above."));
    kernel_stack_->setCurrentWidget(kernel_empty_);
    return showError(kernels.error());
  }
  pair_kernels_ = std::make_shared<const std::vector<db::RunKernel>>(std::move(*kernels));
  layKernelsOut();
  kernels_->setTable(kernelTable(pair, pair_kernels_));
  kernel_panel_->setContext(totalsText(pair, *pair_kernels_));
  kernel_empty_->setText(tr("No time was stored for this run: it is %1.")
                             .arg(QString::fromUtf8(db::name(pair.a.state).data())));
  kernel_stack_->setCurrentWidget(pair_kernels_->empty() ? static_cast<QWidget*>(kernel_empty_)
                                                         : static_cast<QWidget*>(kernels_view_));
}

QString RunsPage::totals() const {
  return pair_ && pair_kernels_ ? totalsText(*pair_, *pair_kernels_) : QString();
}

QString RunsPage::whyEmpty() const {
  if (reading_) return tr("Reading…");
  if (failed_) return tr("The results file could not be read: see above. Retry reads it again.");
  if (is_gone_) {
    return tr("The results file is gone: %1 was deleted or moved. Put it back, or open another; "
              "the window's own file is made anew with the next program that is opened.")
        .arg(QString::fromStdString(database_.string()));
  }
  const bool filtered = models_[shown_]->table().rows > 0;
  if (filtered) {
    return tr("No entry has all these words. Clear the filter, or choose all sources.");
  }
  switch (shown_) {
    case kPrograms:
      return tr("No program stands in this file yet. Open one (Ctrl+O): it is stored at once.");
    case kMeasured:
      return tr(
          "No measured times stand in this file yet. Open a file that holds some, such as "
          "the TPU v3 tile measurements of the samples, or add a profile: File, Add measured "
          "times.");
    default:
      return tr("No run stands in this file yet. Open a program (Ctrl+O): its simulated, "
                "analytical and predicted times are stored at once. On the command line: "
                "hloscope-cli kernels FILE --db %1")
          .arg(QString::fromStdString(database_.string()));
  }
}

void RunsPage::updateTexts() {
  const bool is_own = database_ == own_database_;
  QString where = QString::fromStdString(database_.string());
  if (!is_own) where += tr("  (new results still go to the window's own file)");
  path_label_->setWholeText(where);
  own_button_->setEnabled(!is_own);
  const PlainTableModel& model = *models_[shown_];
  const auto shown = static_cast<int64_t>(model.shownRows().size());
  const auto all = static_cast<int64_t>(model.table().rows);
  const QString noun = shown_ == kPrograms   ? tr("program")
                       : shown_ == kMeasured ? tr("source")
                                             : tr("run");
  QString context = countOf(static_cast<size_t>(all), noun);
  if (shown != all) context = tr("%1 of %2").arg(formatCount(shown), context);
  if (content_->bytes > 0) {
    context += tr(" · file %1").arg(formatBytes(static_cast<double>(content_->bytes)));
  }
  if (!content_->notice.empty()) context += " · " + QString::fromStdString(content_->notice);
  list_panel_->setContext(context);
  empty_->setText(whyEmpty());
  stack_->setCurrentWidget(shown == 0 ? static_cast<QWidget*>(empty_) : views_[shown_]);
}

void RunsPage::showList(List list) {
  shown_ = list;
  if (QAbstractButton* button = list_buttons_->button(list)) button->setChecked(true);
  source_->setEnabled(list == kRuns);
  updateTexts();
  updateActions();
}

void RunsPage::updateActions() {
  const size_t runs = selectedRuns().size();
  const bool on_runs = shown_ == kRuns;
  open_program_->setEnabled(!selectedFile().empty());
  pin_->setEnabled(on_runs && (runs == 1 || baseline_));
  pin_->setChecked(baseline_.has_value());
  remove_->setEnabled(on_runs && runs > 0);
  rename_->setEnabled(renamed().has_value());
  undo_->setEnabled(!changes_.empty());
  updateTexts();
}

QVariantMap RunsPage::saveState() const {
  QVariantMap state{{QStringLiteral("recent"), recent_},
                    {QStringLiteral("list"), static_cast<int>(shown_)},
                    {QStringLiteral("filter"), filter_->text()},
                    {QStringLiteral("source"), source_->currentData()}};
  if (database_ != own_database_) {
    state[QStringLiteral("database")] = QString::fromStdString(database_.string());
  }
  return state;
}

void RunsPage::restoreState(const QVariantMap& state) {
  recent_ = state[QStringLiteral("recent")].toStringList();
  filter_->setText(state[QStringLiteral("filter")].toString());
  const QString kind = state[QStringLiteral("source")].toString();
  if (!kind.isEmpty() && source_->findData(kind) < 0) source_->addItem(kind, kind);
  source_->setCurrentIndex(std::max(0, source_->findData(kind)));
  showList(static_cast<List>(std::clamp(state[QStringLiteral("list")].toInt(), 0, kListCount - 1)));
  const QString database = state[QStringLiteral("database")].toString();
  if (!database.isEmpty()) setDatabase(database.toStdString());
}

QList<QAction*> RunsPage::commands() const {
  return commands_;
}

}  // namespace hloscope::ui
