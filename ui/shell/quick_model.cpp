#include "ui/shell/quick_model.h"

#include <QPainter>
#include <utility>

#include "ui/theme/draw.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {

namespace {

constexpr int kMargin = 10;
constexpr int kHitIcon = 16;

QIcon iconOf(const QuickHit& hit) {
  if (hit.action != nullptr) {
    return hit.action->icon().isNull() ? icon(Icon::kForward) : hit.action->icon();
  }
  if (hit.selection.instruction.valid()) {
    const auto& instruction = (*hit.report->module.program)[hit.selection.instruction];
    const graph::KernelId kernel = hit.selection.kernel;
    const bool is_kernel = kernel.valid() && hit.report->kernels.kernels[kernel].instruction ==
                                                 hit.selection.instruction;
    return opClassIcon(is_kernel ? hit.report->kernels.kernels[kernel].op_class
                                 : hlo::info(instruction.opcode).op_class);
  }
  return icon(Icon::kFile);
}

}  // namespace

void QuickModel::setHits(std::vector<QuickHit> hits) {
  beginResetModel();
  hits_ = std::move(hits);
  endResetModel();
}

const QuickHit* QuickModel::hit(const QModelIndex& index) const {
  return index.isValid() ? &hits_[static_cast<size_t>(index.row())] : nullptr;
}

int QuickModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(hits_.size());
}

QVariant QuickModel::data(const QModelIndex& index, int role) const {
  const QuickHit* found = hit(index);
  if (found == nullptr) return {};
  if (role == Qt::DisplayRole) return found->title;
  if (role == Qt::AccessibleTextRole) {
    return QStringList{found->title, found->detail, found->shortcut}.join(' ').trimmed();
  }
  return {};
}

QuickDelegate::QuickDelegate(const QuickModel& model, QObject* parent)
    : QStyledItemDelegate(parent), model_(model) {}

void QuickDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
  const QuickHit& hit = *model_.hit(index);
  const PainterSaver saver(*painter);
  if (option.state & QStyle::State_Selected) {
    painter->fillRect(option.rect, theme().role(Role::kAccentSoft));
  }
  QRect rest = option.rect.adjusted(kMargin, 0, -kMargin, 0);
  iconOf(hit).paint(painter,
                    QRect(rest.left(), rest.center().y() - kHitIcon / 2 + 1, kHitIcon, kHitIcon));
  rest.setLeft(rest.left() + kHitIcon + 8);
  painter->setPen(theme().role(Role::kTextMuted));
  painter->setFont(smallFont());
  if (!hit.shortcut.isEmpty()) {
    painter->drawText(rest, Qt::AlignRight | Qt::AlignVCenter, hit.shortcut);
    rest.setRight(rest.right() - painter->fontMetrics().horizontalAdvance(hit.shortcut) - kMargin);
  }
  const QFontMetrics title(option.font);
  const QString shown = title.elidedText(hit.title, Qt::ElideRight, rest.width());
  painter->setPen(theme().role(Role::kText));
  painter->setFont(option.font);
  painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, shown);
  rest.setLeft(rest.left() + title.horizontalAdvance(shown) + 8);
  painter->setPen(theme().role(Role::kTextMuted));
  painter->setFont(smallFont());
  painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
                    painter->fontMetrics().elidedText(hit.detail, Qt::ElideRight, rest.width()));
}

QSize QuickDelegate::sizeHint(const QStyleOptionViewItem& /*option*/,
                              const QModelIndex& /*index*/) const {
  return {0, kQuickRowHeight};
}

}  // namespace hloscope::ui
