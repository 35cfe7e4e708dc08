#include "ui/models/filter_edit.h"

#include <QAction>
#include <QKeyEvent>
#include <QRegularExpression>
#include <QStyle>

#include "ui/theme/icons.h"

namespace hloscope::ui {
namespace {

constexpr int kDelayMs = 120;
constexpr int kBesideText = 16;  ///< Frame and margins of an edit, besides its picture.

}  // namespace

FilterEdit::FilterEdit(const QString& placeholder, QWidget* parent)
    : QLineEdit(parent),
      placeholder_(placeholder),
      help_(QStringLiteral(
          "Words look in name, label and opcode. Keys: class: opcode: shape: name: "
          "bound: and numbers such as measured>100 (µs), err>5 (%), dsim>5 (Δ, %), flops>1G. "
          "A minus in front excludes.")) {
  setObjectName(kFilterName);
  setPlaceholderText(placeholder);
  setAccessibleName(QStringLiteral("Filter"));
  setClearButtonEnabled(true);
  setToolTip(help_);
  addAction(icon(Icon::kFilter), QLineEdit::LeadingPosition);
  delay_.setSingleShot(true);
  delay_.setInterval(kDelayMs);
  connect(this, &QLineEdit::textChanged, &delay_, qOverload<>(&QTimer::start));
  connect(this, &QLineEdit::returnPressed, this, &FilterEdit::apply);
  connect(&delay_, &QTimer::timeout, this, &FilterEdit::apply);
}

void FilterEdit::resizeEvent(QResizeEvent* event) {
  QLineEdit::resizeEvent(event);
  const int picture = style()->pixelMetric(QStyle::PM_SmallIconSize, nullptr, this) + 12;
  const bool fits =
      fontMetrics().horizontalAdvance(placeholder_) <= width() - picture - kBesideText;
  const QString first = placeholder_.section(QRegularExpression(QStringLiteral("[,: ]")), 0, 0);
  setPlaceholderText(fits ? placeholder_ : first);
}

void FilterEdit::setFixedTerms(const QString& terms) {
  fixed_terms_ = terms;
  apply();
}

void FilterEdit::apply() {
  delay_.stop();
  const Result<analysis::KernelQuery> typed = analysis::KernelQuery::parse(text().toStdString());
  if (!typed) {
    showError(QString::fromStdString(typed.error().format()));
    return;
  }
  showError({});
  const QString all = fixed_terms_.isEmpty() ? text() : text() + ' ' + fixed_terms_;
  const Result<analysis::KernelQuery> query = analysis::KernelQuery::parse(all.toStdString());
  if (query) emit queryChanged(*query);
}

void FilterEdit::showError(const QString& reason) {
  setToolTip(reason.isEmpty() ? help_ : reason);
  setProperty("bad", !reason.isEmpty());
  update();
}

void FilterEdit::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && !text().isEmpty()) {
    clear();
    apply();
    return;
  }
  QLineEdit::keyPressEvent(event);
}

}  // namespace hloscope::ui
