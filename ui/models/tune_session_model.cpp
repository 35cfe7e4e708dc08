#include "ui/models/tune_session_model.h"

#include <array>
#include <cmath>
#include <limits>

#include "ui/models/item_roles.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {
namespace {

struct Look {
  const char* text;
  Icon icon;
  Role role;
};

const Look& lookOf(TuneState state) {
  static constexpr std::array<Look, kTuneStateCount> looks = {{
      {"queued", Icon::kQueued, Role::kTextMuted},
      {"running", Icon::kPlay, Role::kAccent},
      {"paused", Icon::kPause, Role::kWarn},
      {"interrupted", Icon::kReload, Role::kBad},
      {"finished", Icon::kCheck, Role::kGood},
      {"stopped", Icon::kStop, Role::kTextMuted},
      {"failed", Icon::kError, Role::kBad},
      {"damaged", Icon::kError, Role::kBad},
  }};
  return looks[static_cast<size_t>(state)];
}

double speedup(const TuneSessionRow& session) {
  return session.baseline_ns / session.best_ns;
}

}  // namespace

QString tuneStateText(TuneState state) {
  return TuneSessionModel::tr(lookOf(state).text);
}

QIcon tuneStateIcon(TuneState state) {
  return icon(lookOf(state).icon, lookOf(state).role);
}

Role tuneStateRole(TuneState state) {
  return lookOf(state).role;
}

QString formatElapsed(double seconds) {
  const auto whole = static_cast<int64_t>(seconds);
  return QStringLiteral("%1:%2:%3")
      .arg(whole / 3600)
      .arg(whole / 60 % 60, 2, 10, QLatin1Char('0'))
      .arg(whole % 60, 2, 10, QLatin1Char('0'));
}

std::vector<size_t> TuneSessionModel::shown() const {
  std::vector<size_t> rows;
  for (size_t i = 0; i < sessions_.size(); ++i) {
    if (!filter_ || sessions_[i].state == *filter_) rows.push_back(i);
  }
  return rows;
}

void TuneSessionModel::setSessions(std::vector<TuneSessionRow> sessions) {
  bool same_rows = sessions.size() == sessions_.size();
  for (size_t i = 0; same_rows && i < sessions.size(); ++i) {
    same_rows =
        sessions[i].id == sessions_[i].id && (!filter_ || sessions[i].state == sessions_[i].state);
  }
  if (!same_rows) {
    beginResetModel();
    sessions_ = std::move(sessions);
    rows_ = shown();
    endResetModel();
    return;
  }
  for (size_t row = 0; row < rows_.size(); ++row) {
    TuneSessionRow& before = sessions_[rows_[row]];
    const TuneSessionRow& after = sessions[rows_[row]];
    if (before == after) continue;
    before = after;
    emit dataChanged(index(static_cast<int>(row), 0),
                     index(static_cast<int>(row), kColumnCount - 1));
  }
  sessions_ = std::move(sessions);
}

void TuneSessionModel::setPinned(int64_t session) {
  pinned_ = session;
  if (rows_.empty()) return;
  emit dataChanged(index(0, kDelta), index(static_cast<int>(rows_.size()) - 1, kDelta));
}

double TuneSessionModel::delta(const TuneSessionRow& of) const {
  const TuneSessionRow* base = session(pinned_);
  // An estimate is not compared with a measured time, nor are times of two devices.
  const bool is_alike = base != nullptr && base->target == of.target && base->tune == of.tune &&
                        base->best_is_estimate == of.best_is_estimate &&
                        base->best_source == of.best_source;
  if (!is_alike || !(base->best_ns > 0)) return std::numeric_limits<double>::quiet_NaN();
  return (of.best_ns - base->best_ns) / base->best_ns;
}

void TuneSessionModel::setStateFilter(std::optional<TuneState> state) {
  beginResetModel();
  filter_ = state;
  rows_ = shown();
  endResetModel();
}

const TuneSessionRow* TuneSessionModel::sessionAt(const QModelIndex& index) const {
  if (!index.isValid() || index.row() >= static_cast<int>(rows_.size())) return nullptr;
  return &sessions_[rows_[static_cast<size_t>(index.row())]];
}

const TuneSessionRow* TuneSessionModel::session(int64_t id) const {
  for (const TuneSessionRow& session : sessions_) {
    if (session.id == id) return &session;
  }
  return nullptr;
}

QModelIndex TuneSessionModel::indexOf(int64_t id) const {
  for (size_t row = 0; row < rows_.size(); ++row) {
    if (sessions_[rows_[row]].id == id) return index(static_cast<int>(row), 0);
  }
  return {};
}

