#pragma once

#include <vector>

#include "ui/pages/page.h"
#include "ui/pages/start/start_content.h"

class QBoxLayout;
class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace hloscope::ui {

class LinkButton;
class Panel;
class RecentTable;

/// What a newcomer sees first: ways to open a program, recent files, samples, how to get a dump.
class StartPage : public Page {
  Q_OBJECT
 public:
  explicit StartPage(QWidget* parent = nullptr);

  [[nodiscard]] QString id() const override { return QStringLiteral("start"); }
  [[nodiscard]] QString title() const override { return tr("Start"); }
  [[nodiscard]] Icon pageIcon() const override { return Icon::kStart; }
  void setReport(const ReportPtr& report) override;
  void setSelection(const Selection& selection) override;

  void setRecent(const std::vector<RecentEntry>& entries);
  void setSamples(const std::vector<SampleEntry>& samples);
  void setSavedSession(const SavedSession& session);

 signals:
  void openRequested(const QStringList& paths);
  void openDialogRequested();
  void pasteRequested();
  void restoreRequested();
  void shortcutsRequested();
  /// A missing file was moved: the user picks where it is now.
  void locateRequested(const QString& path);
  void forgetRequested(const QString& path);
  void forgetMissingRequested();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QBoxLayout* makeColumns();
  QWidget* makeCards();
  QWidget* makeRecent();
  QWidget* makeContinue();
  QWidget* makeSamples();
  QWidget* makeDumpHelp();
  QWidget* makeKeys();

  QBoxLayout* columns_ = nullptr;
  QWidget* right_ = nullptr;
  RecentTable* recent_ = nullptr;
  QLabel* no_recent_ = nullptr;
  LinkButton* forget_missing_ = nullptr;
  Panel* continue_ = nullptr;
  QLabel* continue_title_ = nullptr;
  QLabel* continue_detail_ = nullptr;
  QVBoxLayout* samples_ = nullptr;
};

}  // namespace hloscope::ui
