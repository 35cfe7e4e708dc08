#include "ui/pages/start/start_page.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/pages/start/recent_table.h"
#include "ui/pages/start/start_widgets.h"
#include "ui/theme/fonts.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {

namespace {

constexpr int kContentWidth = 1344;
constexpr int kRightWidth = 440;
constexpr int kGap = 16;
// Below this width the right column goes under the left one.
constexpr int kTwoColumnsFrom = 960;

struct DumpWay {
  const char* title;
  const char* command;
};
constexpr DumpWay kDumpWays[] = {
    {"Any XLA program, every pass:",
     "XLA_FLAGS=\"--xla_dump_to=dump --xla_dump_hlo_as_text --xla_dump_hlo_pass_re=.*\""},
    {"JAX, optimized HLO of one function:", "print(jax.jit(f).lower(x).compile().as_text())"},
    {"PyTorch/XLA:", "XLA_SAVE_TENSORS_FMT=hlo XLA_SAVE_TENSORS_FILE=f.hlo"},
};

struct KeyHelp {
  const char* key;
  const char* text;
};
constexpr KeyHelp kKeys[] = {
    {"Ctrl+P", "go to any kernel or instruction"},
    {"Ctrl+Shift+P", "find and run any command"},
    {"Space", "fit the graph; the wheel zooms at the pointer"},
    {"Alt+Left", "back to the selection before"},
    {"Esc", "cancel the running job"},
};

}  // namespace

StartPage::StartPage(QWidget* parent) : Page(parent) {
  auto* content = new QWidget;
  content->setMaximumWidth(kContentWidth);
  auto* layout = new QVBoxLayout(content);
  layout->setContentsMargins(32, 28, 32, 28);
  layout->setSpacing(6);
  auto* heading = new QLabel(QStringLiteral("hloscope"));
  heading->setFont(headlineFont(24));
  layout->addWidget(heading);
  layout->addWidget(
      mutedLabel(tr("Open an HLO program to see its kernels and what they cost in time."), false));
  layout->addSpacing(12);
  layout->addLayout(makeColumns());
  layout->addStretch(1);
  auto* holder = new QWidget;
  auto* centred = new QHBoxLayout(holder);
  centred->setContentsMargins(0, 0, 0, 0);
  centred->addStretch(1);
  centred->addWidget(content, 1000);
  centred->addStretch(1);
  auto* scroll = new QScrollArea;
  scroll->setWidget(holder);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->addWidget(scroll);
}

QBoxLayout* StartPage::makeColumns() {
  auto* left = new QVBoxLayout;
  left->setSpacing(kGap);
  left->addWidget(makeCards());
  left->addWidget(new DropZone);
  left->addWidget(makeRecent());
  left->addWidget(makeContinue());
  left->addStretch(1);
  right_ = new QWidget;
  auto* right = new QVBoxLayout(right_);
  right->setContentsMargins(0, 0, 0, 0);
  right->setSpacing(kGap);
  right->addWidget(makeSamples());
  right->addWidget(makeDumpHelp());
  right->addWidget(makeKeys());
  right->addStretch(1);
  columns_ = new QBoxLayout(QBoxLayout::LeftToRight);
  columns_->setSpacing(24);
  columns_->addLayout(left, 1);
  columns_->addWidget(right_);
  return columns_;
}

QWidget* StartPage::makeCards() {
  auto* open =
      new ActionCard({Icon::kFile, tr("Open file"), tr("HLO text, protobuf or tuning data"),
                      QStringLiteral("Ctrl+O"), true});
  auto* paste = new ActionCard({Icon::kClipboard, tr("Paste HLO text"), tr("from the clipboard"),
                                QStringLiteral("Ctrl+V"), false});
  setFocusProxy(open);
  connect(open, &QAbstractButton::clicked, this, &StartPage::openDialogRequested);
  connect(paste, &QAbstractButton::clicked, this, &StartPage::pasteRequested);
  auto* cards = new QWidget;
  auto* row = new QHBoxLayout(cards);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(12);
  row->addWidget(open);
  row->addWidget(paste);
  return cards;
}

QWidget* StartPage::makeRecent() {
  auto* panel = new Panel(tr("Recent files"));
  panel->setContext(tr("Enter opens, Del removes from the list"));
  forget_missing_ = new LinkButton(tr("Clear missing"));
  panel->addControl(forget_missing_);
  recent_ = new RecentTable;
  no_recent_ = mutedLabel(tr("No file was opened yet. The samples are a good start."), false);
  no_recent_->setMargin(10);
  panel->body()->addWidget(no_recent_);
  panel->body()->addWidget(recent_);
  panel->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  connect(forget_missing_, &LinkButton::clicked, this, &StartPage::forgetMissingRequested);
  connect(recent_, &RecentTable::openRequested, this, &StartPage::openRequested);
  connect(recent_, &RecentTable::locateRequested, this, &StartPage::locateRequested);
  connect(recent_, &RecentTable::forgetRequested, this, &StartPage::forgetRequested);
  setRecent({});
  return panel;
}

