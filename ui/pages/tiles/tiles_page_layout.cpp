// How TilesPage is put together.
#include <QAction>
#include <QActionGroup>
#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QUndoStack>
#include <QVBoxLayout>

#include "ui/charts/series_legend.h"
#include "ui/charts/series_style.h"
#include "ui/charts/tile_curve_chart.h"
#include "ui/charts/tile_heat_map.h"
#include "ui/charts/tile_pipeline_chart.h"
#include "ui/models/filter_edit.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/models/kernel_delegates.h"
#include "ui/pages/tiles/shown_sources.h"
#include "ui/pages/tiles/tile_card.h"
#include "ui/pages/tiles/tile_delegates.h"
#include "ui/pages/tiles/tile_legend.h"
#include "ui/pages/tiles/tiles_page.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/fonts.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {

using analysis::TimeSource;

namespace {

constexpr int kMargin = 12;
constexpr int kRowHeight = 40;
constexpr int kFooterHeight = 26;
constexpr int kKernelWidth = 340;
constexpr int kFirst = 50;

QToolButton* textButton(const QString& text, Icon name, const QString& tip) {
  auto* button = new QToolButton;
  button->setIcon(icon(name));
  button->setText(text);
  button->setToolTip(tip);
  button->setAccessibleName(text);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setFocusPolicy(Qt::StrongFocus);
  return button;
}

/// Buttons of which one is down, in the title strip of a panel.
QWidget* segmented(QButtonGroup& group, const QStringList& texts, const QStringList& tips) {
  auto* box = new QWidget;
  auto* layout = new QHBoxLayout(box);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  for (qsizetype i = 0; i < texts.size(); ++i) {
    auto* button = new QToolButton;
    button->setText(texts[i]);
    button->setToolTip(tips[i]);
    button->setAccessibleName(tips[i]);
    button->setCheckable(true);
    button->setChecked(i == 0);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setFixedHeight(22);
    group.addButton(button, static_cast<int>(i));
    layout->addWidget(button);
  }
  return box;
}

}  // namespace

TilesPage::TilesPage(TaskRunner& tasks, std::filesystem::path database, QWidget* parent)
    : Page(parent), tasks_(tasks), database_(std::move(database)), undo_(new QUndoStack(this)) {
  auto* side = new QSplitter(Qt::Vertical);
  side->setChildrenCollapsible(false);
  side->setHandleWidth(8);
  auto* splitter = splitter_ = new QSplitter(Qt::Horizontal, this);
  splitter->setChildrenCollapsible(false);
  splitter->setHandleWidth(8);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(kMargin, 0, kMargin, kMargin);
  layout->setSpacing(0);
  makeActions();
  layout->addWidget(makeRow());
  layout->addWidget(splitter, 1);
  table_panel_ = makeTablePanel();
  auto* right = new QWidget;
  auto* column = new QVBoxLayout(right);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  column->addWidget(makeCards());
  chart_panel_ = makeChartPanel();
  side->addWidget(chart_panel_);
  pipeline_panel_ = makePipelinePanel();
  side->addWidget(pipeline_panel_);
  side->setSizes({330, 370});
  column->addWidget(side, 1);
  splitter->addWidget(table_panel_);
  splitter->addWidget(right);
  splitter->setStretchFactor(0, 1);
  splitter->setStretchFactor(1, 1);
  splitter->setSizes({800, 705});
  connect(splitter, &QSplitter::splitterMoved, this, [this] { is_divided_by_user_ = true; });
  connect(&tasks_, &TaskRunner::cancelled, this, &TilesPage::cancelled);
  showRanking();
}

TilesPage::~TilesPage() {
  // The stack tells of its end while the parts of the page are gone.
  undo_->disconnect(this);
}

