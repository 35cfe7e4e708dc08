#pragma once

#include <QWidget>
#include <memory>

#include "core/base/result.h"
#include "core/data/data_set.h"
#include "db/ranked_samples.h"
#include "ui/tasks/task_runner.h"

class QLabel;
class QSpinBox;

namespace hloscope::ui {

class PlainTableView;

/// The configurations of one kernel or graph of a data set with their times, the fastest first, and
/// where models rank them.
class SamplesPanel : public QWidget {
  Q_OBJECT
 public:
  explicit SamplesPanel(TaskRunner& tasks, QWidget* parent = nullptr);

  /// `why`: said instead, when there is nothing to show.
  void setDataSet(const QString& file, data::Task task, int64_t graphs, const QString& why);
  /// Models of that task, by which samples are ranked.
  void setModels(const QStringList& models);
  [[nodiscard]] PlainTableView* table() const { return table_; }
  [[nodiscard]] QSpinBox* graph() const { return graph_; }
  /// "1,469 configurations of unet_3d, 910.9 ms to 925.7 ms, measured".
  [[nodiscard]] QString summary() const;

 signals:
  void failed(const hloscope::Error& error);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void read();
  void show(std::shared_ptr<const db::RankedSamples> samples);

  TaskRunner& tasks_;
  QString file_;
  QStringList models_;
  bool is_stale_ = true;  ///< Something changed while the panel was hidden.
  QWidget* number_;       ///< Beside graph_.
  QSpinBox* graph_;
  QLabel* summary_;
  PlainTableView* table_;
};

}  // namespace hloscope::ui
