#include "ui/pages/simulate/machine_model.h"

#include <cmath>

#include "ui/models/kernel_cell_text.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {
namespace {

constexpr double kKiB = 1024;
constexpr double kMiB = 1024 * kKiB;
constexpr double kGiB = 1024 * kMiB;

/// Large constants are shown and typed in a larger unit.
struct ShownUnit {
  double factor = 1;
  QString unit;
};

ShownUnit shownUnit(const sim::Constant& constant) {
  const QString unit = textOf(constant.unit);
  const auto with = [&unit](double factor, const QString& from, const QString& to) {
    return ShownUnit{factor, to + unit.mid(from.size())};
  };
  if (unit.startsWith(QStringLiteral("bytes/s"))) {
    return with(1e9, QStringLiteral("bytes/s"), QStringLiteral("GB/s"));
  }
  if (unit.startsWith(QStringLiteral("FLOP/s"))) {
    return with(1e12, QStringLiteral("FLOP/s"), QStringLiteral("TFLOP/s"));
  }
  if (unit.startsWith(QStringLiteral("bytes"))) {
    const QString from = QStringLiteral("bytes");
    if (constant.value >= kGiB) return with(kGiB, from, QStringLiteral("GiB"));
    if (constant.value >= kMiB) return with(kMiB, from, QStringLiteral("MiB"));
    return with(kKiB, from, QStringLiteral("KiB"));
  }
  return {1, unit};
}

/// The unit in a word; all of it is in the tool tip.
QString unitWord(const QString& unit) {
  if (unit.contains(QStringLiteral("per cycle"))) return QStringLiteral("/cycle");
  if (unit.startsWith(QStringLiteral("of "))) return QStringLiteral("×");
  if (unit.endsWith(QStringLiteral(" passes"))) return MachineModel::tr("passes");
  return unit.section(' ', 0, 0).section(',', 0, 0);
}

QString numberText(double value) {
  return QString::number(value, 'g', 12);
}

QColor gradeColor(sim::Grade grade) {
  switch (grade) {
    case sim::Grade::kPublished:
      return theme().role(Role::kGood);
    case sim::Grade::kFitted:
      return theme().role(Role::kAccent);
    case sim::Grade::kAssumed:
      return theme().role(Role::kWarn);
  }
  return theme().role(Role::kText);
}

}  // namespace

QString gradeLetter(sim::Grade grade) {
  static constexpr const char* kLetters = "AMS";
  return QString(QLatin1Char(kLetters[static_cast<size_t>(grade)]));
}

QString gradeText(sim::Grade grade) {
  switch (grade) {
    case sim::Grade::kPublished:
      return MachineModel::tr("published");
    case sim::Grade::kFitted:
      return MachineModel::tr("fitted to measured runs");
    case sim::Grade::kAssumed:
      return MachineModel::tr("assumed");
  }
  return {};
}

void MachineModel::setMachine(const sim::Machine& machine) {
  beginResetModel();
  machine_ = machine;
  changes_.clear();
  rows_.clear();
  std::string_view group;
  for (const sim::ConstantInfo& info : sim::constant_infos()) {
    if (!machine_.constants.contains(std::string(info.key))) continue;
    if (info.group != group) rows_.push_back({{}, true, textOf(info.group), {}});
    group = info.group;
    rows_.push_back({textOf(info.title), info.is_timed, {}, std::string(info.key)});
  }
  endResetModel();
  emit changed();
}

void MachineModel::tellAll() {
  if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumnCount - 1));
  emit changed();
}

void MachineModel::reset(const QModelIndex& index) {
  if (!index.isValid() || changes_.erase(rowAt(index.row()).key) == 0) return;
  tellAll();
}

void MachineModel::resetAll() {
  setChanges({});
}

void MachineModel::setChanges(const sim::NewValues& changes) {
  if (changes == changes_) return;
  changes_ = changes;
  tellAll();
}

bool MachineModel::isGroup(int row) const {
  return rowAt(row).key.empty();
}

bool MachineModel::isChanged(int row) const {
  return changes_.contains(rowAt(row).key);
}

int MachineModel::rowOf(std::string_view key) const {
  for (size_t row = 0; row < rows_.size(); ++row) {
    if (rows_[row].key == key) return static_cast<int>(row);
  }
  return -1;
}

int MachineModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int MachineModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumnCount;
}

const sim::Constant& MachineModel::constant(const Row& row) const {
  return machine_.constants.at(row.key);
}

