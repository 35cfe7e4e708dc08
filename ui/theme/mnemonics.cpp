#include "ui/theme/mnemonics.h"

#include <QAbstractButton>
#include <QLabel>
#include <QSet>

namespace hloscope::ui {
namespace {

/// Position of the letter after a single '&'; -1: none.
qsizetype markedLetter(const QString& text) {
  for (qsizetype i = 0; i + 1 < text.size(); ++i) {
    if (text[i] != '&') continue;
    if (text[i + 1] != '&') return i + 1;
    ++i;
  }
  return -1;
}

/// Where the '&' goes: first letters of words are looked at first; -1: every letter is taken.
qsizetype freeLetter(const QString& text, const QSet<QChar>& taken) {
  for (const bool only_first : {true, false}) {
    for (qsizetype i = 0; i < text.size(); ++i) {
      const bool is_first = i == 0 || !text[i - 1].isLetterOrNumber();
      if (only_first && !is_first) continue;
      if (text[i].isLetter() && !taken.contains(text[i].toLower())) return i;
    }
  }
  return -1;
}

template <typename Widget>
void mark(Widget& widget, QSet<QChar>& taken) {
  QString text = widget.text();
  const qsizetype at = freeLetter(text, taken);
  if (text.isEmpty() || at < 0) return;
  taken.insert(text[at].toLower());
  widget.setText(text.insert(at, '&'));
}

}  // namespace

void assignMnemonics(const QWidget& dialog) {
  QSet<QChar> taken;
  QList<QLabel*> labels;
  QList<QAbstractButton*> buttons;
  for (QLabel* label : dialog.findChildren<QLabel*>()) {
    const qsizetype at = label->buddy() != nullptr ? markedLetter(label->text()) : -1;
    if (at >= 0) taken.insert(label->text()[at].toLower());
    if (at < 0 && label->buddy() != nullptr) labels << label;
  }
  for (QAbstractButton* button : dialog.findChildren<QAbstractButton*>()) {
    const qsizetype at = markedLetter(button->text());
    if (at >= 0) taken.insert(button->text()[at].toLower());
    if (at < 0 && !button->text().isEmpty()) buttons << button;
  }
  for (QLabel* label : labels) mark(*label, taken);
  for (QAbstractButton* button : buttons) mark(*button, taken);
}

}  // namespace hloscope::ui
