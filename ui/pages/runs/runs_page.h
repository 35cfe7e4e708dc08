#pragma once

#include <QPointer>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "ui/pages/page.h"
#include "ui/pages/runs/run_details.h"
#include "ui/pages/runs/runs_content.h"

class QAction;
class QButtonGroup;
class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace hloscope::ui {

class ElidedLabel;
class ErrorStrip;
class FileWatch;
class Panel;

/// The page "Runs": what stands in a results file, and the kernels of one run or of two compared.
class RunsPage : public Page {
  Q_OBJECT
 public:
  enum List { kRuns, kPrograms, kMeasured, kListCount };

  /// `database`: the results file of the window; may not be there yet.
  RunsPage(TaskRunner& tasks, std::filesystem::path database, QWidget* parent = nullptr);

  [[nodiscard]] QString id() const override { return QStringLiteral("runs"); }
  [[nodiscard]] QString title() const override { return tr("Runs"); }
  [[nodiscard]] Icon pageIcon() const override { return Icon::kHistory; }

  void setReports(const std::vector<ReportPtr>& reports) override;
  void setReport(const ReportPtr& report) override;
  void setSelection(const Selection& selection) override;
  [[nodiscard]] QVariantMap saveState() const override;
  void restoreState(const QVariantMap& state) override;
  [[nodiscard]] QList<QAction*> commands() const override;

  /// Looks into another results file; new results still go to the window's own.
  void setDatabase(const std::filesystem::path& path);
  [[nodiscard]] const std::filesystem::path& database() const { return database_; }
  /// Reads the file again; what is selected stays so.
  void reload();
  void showList(List list);
  /// The run of a results file that the whole window compares with; empty: it is none.
  void setPinnedRun(const std::filesystem::path& database, std::optional<db::RunId> run);
  [[nodiscard]] std::optional<db::RunId> pinnedRun() const { return baseline_; }
  [[nodiscard]] bool pinsItself() const override { return true; }

  [[nodiscard]] PlainTableModel* list(List list) const { return models_[list]; }
  [[nodiscard]] QTableView* listView(List list) const { return views_[list]; }
  [[nodiscard]] PlainTableModel* kernels() const { return kernels_; }
  [[nodiscard]] PlainTableModel* properties() const { return properties_; }
  [[nodiscard]] FileWatch* watch() const { return watch_; }
  [[nodiscard]] ErrorStrip* strip() const { return strip_; }
  [[nodiscard]] QString totals() const;

  void removeSelected();
  void rename(const Renaming& to);
  /// Takes the last deletion or renaming back.
  void undo();

 signals:
  /// The user wants to see a program: a file, or FILE#N.
  void openRequested(const QStringList& paths);
  /// The run shall be what the window compares with; invalid: no longer.
  void pinRequested(const QString& database, hloscope::db::RunId run);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  struct Change {
    std::shared_ptr<RunsWriter> writer;
    int64_t removal = 0;
    std::optional<Renaming> back;  ///< Of a renaming, which is no removal.
  };

  // Making (runs_page_layout.cpp).
  QWidget* makeRow();
  QWidget* makeFilterRow();
  Panel* makeListPanel();
  QWidget* makeDetails();
  QTableView* makeTable(PlainTableModel*& model, const QString& name);
  QMenu* makeExportMenu();
  void makeActions();
  void sizeColumns(List list);
  /// Columns, order and delegates of one run, or of two.
  void layKernelsOut();
  /// Names and fusions that no run has are no columns.
  void hideEmptyColumns();

  void contentRead(Result<RunsTables> tables);
  /// Another file lies at the path, or none.
  void fileReplaced();
  void kernelsRead(const RunPair& pair, Result<std::vector<db::RunKernel>> kernels);
  void showEmpty(const QString& text);
  void updateTexts();
  void updateActions();
  void followSelection();
  void showPair();
  void applyFilter();
  void fillSources(const std::set<std::string>& kinds);
  void discard(std::shared_ptr<RunsTables> tables);
  void selectRuns(const std::vector<db::RunId>& runs);
  [[nodiscard]] std::vector<db::RunId> selectedRuns() const;
  [[nodiscard]] std::optional<RunPair> selectedPair() const;
  [[nodiscard]] const db::RunInfo* runOf(db::RunId run) const;
  [[nodiscard]] QString whyEmpty() const;

  // What the user does (runs_page_actions.cpp).
  void openDatabaseDialog();
  void fillRecentMenu(QMenu& menu);
  void openProgram();
  void openKernel();
  void pinBaseline();
  void askName();
  /// What F2 names, with its name now.
  [[nodiscard]] std::optional<Renaming> renamed() const;
  [[nodiscard]] std::shared_ptr<RunsWriter> writer();
  void offerUndo(const QString& text, const QString& hint);
  void removed(const std::shared_ptr<RunsWriter>& writer, size_t runs,
               const Result<int64_t>& removal);
  void copyRows(TextFormat format);
  void saveRuns(const QString& suffix);
  [[nodiscard]] std::string exported(const QString& suffix) const;
  void showError(const Error& error);
  [[nodiscard]] std::string selectedFile() const;

  TaskRunner& tasks_;
  const std::filesystem::path own_database_;
  std::filesystem::path database_;
  std::shared_ptr<RunsReader> reader_;  ///< Of that.
  QStringList recent_;
  std::map<std::filesystem::path, std::shared_ptr<RunsWriter>> writers_;
  std::vector<Change> changes_;

  std::shared_ptr<const RunsContent> content_ = std::make_shared<const RunsContent>();
  std::optional<RunPair> pair_;
  RunKernels pair_kernels_;
  std::optional<db::RunId> baseline_;  ///< Pinned.
  std::optional<bool> laid_out_for_pair_;
  bool reading_ = false;
  bool failed_ = false;  ///< The file could not be read: the strip says why.
  bool is_gone_ = false;
  bool following_ = false;
  List shown_ = kRuns;

  FileWatch* watch_ = nullptr;
  ErrorStrip* strip_ = nullptr;
  ElidedLabel* path_label_ = nullptr;
  QToolButton* own_button_ = nullptr;
  QLineEdit* filter_ = nullptr;
  QComboBox* source_ = nullptr;
  QButtonGroup* list_buttons_ = nullptr;
  Panel* list_panel_ = nullptr;
  QStackedWidget* stack_ = nullptr;
  QLabel* empty_ = nullptr;
  PlainTableModel* models_[kListCount] = {};
  QTableView* views_[kListCount] = {};
  Panel* property_panel_ = nullptr;
  PlainTableModel* properties_ = nullptr;
  QTableView* properties_view_ = nullptr;
  QStackedWidget* property_stack_ = nullptr;
  QLabel* property_empty_ = nullptr;
  Panel* kernel_panel_ = nullptr;
  PlainTableModel* kernels_ = nullptr;
  QTableView* kernels_view_ = nullptr;
  QStackedWidget* kernel_stack_ = nullptr;
  QLabel* kernel_empty_ = nullptr;

  std::vector<ReportPtr> reports_;
  QAction* open_program_ = nullptr;
  QAction* pin_ = nullptr;
  QAction* remove_ = nullptr;
  QAction* rename_ = nullptr;
  QAction* undo_ = nullptr;
  QList<QAction*> commands_;
};

}  // namespace hloscope::ui