double MachineModel::value(const Row& row) const {
  const auto found = changes_.find(row.key);
  return found != changes_.end() ? found->second : constant(row).value;
}

QVariant MachineModel::text(const Row& row, int column) const {
  const ShownUnit unit = shownUnit(constant(row));
  switch (column) {
    case kName:
      return row.title;
    case kValue:
      return numberText(value(row) / unit.factor);
    case kUnit:
      return unitWord(unit.unit);
    case kSource:
      return gradeLetter(changes_.contains(row.key) ? sim::Grade::kAssumed
                                                    : sim::grade(constant(row)));
    default:
      return {};
  }
}

QString MachineModel::toolTip(const Row& row, int column) const {
  const sim::Constant& known = constant(row);
  const ShownUnit unit = shownUnit(known);
  if (column == kReset) {
    return changes_.contains(row.key)
               ? tr("Back to %1 %2").arg(numberText(known.value / unit.factor), unit.unit)
               : QString();
  }
  QString text = QStringLiteral("%1: %2 %3\n%4")
                     .arg(textOf(row.key), numberText(value(row) / unit.factor), unit.unit,
                          textOf(known.source));
  if (changes_.contains(row.key)) {
    text += tr("\nchanged from %1").arg(numberText(known.value / unit.factor));
  }
  if (!row.is_timed) text += tr("\nno time of one core depends on it");
  return text;
}

QVariant MachineModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Row& row = rowAt(index.row());
  if (row.key.empty()) {
    if (role == Qt::DisplayRole && index.column() == kName) return row.group;
    if (role == Qt::FontRole) return boldFont();
    return {};
  }
  const bool is_changed = changes_.contains(row.key);
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
      return text(row, index.column());
    case Qt::DecorationRole:
      if (index.column() == kReset && is_changed) return icon(Icon::kReload);
      return {};
    case Qt::FontRole:
      return is_changed ? boldFont() : uiFont();
    case Qt::ForegroundRole:
      if (index.column() == kSource) {
        return gradeColor(is_changed ? sim::Grade::kAssumed : sim::grade(constant(row)));
      }
      if (index.column() == kUnit || !row.is_timed) return theme().role(Role::kTextMuted);
      return {};
    case Qt::BackgroundRole:
      return is_changed ? QVariant(theme().role(Role::kAccentSoft)) : QVariant();
    case Qt::TextAlignmentRole:
      if (index.column() == kValue) return int(Qt::AlignRight | Qt::AlignVCenter);
      if (index.column() == kSource) return int(Qt::AlignCenter);
      return int(Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ToolTipRole:
      return toolTip(row, index.column());
    case Qt::AccessibleTextRole:
      if (index.column() == kSource) return gradeText(sim::grade(constant(row)));
      if (index.column() == kReset) return is_changed ? tr("changed") : QString();
      return text(row, index.column());
    default:
      return {};
  }
}

QVariant MachineModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole && section <= kUnit) {
    return int((section == kValue ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  }
  if (role != Qt::DisplayRole) return {};
  const QString titles[] = {tr("Constant"), tr("Value"), tr("Unit"), tr("From"), {}};
  return titles[section];
}

Qt::ItemFlags MachineModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const Row& row = rowAt(index.row());
  if (row.key.empty()) return Qt::ItemIsEnabled;
  Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  if (index.column() == kValue && row.is_timed) flags |= Qt::ItemIsEditable;
  return flags;
}

bool MachineModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable)) return false;
  const Row& row = rowAt(index.row());
  const sim::Constant& known = constant(row);
  bool is_number = false;
  const QString typed = value.toString().trimmed().replace(QChar(','), QChar('.'));
  const double number = typed.toDouble(&is_number) * shownUnit(known).factor;
  if (!is_number) {
    emit refused(tr("%1: \"%2\" is not a number").arg(row.title, typed));
    return false;
  }
  sim::NewValues changes = changes_;
  // Typed as it stands: what is shown is rounded.
  const bool same = typed == numberText(known.value / shownUnit(known).factor);
  if (same) {
    changes.erase(row.key);
  } else {
    changes[row.key] = number;
  }
  if (const auto machine = sim::changed_machine(machine_, changes); !machine) {
    emit refused(tr("%1: %2").arg(row.title, textOf(machine.error().message)));
    return false;
  }
  if (changes == changes_) return true;
  changes_ = std::move(changes);
  tellAll();
  return true;
}

}  // namespace hloscope::ui
