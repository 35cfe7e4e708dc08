#include "ui/models/tune_trial_model.h"

#include <QFont>
#include <algorithm>
#include <limits>

#include "ui/models/item_roles.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {
namespace {

/// Of numbers before and after an arrow; empty where the texts of a space need none.
QString choiceHelp(tune::SpaceKind space) {
  if (space == tune::SpaceKind::kLayout) {
    return TuneTrialModel::tr(
        "0→2: layout 2 instead of layout 0, the default, of those that this operand or result can "
        "have. \"Export trials\" writes them in full");
  }
  if (space == tune::SpaceKind::kProgramTiles) {
    return TuneTrialModel::tr(
        "0→2: size 2 instead of size 0, that of the default, of those that this dimension of the "
        "tile can have. \"Export trials\" writes the tiles in full");
  }
  return {};
}

}  // namespace

void TuneTrialModel::setTrials(std::shared_ptr<const TrialColumns> trials, const Meaning& meaning) {
  beginResetModel();
  trials_ = std::move(trials);
  config_ranks_.clear();
  meaning_ = meaning;
  mask_.clear();
  refill();
  endResetModel();
}

void TuneTrialModel::refresh(size_t first_new, const Meaning& meaning) {
  const bool other_meaning = !(meaning == meaning_);
  meaning_ = meaning;
  const size_t count = trials_ ? trials_->size() : 0;
  if (!other_meaning && first_new >= count) {
    // Times of trials that were there: their order may change as well.
    emit layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    std::vector<int> kept;
    for (const QModelIndex& index : before) kept.push_back(trialAt(index));
    refill();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
      const int trial = kept[static_cast<size_t>(i)];
      const QModelIndex row = trial < 0 ? QModelIndex() : indexOf(static_cast<uint32_t>(trial));
      after << (row.isValid() ? index(row.row(), before[i].column()) : QModelIndex());
    }
    changePersistentIndexList(before, after);
    emit layoutChanged();
    return;
  }
  // A view keeps what is selected by its row: told by the page, which knows the trial.
  beginResetModel();
  refill();
  endResetModel();
}

void TuneTrialModel::refreshConfigs(size_t first_new) {
  if (!trials_ || first_new >= trials_->config.size()) return;
  const bool by_text = sort_column_ == kConfig;
  if (by_text || !query_.is_empty()) {
    beginResetModel();
    refill();
    endResetModel();
  } else if (!rows_.empty()) {
    const int last = static_cast<int>(rows_.size()) - 1;
    emit dataChanged(index(0, kConfig), index(last, kConfig), {Qt::DisplayRole, Qt::ToolTipRole});
  }
}

void TuneTrialModel::setQuery(TrialQuery query) {
  beginResetModel();
  query_ = std::move(query);
  refill();
  endResetModel();
}

void TuneTrialModel::setMask(std::vector<uint8_t> mask) {
  if (mask.empty() && mask_.empty()) return;
  beginResetModel();
  mask_ = std::move(mask);
  refill();
  endResetModel();
}

void TuneTrialModel::setMeasuredFirst(bool on) {
  beginResetModel();
  measured_first_ = on;
  sortRows();
  endResetModel();
}

bool TuneTrialModel::shows(uint32_t trial) const {
  if (trial < mask_.size() && mask_[trial] == 0) return false;
  return query_.is_empty() || query_.matches(*trials_, trial, meaning_.baseline_ns);
}

void TuneTrialModel::refill() {
  rows_.clear();
  const auto count = static_cast<uint32_t>(trials_ ? trials_->size() : 0);
  rows_.reserve(count);
  for (uint32_t trial = 0; trial < count; ++trial) {
    if (shows(trial)) rows_.push_back(trial);
  }
  sortRows();
}

