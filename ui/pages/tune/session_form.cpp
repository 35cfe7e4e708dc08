#include "ui/pages/tune/session_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <cmath>

#include "core/tune/command_line.h"
#include "ui/pages/tune/session_rows.h"
#include "ui/theme/format.h"

namespace hloscope::ui {
namespace {

constexpr double kCountable = 1e9;

QString unitOf(tune::SpaceKind kind) {
  switch (kind) {
    case tune::SpaceKind::kTiles:
      return SessionForm::tr("tiles");
    case tune::SpaceKind::kProgramTiles:
      return SessionForm::tr("kernels with a choice of tiles");
    case tune::SpaceKind::kFusion:
      return SessionForm::tr("edges, each fused or not");
    case tune::SpaceKind::kLayout:
      return SessionForm::tr("choices of layout");
  }
  return {};
}

/// One option a line, as shells go on after a backslash.
QString inLines(const QString& command) {
  QString text = command;
  return text.replace(QStringLiteral(" --"), QStringLiteral(" \\\n  --"));
}

bool isSameSpace(const tune::Settings& a, const tune::Settings& b) {
  return a.space == b.space && a.kernel == b.kernel && a.machine == b.machine &&
         a.replays() == b.replays();
}

}  // namespace

void SessionForm::changed() {
  if (filling_) return;
  showFields();
  const tune::Settings now = settings();
  const bool known = space_of_ == report_ && space_settings_ && isSameSpace(*space_settings_, now);
  if (!known) {
    space_known_ = false;
    space_cancelled_ = false;
    space_error_.clear();
  }
  refresh();
  if (known || !report_ || !tune::check_settings(now)) return;
  space_of_ = report_;
  space_settings_ = now;
  emit spaceWanted(now);
}

void SessionForm::refresh() {
  const QString problem = problemText();
  problem_->setText(problem);
  problem_->setVisible(!problem.isEmpty());
  start_->setEnabled(canStart());
  queue_->setEnabled(canStart());
  refreshTexts();
}

void SessionForm::setSpace(const Result<SpaceFacts>& space) {
  space_cancelled_ = false;
  space_known_ = space.has_value();
  space_ = space ? *space : SpaceFacts();
  space_error_ = space ? QString() : QString::fromStdString(space.error().message);
  if (!space && !space.error().hint.empty()) {
    space_error_ += QStringLiteral(": ") + QString::fromStdString(space.error().hint);
  }
  refresh();
}

void SessionForm::setSpaceUnknown() {
  space_cancelled_ = true;
  // The same settings may be asked for again.
  space_settings_.reset();
  refresh();
}

void SessionForm::setBlocked(const QString& reason) {
  if (reason == blocked_) return;
  blocked_ = reason;
  refresh();
}

void SessionForm::setTrialRate(double trials_per_s) {
  if (trials_per_s == trials_per_s_) return;
  trials_per_s_ = trials_per_s;
  refreshTexts();
}

QString SessionForm::problemText() const {
  if (!report_) return tr("Open a program to tune it");
  if (!blocked_.isEmpty()) return blocked_;
  // Sessions fuse first: instructions of the raw program are not among their kernels.
  const bool is_raw = report_->origin == analysis::KernelOrigin::kRaw;
  if (is_raw && spaceKind() == tune::SpaceKind::kTiles) {
    return tr(
        "The kernels shown are raw, and sessions tune those of own fusion: choose \"Own "
        "fusion\" beside Kernels, above");
  }
  const Status status = tune::check_settings(settings());
  if (status) return space_error_;
  QString text = QString::fromStdString(status.error().message);
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  if (!status.error().hint.empty()) {
    text += QStringLiteral(": ") + QString::fromStdString(status.error().hint);
  }
  return text;
}

bool SessionForm::canStart() const {
  return report_ != nullptr && problemText().isEmpty();
}

QString SessionForm::commandText() const {
  if (!report_) return {};
  return QString::fromStdString(tune::tune_command(settings(), addressOf(*report_)));
}

QString SessionForm::estimateText() const {
  const tune::Settings now = settings();
  if (!report_) return {};
  QStringList parts;
  if (now.budget.trials) {
    double trials = static_cast<double>(*now.budget.trials);
    if (space_known_ && space_.count > 0) trials = std::min(trials, space_.count);
    QString text = tr("%1 trials").arg(formatCount(static_cast<int64_t>(trials)));
    if (trials_per_s_ > 0 && !now.searches_hardware()) {
      text += tr(" in %1, as earlier sessions ran").arg(durationText(trials / trials_per_s_));
    }
    parts << text;
  }
  if (now.budget.time_s) parts << tr("at most %1").arg(durationText(*now.budget.time_s));
  if (now.measure) {
    const auto runs = static_cast<qulonglong>(now.top_k + now.refine);
    QString text = hardwareIsSimulated(now)
                       ? tr("then %1 simulations in the place of measurements").arg(runs)
                       : tr("then %1 measurements from recorded runs").arg(runs);
    if (hardwareIsSimulated(now) && now.measure->compile_s > 0) {
      // What a kernel takes is nothing beside its compilation.
      const bool is_kernel = now.space == tune::SpaceKind::kTiles;
      const double run_s = is_kernel ? 0 : report_->simulated_total_ns / 1e9;
      const double once_s =
          now.measure->compile_s + static_cast<double>(now.measure->repeats) * run_s;
      text += tr(", %1 of hardware booked").arg(durationText(static_cast<double>(runs) * once_s));
    }
    parts << text;
  }
  QString text = parts.join(QStringLiteral(", "));
  if (!text.isEmpty()) text += QStringLiteral(". ");
  return text + tr("Every trial is saved at once: a stopped session goes on exactly where it was.");
}

void SessionForm::refreshTexts() {
  const QString command = commandText();
  if (command_->toPlainText() != inLines(command)) command_->setPlainText(inLines(command));
  estimate_->setText(estimateText());
  estimate_->setVisible(report_ != nullptr);
  if (!report_) return space_text_->setText(noValue());
  if (space_cancelled_) return space_text_->setText(tr("not counted: cancelled"));
  if (!space_known_)
    return space_text_->setText(space_error_.isEmpty() ? tr("counting…") : noValue());
  QString text;
  const bool counts = spaceKind() == tune::SpaceKind::kTiles && space_.count > 0;
  const auto size =
      static_cast<int64_t>(counts ? space_.count : static_cast<double>(space_.dimensions));
  text = QStringLiteral("%1 %2").arg(formatCount(size), unitOf(spaceKind()));
  if (!counts && space_.count > 0 && space_.count < kCountable) {
    text += tr(": %1 configurations").arg(formatCount(static_cast<int64_t>(space_.count)));
  }
  if (space_.recorded > 0) text += tr(" with recorded runs");
  if (space_.failed > 0) {
    text += tr(", %1 failed").arg(formatCount(static_cast<int64_t>(space_.failed)));
  }
  space_text_->setText(text);
}

void SessionForm::focusFirst() {
  tune_->setFocus(Qt::ShortcutFocusReason);
}

}  // namespace hloscope::ui
