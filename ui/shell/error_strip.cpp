#include "ui/shell/error_strip.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/panel.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {

namespace {

constexpr int kDetailsHeight = 120;

QLabel* wrapping(QLabel* label) {
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  return label;
}

}  // namespace

ErrorStrip::ErrorStrip(QWidget* parent) : QFrame(parent) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 6, 8, 7);
  layout->setSpacing(6);
  buildRow();
  buildDetails();
  hide();
}

void ErrorStrip::buildRow() {
  icon_ = new QLabel;
  text_ = wrapping(new QLabel);
  text_->setFont(boldFont());
  place_ = wrapping(mutedLabel({}));
  place_->setFont(monoFont());
  hint_ = wrapping(new QLabel);
  more_ = mutedLabel({});
  details_button_ = new QPushButton(tr("Details"));
  details_button_->setCheckable(true);
  action_ = new QPushButton;
  close_ = new QToolButton;
  close_->setIcon(icon(Icon::kClose));
  close_->setAutoRaise(true);
  close_->setToolTip(tr("Close this message"));
  close_->setAccessibleName(tr("Close this message"));
  auto* words = new QVBoxLayout;
  words->setSpacing(2);
  words->addWidget(text_);
  words->addWidget(place_);
  words->addWidget(hint_);
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  row->addWidget(icon_, 0, Qt::AlignTop);
  row->addLayout(words, 1);
  for (QWidget* widget : {static_cast<QWidget*>(more_), static_cast<QWidget*>(details_button_),
                          static_cast<QWidget*>(action_), static_cast<QWidget*>(close_)}) {
    row->addWidget(widget, 0, Qt::AlignTop);
  }
  static_cast<QVBoxLayout*>(layout())->addLayout(row);
  connect(details_button_, &QPushButton::toggled, this, &ErrorStrip::toggleDetails);
  connect(close_, &QToolButton::clicked, this, &ErrorStrip::closeCurrent);
  connect(action_, &QPushButton::clicked, this, [this] {
    const auto run = messages_.front().action;
    closeCurrent();
    run();
  });
}

void ErrorStrip::buildDetails() {
  details_row_ = new QWidget;
  details_ = new QPlainTextEdit;
  details_->setReadOnly(true);
  details_->setFont(monoFont());
  details_->setLineWrapMode(QPlainTextEdit::NoWrap);
  details_->setFixedHeight(kDetailsHeight);
  auto* copy = new QPushButton(icon(Icon::kCopy), tr("Copy"));
  connect(copy, &QPushButton::clicked, this,
          [this] { QApplication::clipboard()->setText(details_->toPlainText()); });
  auto* row = new QHBoxLayout(details_row_);
  row->setContentsMargins(24, 0, 0, 0);
  row->addWidget(details_, 1);
  row->addWidget(copy, 0, Qt::AlignTop);
  layout()->addWidget(details_row_);
}

void ErrorStrip::add(Message message) {
  if (!message.key.isEmpty()) {
    std::erase_if(messages_, [&message](const Message& old) { return old.key == message.key; });
  }
  messages_.push_front(std::move(message));
  showFirst();
}

void ErrorStrip::remove(const QString& key) {
  if (std::erase_if(messages_, [&key](const Message& old) { return old.key == key; }) > 0) {
    showFirst();
  }
}

const ErrorStrip::Message* ErrorStrip::current() const {
  return messages_.empty() ? nullptr : &messages_.front();
}

void ErrorStrip::showFirst() {
  setVisible(!messages_.empty());
  if (messages_.empty()) return;
  const Message& message = messages_.front();
  const Role role = message.is_warning ? Role::kWarn : Role::kBad;
  icon_->setPixmap(
      icon(message.is_warning ? Icon::kWarning : Icon::kError, role).pixmap(QSize(16, 16)));
  const auto set = [](QLabel* label, const QString& text) {
    label->setText(text);
    label->setVisible(!text.isEmpty());
  };
  set(text_, message.text);
  set(place_, message.place);
  set(hint_, message.hint);
  set(more_, messages_.size() > 1 ? tr("%1 more").arg(messages_.size() - 1) : QString());
  details_->setPlainText(message.details);
  details_button_->setVisible(!message.details.isEmpty());
  details_button_->setChecked(false);
  toggleDetails(false);
  action_->setText(message.action_text);
  action_->setVisible(!message.action_text.isEmpty());
  setAccessibleName(message.text);
  update();
}

void ErrorStrip::closeCurrent() {
  if (!messages_.empty()) messages_.pop_front();
  showFirst();
}

void ErrorStrip::toggleDetails(bool on) {
  details_row_->setVisible(on);
}

void ErrorStrip::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const bool warning = !messages_.empty() && messages_.front().is_warning;
  const QColor ink = theme().role(warning ? Role::kWarn : Role::kBad);
  painter.fillRect(rect(), mixed(theme().role(Role::kBase), ink, 0.10));
  painter.fillRect(QRect(0, 0, 3, height()), ink);
  painter.setPen(mixed(theme().role(Role::kBase), ink, 0.45));
  painter.drawLine(rect().bottomLeft(), rect().bottomRight());
}

ErrorStrip::Message messageOf(const Error& error) {
  ErrorStrip::Message message;
  message.text = QString::fromStdString(error.message);
  if (!error.file.empty()) message.place = QString::fromStdString(error.file);
  if (error.line > 0) {
    message.place = ErrorStrip::tr("%1, line %2, column %3")
                        .arg(message.place)
                        .arg(error.line)
                        .arg(error.column);
  }
  message.hint = QString::fromStdString(error.hint);
  message.details = QString::fromStdString(error.format());
  return message;
}

}  // namespace hloscope::ui
