// How TunePage is put together.
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/charts/best_so_far_chart.h"
#include "ui/models/filter_edit.h"
#include "ui/models/kernel_delegates.h"
#include "ui/models/tune_delegates.h"
#include "ui/pages/tune/search_views.h"
#include "ui/pages/tune/session_form.h"
#include "ui/pages/tune/session_processes.h"
#include "ui/pages/tune/tune_page.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/fonts.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {
namespace {

constexpr int kMargin = 12;
constexpr int kFormWidth = 340;
constexpr int kWideFrom = 1380;

QSplitter* splitter(Qt::Orientation orientation) {
  auto* result = new QSplitter(orientation);
  result->setChildrenCollapsible(false);
  result->setHandleWidth(8);
  return result;
}

QLabel* emptyNote(const QString& name) {
  QLabel* note = mutedLabel(QString(), false);
  note->setObjectName(name);
  note->setAlignment(Qt::AlignCenter);
  note->setWordWrap(true);
  note->setMargin(12);
  note->hide();
  return note;
}

}  // namespace

TunePage::TunePage(TaskRunner& tasks, std::filesystem::path database, QWidget* parent)
    : Page(parent),
      tasks_(tasks),
      database_(std::move(database)),
      reader_(std::make_shared<TrialReader>(database_)),
      configs_(std::make_shared<TrialConfigReader>(database_)),
      inspector_(std::make_shared<SpaceInspector>(database_)),
      writer_(std::make_shared<SessionWriter>(database_)),
      processes_(new SessionProcesses(QString::fromStdString(database_.string()), this)),
      sessions_(new TuneSessionModel(this)),
      trials_(new TuneTrialModel(this)) {
  auto* charts = splitter(Qt::Horizontal);
  charts->addWidget(makeBest());
  views_ = new SearchViews;
  charts->addWidget(views_);
  charts->setSizes({560, 440});
  auto* right = splitter(Qt::Vertical);
  right->addWidget(makeSessions());
  right->addWidget(charts);
  right->addWidget(makeTrials());
  right->setSizes({240, 330, 270});
  right->setStretchFactor(0, 1);
  right->setStretchFactor(1, 2);
  right->setStretchFactor(2, 2);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
  layout->setSpacing(8);
  layout->addWidget(makeForm());
  layout->addWidget(right, 1);
  styleTables();
  addCommands();
  connect(views_, &SearchViews::trialClicked, this,
          [this](int trial) { selectTrial(trial, true); });
  connect(views_, &SearchViews::trialActivated, this,
          [this](int trial) { openTrial(trial, false); });
  connect(views_, &SearchViews::brushed, this, [this](const std::vector<uint8_t>& mask) {
    trials_->setMask(mask);
    refreshTexts();
  });
  connect(&tasks_, &TaskRunner::cancelled, this, &TunePage::jobCancelled);
  timer_.setSingleShot(true);
  connect(&timer_, &QTimer::timeout, this, &TunePage::poll);
  connect(processes_, &SessionProcesses::startFailed, this,
          [this](qint64 session, const QString& reason) {
            Error error;
            error.code = ErrorCode::kIo;
            error.message =
                tr("Session %1 could not be started: %2").arg(session).arg(reason).toStdString();
            fail(error);
          });
  refreshBest();
  refreshEmpty();
  updateCommands();
}

Panel* TunePage::makeForm() {
  auto* panel = new Panel(tr("New session"));
  panel->setFixedWidth(kFormWidth);
  form_ = new SessionForm;
  panel->body()->addWidget(form_);
  connect(form_, &SessionForm::startRequested, this,
          [this](const tune::Settings& settings) { startSession(settings, false); });
  connect(form_, &SessionForm::queueRequested, this,
          [this](const tune::Settings& settings) { startSession(settings, true); });
  connect(form_, &SessionForm::spaceWanted, this, &TunePage::inspect);
  connect(form_, &SessionForm::copied, this,
          [this] { emit messageRequested(tr("Command copied")); });
  return panel;
}