double TuneTrialModel::number(uint32_t trial, int column) const {
  switch (column) {
    case kPredicted:
      return trials_->predicted_ns[trial];
    case kHardware:
      return trials_->hardware_ns[trial];
    case kSpeedup:
      if (!(meaning_.baseline_ns > 0)) return std::numeric_limits<double>::quiet_NaN();
      return meaning_.baseline_ns / (meaning_.baseline_is_hardware ? trials_->hardware_ns[trial]
                                                                   : trials_->predicted_ns[trial]);
    case kError:
      return std::abs(trials_->error(trial));
    case kMove:
      return trials_->accepted[trial];
    case kOrder:
      return trials_->measured_as[trial] > 0 ? trials_->measured_as[trial]
                                             : std::numeric_limits<double>::quiet_NaN();
    case kBooked:
      return trials_->booked_ns[trial];
    case kAt:
      return trials_->at_s[trial];
    default:
      return trial;
  }
}

void TuneTrialModel::rankConfigs() {
  const size_t count = trials_ ? trials_->config.size() : 0;
  if (config_ranks_.size() == count) return;
  config_ranks_ = trials_->config_order.ranks(trials_->config);
}

void TuneTrialModel::sortRows() {
  const bool descending = sort_order_ == Qt::DescendingOrder;
  // Numbers once for each row; what has none stands last in both orders.
  struct Key {
    uint32_t trial;
    bool measured;
    double value;
  };
  const bool by_text = sort_column_ == kConfig;
  if (by_text) rankConfigs();
  const auto value_of = [&](uint32_t trial) {
    if (!by_text) return number(trial, sort_column_);
    if (trial < config_ranks_.size()) return static_cast<double>(config_ranks_[trial]);
    return std::numeric_limits<double>::quiet_NaN();
  };
  std::vector<Key> keys;
  keys.reserve(rows_.size());
  for (uint32_t trial : rows_) {
    const double value = value_of(trial);
    const bool measured = measured_first_ && trials_->measured_as[trial] > 0;
    keys.push_back({trial, measured, std::isnan(value) ? HUGE_VAL : (descending ? -value : value)});
  }
  std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
    if (a.measured != b.measured) return a.measured;
    if (a.value != b.value) return a.value < b.value;
    // Of equal ones the newest: the trials of a model have no measured time at all.
    return a.trial > b.trial;
  });
  for (size_t i = 0; i < keys.size(); ++i) rows_[i] = keys[i].trial;
}

void TuneTrialModel::sort(int column, Qt::SortOrder order) {
  if (column < 0) return;
  beginResetModel();
  sort_column_ = column;
  sort_order_ = order;
  sortRows();
  endResetModel();
}

int TuneTrialModel::trialAt(const QModelIndex& index) const {
  if (!index.isValid() || index.row() >= static_cast<int>(rows_.size())) return -1;
  return static_cast<int>(rows_[static_cast<size_t>(index.row())]);
}

QModelIndex TuneTrialModel::indexOf(uint32_t trial) const {
  const auto at = std::find(rows_.begin(), rows_.end(), trial);
  return at == rows_.end() ? QModelIndex() : index(static_cast<int>(at - rows_.begin()), 0);
}

int TuneTrialModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int TuneTrialModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumnCount;
}

QString TuneTrialModel::cell(uint32_t trial, int column) const {
  const double value = number(trial, column);
  switch (column) {
    case kTrial:
      return formatCount(trial);
    case kConfig:
      if (!trials_->has_config(trial)) return QStringLiteral("…");
      return QString::fromStdString(trials_->config[trial]);
    case kPredicted:
      return formatTimeUs(value);
    case kHardware:
      if (!std::isnan(value)) return formatTimeUs(value);
      if (trials_->errors.count(trial) > 0) return tr("failed");
      return std::isnan(trials_->predicted_ns[trial]) ? noValue() : tr("model only");
    case kSpeedup:
      if (std::isnan(value)) return noValue();
      return (std::isnan(trials_->hardware_ns[trial]) ? QStringLiteral("≈ ") : QString()) +
             formatNumber(value, 3) + QStringLiteral("×");
    case kError: {
      const double error = trials_->error(trial) * 100;
      if (std::isnan(error)) return noValue();
      return (error >= 0 ? QStringLiteral("+") : QString()) + formatNumber(error, 1);
    }
    case kMove:
      if (trials_->refined[trial] != 0) return tr("refined");
      return trials_->accepted[trial] != 0 ? tr("accepted") : tr("rejected");
    case kOrder:
      return std::isnan(value) ? noValue() : formatCount(static_cast<int64_t>(value));
    case kBooked:
      return value > 0 ? formatNumber(value / 1e9, 2) : noValue();
    default:
      return formatNumber(value, 2);
  }
}

