#include "ui/shell/workspace.h"

#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "core/hlo/address.h"
#include "ui/shell/file_kind.h"
#include "ui/shell/selection_map.h"

namespace hloscope::ui {

namespace {

constexpr size_t kHistoryLength = 200;
constexpr const char* kDefaultMachine = "tpu_v3";

sim::Machine defaultMachine() {
  auto machine = sim::find_machine(kDefaultMachine);
  Q_ASSERT(machine);
  return machine ? *machine : sim::Machine();
}

QString pathOf(const analysis::ModuleReport& report) {
  return QString::fromStdString(report.file_path);
}

bool isSame(const analysis::ModuleReport& a, const analysis::ModuleReport& b) {
  return a.file_path == b.file_path && a.module_number == b.module_number;
}

/// The part of a selection that exists in the report.
Selection existing(const Selection& selection, const analysis::ModuleReport& report) {
  Selection result;
  if (report.kernels.kernels.contains(selection.kernel)) result.kernel = selection.kernel;
  if (selection.instruction.value < report.module.program->instruction_count()) {
    result.instruction = selection.instruction;
  }
  return result;
}

QString kernelsLabel(analysis::KernelChoice kernels) {
  return kernels == analysis::KernelChoice::kRaw ? Workspace::tr("Raw kernels")
                                                 : Workspace::tr("Own fusion");
}

/// Whether `a` was named before `b` when both were opened together.
bool isBefore(const Source& a, const Source& b) {
  return a.group == b.group && a.place < b.place;
}

/// Whether a file that is no program is worth a second look.
bool mayBeMeasured(const Source& source, const Error& error) {
  return !source.is_text &&
         (error.code == ErrorCode::kInvalidInput || error.code == ErrorCode::kUnsupported);
}

}  // namespace

Workspace::Workspace(TaskRunner& tasks, const std::filesystem::path& database, QObject* parent)
    : QObject(parent), tasks_(tasks), store_(tasks, database), choice_{defaultMachine()} {
  connect(&tasks_, &TaskRunner::cancelled, this, &Workspace::cancelled);
}

void Workspace::open(const QStringList& paths) {
  ++groups_;
  int place = 0;
  QStringList archives;
  for (const QString& path : paths) {
    const hlo::FileAddress address = hlo::parse_address(path.toStdString());
    // Absolute, not canonical: links keep the name the user knows.
    const QString file = QFileInfo(QString::fromStdString(address.path)).absoluteFilePath();
    if (openElsewhere(file, archives)) continue;
    open(Source{file, {}, false, address.module, groups_, place++});
  }
  if (!archives.isEmpty()) emit archivesFound(archives);
}

bool Workspace::openElsewhere(const QString& path, QStringList& archives) {
  switch (kindOf(path)) {
    case FileKind::kDatabase:
      emit databaseFound(path);
      return true;
    case FileKind::kArchive:
      archives << path;
      return true;
    case FileKind::kModel:
      emit modelFound(path);
      return true;
    case FileKind::kFolder:
      emit folderFound(path);
      return true;
    case FileKind::kProgram:
      break;
  }
  return false;
}

void Workspace::openText(const QString& text) {
  ++pasted_;
  const QString name = pasted_ == 1 ? tr("pasted text") : tr("pasted text %1").arg(pasted_);
  open(Source{name, text.toStdString(), true, std::nullopt, ++groups_, 0});
}

void Workspace::open(const Source& source) {
  const QString name = QFileInfo(source.path).fileName();
  tasks_.run<Result<LoadedFile>>(
      {.label = tr("Reading %1").arg(name), .key = "read:" + source.path},
      [source, choice = choice_](const Progress& progress) {
        return load(source, choice, progress);
      },
      this,
      [this, source](Result<LoadedFile> result) {
        if (result) {
          loaded(std::move(*result));
        } else if (mayBeMeasured(source, result.error())) {
          addMeasured(source, result.error());
        } else if (result.error().code != ErrorCode::kCancelled) {
          emit openFailed(source, result.error());
        }
      });
}

void Workspace::loaded(LoadedFile file) {
  const QString path = file.source.path;
  // Asked for once: reading the file again keeps the module that is shown then.
  const std::optional<size_t> asked = std::exchange(file.source.module, std::nullopt);
  const bool other_machine = file.reports.front()->machine.hash != choice_.machine.hash;
  const bool other_kernels =
      std::any_of(file.reports.begin(), file.reports.end(),
                  [this](const ReportPtr& report) { return !choice_.gives(*report); });
  OpenFile open{std::move(file.source), file.bytes, file.stamp, file.read_ms, file.reports};
  const bool again = std::any_of(files_.begin(), files_.end(), [&path](const OpenFile& before) {
    return before.source.path == path;
  });
  const OpenFile* shown = currentFile();
  const bool waits = !again && shown != nullptr && isBefore(shown->source, open.source);
  // A file that is read again keeps its place, its module and its selection.
  const bool is_shown = again && report_ && pathOf(*report_) == path && !asked;
  const int module_number = is_shown ? report_->module_number : static_cast<int>(asked.value_or(1));
  const Selection selection = is_shown ? selection_ : Selection();
  put(std::move(open));
  collectReports();
  emit reportsChanged();
  if (!waits) {
    ReportPtr next = find(path, module_number);
    if (!next) next = find(path, 1);
    setCurrent(next, selection);
    remember();
  }
  emit selectionChanged();
  emit opened(path);
  addWaitingMeasured();
  if (!file.warnings.empty()) emit openedWithWarnings(path, file.warnings);
  if (other_machine) {
    setMachine(choice_.machine);
  } else if (other_kernels) {
    analyseAll(kernelsLabel(choice_.kernels));
  } else {
    store_.save(file.reports);
  }
}

void Workspace::put(OpenFile file) {
  const QString path = file.source.path;
  const auto before = std::find_if(files_.begin(), files_.end(), [&path](const OpenFile& open) {
    return open.source.path == path;
  });
  if (before == files_.end()) {
    add(std::move(file));
    return;
  }
  for (ReportPtr& report : file.reports) {
    const ReportPtr old = find(path, report->module_number);
    if (old) report = analysis::keep_measured(*old, report);
  }
  *before = std::move(file);
}

void Workspace::add(OpenFile file) {
  const auto behind = std::find_if(files_.begin(), files_.end(), [&file](const OpenFile& other) {
    return isBefore(file.source, other.source);
  });
  files_.insert(behind, std::move(file));
}

void Workspace::reload() {
  const OpenFile* file = currentFile();
  if (file != nullptr && !file->source.is_text) open(Source(file->source));
}

void Workspace::closeCurrentFile() {
  const OpenFile* file = currentFile();
  if (file != nullptr) remove(QString(file->source.path));
}

void Workspace::closeAll() {
  while (!files_.empty()) remove(QString(files_.back().source.path));
}

void Workspace::remove(const QString& path) {
  std::erase_if(files_, [&path](const OpenFile& file) { return file.source.path == path; });
  std::erase_if(history_, [&path](const Place& place) { return place.path == path; });
  history_position_ = history_.empty() ? 0 : history_.size() - 1;
  collectReports();
  emit reportsChanged();
  if (report_ && pathOf(*report_) == path) {
    setCurrent(files_.empty() ? nullptr : files_.back().reports.front(), {});
  }
  emit selectionChanged();
}

void Workspace::collectReports() {
  reports_.clear();
  for (const OpenFile& file : files_) {
    reports_.insert(reports_.end(), file.reports.begin(), file.reports.end());
  }
}

const OpenFile* Workspace::currentFile() const {
  if (!report_) return nullptr;
  const QString path = pathOf(*report_);
  const auto found = std::find_if(files_.begin(), files_.end(), [&path](const OpenFile& file) {
    return file.source.path == path;
  });
  return found == files_.end() ? nullptr : &*found;
}

ReportPtr Workspace::find(const QString& path, int module_number) const {
  const auto found = std::find_if(
      reports_.begin(), reports_.end(), [&path, module_number](const ReportPtr& report) {
        return report->module_number == module_number && pathOf(*report) == path;
      });
  return found == reports_.end() ? nullptr : *found;
}

void Workspace::setCurrent(const ReportPtr& report, const Selection& selection) {
  const bool changed = report != report_;
  report_ = report;
  selection_ = report ? existing(selection, *report) : Selection();
  if (changed) emit reportChanged();
}

void Workspace::select(const ReportPtr& report, const Selection& selection) {
  const ReportPtr target = report ? find(pathOf(*report), report->module_number) : report_;
  if (!target) return;
  setCurrent(target, selection);
  remember();
  emit selectionChanged();
}

void Workspace::remember() {
  if (!report_) return;
  Place place{pathOf(*report_), report_->module_number, selection_};
  if (!history_.empty() && history_[history_position_] == place) return;
  if (!history_.empty()) history_.resize(history_position_ + 1);
  history_.push_back(std::move(place));
  if (history_.size() > kHistoryLength) history_.pop_front();
  history_position_ = history_.size() - 1;
}

void Workspace::goTo(size_t position) {
  history_position_ = position;
  const Place& place = history_[position];
  if (const ReportPtr report = find(place.path, place.module_number)) {
    setCurrent(report, place.selection);
  }
  emit selectionChanged();
}

void Workspace::goBack() {
  if (canGoBack()) goTo(history_position_ - 1);
}

void Workspace::goForward() {
  if (canGoForward()) goTo(history_position_ + 1);
}

void Workspace::setMachine(const sim::Machine& machine) {
  choice_.machine = machine;
  stale_ = !reports_.empty();
  emit machineChanged();
  analyseAll(tr("Times on %1").arg(QString::fromStdString(machine.title)));
}

void Workspace::setKernelChoice(analysis::KernelChoice kernels) {
  if (kernels == choice_.kernels) return;
  choice_.kernels = kernels;
  emit kernelChoiceChanged();
  analyseAll(kernelsLabel(kernels));
}

void Workspace::analyseAll(const QString& label) {
  if (reports_.empty()) return;
  analysis_label_ = label;
  using Reports = Result<std::vector<ReportPtr>>;
  tasks_.run<Reports>(
      {.label = label, .key = "analysis"},
      [old = reports_, choice = choice_](const Progress& progress) {
        return analyseAgain(old, choice, progress);
      },
      this,
      [this, old = reports_](const Reports& reports) {
        if (reports) analysedAgain(old, *reports);
      });
}

void Workspace::cancelled(const QString& label) {
  if (label != analysis_label_) return;
  const auto other = std::find_if(reports_.begin(), reports_.end(), [this](const ReportPtr& one) {
    return one->origin != analysis::KernelOrigin::kCompiled && one->choice != choice_.kernels;
  });
  if (other == reports_.end()) return;
  choice_.kernels = (*other)->choice;
  emit kernelChoiceChanged();
}

void Workspace::followInto(const analysis::ModuleReport& before,
                           const analysis::ModuleReport& after) {
  for (Place& place : history_) {
    if (place.path != pathOf(before) || place.module_number != before.module_number) continue;
    place.selection = selectionIn(after, place.selection, before);
  }
  if (report_ && isSame(*report_, before)) selection_ = selectionIn(after, selection_, before);
}

void Workspace::analysedAgain(const std::vector<ReportPtr>& old,
                              const std::vector<ReportPtr>& reports) {
  ReportPtr current = report_;
  std::vector<ReportPtr> replaced;
  for (OpenFile& file : files_) {
    for (ReportPtr& report : file.reports) {
      // A file that was closed or read again meanwhile has no match, and keeps what it has.
      const auto at = std::find(old.begin(), old.end(), report);
      if (at == old.end()) continue;
      const ReportPtr& next = reports[static_cast<size_t>(at - old.begin())];
      if (next == report) continue;
      followInto(*report, *next);
      report = next;
      replaced.push_back(report);
      if (current && isSame(*current, *report)) current = report;
    }
  }
  stale_ = false;
  collectReports();
  emit machineChanged();
  emit kernelChoiceChanged();
  emit reportsChanged();
  setCurrent(current, selection_);
  emit selectionChanged();
  store_.save(replaced);
}

}  // namespace hloscope::ui
