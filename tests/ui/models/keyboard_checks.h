#pragma once

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSet>
#include <QSpinBox>
#include <QTest>
#include <QTimer>
#include <functional>

namespace hloscope::testing {

/// What Tab comes to within `parent`, in its order.
inline QList<QWidget*> tab_order(QWidget& parent) {
  QList<QWidget*> order;
  QWidget* const start = parent.window();
  for (QWidget* one = start->nextInFocusChain(); one != start; one = one->nextInFocusChain()) {
    const bool is_part = qobject_cast<QAbstractSpinBox*>(one->parentWidget()) != nullptr ||
                         qobject_cast<QComboBox*>(one->parentWidget()) != nullptr ||
                         qobject_cast<QLineEdit*>(one->parentWidget()) != nullptr;
    if (is_part || !parent.isAncestorOf(one) || !one->isVisible() || !one->isEnabled()) continue;
    if ((one->focusPolicy() & Qt::TabFocus) != 0 && one->focusProxy() == nullptr) order << one;
  }
  return order;
}

/// The first that Tab leads up, or left within its line, from the one before; empty: none.
inline QString against_reading_order(QWidget& parent) {
  const QList<QWidget*> order = tab_order(parent);
  for (qsizetype i = 1; i < order.size(); ++i) {
    const QRect before(order[i - 1]->mapTo(&parent, QPoint()), order[i - 1]->size());
    const QRect now(order[i]->mapTo(&parent, QPoint()), order[i]->size());
    const bool is_below = now.center().y() > before.bottom();
    const bool is_right = now.center().y() >= before.top() && now.left() >= before.left();
    if (is_below || is_right) continue;
    return QStringLiteral("%1 after %2")
        .arg(order[i]->accessibleName(), order[i - 1]->accessibleName());
  }
  return {};
}

/// What a dialog lacks for the keyboard and for readers of the screen; empty: nothing.
inline QStringList missing_keys(QDialog& dialog) {
  QStringList missing;
  QSet<QChar> letters;
  const auto take = [&](const QString& text) {
    const qsizetype at = text.indexOf('&');
    if (at < 0 || at + 1 >= text.size()) {
      missing << "no letter: " + text;
    } else if (letters.contains(text[at + 1].toLower())) {
      missing << "letter twice: " + text;
    } else {
      letters.insert(text[at + 1].toLower());
    }
  };
  for (const auto* button : dialog.findChildren<QAbstractButton*>()) {
    if (button->isVisible() && !button->text().isEmpty()) take(button->text());
  }
  for (const auto* label : dialog.findChildren<QLabel*>()) {
    if (label->isVisible() && label->buddy() != nullptr) take(label->text());
  }
  bool has_default = false;
  for (const auto* button : dialog.findChildren<QPushButton*>()) {
    has_default = has_default || button->isDefault();
  }
  if (!has_default) missing << QStringLiteral("no default button");
  for (const QWidget* field : tab_order(dialog)) {
    const auto* button = qobject_cast<const QAbstractButton*>(field);
    const bool is_named = button != nullptr && !button->text().isEmpty();
    if (!is_named && field->accessibleName().isEmpty()) {
      missing << QStringLiteral("no name: ") + field->metaObject()->className();
    }
  }
  if (const QString wrong = against_reading_order(dialog); !wrong.isEmpty()) missing << wrong;
  return missing;
}

/// Runs `ask`, which opens a modal dialog; tells what the dialog lacks, and leaves it with Esc.
inline QStringList missing_keys_of(const std::function<void()>& ask) {
  QStringList missing{QStringLiteral("no dialog")};
  QTimer::singleShot(50, qApp, [&missing] {
    auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr) return;
    missing = missing_keys(*dialog);
    QWidget* focus = QApplication::focusWidget();
    QTest::keyClick(focus != nullptr ? focus : dialog, Qt::Key_Escape);
  });
  ask();
  return missing;
}

}  // namespace hloscope::testing
