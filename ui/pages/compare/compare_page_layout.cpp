// How ComparePage is put together.
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStandardItemModel>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/charts/group_error_chart.h"
#include "ui/charts/residual_chart.h"
#include "ui/charts/scatter_chart.h"
#include "ui/charts/series_legend.h"
#include "ui/models/filter_edit.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/models/kernel_delegates.h"
#include "ui/pages/compare/compare_models.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/file_watch.h"
#include "ui/theme/format.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {
namespace {

constexpr int kMargin = 12;
constexpr int kRowHeight = 40;
constexpr int kTimeWidth = 88;
constexpr int kNumberWidth = 60;
constexpr int kResidualHeight = 172;
constexpr int kMetricsHeight = 158;  ///< Header and three rows for each of two estimates.

void addEntries(QComboBox& combo, std::initializer_list<std::pair<QString, QString>> entries) {
  for (const auto& [text, help] : entries) {
    combo.addItem(text);
    combo.setItemData(combo.count() - 1, help, Qt::ToolTipRole);
  }
}

}  // namespace

ComparePage::ComparePage(TaskRunner& tasks, std::filesystem::path database, QWidget* parent)
    : Page(parent),
      tasks_(tasks),
      database_(std::move(database)),
      stored_(std::make_shared<StoredPoints>(database_)),
      watch_(new FileWatch(this)) {
  if (!database_.empty()) watch_->watch({database_});
  const auto read_again = [this] {
    if (kernelSet() == KernelSet::kStore) reload(true);
  };
  connect(watch_, &FileWatch::replaced, this, read_again);
  connect(watch_, &FileWatch::changed, this, read_again);
  auto* splitter = new QSplitter(Qt::Horizontal, this);
  splitter->setChildrenCollapsible(false);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(kMargin, 0, kMargin, kMargin);
  layout->setSpacing(0);
  layout->addWidget(makeRow());
  layout->addWidget(splitter, 1);
  splitter->addWidget(makeCharts());
  splitter->addWidget(makeSide());
  splitter->setStretchFactor(0, 11);
  splitter->setStretchFactor(1, 8);
  splitter->setHandleWidth(8);
  splitter->setSizes({860, 660});
  makeCommands();
  offerSources();
  refresh(false);
}

QWidget* ComparePage::makeCharts() {
  auto* charts = new QSplitter(Qt::Vertical);
  charts->setChildrenCollapsible(false);
  charts->setHandleWidth(8);
  chart_panel_ = makeChartPanel();
  charts->addWidget(chart_panel_);
  charts->addWidget(makeResidualPanel());
  charts->setStretchFactor(0, 1);
  charts->setSizes({640, kResidualHeight});
  return charts;
}

void ComparePage::makeCombos(QWidget* row) {
  set_ = new QComboBox(row);
  addEntries(*set_, {{tr("Open file"), tr("The modules of the file that is looked at")},
                     {tr("All open files"), tr("The modules of every open file")},
                     {tr("All measured"), tr("Everything measured that the results file knows")}});
  set_->setCurrentIndex(static_cast<int>(KernelSet::kAllOpen));
  auto* entries = qobject_cast<QStandardItemModel*>(set_->model());
  entries->item(static_cast<int>(KernelSet::kStore))->setEnabled(!database_.empty());
  measured_ = new QComboBox(row);
  addEntries(*measured_,
             {{tr("default configuration"),
               tr("One time per kernel: of the compiler's default tile, else of the fastest")},
              {tr("every measured run"), tr("One time per measured run of a tile")}});
  connect(set_, &QComboBox::currentIndexChanged, this, [this] { reload(true); });
  connect(measured_, &QComboBox::currentIndexChanged, this, [this] { reload(true); });
  makeSourceCombos(row);
}

void ComparePage::makeSourceCombos(QWidget* row) {
  x_ = new QComboBox(row);
  y_ = new QComboBox(row);
  baseline_ = new QComboBox(row);
  baseline_->addItem(tr("none"), -1);
  for (const analysis::PairSourceInfo& known : analysis::kPairSources) {
    for (QComboBox* combo : {x_, y_, baseline_}) {
      combo->addItem(textOf(known.title), static_cast<int>(known.source));
    }
  }
  // Short at first: the longest title is rarely chosen.
  for (QComboBox* combo : {x_, y_, baseline_}) {
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setMinimumContentsLength(9);
  }
  baseline_->setCurrentIndex(
      baseline_->findData(static_cast<int>(analysis::PairSource::kAnalytical)));
  x_->setToolTip(tr("Times along the x axis: what the others are judged by"));
  y_->setToolTip(tr("Times along the y axis: points, histogram and the list of errors"));
  baseline_->setToolTip(tr("Another source, as outlines behind the points"));
  for (QComboBox* combo : {x_, y_}) {
    connect(combo, &QComboBox::currentIndexChanged, this, [this, combo] { chooseSource(combo); });
  }
  connect(baseline_, &QComboBox::currentIndexChanged, this, [this] { refresh(false); });
}