QWidget* TilesPage::makeRow() {
  auto* row = new QWidget(this);
  row->setFixedHeight(kRowHeight);
  kernels_ = new QComboBox(row);
  kernels_->setAccessibleName(tr("Kernel"));
  kernels_->setPlaceholderText(tr("no kernel"));
  kernels_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  kernels_->setMinimumContentsLength(16);
  kernels_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  kernels_->setMaximumWidth(kKernelWidth);
  kernels_->setMaxVisibleItems(24);
  bounds_ = new ElidedLabel(row, Role::kTextMuted);
  bounds_->setFont(monoFont());
  graph_ = textButton(tr("Open graph"), Icon::kGraph, tr("Shows the kernel on the Graph page"));
  source_ = new QComboBox(row);
  source_->setAccessibleName(tr("Ranked by"));
  for (const TimeSource source : kTileSources) {
    source_->addItem(markerIcon(seriesOf(source)), textOf(analysis::info(source).title),
                     static_cast<int>(source));
  }
  fits_ = new QCheckBox(tr("Fits VMEM only"), row);
  fits_->setChecked(true);
  fits_->setToolTip(tr("Hides tiles that take more VMEM than there is, by our count of buffers"));
  more_ = textButton(tr("Enumerate more"), Icon::kPlus,
                     tr("Which tiles are ranked: also those that nobody measured"));
  more_->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(more_);
  connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillMoreMenu(menu); });
  more_->setMenu(menu);
  tune_ = textButton(tr("Tune…"), Icon::kTune, tr("Searches the tiles on the Autotune page"));
  export_ = textButton(tr("Export"), Icon::kExport, tr("Copies or saves what is shown"));
  export_->setPopupMode(QToolButton::InstantPopup);
  export_->setMenu(makeExportMenu());
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addWidget(mutedLabel(tr("Kernel"), false));
  layout->addWidget(kernels_, 1);
  layout->addWidget(bounds_, 1);
  layout->addWidget(graph_);
  layout->addWidget(mutedLabel(tr("Ranked by"), false));
  for (QWidget* widget : std::initializer_list<QWidget*>{source_, fits_, more_, tune_, export_}) {
    layout->addWidget(widget);
  }
  connect(kernels_, &QComboBox::activated, this, &TilesPage::chooseKernel);
  connect(source_, &QComboBox::activated, this, [this] {
    source_chosen_ = true;
    showRanking();
    loadChoice();
  });
  connect(fits_, &QCheckBox::toggled, this, &TilesPage::applyFilter);
  connect(tune_, &QToolButton::clicked, this, &TilesPage::tuneRequested);
  connect(graph_, &QToolButton::clicked, this, [this] {
    if (!shown_) return;
    const auto& kernels = shown_->report->kernels.kernels;
    emit activationRequested(nullptr, {shown_->kernel, kernels[shown_->kernel].instruction});
  });
  return row;
}

void TilesPage::fillMoreMenu(QMenu* menu) {
  menu->clear();
  const bool measured = ranking_ && ranking_->list.measured > 0;
  const auto add = [&](const QString& text, size_t most, bool beside, bool is_now) {
    QAction* action = menu->addAction(text, this, [this, most, beside] { setMost(most, beside); });
    action->setCheckable(true);
    action->setChecked(is_now);
  };
  if (measured) {
    add(tr("Measured tiles only"), options_.most, false, !options_.beside_measured);
  }
  for (const size_t most : {size_t{2000}, size_t{10'000}, size_t{50'000}}) {
    const QString count = QLocale(QLocale::C).toString(static_cast<qulonglong>(most));
    const QString text = measured ? tr("And up to %1 others that fit") : tr("Up to %1 that fit");
    add(text.arg(QString(count).replace(',', QChar(0x2009))), most, true,
        options_.most == most && (!measured || options_.beside_measured));
  }
}

void TilesPage::makeTable() {
  model_ = new TileTableModel(this);
  view_ = new QTableView;
  view_->setModel(model_);
  styleTable(*view_);
  view_->setAccessibleName(tr("Tiles"));
  view_->setItemDelegateForColumn(TileTableModel::kPick, new TilePickDelegate(view_));
  view_->setItemDelegateForColumn(TileTableModel::kVmem, new VmemBarDelegate(view_));
  view_->setItemDelegateForColumn(TileTableModel::kDelta, new ErrorTintDelegate(view_));
  const int first = TileTableModel::kPredicted;
  for (int i = 0; i < 3; ++i) {
    ranked_delegates_[static_cast<size_t>(i)] = new RankedValueDelegate(view_);
    view_->setItemDelegateForColumn(first + i, ranked_delegates_[static_cast<size_t>(i)]);
  }
  view_->setSortingEnabled(true);
  view_->horizontalHeader()->setStretchLastSection(false);
  view_->horizontalHeader()->setMinimumSectionSize(30);
  view_->setContextMenuPolicy(Qt::ActionsContextMenu);
  view_->addActions(actions());
  view_->viewport()->installEventFilter(this);
  connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          &TilesPage::followTable);
  connect(view_, &QTableView::activated, this, [this](const QModelIndex& index) {
    if (const auto tile = model_->tileAt(index)) useTile(*tile);
  });
}

Panel* TilesPage::makeTablePanel() {
  auto* panel = new Panel(tr("Tiles"));
  filter_ = new QLineEdit;
  filter_->setObjectName(kFilterName);
  filter_->setPlaceholderText(tr("Filter, e.g. iter<20"));
  filter_->setAccessibleName(tr("Filter"));
  filter_->setClearButtonEnabled(true);
  filter_->addAction(icon(Icon::kFilter), QLineEdit::LeadingPosition);
  filter_->setFixedWidth(150);
  filter_->setFixedHeight(22);
  panel->addControl(filter_);
  makeTable();
  empty_ = mutedLabel(QString(), false);
  empty_->setObjectName(QStringLiteral("tilesEmpty"));
  empty_->setWordWrap(true);
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setMargin(24);
  table_stack_ = new QStackedWidget;
  table_stack_->addWidget(view_);
  table_stack_->addWidget(empty_);
  panel->body()->addWidget(table_stack_, 1);
  panel->body()->addWidget(makeTableFooter());
  connect(filter_, &QLineEdit::textChanged, this, &TilesPage::applyFilter);
  filter_->installEventFilter(this);
  return panel;
}

