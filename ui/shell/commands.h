#pragma once

#include <QAction>
#include <QObject>
#include <functional>
#include <optional>
#include <vector>

#include "ui/theme/icons.h"

namespace hloscope::ui {

/// All commands of the window: menus, tool bar, help page and command palette show the same ones.
class Commands : public QObject {
  Q_OBJECT
 public:
  struct Spec {
    QString id;     ///< "file.open"
    QString group;  ///< "File": shown before the text in the palette.
    QString text;
    QList<QKeySequence> shortcuts = {};
    std::optional<Icon> icon = std::nullopt;
  };

  explicit Commands(QWidget* window);

  QAction* add(const Spec& spec, std::function<void()> run);
  /// Lists a command that a page made itself; `owner` is that page.
  void adopt(const QString& group, QAction* action, QWidget* owner);
  /// Null for an unknown id.
  [[nodiscard]] QAction* find(const QString& id) const;

  struct Entry {
    QString group;
    QAction* action;
    QWidget* owner = nullptr;  ///< The page it works on; null: the window.
  };
  /// In the order they were added.
  [[nodiscard]] const std::vector<Entry>& all() const { return entries_; }

 private:
  QWidget* window_;
  std::vector<Entry> entries_;
};

}  // namespace hloscope::ui
