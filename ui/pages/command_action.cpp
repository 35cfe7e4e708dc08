#include "ui/pages/command_action.h"

#include <QWidget>
#include <utility>

namespace hloscope::ui {

QAction* addCommand(QWidget* page, const QString& id, const QString& text, const QKeySequence& keys,
                    std::function<void()> run) {
  auto* action = new QAction(text, page);
  action->setObjectName(id);
  action->setShortcut(keys);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  QObject::connect(action, &QAction::triggered, page, std::move(run));
  page->addAction(action);
  return action;
}

}  // namespace hloscope::ui