Panel* TunePage::makeSessions() {
  sessions_panel_ = new Panel(tr("Sessions"));
  state_filter_ = new QComboBox;
  state_filter_->addItem(tr("All states"), -1);
  for (int i = 0; i < kTuneStateCount; ++i) {
    const auto state = static_cast<TuneState>(i);
    state_filter_->addItem(tuneStateIcon(state), tuneStateText(state), i);
  }
  state_filter_->setAccessibleName(tr("States that are shown"));
  connect(state_filter_, &QComboBox::currentIndexChanged, this, [this] {
    const int state = state_filter_->currentData().toInt();
    selecting_ = true;
    sessions_->setStateFilter(state < 0 ? std::nullopt
                                        : std::optional(static_cast<TuneState>(state)));
    const QModelIndex index = sessions_->indexOf(current_);
    if (index.isValid()) sessions_view_->setCurrentIndex(index);
    selecting_ = false;
    refreshEmpty();
  });
  sessions_panel_->addControl(state_filter_);
  sessions_view_ = new QTableView;
  sessions_view_->setModel(sessions_);
  sessions_view_->setAccessibleName(tr("Sessions"));
  sessions_note_ = emptyNote(QStringLiteral("sessionsNote"));
  sessions_panel_->body()->addWidget(sessions_view_, 1);
  sessions_panel_->body()->addWidget(sessions_note_, 1);
  sessions_panel_->body()->addWidget(makeButtons());
  connect(sessions_view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& index) {
            const TuneSessionRow* session = sessions_->sessionAt(index);
            if (!selecting_ && session != nullptr) selectSession(session->id);
          });
  return sessions_panel_;
}

QWidget* TunePage::makeButtons() {
  auto* row = new QWidget;
  row->setFixedHeight(36);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(8, 4, 8, 4);
  layout->setSpacing(6);
  const std::tuple<const char*, QString, Icon> entries[] = {
      {"pause", tr("Pause"), Icon::kPause},         {"resume", tr("Resume"), Icon::kPlay},
      {"extend", tr("Extend…"), Icon::kPlus},       {"stop", tr("Stop"), Icon::kStop},
      {"graph", tr("Open in graph"), Icon::kGraph}, {"duplicate", tr("Duplicate"), Icon::kCopy},
      {"compare", tr("Compare"), Icon::kCompare}};
  for (const auto& [id, text, picture] : entries) {
    auto* button = new QPushButton(icon(picture), text);
    buttons_[QString::fromLatin1(id)] = button;
    layout->addWidget(button);
  }
  buttons_[QStringLiteral("compare")]->setCheckable(true);
  auto* more = new QToolButton;
  more->setText(tr("More"));
  more->setIcon(icon(Icon::kExport));
  more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  more->setPopupMode(QToolButton::InstantPopup);
  more->setMenu(new QMenu(more));
  more->setObjectName(QStringLiteral("moreButton"));
  more->setFocusPolicy(Qt::TabFocus);
  layout->addWidget(more);
  auto* note = new ElidedLabel(nullptr, Role::kTextMuted);
  note->setFont(smallFont());
  note->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  progress_note_ = note;
  layout->addWidget(note, 1);
  return row;
}

Panel* TunePage::makeBest() {
  auto* panel = new Panel(tr("Best so far"));
  best_ = new BestSoFarChart;
  best_x_ = new QComboBox;
  best_x_->addItems({tr("by count"), tr("by hardware time"), tr("by wall time")});
  best_x_->setAccessibleName(tr("What the best time stands over"));
  panel->addControl(best_x_);
  panel->body()->addWidget(best_, 1);
  connect(best_x_, &QComboBox::currentIndexChanged, this, &TunePage::refreshBest);
  return panel;
}

QWidget* TunePage::makeTrialControls() {
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(10);
  measured_first_ = new QCheckBox(tr("Measured first"));
  measured_first_->setChecked(true);
  follow_ = new QCheckBox(tr("Follow newest"));
  follow_->setToolTip(tr("Newest trials on top while the session runs"));
  filter_ = new QLineEdit;
  filter_->setObjectName(kFilterName);
  filter_->setPlaceholderText(tr("Filter, e.g. measured<150"));
  filter_->setClearButtonEnabled(true);
  filter_->setAccessibleName(tr("Filter of trials"));
  filter_->addAction(icon(Icon::kFilter), QLineEdit::LeadingPosition);
  filter_->setFixedWidth(214);
  for (QWidget* widget : {static_cast<QWidget*>(measured_first_), static_cast<QWidget*>(follow_),
                          static_cast<QWidget*>(filter_)}) {
    layout->addWidget(widget);
  }
  return row;
}