bool TuneTrialModel::isMeasured(uint32_t trial) const {
  return trials_->measured_as[trial] > 0 && !std::isnan(trials_->hardware_ns[trial]);
}

QVariant TuneTrialModel::toolTip(uint32_t trial) const {
  QString text = tr("Its configuration is still being read");
  if (trials_->has_config(trial)) {
    text = QString::fromStdString(trials_->config[trial]);
    const QString help = choiceHelp(meaning_.space);
    if (!help.isEmpty() && trials_->changed[trial] > 0) text += '\n' + help;
  }
  const auto error = trials_->errors.find(trial);
  if (error != trials_->errors.end()) text += '\n' + QString::fromStdString(error->second);
  return text;
}

QVariant TuneTrialModel::data(const QModelIndex& index, int role) const {
  const int found = trialAt(index);
  if (found < 0) return {};
  const auto trial = static_cast<uint32_t>(found);
  const int column = index.column();
  switch (role) {
    case Qt::DisplayRole:
      return cell(trial, column);
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter |
                      (column == kConfig || column == kMove ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::FontRole:
      if (column == kConfig) return monoFont();
      return column == kHardware && isMeasured(trial) ? QVariant(boldFont()) : QVariant();
    case Qt::ForegroundRole:
      if (column == kHardware && std::isnan(trials_->hardware_ns[trial])) {
        const bool failed = trials_->errors.count(trial) > 0;
        return theme().role(failed ? Role::kBad : Role::kTextMuted);
      }
      if (column == kMove && trials_->accepted[trial] == 0) return theme().role(Role::kTextMuted);
      return {};
    case Qt::ToolTipRole:
      return toolTip(trial);
    case kValueRole:
      return column == kError ? QVariant(trials_->error(trial)) : QVariant(number(trial, column));
    default:
      return {};
  }
}

QVariant TuneTrialModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) {
    const bool left = section == kConfig || section == kMove;
    return QVariant(Qt::AlignVCenter | (left ? Qt::AlignLeft : Qt::AlignRight));
  }
  if (role == Qt::ToolTipRole) return headerToolTip(section);
  return role == Qt::DisplayRole ? QVariant(headerText(section)) : QVariant();
}

QString TuneTrialModel::headerText(int column) const {
  switch (column) {
    case kTrial:
      return tr("Trial");
    case kConfig:
      return meaning_.space == tune::SpaceKind::kTiles ? tr("Tile")
                                                       : tr("Differs from the default in");
    case kPredicted:
      return tr("Predicted µs");
    case kHardware:
      return meaning_.hardware_is_simulated ? tr("Simulated µs") : tr("Measured µs");
    case kSpeedup:
      return tr("Speed-up");
    case kError:
      return tr("Error %");
    case kMove:
      return tr("Move");
    case kOrder:
      return tr("Order");
    case kBooked:
      return tr("Hardware s");
    default:
      return tr("At s");
  }
}

QVariant TuneTrialModel::headerToolTip(int column) const {
  switch (column) {
    case kConfig:
      break;
    case kSpeedup:
      return tr("Time of the default over the time of the trial");
    case kError:
      return tr("Of the predicted time against that of the hardware");
    case kMove:
      return tr(
          "Whether the search went on from this trial; refined: tried after the search, around the "
          "best one");
    case kOrder:
      return tr("1: measured first");
    case kBooked:
      return tr("Hardware time that the trial has cost, with its compilation");
    case kAt:
      return tr("Seconds that the session had run by then");
    default:
      return {};
  }
  switch (meaning_.space) {
    case tune::SpaceKind::kTiles:
      return tr("Sizes of the tile, as --tile takes them");
    case tune::SpaceKind::kFusion:
      return tr("+12: edge 12 is fused here and not in the default; −12 the other way round");
    case tune::SpaceKind::kLayout:
    case tune::SpaceKind::kProgramTiles:
      return choiceHelp(meaning_.space);
  }
  return {};
}

}  // namespace hloscope::ui