QWidget* StartPage::makeContinue() {
  continue_ = new Panel(tr("Continue"));
  continue_title_ = new QLabel;
  continue_title_->setFont(boldFont());
  continue_detail_ = mutedLabel({});
  auto* restore = new QPushButton(tr("Restore"));
  restore->setProperty("primary", true);
  restore->setToolTip(tr("Open the files, page and selection of the last time"));
  auto* words = new QVBoxLayout;
  words->setSpacing(2);
  words->addWidget(continue_title_);
  words->addWidget(continue_detail_);
  auto* picture = new QLabel;
  picture->setPixmap(icon(Icon::kGraph, Role::kAccent).pixmap(QSize(22, 22)));
  auto* row = new QHBoxLayout;
  row->setContentsMargins(16, 12, 16, 12);
  row->setSpacing(14);
  row->addWidget(picture);
  row->addLayout(words, 1);
  row->addWidget(restore);
  continue_->body()->addLayout(row);
  connect(restore, &QPushButton::clicked, this, &StartPage::restoreRequested);
  continue_->hide();
  return continue_;
}

QWidget* StartPage::makeSamples() {
  auto* panel = new Panel(tr("Samples"));
  panel->setContext(tr("real programs, work without a network"));
  samples_ = panel->body();
  return panel;
}

QWidget* StartPage::makeDumpHelp() {
  auto* panel = new Panel(tr("Get an HLO dump"));
  auto* list = new QVBoxLayout;
  list->setContentsMargins(10, 8, 10, 10);
  list->setSpacing(4);
  for (const DumpWay& way : kDumpWays) {
    list->addWidget(new QLabel(tr(way.title)));
    auto* line = new CopyLine(QString::fromLatin1(way.command));
    connect(line, &CopyLine::copied, this,
            [this] { emit messageRequested(tr("Copied to the clipboard")); });
    list->addWidget(line);
    list->addSpacing(4);
  }
  panel->body()->addLayout(list);
  return panel;
}

QWidget* StartPage::makeKeys() {
  auto* panel = new Panel(tr("Keys to know"));
  auto* all = new LinkButton(tr("All shortcuts"));
  connect(all, &LinkButton::clicked, this, &StartPage::shortcutsRequested);
  panel->addControl(all);
  auto* grid = new QGridLayout;
  grid->setContentsMargins(10, 8, 10, 8);
  grid->setHorizontalSpacing(16);
  grid->setVerticalSpacing(6);
  grid->setColumnStretch(1, 1);
  int row = 0;
  for (const KeyHelp& key : kKeys) {
    grid->addWidget(new KeyCap(QString::fromLatin1(key.key)), row, 0);
    grid->addWidget(new QLabel(tr(key.text)), row, 1);
    ++row;
  }
  panel->body()->addLayout(grid);
  return panel;
}

void StartPage::setReport(const ReportPtr& /*report*/) {}

void StartPage::setSelection(const Selection& /*selection*/) {}

void StartPage::setRecent(const std::vector<RecentEntry>& entries) {
  recent_->setEntries(entries);
  recent_->setVisible(!entries.empty());
  no_recent_->setVisible(entries.empty());
  forget_missing_->setVisible(std::any_of(entries.begin(), entries.end(),
                                          [](const RecentEntry& entry) { return !entry.exists; }));
}

void StartPage::setSamples(const std::vector<SampleEntry>& samples) {
  for (const SampleEntry& sample : samples) {
    auto* row = new SampleRow(sample);
    connect(row, &QAbstractButton::clicked, this,
            [this, path = sample.path] { emit openRequested({path}); });
    samples_->addWidget(row);
  }
  if (!samples.empty()) return;
  QLabel* none = mutedLabel(tr("The folder of samples was not found."), false);
  none->setMargin(10);
  samples_->addWidget(none);
}

void StartPage::setSavedSession(const SavedSession& session) {
  continue_->setContext(
      tr("saved %1").arg(openedText(session.saved, QDateTime::currentDateTime())));
  continue_title_->setText(session.title);
  continue_detail_->setText(session.detail);
  continue_->show();
}

void StartPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  const bool two = width() >= kTwoColumnsFrom;
  columns_->setDirection(two ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  right_->setMaximumWidth(two ? kRightWidth : QWIDGETSIZE_MAX);
  right_->setMinimumWidth(two ? std::min(kRightWidth, width() * 2 / 5) : 0);
}

}  // namespace hloscope::ui
