#include "ui/models/empty_note.h"

#include <QAbstractItemView>
#include <QEvent>

namespace hloscope::ui {
namespace {

constexpr int kNoteMargin = 12;

}  // namespace

EmptyNote::EmptyNote(QAbstractItemView* view, std::function<QString()> why)
    : QLabel(view->viewport()), view_(view), why_(std::move(why)) {
  setAlignment(Qt::AlignCenter);
  setWordWrap(true);
  setMargin(kNoteMargin);
  setTextFormat(Qt::PlainText);
  setForegroundRole(QPalette::PlaceholderText);
  setAttribute(Qt::WA_TransparentForMouseEvents);
  view->viewport()->installEventFilter(this);
  const QAbstractItemModel* model = view->model();
  connect(model, &QAbstractItemModel::modelReset, this, &EmptyNote::refresh);
  connect(model, &QAbstractItemModel::layoutChanged, this, &EmptyNote::refresh);
  connect(model, &QAbstractItemModel::rowsInserted, this, &EmptyNote::refresh);
  connect(model, &QAbstractItemModel::rowsRemoved, this, &EmptyNote::refresh);
  refresh();
}

void EmptyNote::refresh() {
  const bool is_empty = view_->model()->rowCount() == 0;
  if (is_empty) setText(why_());
  view_->setAccessibleDescription(is_empty ? text() : QString());
  setVisible(is_empty);
}

bool EmptyNote::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) resize(view_->viewport()->size());
  return QLabel::eventFilter(watched, event);
}

}  // namespace hloscope::ui
