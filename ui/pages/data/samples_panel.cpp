#include "ui/pages/data/samples_panel.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>
#include <utility>

#include "ui/models/kernel_cell_text.h"
#include "ui/models/plain_columns.h"
#include "ui/models/plain_table_view.h"
#include "ui/pages/data/control_row.h"
#include "ui/theme/format.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {
namespace {

using Sample = db::RankedSample;
using SamplesPtr = std::shared_ptr<const db::RankedSamples>;

/// Layouts change the time of a whole program by little.
int slowdownDecimals(const db::RankedSamples& samples) {
  return samples.info.task == data::Task::kLayout ? 3 : 1;
}

PlainColumn rankColumn(const SamplesPtr& samples, const PlainRows<Sample>& rows, size_t model) {
  const QString file = QString::fromStdString(samples->models[model]);
  PlainColumn column = numberColumn(
      SamplesPanel::tr("# by %1").arg(file.contains('/') ? QFileInfo(file).fileName() : file), rows,
      [model](const Sample& sample) { return sample.ranks[model]; },
      [](size_t rank) { return formatCount(static_cast<int64_t>(rank)); });
  column.help = SamplesPanel::tr("Rank of the configuration by this model, from 1");
  return column;
}

PlainTable tableOf(const SamplesPtr& samples) {
  const PlainRows<Sample> rows(samples, &samples->samples);
  const QString kind = QString::fromUtf8(data::name(samples->info.target.kind).data());
  PlainTable table;
  table.rows = rows->size();
  table.columns.push_back(numberColumn(
      SamplesPanel::tr("%1 µs").arg(kind.at(0).toUpper() + kind.mid(1)), rows,
      [](const Sample& sample) { return sample.sample.time_ns; }, formatTimeUs));
  table.columns.push_back(numberColumn(
      SamplesPanel::tr("Slower %"), rows, [](const Sample& sample) { return sample.slowdown - 1; },
      [decimals = slowdownDecimals(*samples)](double slower) {
        return formatNumber(slower * 100, decimals);
      }));
  table.columns.back().help = SamplesPanel::tr("Than the fastest of the same");
  for (size_t model = 0; model < samples->models.size(); ++model) {
    table.columns.push_back(rankColumn(samples, rows, model));
  }
  table.columns.push_back(textColumn(SamplesPanel::tr("Default"), rows, [](const Sample& sample) {
    return sample.sample.is_default ? SamplesPanel::tr("default").toStdString() : "";
  }));
  table.columns.push_back(textColumn(SamplesPanel::tr("Configuration"), rows,
                                     [](const Sample& sample) { return sample.text; }));
  fillSearch(table);
  return table;
}

}  // namespace

SamplesPanel::SamplesPanel(TaskRunner& tasks, QWidget* parent)
    : QWidget(parent),
      tasks_(tasks),
      graph_(new QSpinBox),
      summary_(mutedLabel(QString(), false)),
      table_(new PlainTableView(tr("Samples"))) {
  graph_->setAccessibleName(tr("Number of the kernel"));
  graph_->setToolTip(tr("Its number in the data set, as dataset show lists them"));
  graph_->setKeyboardTracking(false);
  summary_->setWordWrap(true);
  table_->setSortingEnabled(true);
  table_->horizontalHeader()->setSortIndicator(0, Qt::AscendingOrder);
  auto* row = controlRow();
  number_ = mutedLabel(tr("Number"), false);
  row->addWidget(number_);
  row->addWidget(graph_);
  row->addWidget(summary_, 1);
  setRowOverBody(this, row, table_);
  connect(graph_, &QSpinBox::valueChanged, this, &SamplesPanel::read);
}

void SamplesPanel::setDataSet(const QString& file, data::Task task, int64_t graphs,
                              const QString& why) {
  if (file == file_ && graphs == graph_->maximum() && why.isEmpty()) return;
  file_ = why.isEmpty() ? file : QString();
  const QSignalBlocker blocker(graph_);
  graph_->setRange(
      1, static_cast<int>(std::clamp<int64_t>(graphs, 1, std::numeric_limits<int>::max())));
  graph_->setValue(1);
  graph_->setSuffix(tr(" of %1").arg(formatCount(graphs)));
  // Of one graph there is nothing to choose.
  for (QWidget* choice : {static_cast<QWidget*>(graph_), static_cast<QWidget*>(number_)}) {
    choice->setVisible(!file_.isEmpty() && graphs > 1);
  }
  graph_->setAccessibleName(task == data::Task::kLayout ? tr("Number of the graph")
                                                        : tr("Number of the kernel"));
  table_->setEmptyText(why);
  read();
}

void SamplesPanel::setModels(const QStringList& models) {
  if (models == models_) return;
  models_ = models;
  read();
}

QString SamplesPanel::summary() const {
  return summary_->text();
}

void SamplesPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (is_stale_) read();
}

void SamplesPanel::read() {
  is_stale_ = !isVisible();
  if (is_stale_ || file_.isEmpty()) {
    if (file_.isEmpty()) show(nullptr);
    return;
  }
  db::RankingOrder order{file_.toStdString(), db::GraphRow{graph_->value()}, {}};
  for (const QString& model : models_) order.models.push_back(model.toStdString());
  using Samples = Result<db::RankedSamples>;
  tasks_.run<Samples>(
      {.label = tr("Reading samples of %1").arg(QFileInfo(file_).fileName()),
       .key = QStringLiteral("data.samples")},
      [order](const Progress& progress) { return db::ranked_samples(order, progress); }, this,
      [this, file = file_](Samples samples) {
        if (file != file_) return;
        if (!samples) {
          emit failed(samples.error());
          return;
        }
        show(std::make_shared<const db::RankedSamples>(std::move(*samples)));
      });
}

void SamplesPanel::show(std::shared_ptr<const db::RankedSamples> samples) {
  summary_->clear();
  if (!samples) return table_->setTable({});
  if (samples->samples.empty()) {
    table_->setEmptyText(tr("It came without times."));
    return table_->setTable({});
  }
  QString text = tr("%1 of %2, %3 to %4, %5")
                     .arg(countOf(samples->samples.size(), tr("configuration")),
                          QString::fromStdString(samples->record.label),
                          formatTime(samples->samples.front().sample.time_ns),
                          formatTime(samples->samples.back().sample.time_ns),
                          QString::fromStdString(samples->info.target.label()));
  if (samples->models.empty() && samples->samples.size() > 1) {
    text += tr(". Models ticked under Evaluation rank them");
  }
  summary_->setText(text);
  std::vector<int> widths = {120, 84};
  widths.resize(2 + samples->models.size(), 150);
  widths.push_back(72);
  table_->setColumnWidths(std::move(widths));
  table_->setTable({});
  table_->setTable(tableOf(samples));
}

}  // namespace hloscope::ui
