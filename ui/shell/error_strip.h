#pragma once

#include <QFrame>
#include <deque>
#include <functional>

#include "core/base/result.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QToolButton;

namespace hloscope::ui {

/// The strip on top of the page: what went wrong, where, and what to do. Several messages wait in
/// a row; closing one shows the next.
class ErrorStrip : public QFrame {
  Q_OBJECT
 public:
  struct Message {
    bool is_warning = false;
    QString text;                  ///< One sentence.
    QString place;                 ///< "file.hlo, line 3, column 14"; may be empty.
    QString hint;                  ///< May be empty.
    QString details;               ///< Whole text to read and copy; may be empty.
    QString action_text;           ///< "Retry"; empty: no such button.
    std::function<void()> action;  ///< Run by that button; the message is closed first.
    QString key;                   ///< A later message of the same key replaces this one.
  };

  explicit ErrorStrip(QWidget* parent = nullptr);

  void add(Message message);
  void remove(const QString& key);
  /// The one shown; null when the strip is hidden.
  [[nodiscard]] const Message* current() const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void buildRow();
  void buildDetails();
  void showFirst();
  void closeCurrent();
  void toggleDetails(bool on);

  std::deque<Message> messages_;
  QLabel* icon_;
  QLabel* text_;
  QLabel* place_;
  QLabel* hint_;
  QLabel* more_;
  QPushButton* details_button_;
  QPushButton* action_;
  QToolButton* close_;
  QWidget* details_row_;
  QPlainTextEdit* details_;
};

/// The message for an error of the core.
[[nodiscard]] ErrorStrip::Message messageOf(const Error& error);

}  // namespace hloscope::ui
