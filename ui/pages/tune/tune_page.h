#pragma once

#include <QTimer>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include "ui/models/tune_session_model.h"
#include "ui/models/tune_trial_model.h"
#include "ui/pages/page.h"
#include "ui/pages/tune/trial_configs.h"
#include "ui/pages/tune/trial_reader.h"
#include "ui/pages/tune/tune_work.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace hloscope::ui {

class BestSoFarChart;
class Panel;
class SearchViews;
class SessionForm;
class SessionProcesses;

/// The page "Autotune": starts tuning sessions, each in a process of its own, watches and steers
/// them through the results file, and shows their trials.
class TunePage : public Page {
  Q_OBJECT
 public:
  /// What becomes of running sessions when the window closes.
  enum class OnClose { kGoOn, kPause, kCancel };
  static constexpr int kMostCompared = 6;

  TunePage(TaskRunner& tasks, std::filesystem::path database, QWidget* parent = nullptr);
  ~TunePage() override;

  [[nodiscard]] QString id() const override { return QStringLiteral("autotune"); }
  [[nodiscard]] QString title() const override { return tr("Autotune"); }
  [[nodiscard]] Icon pageIcon() const override { return Icon::kTune; }

  void setReport(const ReportPtr& report) override;
  void setSelection(const Selection& selection) override;
  [[nodiscard]] bool mayClose() override;
  [[nodiscard]] bool isReady() const override;
  [[nodiscard]] QVariantMap saveState() const override;
  void restoreState(const QVariantMap& state) override;

  /// For tests: instead of a dialog.
  void setCloseAsker(std::function<OnClose(int running)> ask) { ask_on_close_ = std::move(ask); }
  [[nodiscard]] SessionForm* form() const { return form_; }
  [[nodiscard]] TuneSessionModel* sessions() const { return sessions_; }
  [[nodiscard]] TuneTrialModel* trials() const { return trials_; }
  [[nodiscard]] BestSoFarChart* bestChart() const { return best_; }
  [[nodiscard]] SearchViews* views() const { return views_; }
  [[nodiscard]] SessionProcesses* processes() const { return processes_; }
  /// 0: none.
  [[nodiscard]] int64_t currentSession() const { return current_; }
  void selectSession(int64_t session);
  /// Best times are compared with this session's; 0, or the one that is pinned: no longer.
  void pinSession(int64_t session);
  [[nodiscard]] bool pinsItself() const override { return true; }
  /// Reads the results file now.
  void poll();

 signals:
  /// A program to be opened on the Graph page, with the kernels to point at.
  void programRequested(const QString& name, const std::string& text, const QStringList& kernels,
                        const QString& message);
  void errorRaised(const hloscope::Error& error);
  /// The results file is read again after it could not be.
  void errorSettled();

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// The trials of a session that is looked at.
  struct Watched {
    std::shared_ptr<TrialColumns> trials = std::make_shared<TrialColumns>();
    SessionFacts facts;
    bool has_facts = false;
    bool has_times = false;  ///< All that was stored at the last reading is here.
    uint64_t measured = 0;   ///< SessionState::measured of the last reading.
  };
  struct Wanted {
    int64_t session = 0;
    uint64_t from = 0;
    uint64_t measured = 0;
  };
  struct News {
    SessionList list;
    std::vector<TrialChunk> chunks;
  };

  // tune_page_layout.cpp
  Panel* makeForm();
  Panel* makeSessions();
  QWidget* makeButtons();
  Panel* makeBest();
  Panel* makeTrials();
  QWidget* makeTrialControls();
  void styleTables();

  // tune_page_poll.cpp
  [[nodiscard]] std::vector<Wanted> wanted() const;
  [[nodiscard]] static Result<News> read(TrialReader& reader, const std::vector<Wanted>& wanted,
                                         const Progress& progress);
  void readFailed(const Error& error);
  /// What is known of the file that was there before is forgotten.
  void leaveFile(int generation);
  void apply(News news);
  void applySessions(const std::vector<db::SessionInfo>& sessions);
  void applyChunk(TrialChunk chunk);
  void restartTimer();
  [[nodiscard]] const db::SessionInfo* info(int64_t session) const;

