#pragma once

#include <QAbstractTableModel>
#include <QTableView>
#include <vector>

#include "ui/pages/start/start_content.h"

namespace hloscope::ui {

class RecentModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kName, kFolder, kContent, kSize, kOpened, kColumnCount };

  using QAbstractTableModel::QAbstractTableModel;

  void setEntries(std::vector<RecentEntry> entries);
  [[nodiscard]] const std::vector<RecentEntry>& entries() const { return entries_; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  [[nodiscard]] QString text(const RecentEntry& entry, int column) const;

  std::vector<RecentEntry> entries_;
};

/// Recent files: click or Enter opens, Del forgets; missing ones are struck out.
class RecentTable : public QTableView {
  Q_OBJECT
 public:
  explicit RecentTable(QWidget* parent = nullptr);

  void setEntries(const std::vector<RecentEntry>& entries);
  [[nodiscard]] RecentModel& entriesModel() { return *model_; }
  [[nodiscard]] QSize sizeHint() const override;

 signals:
  void openRequested(const QStringList& paths);
  void locateRequested(const QString& path);
  void forgetRequested(const QString& path);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void open(const QModelIndex& index);

  RecentModel* model_;
};

}  // namespace hloscope::ui