QWidget* TilesPage::makeTableFooter() {
  auto* footer = new QWidget;
  footer->setFixedHeight(kFooterHeight);
  legend_ = new TileLegend;
  limit_ = mutedLabel(QString());
  auto* layout = new QHBoxLayout(footer);
  layout->setContentsMargins(8, 0, 8, 0);
  layout->addWidget(legend_, 1);
  layout->addWidget(limit_);
  return footer;
}

QWidget* TilesPage::makeCards() {
  auto* box = new QWidget;
  auto* layout = new QHBoxLayout(box);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  for (size_t i = 0; i < cards_.size(); ++i) {
    cards_[i] = new TileCard(kTileSources[i + 1]);
    layout->addWidget(cards_[i], 1);
  }
  return box;
}

QWidget* TilesPage::makeMapControls() {
  map_controls_ = new QWidget;
  auto* layout = new QHBoxLayout(map_controls_);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  map_x_ = new QComboBox;
  map_y_ = new QComboBox;
  map_x_->setAccessibleName(tr("Dimension to the right"));
  map_y_->setAccessibleName(tr("Dimension upward"));
  layout->addWidget(mutedLabel(tr("x")));
  layout->addWidget(map_x_);
  layout->addWidget(mutedLabel(tr("y")));
  layout->addWidget(map_y_);
  for (QComboBox* combo : {map_x_, map_y_}) {
    combo->setFixedHeight(22);
    connect(combo, &QComboBox::activated, this, [this] {
      wanted_dimensions_ = {map_x_->currentText(), map_y_->currentText()};
      fillMap();
    });
  }
  return map_controls_;
}

Panel* TilesPage::makeChartPanel() {
  auto* panel = new Panel(tr("Time per tile"));
  series_ = new SeriesLegend;
  view_buttons_ = new QButtonGroup(this);
  first_buttons_ = new QButtonGroup(this);
  first_box_ = segmented(*first_buttons_, {tr("All"), tr("First %1").arg(kFirst)},
                         {tr("All tiles"), tr("The first %1 tiles").arg(kFirst)});
  panel->addControl(makeMapControls());
  panel->addControl(first_box_);
  panel->addControl(segmented(
      *view_buttons_, {tr("Curve"), tr("Map")},
      {tr("Tiles in the order of their times"), tr("Best time by two dimensions of the tile")}));
  curve_ = new TileCurveChart;
  curve_->setTips([this](int position) { return toolTipOf(position); });
  map_ = new TileHeatMap;
  chart_stack_ = new QStackedWidget;
  chart_stack_->addWidget(curve_);
  chart_stack_->addWidget(map_);
  // Its width must not make the page wide.
  legend_row_ = new QWidget;
  auto* legend = new QHBoxLayout(legend_row_);
  legend->setContentsMargins(8, 4, 8, 0);
  legend->addWidget(series_);
  legend->addStretch(1);
  legend_row_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  panel->body()->addWidget(legend_row_);
  panel->body()->addWidget(chart_stack_, 1);
  connect(curve_, &TileCurveChart::positionClicked, this,
          [this](int at) { selectTile(curve_order_[static_cast<size_t>(at)]); });
  connect(curve_, &TileCurveChart::positionActivated, this,
          [this](int at) { useTile(curve_order_[static_cast<size_t>(at)]); });
  connect(map_, &TileHeatMap::trialClicked, this,
          [this](int tile) { selectTile(static_cast<uint32_t>(tile)); });
  connect(map_, &TileHeatMap::trialActivated, this,
          [this](int tile) { useTile(static_cast<uint32_t>(tile)); });
  connect(first_buttons_, &QButtonGroup::idClicked, this,
          [this](int id) { curve_->setFirst(id == 1 ? kFirst : 0); });
  connect(view_buttons_, &QButtonGroup::idClicked, this, [this] { showView(); });
  return panel;
}

Panel* TilesPage::makePipelinePanel() {
  auto* panel = new Panel(tr("Pipeline of tile"));
  pipeline_ = new TilePipelineChart;
  pipeline_footer_ = new ElidedLabel(nullptr, Role::kTextMuted);
  pipeline_footer_->setFont(smallFont());
  auto* footer = new QWidget;
  footer->setFixedHeight(kFooterHeight);
  auto* layout = new QHBoxLayout(footer);
  layout->setContentsMargins(8, 0, 8, 0);
  layout->addWidget(pipeline_footer_);
  panel->body()->addWidget(pipeline_, 1);
  panel->body()->addWidget(footer);
  return panel;
}

}  // namespace hloscope::ui