QWidget* ComparePage::makeRow() {
  auto* row = new QWidget(this);
  row->setFixedHeight(kRowHeight);
  makeCombos(row);
  filter_ = new FilterEdit(tr("Filter, e.g. class:reduction err>20"), row);
  filter_->setMaximumWidth(300);
  filter_->setMinimumWidth(104);  // "Filter" is read even in a narrow window.
  restriction_ = new LinkButton(QString(), row);
  auto* save = new QToolButton(row);
  save->setIcon(icon(Icon::kExport));
  save->setText(tr("Export"));
  save->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  save->setPopupMode(QToolButton::InstantPopup);
  save->setMenu(makeExportMenu());
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  const std::pair<QString, QComboBox*> combos[] = {{tr("Kernels"), set_},
                                                   {tr("x"), x_},
                                                   {tr("y"), y_},
                                                   {tr("Baseline"), baseline_},
                                                   {tr("Measured"), measured_}};
  for (const auto& [text, combo] : combos) {
    combo->setAccessibleName(text);
    layout->addWidget(mutedLabel(text, false));
    layout->addWidget(combo);
  }
  layout->addWidget(filter_, 1);
  layout->addWidget(restriction_);
  layout->addStretch(1);
  layout->addWidget(save);
  connect(filter_, &FilterEdit::queryChanged, this, [this](const analysis::KernelQuery& query) {
    query_ = query;
    refresh(true);
  });
  connect(restriction_, &LinkButton::clicked, this, &ComparePage::clearRestrictions);
  return row;
}

Panel* ComparePage::makeChartPanel() {
  auto* panel = new Panel(tr("Times compared"));
  chart_ = new ScatterChart;
  chart_->setReference(analysis::kErrorBand, analysis::kShortKernelNs / 1e3,
                       tr("%1 µs").arg(formatNumber(analysis::kShortKernelNs / 1e3, 0)));
  chart_->setToolTips([this](int point) {
    QString text = toolTipText(point).toHtmlEscaped();
    return QStringLiteral("<p style='white-space:pre'>%1</p>").arg(text);
  });
  legend_ = new SeriesLegend;
  panel->addControl(legend_);
  note_ = mutedLabel(QString());
  note_->setContentsMargins(8, 4, 8, 4);
  note_->setWordWrap(true);
  panel->body()->addWidget(chart_, 1);
  panel->body()->addWidget(note_);
  connect(chart_, &ScatterChart::pointClicked, this, &ComparePage::clickPoint);
  connect(chart_, &ScatterChart::pointActivated, this,
          [this](int point) { activatePoint(pointOf(point)); });
  connect(chart_, &ScatterChart::rangeSelected, this, &ComparePage::setRange);
  QMenu* menu = makeExportMenu();
  chart_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(chart_, &QWidget::customContextMenuRequested, this,
          [this, menu](const QPoint& at) { menu->popup(chart_->mapToGlobal(at)); });
  return panel;
}

QWidget* ComparePage::makeSide() {
  auto* side = side_ = new QSplitter(Qt::Vertical);
  side->setChildrenCollapsible(false);
  side->setHandleWidth(8);
  side->addWidget(makeMetricsPanel());
  side->addWidget(makeGroupPanel());
  side->addWidget(makeErrorsPanel());
  side->setSizes({188, 230, 440});
  connect(side, &QSplitter::splitterMoved, this, [this] { side_moved_ = true; });
  return side;
}

Panel* ComparePage::makeMetricsPanel() {
  metrics_panel_ = new Panel(tr("Metrics"));
  metrics_ = new MetricsModel(this);
  auto* view = metrics_view_ = new QTableView;
  view->setModel(metrics_);
  styleTable(*view);
  view->setAccessibleName(tr("Metrics"));
  QHeaderView* header = view->horizontalHeader();
  header->setSectionResizeMode(QHeaderView::Stretch);
  for (int column : {MetricsModel::kSource, MetricsModel::kRange, MetricsModel::kCount}) {
    header->setSectionResizeMode(column, QHeaderView::ResizeToContents);
  }
  view->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  view->setMinimumHeight(kMetricsHeight);
  auto* copy = new LinkButton(tr("Copy as Markdown"));
  connect(copy, &LinkButton::clicked, this, [this] {
    QApplication::clipboard()->setText(metrics_->markdown());
    emit messageRequested(tr("Metrics copied as Markdown"));
  });
  metrics_panel_->addControl(copy);
  metrics_panel_->body()->addWidget(view);
  return metrics_panel_;
}

