#include "ui/pages/data/statistics_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <cmath>

#include "ui/models/item_roles.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/models/kernel_delegates.h"
#include "ui/models/plain_columns.h"
#include "ui/models/plain_table_view.h"
#include "ui/pages/data/control_row.h"
#include "ui/theme/format.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {
namespace {

using data::Distribution;
using data::Statistics;

enum What { kClasses, kFamilies, kParts, kTimes, kNodes, kPerGraph, kSlowdown };

QString ratioText(double ratio) {
  return formatNumber(ratio, ratio < 10 ? 2 : 1);
}

QString countText(double count) {
  return formatNumber(count, 0);
}

using Text = QString (*)(double);

/// "2 µs – 5 µs"; of counts "4 – 7".
QString rangeText(const Distribution::Bin& bin, Text text, bool is_count) {
  if (std::isinf(bin.from)) return StatisticsPanel::tr("under %1").arg(text(bin.to));
  if (std::isinf(bin.to)) return StatisticsPanel::tr("from %1").arg(text(bin.from));
  if (!is_count) return text(bin.from) + QStringLiteral(" – ") + text(bin.to);
  if (bin.to - bin.from <= 1) return text(bin.from);
  return text(bin.from) + QStringLiteral(" – ") + text(bin.to - 1);
}

/// A row with a share of all, which is drawn as a bar.
struct Share {
  QString name;
  int64_t programs = 0;
  int64_t count = 0;
  int64_t samples = 0;
  double share = 0;
};

PlainColumn shareColumn(const PlainRows<Share>& rows) {
  PlainColumn column = numberColumn(
      StatisticsPanel::tr("Share"), rows, [](const Share& row) { return row.share; },
      [](double share) { return formatPercent(share); });
  column.look = [rows](size_t row, int role) {
    return role == kValueRole ? QVariant((*rows)[row].share) : QVariant();
  };
  return column;
}

PlainColumn nameColumn(const QString& title, const PlainRows<Share>& rows, bool in_order) {
  PlainColumn column =
      textColumn(title, rows, [](const Share& row) { return row.name.toStdString(); });
  // Ranges are sorted by where they begin.
  for (size_t i = 0; in_order && i < column.keys.size(); ++i) {
    column.keys[i] = static_cast<double>(i);
  }
  return column;
}

PlainColumn countColumn(const QString& title, const PlainRows<Share>& rows, int64_t Share::*of) {
  return numberColumn(
      title, rows, [of](const Share& row) { return row.*of; },
      [](int64_t count) { return formatCount(count); });
}

PlainTable groupTable(const QString& title, const std::vector<Statistics::Counts>& groups,
                      int64_t all, const QString& graphs, bool with_programs) {
  std::vector<Share> shares;
  for (const Statistics::Counts& group : groups) {
    const QString name = group.name.empty() ? StatisticsPanel::tr("(not known)")
                                            : QString::fromStdString(group.name);
    shares.push_back({name, group.programs, group.graphs, group.samples,
                      all > 0 ? static_cast<double>(group.graphs) / static_cast<double>(all) : 0});
  }
  const auto rows = std::make_shared<const std::vector<Share>>(std::move(shares));
  PlainTable table;
  table.rows = rows->size();
  table.columns.push_back(nameColumn(title, rows, false));
  table.columns.push_back(shareColumn(rows));
  table.columns.push_back(countColumn(graphs, rows, &Share::count));
  table.columns.push_back(countColumn(StatisticsPanel::tr("Samples"), rows, &Share::samples));
  if (with_programs) {
    table.columns.push_back(countColumn(StatisticsPanel::tr("Programs"), rows, &Share::programs));
  }
  fillSearch(table);
  return table;
}

PlainTable histogram(const QString& title, const Distribution& of, Text text, bool is_count) {
  std::vector<Share> shares;
  for (const Distribution::Bin& bin : of.bins()) {
    shares.push_back({rangeText(bin, text, is_count), 0, bin.count, 0,
                      static_cast<double>(bin.count) / static_cast<double>(of.count())});
  }
  const auto rows = std::make_shared<const std::vector<Share>>(std::move(shares));
  PlainTable table;
  table.rows = rows->size();
  table.columns.push_back(nameColumn(title, rows, true));
  table.columns.push_back(shareColumn(rows));
  table.columns.push_back(countColumn(StatisticsPanel::tr("Count"), rows, &Share::count));
  fillSearch(table);
  return table;
}

PlainTable tableOf(const Statistics& counted, int what, const QString& graphs) {
  using Panel = StatisticsPanel;
  switch (what) {
    case kClasses:
      return groupTable(Panel::tr("Op class"), counted.op_classes, counted.all.graphs, graphs,
                        false);
    case kFamilies:
      return groupTable(Panel::tr("Family"), counted.families, counted.all.graphs, graphs, true);
    case kParts:
      return groupTable(Panel::tr("Part"), counted.parts, counted.all.graphs, graphs, true);
    case kTimes:
      return histogram(Panel::tr("Time of a sample"), counted.time_ns, formatTime, false);
    case kNodes:
      return histogram(Panel::tr("Nodes"), counted.nodes, countText, true);
    case kPerGraph:
      return histogram(Panel::tr("Samples of one"), counted.samples_per_graph, countText, true);
    default:
      return histogram(Panel::tr("Time by the best of the same"), counted.slowdown, ratioText,
                       false);
  }
}

QString rangeOf(const Distribution& of, Text text) {
  if (of.count() == 0) return {};
  return StatisticsPanel::tr("mean %1, %2 to %3")
      .arg(text(*of.mean()), text(*of.least()), text(*of.most()));
}

}  // namespace

