#include "ui/shell/commands.h"

#include <QWidget>
#include <utility>

namespace hloscope::ui {

Commands::Commands(QWidget* window) : QObject(window), window_(window) {}

QAction* Commands::add(const Spec& spec, std::function<void()> run) {
  auto* action = new QAction(spec.text, this);
  action->setObjectName(spec.id);
  action->setShortcuts(spec.shortcuts);
  if (spec.icon) action->setIcon(icon(*spec.icon));
  QString tip = QString(spec.text).remove('&');
  if (!spec.shortcuts.empty()) {
    tip += QStringLiteral(" (%1)").arg(spec.shortcuts.front().toString(QKeySequence::NativeText));
  }
  action->setToolTip(tip);
  connect(action, &QAction::triggered, this, std::move(run));
  window_->addAction(action);
  entries_.push_back({spec.group, action});
  return action;
}

void Commands::adopt(const QString& group, QAction* action, QWidget* owner) {
  if (!action->isSeparator()) entries_.push_back({group, action, owner});
}

QAction* Commands::find(const QString& id) const {
  for (const Entry& entry : entries_) {
    if (entry.action->objectName() == id) return entry.action;
  }
  return nullptr;
}

}  // namespace hloscope::ui