Panel* ComparePage::makeGroupPanel() {
  groups_panel_ = new Panel(tr("MAPE, %"));
  group_by_ = new QComboBox;
  addEntries(*group_by_, {{tr("by op class"), tr("Click a class to see only its points")},
                          {tr("by program"), tr("Click a program to see only its points")},
                          {tr("by size"), tr("By time on the x axis; click to see only these")}});
  group_by_->setAccessibleName(tr("Errors by"));
  groups_legend_ = new SeriesLegend;
  groups_panel_->addControl(groups_legend_);
  groups_panel_->addControl(group_by_);
  groups_ = new GroupErrorChart;
  auto* scroll = new QScrollArea;
  scroll->setWidget(groups_);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  groups_panel_->body()->addWidget(scroll);
  connect(groups_, &GroupErrorChart::rowFocused, scroll,
          [scroll](int y) { scroll->ensureVisible(0, y); });
  connect(groups_, &GroupErrorChart::groupPicked, this,
          [this](const std::optional<std::string>& key) {
            group_ = key;
            refresh(true);
          });
  connect(group_by_, &QComboBox::currentIndexChanged, this, [this] {
    group_.reset();
    refresh(true);
  });
  return groups_panel_;
}

Panel* ComparePage::makeResidualPanel() {
  residuals_panel_ = new Panel(tr("Residuals"));
  residuals_ = new ResidualChart;
  residuals_panel_->body()->addWidget(residuals_);
  return residuals_panel_;
}

Panel* ComparePage::makeErrorsPanel() {
  auto* panel = errors_panel_ = new Panel(tr("Largest time error"));
  errors_ = new LargestErrorsModel(this);
  errors_view_ = new QTableView;
  errors_view_->setModel(errors_);
  styleTable(*errors_view_);
  errors_view_->setAccessibleName(tr("Largest time error"));
  errors_view_->setItemDelegateForColumn(LargestErrorsModel::kKernel,
                                         new KernelNameDelegate(errors_view_));
  errors_view_->setItemDelegateForColumn(LargestErrorsModel::kError,
                                         new ErrorTintDelegate(errors_view_));
  QHeaderView* header = errors_view_->horizontalHeader();
  for (int column = LargestErrorsModel::kX; column < LargestErrorsModel::kColumnCount; ++column) {
    header->resizeSection(column, column < LargestErrorsModel::kError ? kTimeWidth : kNumberWidth);
  }
  header->setStretchLastSection(false);
  for (int column = 0; column < LargestErrorsModel::kX; ++column) {
    header->setSectionResizeMode(column, QHeaderView::Stretch);
  }
  // The name of the kernel is what tells the rows apart.
  header->setSectionResizeMode(LargestErrorsModel::kKernel, QHeaderView::Interactive);
  header->setSortIndicator(LargestErrorsModel::kDifference, Qt::DescendingOrder);
  errors_view_->setSortingEnabled(true);
  errors_note_ = mutedLabel(QString(), false);
  errors_note_->setObjectName(QStringLiteral("errorsNote"));
  errors_note_->setMargin(8);
  errors_note_->setWordWrap(true);
  errors_note_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  panel->body()->addWidget(errors_view_);
  panel->body()->addWidget(errors_note_);
  connect(errors_view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this] { followErrorRow(false); });
  connect(errors_view_, &QTableView::activated, this, [this] { followErrorRow(true); });
  return panel;
}

QMenu* ComparePage::makeExportMenu() {
  auto* menu = new QMenu(this);
  menu->addAction(tr("Copy as PNG"), this, &ComparePage::copyPicture);
  menu->addAction(tr("Copy as SVG"), this,
                  [this] { QApplication::clipboard()->setText(QString::fromStdString(svg())); });
  menu->addAction(tr("Copy as CSV"), this, [this] {
    QApplication::clipboard()->setText(QString::fromStdString(
        analysis::export_points(chartPoints(), analysis::TableFormat::kCsv)));
  });
  menu->addSeparator();
  menu->addAction(tr("Save as PNG…"), this, &ComparePage::savePicture);
  menu->addAction(tr("Save as SVG…"), this, [this] { saveText(QStringLiteral("svg")); });
  menu->addAction(tr("Save as CSV…"), this, [this] { saveText(QStringLiteral("csv")); });
  return menu;
}

}  // namespace hloscope::ui