Panel* TunePage::makeTrials() {
  trials_panel_ = new Panel(tr("Trials"));
  trials_panel_->addControl(makeTrialControls());
  trials_view_ = new QTableView;
  trials_view_->setModel(trials_);
  trials_view_->setAccessibleName(tr("Trials"));
  trials_note_ = emptyNote(QStringLiteral("trialsNote"));
  trials_panel_->body()->addWidget(trials_view_, 1);
  trials_panel_->body()->addWidget(trials_note_, 1);
  connect(trials_view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& index) {
            if (!selecting_) selectTrial(trials_->trialAt(index), false);
          });
  connect(trials_view_, &QTableView::doubleClicked, this,
          [this](const QModelIndex& index) { openTrial(trials_->trialAt(index), false); });
  connect(measured_first_, &QCheckBox::toggled, this, [this](bool on) {
    trials_->setMeasuredFirst(on);
    selectTrial(trial_, true);
  });
  connect(follow_, &QCheckBox::toggled, this, [this](bool on) {
    if (!on) return;
    measured_first_->setChecked(false);
    trials_view_->sortByColumn(TuneTrialModel::kTrial, Qt::DescendingOrder);
    trials_view_->scrollToTop();
  });
  connect(filter_, &QLineEdit::textChanged, this, &TunePage::applyFilter);
  return trials_panel_;
}

void TunePage::styleTables() {
  styleTable(*sessions_view_);
  sessions_view_->setSelectionMode(QAbstractItemView::SingleSelection);
  for (int column : {TuneSessionModel::kState, TuneSessionModel::kSpeedup}) {
    sessions_view_->setItemDelegateForColumn(column, new StateDelegate(sessions_view_));
  }
  sessions_view_->setItemDelegateForColumn(TuneSessionModel::kProgress,
                                           new ProgressDelegate(sessions_view_));
  const int session_widths[] = {94, 130, 70, 134, 190, 116, 84, 76, 76, 76, 66};
  QHeaderView* header = sessions_view_->horizontalHeader();
  for (int i = 0; i < TuneSessionModel::kColumnCount; ++i)
    header->resizeSection(i, session_widths[i]);
  header->setSectionResizeMode(TuneSessionModel::kTarget, QHeaderView::Stretch);
  header->setSectionResizeMode(TuneSessionModel::kEvaluator, QHeaderView::Stretch);
  header->setMinimumSectionSize(50);
  sessions_view_->setColumnHidden(TuneSessionModel::kDelta, true);  // Until one is pinned.
  sessions_view_->setItemDelegateForColumn(TuneSessionModel::kDelta,
                                           new ErrorTintDelegate(sessions_view_));
  styleTable(*trials_view_);
  trials_view_->setSelectionMode(QAbstractItemView::SingleSelection);
  trials_view_->setItemDelegateForColumn(TuneTrialModel::kError,
                                         new ErrorTintDelegate(trials_view_));
  const int trial_widths[] = {72, 260, 98, 112, 80, 70, 80, 64, 88, 70};
  header = trials_view_->horizontalHeader();
  for (int i = 0; i < TuneTrialModel::kColumnCount; ++i) header->resizeSection(i, trial_widths[i]);
  header->setSectionResizeMode(TuneTrialModel::kConfig, QHeaderView::Stretch);
  header->setSortIndicator(TuneTrialModel::kHardware, Qt::AscendingOrder);
  trials_view_->setSortingEnabled(true);
}

void TunePage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  // In a small window the columns that matter least go, before the others are squeezed.
  const bool narrow = width() < kWideFrom;
  for (int column : {TuneSessionModel::kMeasured, TuneSessionModel::kElapsed}) {
    sessions_view_->setColumnHidden(column, narrow);
  }
  for (int column : {TuneTrialModel::kBooked, TuneTrialModel::kAt}) {
    trials_view_->setColumnHidden(column, narrow);
  }
}

}  // namespace hloscope::ui
