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
constexpr int kLinkHeight = 22;
constexpr int kRowsWithoutScrolling = 4;
/// A kernel can have thousands of users; nobody reads them here.
constexpr size_t kMostRows = 500;
constexpr double kLinkPixels = 10;

KernelLink kernelLink(const analysis::KernelTable& table, graph::KernelId id) {
  const graph::Kernel& kernel = table.kernel(id.value);
  return {{id, kernel.instruction},
          textOf(table.name(id.value)),
          textOf(table.shape(id.value)),
          textOf(table.label(id.value)),
          kernel.op_class};
}

}  // namespace

std::vector<KernelLink> userLinks(const analysis::KernelTable& table, graph::KernelId kernel) {
  std::vector<KernelLink> links;
  for (graph::KernelId user : table.report().kernels.users[kernel]) {
    links.push_back(kernelLink(table, user));
  }
  return links;
}

std::vector<KernelLink> operandLinks(const analysis::KernelTable& table, graph::KernelId kernel) {
  const analysis::ModuleReport& report = table.report();
  const hlo::Program& program = *report.module.program;
  std::vector<KernelLink> links;
  for (hlo::InstructionId operand : program.operands(table.kernel(kernel.value).instruction)) {
    const hlo::Instruction& instruction = program[operand];
    const hlo::OpClass op_class = hlo::info(instruction.opcode).op_class;
    if (op_class != hlo::OpClass::kParameterConstant) continue;
    if (report.kernels.kernel_of[operand].valid()) continue;
    const QString shape = textOf(program.shapes().text(instruction.shape, false));
    links.push_back({{{}, operand},
                     textOf(instruction.name),
                     shape,
                     textOf(hlo::name(instruction.opcode)),
                     op_class});
  }
  for (graph::KernelId operand : report.kernels.operands[kernel]) {
    links.push_back(kernelLink(table, operand));
  }
  return links;
}

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
  connect(list_, &QTreeView::clicked, this, [this](const QModelIndex& index) {
    emit linkClicked(links_[static_cast<size_t>(index.row())].target);
  });
  connect(list_, &QTreeView::activated, this, [this](const QModelIndex& index) {
    emit linkActivated(links_[static_cast<size_t>(index.row())].target);
  });
  fit();
}

void KernelLinks::setLinks(std::vector<KernelLink> links) {
  model_->removeRows(0, model_->rowCount());
  const auto all = static_cast<int64_t>(links.size());
  links_ = std::move(links);
  if (links_.size() > kMostRows) links_.resize(kMostRows);
  const auto shown = static_cast<int64_t>(links_.size());
  for (const KernelLink& link : links_) {
    auto* name = new QStandardItem(link.name);
    name->setData(static_cast<int>(link.op_class), kOpClassRole);
    name->setData(palette().color(QPalette::Link), Qt::ForegroundRole);
    name->setToolTip(link.help);
    auto* shape = new QStandardItem(link.shape);
    shape->setFont(monoFont(kLinkPixels));
    shape->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    shape->setToolTip(link.shape);
    model_->appendRow({name, shape});
  }
  count_->setText(shown < all ? tr("%1 of %2").arg(formatCount(shown), formatCount(all))
                              : formatCount(all));
  fit();
}

void KernelLinks::fit() {
  const int rows = std::min(model_->rowCount(), kRowsWithoutScrolling);
  list_->setFixedHeight(rows * kLinkHeight);
  list_->setVisible(rows > 0);
}

}  // namespace hloscope::ui
