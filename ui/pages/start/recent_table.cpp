#include "ui/pages/start/recent_table.h"

#include <QFileInfo>
#include <QHeaderView>
#include <QKeyEvent>
#include <algorithm>
#include <array>
#include <utility>

#include "ui/theme/fonts.h"
#include "ui/theme/format.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {

namespace {

constexpr int kRowHeight = 26;
constexpr int kHeaderHeight = 24;
constexpr int kShownRows = 8;
// Parts of the width; the name takes what is left.
constexpr std::array<double, RecentModel::kColumnCount> kShares = {0, 0.22, 0.19, 0.10, 0.12};

}  // namespace

void RecentModel::setEntries(std::vector<RecentEntry> entries) {
  beginResetModel();
  entries_ = std::move(entries);
  endResetModel();
}

int RecentModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(entries_.size());
}

int RecentModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumnCount;
}

QString RecentModel::text(const RecentEntry& entry, int column) const {
  const QFileInfo file(entry.path);
  switch (column) {
    case kName:
      return file.fileName();
    case kFolder:
      return file.absolutePath();
    case kContent:
      return entry.exists ? entry.content : tr("file not found");
    case kSize:
      return entry.exists ? formatBytes(static_cast<double>(entry.bytes)) : QString();
    case kOpened:
      return entry.exists ? openedText(entry.opened, QDateTime::currentDateTime()) : tr("Locate…");
    default:
      return {};
  }
}

QVariant RecentModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const RecentEntry& entry = entries_[static_cast<size_t>(index.row())];
  const int column = index.column();
  if (role == Qt::DisplayRole) return text(entry, column);
  if (role == Qt::ToolTipRole) return entry.path;
  if (role == Qt::DecorationRole && column == kName) return icon(Icon::kFile);
  if (role == Qt::TextAlignmentRole && column == kSize) {
    return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
  }
  if (role == Qt::ForegroundRole) {
    if (!entry.exists && column == kOpened) return theme().palette().color(QPalette::Link);
    if (!entry.exists) return theme().role(Role::kTextFaint);
    if (column != kName) return theme().role(Role::kTextMuted);
  }
  if (role == Qt::FontRole && column == kName) {
    QFont font = entry.exists ? boldFont() : uiFont();
    font.setStrikeOut(!entry.exists);
    return font;
  }
  return {};
}

QVariant RecentModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue((section == kSize ? Qt::AlignRight : Qt::AlignLeft) |
                               Qt::AlignVCenter);
  }
  if (role != Qt::DisplayRole) return {};
  const std::array<QString, kColumnCount> titles = {tr("Name"), tr("Folder"), tr("Content"),
                                                    tr("Size"), tr("Opened")};
  return titles[static_cast<size_t>(section)];
}

RecentTable::RecentTable(QWidget* parent) : QTableView(parent), model_(new RecentModel(this)) {
  setModel(model_);
  setFrameShape(QFrame::NoFrame);
  setShowGrid(false);
  setAlternatingRowColors(true);
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  setWordWrap(false);
  setTabKeyNavigation(false);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Recent files"));
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setDefaultSectionSize(kRowHeight);
  horizontalHeader()->setFont(smallFont());
  horizontalHeader()->setFixedHeight(kHeaderHeight);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setSectionsClickable(false);
  horizontalHeader()->setMinimumSectionSize(20);
  connect(this, &QTableView::clicked, this, &RecentTable::open);
}

void RecentTable::setEntries(const std::vector<RecentEntry>& entries) {
  model_->setEntries(entries);
  if (!entries.empty()) setCurrentIndex(model_->index(0, 0));
  setFixedHeight(sizeHint().height());
}

QSize RecentTable::sizeHint() const {
  const int rows = std::clamp(model_->rowCount(), 1, kShownRows);
  return {400, kHeaderHeight + rows * kRowHeight + 1};
}

void RecentTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  int rest = viewport()->width();
  for (int column = 1; column < RecentModel::kColumnCount; ++column) {
    const auto width = static_cast<int>(viewport()->width() * kShares[static_cast<size_t>(column)]);
    setColumnWidth(column, width);
    rest -= width;
  }
  setColumnWidth(RecentModel::kName, rest);
}

void RecentTable::open(const QModelIndex& index) {
  if (!index.isValid()) return;
  const RecentEntry& entry = model_->entries()[static_cast<size_t>(index.row())];
  const QString path = entry.path;
  if (entry.exists) {
    emit openRequested({path});
  } else {
    emit locateRequested(path);
  }
}

void RecentTable::keyPressEvent(QKeyEvent* event) {
  const QModelIndex index = currentIndex();
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return open(index);
  if (event->key() == Qt::Key_Delete && index.isValid()) {
    const QString path = model_->entries()[static_cast<size_t>(index.row())].path;
    emit forgetRequested(path);
    return;
  }
  QTableView::keyPressEvent(event);
}

}  // namespace hloscope::ui