  // tune_page_configs.cpp
  /// Reads what the trials of the selected session tried, a piece at a time.
  void readConfigs();
  void applyConfigs(ConfigChunk chunk);
  void jobCancelled(const QString& label);
  [[nodiscard]] bool hasConfigs() const;

  // tune_page_trials.cpp
  void showSession();
  void refreshTrials(size_t first_new);
  void refreshCharts();
  void refreshBest();
  [[nodiscard]] TuneTrialModel::Meaning meaning() const;
  void refreshTexts();
  void refreshEmpty();
  void applyFilter();
  void selectTrial(int trial, bool from_chart);
  void openTrial(int trial, bool whole_program);
  void saveTuned();

  // tune_page_commands.cpp
  void addCommands();
  void addContextMenus();
  void updateCommands();
  void startSession(const tune::Settings& settings, bool at_end);
  void inspect(const tune::Settings& settings);
  void write(const QString& label, std::function<Status(db::TuneSessions&)> work,
             std::function<void()> done = {});
  void pauseOrResume();
  void resume(int64_t session);
  void extendCurrent();
  void stopCurrent();
  void duplicateCurrent();
  void renameCurrent();
  void removeCurrent();
  void toggleCompare();
  void exportTrials();
  void fail(const Error& error);
  [[nodiscard]] const TuneSessionRow* current() const { return sessions_->session(current_); }

  TaskRunner& tasks_;
  std::filesystem::path database_;
  std::shared_ptr<TrialReader> reader_;
  std::shared_ptr<TrialConfigReader> configs_;
  std::shared_ptr<SpaceInspector> inspector_;
  std::shared_ptr<SessionWriter> writer_;
  std::function<OnClose(int)> ask_on_close_;
  SessionProcesses* processes_;
  TuneSessionModel* sessions_;
  TuneTrialModel* trials_;

  SessionForm* form_;
  Panel* sessions_panel_;
  QTableView* sessions_view_;
  QLabel* sessions_note_;
  QLabel* progress_note_;
  QComboBox* state_filter_;
  BestSoFarChart* best_;
  QComboBox* best_x_;
  SearchViews* views_;
  Panel* trials_panel_;
  QTableView* trials_view_;
  QLabel* trials_note_;
  QCheckBox* measured_first_;
  QCheckBox* follow_;
  QLineEdit* filter_;
  std::map<QString, QAction*> actions_;
  std::map<QString, QPushButton*> buttons_;

  ReportPtr report_;
  std::vector<db::SessionInfo> infos_;
  int64_t current_ = 0;
  std::vector<int64_t> waited_;  ///< In the window before: enqueued as soon as they are listed.
  int64_t select_next_ = 0;      ///< Selected as soon as it is listed.
  int trial_ = -1;
  std::vector<int64_t> compared_;
  std::map<int64_t, Watched> watched_;
  QTimer timer_;
  int generation_ = 0;  ///< Of the results file.
  bool file_is_there_ = false;
  bool file_was_there_ = false;
  std::string read_only_;      ///< Why nothing can be stored; else empty.
  std::string read_failure_;   ///< Of the last reading: told once.
  QString failure_text_;       ///< The same for the page; empty: it went well.
  QString configs_label_;      ///< Of the job that reads configurations; empty: none runs.
  QString space_label_;        ///< Of the job that counts the search space.
  int64_t no_configs_of_ = 0;  ///< Reading those of this session was cancelled, or failed.
  /// To be inspected when the page is shown.
  std::optional<tune::Settings> uninspected_;
  bool polling_ = false;
  bool poll_again_ = false;
  bool first_read_ = false;
  bool selecting_ = false;
};

/// The page, for the window.
[[nodiscard]] Page* createTunePage(TaskRunner& tasks, const std::filesystem::path& database);

}  // namespace hloscope::ui
