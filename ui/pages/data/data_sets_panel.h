#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "db/open_data_set.h"
#include "ui/tasks/task_runner.h"

class QAction;
class QComboBox;
class QLabel;

namespace hloscope::ui {

class FileWatch;
class Panel;
class PlainTableView;
class SplitBar;

/// The data-set files that were opened, and the split and programs of the one that is chosen.
class DataSetsPanel : public QWidget {
  Q_OBJECT
 public:
  explicit DataSetsPanel(TaskRunner& tasks, QWidget* parent = nullptr);

  void add(const QStringList& paths);
  /// Also of files that are not there any more: they can be located.
  [[nodiscard]] QStringList paths() const;
  [[nodiscard]] QString currentPath() const;
  /// Null while none is chosen, or its file cannot be read.
  [[nodiscard]] const db::DataSetSummary* current() const;
  /// Name of the chosen split; heldOut() for held-out configurations of the same graphs.
  [[nodiscard]] QString split() const;
  [[nodiscard]] const std::shared_ptr<const db::DataSetDetails>& details() const {
    return details_;
  }
  [[nodiscard]] QList<QAction*> commands() const { return commands_; }
  [[nodiscard]] FileWatch* watch() const { return watch_; }
  [[nodiscard]] PlainTableView* list() const { return list_; }
  [[nodiscard]] PlainTableView* programs() const { return programs_; }
  void select(const QString& path);
  void setSplit(const QString& name);
  /// Reads all files again.
  void reread();

  void generate(const struct GenerateAnswer& answer);
  void import(const struct ImportAnswer& answer);
  /// Asks what is to be done with files of measured times, and imports them.
  void askWhatToImport(const QStringList& paths = {});
  void merge(const struct MergeAnswer& answer);
  void makeSplit(const struct SplitAnswer& answer);
  /// The name that stands in the file, which keeps its own.
  void rename(const QString& path, const QString& name);
  /// Takes the last renaming back.
  void undo();

 signals:
  /// Another data set, or another split of it; the details come later.
  void currentChanged();
  void detailsChanged();
  void failed(const hloscope::Error& error);
  /// A file of the list could not be read, or can be read again.
  void unreadable(const QString& path, const hloscope::Error& error);
  void readable(const QString& path);
  void messageRequested(const QString& text);
  /// undo() takes it back; an empty text: there is nothing to undo any more.
  void undoOffered(const QString& text);

 private:
  struct Entry {
    QString path;
    std::optional<Result<db::DataSetSummary>> summary;  ///< Empty until it was read.
  };

  void makeActions();
  Panel* makeListPanel();
  Panel* makeSplitPanel();
  void openDialog();
  void askName();
  void removeCurrent();
  void read(const QString& path);
  void summaryRead(const QString& path, Result<db::DataSetSummary> summary);
  void showList();
  void showCurrent();
  void showPrograms();
  void readDetails();
  [[nodiscard]] const Entry* currentEntry() const;
  /// The split as the file has it; empty for none.
  [[nodiscard]] QString storedSplit() const;
  [[nodiscard]] QString whyNoPrograms() const;

  TaskRunner& tasks_;
  FileWatch* watch_;
  std::shared_ptr<std::vector<Entry>> entries_ = std::make_shared<std::vector<Entry>>();
  std::shared_ptr<const db::DataSetDetails> details_;
  QString shown_path_;
  Panel* list_panel_ = nullptr;
  Panel* split_panel_ = nullptr;
  PlainTableView* list_ = nullptr;
  QLabel* about_ = nullptr;
  QComboBox* split_ = nullptr;
  SplitBar* bar_ = nullptr;
  PlainTableView* programs_ = nullptr;
  std::vector<std::pair<QString, QString>> renamed_;  ///< Files with the name before.
  QAction* rename_ = nullptr;
  QAction* undo_ = nullptr;
  QAction* remove_ = nullptr;
  QAction* make_split_ = nullptr;
  QList<QAction*> commands_;
};

}  // namespace hloscope::ui
