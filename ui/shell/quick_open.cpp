#include "ui/shell/quick_open.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/shell/quick_model.h"
#include "ui/theme/panel.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {

namespace {

constexpr int kPopupWidth = 600;
constexpr int kShownRows = 14;
constexpr int kTop = 64;

bool movesInList(int key) {
  return key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp ||
         key == Qt::Key_PageDown;
}

}  // namespace

QuickOpen::QuickOpen(Search search, QWidget* window)
    : QFrame(window, Qt::Popup), search_(std::move(search)) {
  edit_ = new QLineEdit;
  edit_->setPlaceholderText(tr("Kernel, instruction or module; > for commands"));
  edit_->setAccessibleName(tr("Go to"));
  edit_->installEventFilter(this);
  model_ = new QuickModel(this);
  list_ = new QListView;
  list_->setModel(model_);
  list_->setItemDelegate(new QuickDelegate(*model_, this));
  list_->setUniformItemSizes(true);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setFocusPolicy(Qt::NoFocus);
  empty_ = mutedLabel(tr("No match"), false);
  empty_->setMargin(8);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 8);
  layout->setSpacing(6);
  layout->addWidget(edit_);
  layout->addWidget(empty_);
  layout->addWidget(list_);
  setFixedWidth(kPopupWidth);
  setFocusProxy(edit_);
  connect(edit_, &QLineEdit::textChanged, this, &QuickOpen::refill);
  connect(list_, &QListView::clicked, this, &QuickOpen::choose);
}

void QuickOpen::popUp(const QString& text) {
  edit_->setText(text);
  refill();
  const QWidget& window = *parentWidget();
  setFixedWidth(std::min(kPopupWidth, window.width() - 20));
  adjustSize();
  move(window.mapToGlobal(QPoint((window.width() - width()) / 2, kTop)));
  show();
  edit_->setFocus();
  edit_->end(false);
}

void QuickOpen::refill() {
  model_->setHits(search_(edit_->text()));
  const bool any = model_->rowCount() > 0;
  list_->setFixedHeight(std::min(model_->rowCount(), kShownRows) * kQuickRowHeight);
  empty_->setVisible(!any);
  list_->setVisible(any);
  if (any) list_->setCurrentIndex(model_->index(0));
  adjustSize();
}

void QuickOpen::choose() {
  const QuickHit* hit = model_->hit(list_->currentIndex());
  if (hit == nullptr) return;
  const QuickHit copy = *hit;
  hide();
  emit chosen(copy);
}

bool QuickOpen::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
  auto* key = static_cast<QKeyEvent*>(event);
  if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
    choose();
    return true;
  }
  if (movesInList(key->key())) {
    QCoreApplication::sendEvent(list_, event);
    return true;
  }
  return false;
}

void QuickOpen::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().role(Role::kWindow));
  painter.setPen(theme().role(Role::kBorder));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

}  // namespace hloscope::ui