QString TuneSessionModel::summary() const {
  QStringList parts;
  for (int i = 0; i < kTuneStateCount; ++i) {
    const auto state = static_cast<TuneState>(i);
    const auto count =
        std::count_if(sessions_.begin(), sessions_.end(),
                      [state](const TuneSessionRow& session) { return session.state == state; });
    if (count > 0) parts << QStringLiteral("%1 %2").arg(count).arg(tuneStateText(state));
  }
  return parts.join(QStringLiteral(", "));
}

int TuneSessionModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int TuneSessionModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumnCount;
}

QString TuneSessionModel::cell(const TuneSessionRow& session, int column) const {
  const QString about = session.best_is_estimate ? QStringLiteral("≈ ") : QString();
  switch (column) {
    case kState:
      return tuneStateText(session.state);
    case kTarget:
      // A name that says more than the other columns do: somebody gave it.
      return session.name.startsWith(session.target)
                 ? session.target
                 : QStringLiteral("%1 · %2").arg(session.name, session.target);
    case kTune:
      return session.tune;
    case kStrategy:
      return session.strategy;
    case kEvaluator:
      return session.evaluator;
    case kProgress:
      return session.trial_budget ? QStringLiteral("%1 / %2").arg(
                                        formatCount(static_cast<int64_t>(session.trials)),
                                        formatCount(static_cast<int64_t>(*session.trial_budget)))
                                  : formatCount(static_cast<int64_t>(session.trials));
    case kBest:
      return std::isnan(session.best_ns) ? noValue() : about + formatTimeUs(session.best_ns);
    case kSpeedup:
      return std::isnan(speedup(session))
                 ? noValue()
                 : about + formatNumber(speedup(session), 3) + QStringLiteral("×");
    case kDelta:
      return std::isnan(delta(session)) ? noValue() : about + formatSignedPercent(delta(session));
    case kMeasured:
      return session.measured_goal
                 ? tr("%1 of %2").arg(session.measured).arg(*session.measured_goal)
                 : formatCount(static_cast<int64_t>(session.measured));
    default:
      return formatElapsed(session.elapsed_s);
  }
}

QVariant TuneSessionModel::ink(const TuneSessionRow& session, int column) const {
  if (column == kState) return theme().role(tuneStateRole(session.state));
  if (column != kSpeedup || std::isnan(speedup(session))) return {};
  const bool gain = speedup(session) > 1.0005;
  return theme().role(gain && !session.best_is_estimate ? Role::kGood : Role::kTextMuted);
}

QVariant TuneSessionModel::data(const QModelIndex& index, int role) const {
  const TuneSessionRow* session = sessionAt(index);
  if (session == nullptr) return {};
  const int column = index.column();
  switch (role) {
    case Qt::DisplayRole:
      return cell(*session, column);
    case Qt::DecorationRole:
      return column == kState ? QVariant(tuneStateIcon(session->state)) : QVariant();
    case Qt::ForegroundRole:
      return ink(*session, column);
    case Qt::FontRole:
      return column == kSpeedup && speedup(*session) > 1.0005 ? QVariant(boldFont()) : QVariant();
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter | (column > kProgress    ? Qt::AlignRight
                                          : column == kProgress ? Qt::AlignHCenter
                                                                : Qt::AlignLeft));
    case Qt::ToolTipRole: {
      QString text = session->name + '\n' + session->evaluator;
      if (!session->best_source.isEmpty()) text += tr("\nbest: %1").arg(session->best_source);
      if (!session->message.isEmpty()) text += '\n' + session->message;
      return text;
    }
    case kValueRole:
      if (column == kDelta) return delta(*session);
      return column == kProgress ? QVariant(session->fraction) : QVariant();
    default:
      return {};
  }
}

QVariant TuneSessionModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) {
    return QVariant(Qt::AlignVCenter | (section > kProgress ? Qt::AlignRight : Qt::AlignLeft));
  }
  if (role == Qt::ToolTipRole && section == kDelta) {
    return tr(
        "Change of the best time against that of the pinned session, of the same target and "
        "the same kind of time");
  }
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case kState:
      return tr("State");
    case kTarget:
      return tr("Target");
    case kTune:
      return tr("Tune");
    case kStrategy:
      return tr("Strategy");
    case kEvaluator:
      return tr("Evaluator");
    case kProgress:
      return tr("Trials of budget");
    case kBest:
      return tr("Best µs");
    case kSpeedup:
      return tr("Speed-up");
    case kDelta:
      return tr("Δ best");
    case kMeasured:
      return tr("Measured");
    default:
      return tr("Elapsed");
  }
}

}  // namespace hloscope::ui
