#include "ui/shell/shortcuts_dialog.h"

#include <QDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "ui/theme/fonts.h"

namespace hloscope::ui {

namespace {

constexpr int kRowHeight = 22;

/// Keys of a picture while it has the focus, and what the mouse does in it.
struct Gesture {
  const char* group;
  const char* keys;
  const char* text;
};

constexpr Gesture kGestures[] = {
    {"Graph", "Wheel", "Zoom at the pointer"},
    {"Graph", "Drag", "Move the picture"},
    {"Graph", "Space", "Fit the whole graph"},
    {"Graph", "Up, Down", "Walk to an operand or a user"},
    {"Graph", "Left, Right", "Walk along the same layer"},
    {"Charts", "Left, Right", "Select the next or the previous point"},
    {"Charts", "+, -, Wheel", "Zoom"},
    {"Charts", "Space", "Show all"},
    {"Charts", "Enter, Double click",
     "Show a kernel on the Graph page, a tile or trial where it is"},
    {"Compare", "Drag", "Select a range of times"},
    {"Compare", "Ctrl+Drag", "Zoom into a rectangle"},
    {"Tiles", "Up, Down", "Select a tile: the pipeline follows"},
    {"Tiles", "Enter, Double click", "Use the tile"},
    {"Simulate", "W, S", "Zoom the timeline in and out"},
    {"Simulate", "A, D", "Move the timeline"},
    {"Simulate", "F", "Show the selected kernel in the timeline"},
    {"Simulate", "M, Shift+Drag", "Measure the selected kernel, or a stretch of time"},
    {"Simulate", "Left, Right", "Select the next or the previous kernel of the timeline"},
    {"Window", "Esc", "Cancel the newest running job"},
};

void addRow(QTreeWidget& tree, const QString& group, const QString& text, const QString& keys) {
  auto* row = new QTreeWidgetItem(&tree, {group, text, keys});
  row->setSizeHint(0, QSize(0, kRowHeight));
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
  dialog->resize(640, 560);
  auto* edit = new QLineEdit;
  edit->setPlaceholderText(QObject::tr("Filter"));
  edit->setAccessibleName(QObject::tr("Filter"));
  edit->setClearButtonEnabled(true);
  auto* tree = new QTreeWidget;
  tree->setAccessibleName(QObject::tr("Commands and keys"));
  tree->setRootIsDecorated(false);
  tree->setUniformRowHeights(true);
  tree->setAlternatingRowColors(true);
  tree->setHeaderLabels({QObject::tr("Group"), QObject::tr("Command"), QObject::tr("Keys")});
  for (const Commands::Entry& entry : commands.all()) {
    const QKeySequence keys = entry.action->shortcut();
    if (keys.isEmpty()) continue;  // Ctrl+Shift+P lists the others as well.
    addRow(*tree, entry.group, QString(entry.action->text()).remove('&'),
           keys.toString(QKeySequence::NativeText));
  }
  for (const Gesture& gesture : kGestures) {
    addRow(*tree, QObject::tr(gesture.group), QObject::tr(gesture.text), QObject::tr(gesture.keys));
  }
  tree->header()->resizeSection(0, 90);
  tree->header()->resizeSection(1, 330);
  auto* layout = new QVBoxLayout(dialog);
  layout->addWidget(edit);
  layout->addWidget(tree);
  QObject::connect(edit, &QLineEdit::textChanged, tree,
                   [tree](const QString& needle) { filterRows(*tree, needle); });
  dialog->show();
}

}  // namespace hloscope::ui
