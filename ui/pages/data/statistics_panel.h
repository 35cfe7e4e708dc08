#pragma once

#include <QWidget>
#include <memory>

#include "db/open_data_set.h"

class QComboBox;
class QLabel;

namespace hloscope::ui {

class PlainTableView;

/// What is in a data set: counts, classes, families and histograms, as `dataset stats` prints it.
class StatisticsPanel : public QWidget {
  Q_OBJECT
 public:
  explicit StatisticsPanel(QWidget* parent = nullptr);
  /// Null: none; `why` says why.
  void setDetails(const std::shared_ptr<const db::DataSetDetails>& details, data::Task task,
                  const QString& why);
  [[nodiscard]] PlainTableView* table() const { return table_; }
  [[nodiscard]] QString summary() const;
  [[nodiscard]] QComboBox* what() const { return what_; }

 private:
  void show();

  std::shared_ptr<const db::DataSetDetails> details_;
  data::Task task_ = data::Task::kFusion;
  QComboBox* what_;
  QLabel* summary_;
  PlainTableView* table_;
};

}  // namespace hloscope::ui
