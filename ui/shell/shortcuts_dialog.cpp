#include "ui/shell/shortcuts_dialog.h"

#include <QDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "ui/theme/fonts.h"

namespace hloscope::ui {

namespace {

struct Gesture {
  const char* keys;
  const char* text;
};

constexpr Gesture kGestures[] = {
    {"Wheel", "Zoom at the pointer"},
    {"Drag", "Move the picture"},
    {"Space", "Fit the whole graph"},
    {"Up, Down", "Walk to an operand or a user"},
    {"Left, Right", "Walk along the same layer"},
    {"Double click", "Show a kernel on the Graph page"},
    {"Esc", "Cancel the newest running job"},
};

void addRow(QTreeWidget& tree, const QString& group, const QString& text, const QString& keys) {
  new QTreeWidgetItem(&tree, {group, text, keys});
}

void filterRows(QTreeWidget& tree, const QString& needle) {
  for (int i = 0; i < tree.topLevelItemCount(); ++i) {
    QTreeWidgetItem* item = tree.topLevelItem(i);
    bool shown = false;
    for (int column = 0; column < 3; ++column) {
      shown = shown || item->text(column).contains(needle, Qt::CaseInsensitive);
    }
    item->setHidden(!shown);
  }
}

}  // namespace

void showShortcuts(const Commands& commands, QWidget* parent) {
  auto* dialog = new QDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(QObject::tr("Keyboard shortcuts"));
  dialog->resize(560, 520);
  auto* edit = new QLineEdit;
  edit->setPlaceholderText(QObject::tr("Filter"));
  auto* tree = new QTreeWidget;
  tree->setRootIsDecorated(false);
  tree->setUniformRowHeights(true);
  tree->setAlternatingRowColors(true);
  tree->setHeaderLabels({QObject::tr("Group"), QObject::tr("Command"), QObject::tr("Keys")});
  for (const Commands::Entry& entry : commands.all()) {
    const QKeySequence keys = entry.action->shortcut();
    addRow(*tree, entry.group, QString(entry.action->text()).remove('&'),
           keys.toString(QKeySequence::NativeText));
  }
  for (const Gesture& gesture : kGestures) {
    addRow(*tree, QObject::tr("Graph"), QObject::tr(gesture.text), QObject::tr(gesture.keys));
  }
  tree->header()->resizeSection(0, 90);
  tree->header()->resizeSection(1, 280);
  auto* layout = new QVBoxLayout(dialog);
  layout->addWidget(edit);
  layout->addWidget(tree);
  QObject::connect(edit, &QLineEdit::textChanged, tree,
                   [tree](const QString& needle) { filterRows(*tree, needle); });
  dialog->show();
}

}  // namespace hloscope::ui
