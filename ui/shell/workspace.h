#pragma once

#include <QObject>
#include <QString>
#include <deque>
#include <filesystem>
#include <vector>

#include "core/base/result.h"
#include "core/measured/hlo_stats_join.h"
#include "ui/shell/loader.h"
#include "ui/shell/result_store.h"

namespace hloscope::ui {

/// An open file with the reports of its modules.
struct OpenFile {
  Source source;
  uint64_t bytes = 0;
  std::optional<FileStamp> stamp;  ///< Of the file before it was read.
  double read_ms = 0;
  std::vector<ReportPtr> reports;
};

/// What the window works on: the open files with their reports, the machine and the one selection.
/// Everything heavy runs in the task runner; the newest request wins.
class Workspace : public QObject {
  Q_OBJECT
 public:
  Workspace(TaskRunner& tasks, const std::filesystem::path& database, QObject* parent = nullptr);

  /// Reads and analyses each; the first module of the last one becomes the current one.
  void open(const QStringList& paths);
  void openText(const QString& text);
  void open(const Source& source);
  /// Reads a file of measured times and joins them to the current module; without one they wait for
  /// the next that is opened. A file that open() cannot read as a program is tried as such as well.
  void addMeasured(const QString& path);
  /// Reads the file of the current module again.
  void reload();
  void closeCurrentFile();
  void closeAll();

  [[nodiscard]] const std::vector<OpenFile>& files() const { return files_; }
  [[nodiscard]] const std::vector<ReportPtr>& reports() const { return reports_; }
  [[nodiscard]] const ReportPtr& report() const { return report_; }
  /// The file of the current module; null when none is open.
  [[nodiscard]] const OpenFile* currentFile() const;
  [[nodiscard]] ReportPtr find(const QString& path, int module_number) const;

  [[nodiscard]] const Selection& selection() const { return selection_; }
  /// `report` null: the current module. What does not exist there is taken as nothing.
  void select(const ReportPtr& report, const Selection& selection);
  [[nodiscard]] bool canGoBack() const { return history_position_ > 0; }
  [[nodiscard]] bool canGoForward() const { return history_position_ + 1 < history_.size(); }
  void goBack();
  void goForward();

  [[nodiscard]] const sim::Machine& machine() const { return choice_.machine; }
  /// Analyses everything again in the background; the old reports stay until that is done.
  void setMachine(const sim::Machine& machine);
  /// What gives predicted times to all that is opened from now on.
  void setPredictor(const predict::TimePredictor& predictor) { choice_.predictor = predictor; }
  [[nodiscard]] analysis::KernelChoice kernelChoice() const { return choice_.kernels; }
  /// The same, for programs that are not optimised. What was selected stays so where it is found
  /// again. When that is cancelled, the choice is the one before.
  void setKernelChoice(analysis::KernelChoice kernels);
  /// True while the shown numbers are those of the machine chosen before.
  [[nodiscard]] bool isStale() const { return stale_; }

  [[nodiscard]] ResultStore& store() { return store_; }
  [[nodiscard]] TaskRunner& tasks() { return tasks_; }

 signals:
  void reportsChanged();    ///< Files opened, read again, closed, or analysed again.
  void reportChanged();     ///< Another current module.
  void selectionChanged();  ///< Also when only the history moved.
  void machineChanged();
  void kernelChoiceChanged();
  void opened(const QString& path);
  void openFailed(const hloscope::ui::Source& source, const hloscope::Error& error);
  /// Asked to open a database: a results file or a data set, which hold no program to read.
  void databaseFound(const QString& path);
  /// The same of .npz files, of a learned model, and of a folder.
  void archivesFound(const QStringList& paths);
  void modelFound(const QString& path);
  void folderFound(const QString& path);
  /// Joined to the current module, or told why not.
  void measuredAdded(const QString& path, const hloscope::measured::JoinText& text);
  void measuredWaits(const QString& path);
  /// Read, but with things that were not understood.
  void openedWithWarnings(const QString& path, const std::vector<hloscope::Error>& warnings);

 private:
  /// A place in the history: stays valid when the module is read or analysed again.
  struct Place {
    QString path;
    int module_number = 1;
    Selection selection;
    bool operator==(const Place&) const = default;
  };

  /// False: it is one to be read as a program.
  [[nodiscard]] bool openElsewhere(const QString& path, QStringList& archives);
  void loaded(LoadedFile file);
  /// `otherwise` is told of a file that holds no measured times.
  void addMeasured(const Source& source, const Error& otherwise);
  void addWaitingMeasured();
  /// The report with measured times takes the place of the same module.
  void replace(const ReportPtr& report);
  /// With what is chosen now.
  void analyseAll(const QString& label);
  /// In the place of its older reading, whose measured times it keeps; a new one is added.
  void put(OpenFile file);
  /// Keeps the order in which files opened together were named.
  void add(OpenFile file);
  void analysedAgain(const std::vector<ReportPtr>& old, const std::vector<ReportPtr>& reports);
  /// The module of `before` is `after` now: history and selection follow.
  void followInto(const analysis::ModuleReport& before, const analysis::ModuleReport& after);
  void cancelled(const QString& label);
  void remove(const QString& path);
  void collectReports();
  void setCurrent(const ReportPtr& report, const Selection& selection);
  void remember();
  void goTo(size_t position);

  TaskRunner& tasks_;
  ResultStore store_;
  AnalysisChoice choice_;
  QString analysis_label_;  ///< Of the last analyseAll().
  std::vector<OpenFile> files_;
  std::vector<ReportPtr> reports_;
  ReportPtr report_;
  Selection selection_;
  std::deque<Place> history_;
  size_t history_position_ = 0;
  QString waiting_measured_;  ///< For the next module that is opened.
  bool stale_ = false;
  int pasted_ = 0;
  int groups_ = 0;
};

}  // namespace hloscope::ui
