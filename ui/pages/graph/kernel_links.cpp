#include "ui/pages/graph/kernel_links.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/item_roles.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/models/kernel_delegates.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {
namespace {

constexpr int kStripHeight = 24;
constexpr int kRowHeight = 22;
constexpr int kRowsWithoutScrolling = 4;
/// A kernel can have thousands of users; nobody reads them here.
constexpr size_t kMostRows = 500;
constexpr double kMonoPixels = 10;

}  // namespace

SectionTitle::SectionTitle(const QString& title, QWidget* parent)
    : QWidget(parent), note_(mutedLabel(QString())) {
  setFixedHeight(kStripHeight);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(8, 0, 8, 0);
  auto* label = new QLabel(title, this);
  label->setFont(boldFont());
  layout->addWidget(label);
  layout->addStretch(1);
  layout->addWidget(note_);
}

void SectionTitle::addControl(QWidget* control) {
  layout()->addWidget(control);
}

void SectionTitle::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().role(Role::kRaised));
  painter.setPen(theme().role(Role::kBorderSoft));
  painter.drawLine(rect().topLeft(), rect().topRight());
  painter.drawLine(rect().bottomLeft(), rect().bottomRight());
}

KernelLinks::KernelLinks(const QString& title, QWidget* parent)
    : QWidget(parent), list_(new QTreeView(this)), model_(new QStandardItemModel(0, 2, this)) {
  auto* strip = new SectionTitle(title, this);
  count_ = strip->note();
  list_->setModel(model_);
  list_->setHeaderHidden(true);
  list_->setRootIsDecorated(false);
  list_->setIndentation(0);
  list_->setUniformRowHeights(true);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  list_->setItemDelegateForColumn(0, new KernelNameDelegate(list_));
  list_->setAccessibleName(title);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(1, QHeaderView::Fixed);
  list_->header()->resizeSection(1, 150);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(strip);
  auto* inset = new QHBoxLayout;
  inset->setContentsMargins(2, 2, 8, 2);
  inset->addWidget(list_);
  layout->addLayout(inset);
  connect(list_, &QTreeView::clicked, this,
          [this](const QModelIndex& index) { emit kernelClicked(kernelAt(index.row())); });
  connect(list_, &QTreeView::activated, this,
          [this](const QModelIndex& index) { emit kernelActivated(kernelAt(index.row())); });
  fit();
}

void KernelLinks::setKernels(const analysis::KernelTable& table,
                             std::span<const graph::KernelId> kernels) {
  model_->removeRows(0, model_->rowCount());
  kernels_.assign(kernels.begin(), kernels.begin() + static_cast<std::ptrdiff_t>(
                                                         std::min(kernels.size(), kMostRows)));
  for (graph::KernelId kernel : kernels_) {
    auto* name = new QStandardItem(textOf(table.name(kernel.value)));
    name->setData(static_cast<int>(table.kernel(kernel.value).op_class), kOpClassRole);
    name->setData(palette().color(QPalette::Link), Qt::ForegroundRole);
    name->setToolTip(textOf(table.label(kernel.value)));
    auto* shape = new QStandardItem(textOf(table.shape(kernel.value)));
    shape->setFont(monoFont(kMonoPixels));
    shape->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    shape->setToolTip(shape->text());
    model_->appendRow({name, shape});
  }
  count_->setText(
      kernels.size() > kMostRows
          ? QStringLiteral("%1 of %2")
                .arg(formatCount(kMostRows), formatCount(static_cast<int64_t>(kernels.size())))
          : formatCount(static_cast<int64_t>(kernels.size())));
  fit();
}

void KernelLinks::clear() {
  kernels_.clear();
  model_->removeRows(0, model_->rowCount());
  count_->clear();
  fit();
}

void KernelLinks::fit() {
  const int rows = std::min(model_->rowCount(), kRowsWithoutScrolling);
  list_->setFixedHeight(rows * kRowHeight);
  list_->setVisible(rows > 0);
}

graph::KernelId KernelLinks::kernelAt(int row) const {
  return kernels_[static_cast<size_t>(row)];
}

}  // namespace hloscope::ui