StatisticsPanel::StatisticsPanel(QWidget* parent) : QWidget(parent) {
  what_ = new QComboBox;
  what_->setAccessibleName(tr("Statistics of"));
  for (const QString& name : {tr("op classes"), tr("families"), tr("parts of the split"),
                              tr("times"), tr("nodes"), tr("samples of one"), tr("slowdown")}) {
    what_->addItem(name);
  }
  summary_ = mutedLabel(QString(), false);
  summary_->setWordWrap(true);
  table_ = new PlainTableView(tr("Statistics"));
  table_->setColumnWidths({200, 130, 90, 90});
  table_->setSortingEnabled(false);
  table_->setItemDelegateForColumn(1, new ShareBarDelegate(table_));
  auto* row = controlRow();
  row->addWidget(what_);
  row->addWidget(summary_, 1);
  setRowOverBody(this, row, table_);
  connect(what_, &QComboBox::currentIndexChanged, this, &StatisticsPanel::show);
}

void StatisticsPanel::setDetails(const std::shared_ptr<const db::DataSetDetails>& details,
                                 data::Task task, const QString& why) {
  details_ = details;
  task_ = task;
  table_->setEmptyText(why);
  show();
}

QString StatisticsPanel::summary() const {
  return summary_->text();
}

void StatisticsPanel::show() {
  if (!details_) {
    summary_->clear();
    table_->setTable({});
    return;
  }
  const Statistics& counted = details_->statistics;
  const bool is_layout = task_ == data::Task::kLayout;
  const QString graphs = is_layout ? tr("Graphs") : tr("Kernels");
  QStringList parts = {
      countOf(static_cast<size_t>(counted.all.programs), tr("program")),
      countOf(static_cast<size_t>(counted.all.graphs), is_layout ? tr("graph") : tr("kernel")),
      countOf(static_cast<size_t>(counted.all.samples), tr("sample"))};
  if (counted.kernels_met > 0) {
    parts << tr("%1 met in %2 fusion configurations, %3 of them known already")
                 .arg(formatCount(counted.kernels_met), formatCount(counted.units),
                      formatPercent(counted.repeated_share().value_or(0)));
  }
  const int what = what_->currentIndex();
  if (what == kTimes) {
    parts = QStringList{rangeOf(counted.time_ns, formatTime)};
    if (counted.all.samples > 0) {
      parts << tr("under 5 µs: %1")
                   .arg(formatPercent(static_cast<double>(counted.short_samples) /
                                      static_cast<double>(counted.all.samples)));
    }
  } else if (what == kNodes) {
    parts = QStringList{rangeOf(counted.nodes, countText)};
  } else if (what == kPerGraph) {
    parts = QStringList{rangeOf(counted.samples_per_graph, countText)};
  } else if (what == kSlowdown) {
    parts = QStringList{rangeOf(counted.slowdown, ratioText)};
  }
  parts.removeAll(QString());
  summary_->setText(parts.join(QStringLiteral(" · ")));
  if (what == kParts) {
    table_->setEmptyText(tr("No split is chosen. Make one under Split."));
  } else if (what == kSlowdown) {
    table_->setEmptyText(tr("Every kernel has one sample: there is nothing to be slower than."));
  }
  PlainTable table = tableOf(counted, what, graphs);
  double largest = 0;
  for (const double share : table.columns[1].keys) largest = std::max(largest, share);
  static_cast<ShareBarDelegate*>(table_->itemDelegateForColumn(1))
      ->setFullValue(largest > 0 ? largest : 1);
  table_->setTable(std::move(table));
}

}  // namespace hloscope::ui
