#pragma once

#include <QMainWindow>
#include <QSettings>
#include <QTimer>
#include <QUrl>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <vector>

#include "db/ids.h"
#include "ui/pages/page.h"
#include "ui/shell/commands.h"
#include "ui/shell/error_strip.h"
#include "ui/shell/quick_search.h"
#include "ui/shell/recent_files.h"
#include "ui/shell/session.h"
#include "ui/shell/workspace.h"
#include "ui/theme/theme.h"

class QActionGroup;
class QStackedWidget;

namespace hloscope::ui {

class DataPage;
class Dock;
class FileWatch;
class MainToolBar;
class PageBar;
class QuickOpen;
class RunsPage;
class StartPage;
class WindowStatus;

/// The window: page bar, tool bar, menus, docks and status bar around the workspace. Everything the
/// user can do is a command; every page and dock is a ReportView that follows the workspace.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  /// `settings` must live longer than the window.
  MainWindow(QSettings& settings, const std::filesystem::path& database);
  ~MainWindow() override;

  [[nodiscard]] Workspace& workspace() { return workspace_; }
  [[nodiscard]] TaskRunner& tasks() { return tasks_; }
  [[nodiscard]] Commands& commands() { return commands_; }
  [[nodiscard]] ErrorStrip& errors() { return *errors_; }
  [[nodiscard]] RecentFiles& recent() { return recent_; }
  [[nodiscard]] const std::vector<Page*>& pages() const { return pages_; }

  /// What the times of all pages are compared with; null: nothing is pinned.
  [[nodiscard]] const analysis::BaselinePtr& baseline() const { return baseline_; }

  /// False when there is no such page.
  bool showPage(const QString& id);
  [[nodiscard]] Page* currentPage() const;
  /// Opens the files, page, selection and views of the last session.
  void restoreSession();
  void storeSession();
  /// What Ctrl+P finds for a text.
  [[nodiscard]] std::vector<QuickHit> search(const QString& text) const;
  void follow(const QuickHit& hit);

 protected:
  void closeEvent(QCloseEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  // Making (main_window.cpp).
  void makeCentre();
  void makePages();
  void addPage(Page* page);
  // main_window_data.cpp
  void addRunsPage();
  void addDataPage();
  void useModel(const QString& model, const QString& then_open = {});
  void openDatabase(const QString& path);
  // main_window_open.cpp
  void connectOpening();
  void offerImport(const QStringList& paths);
  void openFolder(const QString& path);
  void dropped(const QList<QUrl>& urls);
  [[nodiscard]] DataPage* dataPage() const;
  void makeDocks();
  void connectView(ReportView* view);
  void connectWorkspace();
  void connectStartPage();

  // Commands and menus (main_window_commands.cpp).
  void addFileCommands();
  void addViewCommands();
  void addThemeCommands();
  void addScaleCommands();
  void addGoCommands();
  void addPageCommands();
  // main_window_baseline.cpp
  struct PinnedRun {
    QString database;
    db::RunId run;  ///< Invalid: no stored run is pinned.
  };
  void addBaselineCommands();
  void setBaseline(const analysis::BaselinePtr& baseline, const PinnedRun& run = {});
  void pinTimes();
  void pinKernel();  ///< The selected one; unpins the one that is pinned.
  void pinRun(const PinnedRun& run);
  void updateBaselineCommands();
  void makeMenus();
  void fillRecentMenu(QMenu& menu);
  void fillSamplesMenu(QMenu& menu);
  void updateCommands();

  // Following the workspace (main_window_follow.cpp).
  void updateViews();
  void updateTitle();
  void fileOpened(const QString& path);
  void openFailed(const Source& source, const Error& error);
  void warn(const QString& path, const std::vector<Error>& warnings);
  void addWarning(const QString& key, const QString& text, const QStringList& lines);
  /// Of messages on the opening of a file.
  [[nodiscard]] static QString openKey(const QString& path) { return "open:" + path; }
  void tellIfStale();
  // main_window_disk.cpp
  void connectFileWatch();
  void watchFiles();
  void fileChanged(const std::filesystem::path& path);
  void tellFusionErrors(const OpenFile& file);
  void activate(const ReportPtr& report, const Selection& selection);
  [[nodiscard]] QString selectionText() const;

  // Reactions (main_window.cpp, main_window_commands.cpp).
  void showPageAt(int index);
  void showDocks(bool on);
  void setDefaultDockSizes();
  void openDialog();
  void connectMeasured();
  void measuredDialog();
  void measuredAdded(const QString& path, const measured::JoinText& text);
  void paste();
  void locate(const QString& missing_path);
  void changeScale(int percent);
  void chooseMachine(const QString& id);
  [[nodiscard]] Page* makeTilesPage();  // main_window_tiles.cpp
  [[nodiscard]] Page* makeSimulatePage();
  /// Machine files of earlier sessions can be chosen again.
  void listOwnMachines();
  /// `path`: of the file it is in; empty for a built-in one, and for one that is not saved.
  void useMachine(const sim::Machine& machine, const QString& path);
  void showKernelChoice();
  // main_window_tune.cpp
  Page* makeTunePage();
  /// If that is the program of a trial: points at what is different in it.
  void showTuned(const QString& path);
  [[nodiscard]] bool mayClose();
  [[nodiscard]] QList<QWidget*> visiblePanels() const;
  void focusNextPanel();
  void focusFilter();
  void showAbout();

  // Session (main_window_session.cpp).
  [[nodiscard]] Session currentSession() const;
  void sessionFileDone(const QString& path);
  void applySession();
  void offerSession();
  [[nodiscard]] std::vector<std::pair<QString, ReportView*>> namedViews() const;

  QSettings& settings_;
  TaskRunner tasks_;
  Workspace workspace_;
  Commands commands_;
  RecentFiles recent_;
  Session last_session_;
  Session pending_session_;  ///< Being restored: its files are read one by one.
  QTimer session_timer_;

  MainToolBar* tool_bar_ = nullptr;
  PageBar* page_bar_ = nullptr;
  ErrorStrip* errors_ = nullptr;
  QStackedWidget* stack_ = nullptr;
  WindowStatus* status_ = nullptr;
  QuickOpen* quick_open_ = nullptr;
  StartPage* start_ = nullptr;
  std::vector<Page*> pages_;
  std::vector<Dock*> docks_;
  std::vector<ReportView*> views_;  ///< Pages and contents of docks.

  std::vector<ReportPtr> shown_reports_;
  ReportPtr shown_report_;
  analysis::BaselinePtr baseline_;
  analysis::BaselinePtr shown_baseline_;
  PinnedRun pinned_run_;
  RunsPage* runs_ = nullptr;
  /// Chosen before and not built in: machine files and changed machines, by id.
  std::map<QString, std::pair<sim::Machine, QString>> other_machines_;
  /// The program of a trial that is being opened.
  struct TunedView {
    QString name;
    QStringList kernels;
    QString message;
  };
  TunedView tuned_;
  FileWatch* files_watch_ = nullptr;  ///< Of open files and the results file.
  QStringList watched_files_;
  QByteArray dock_state_;
  bool docks_shown_ = false;
  bool narrow_ = false;  ///< The kernel dock is a tab beside the bottom one.
};

}  // namespace hloscope::ui
