#include "ui/pages/simulate/assumptions_panel.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>
#include <QShortcut>
#include <QStandardPaths>
#include <QVBoxLayout>

#include "core/base/write_file.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/models/kernel_delegates.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/format.h"

namespace hloscope::ui {
namespace {

constexpr int kValueWidth = 64;
constexpr int kUnitWidth = 60;
constexpr int kGradeWidth = 38;
constexpr int kResetWidth = 24;

/// The strip above the table: amber, in both themes.
class WarnStrip : public QWidget {
 protected:
  void paintEvent(QPaintEvent* /*event*/) override {
    QPainter painter(this);
    const QColor warn = theme().role(Role::kWarn);
    painter.fillRect(rect(), mixed(theme().role(Role::kBase), warn, 0.12));
    painter.setPen(mixed(theme().role(Role::kBase), warn, 0.5));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
};

QPushButton* button(const QString& text, const QString& help) {
  auto* made = new QPushButton(text);
  made->setToolTip(help);
  made->setAccessibleDescription(help);
  return made;
}

}  // namespace

QString machinesFolder() {
  return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
         QStringLiteral("/machines");
}

AssumptionsPanel::AssumptionsPanel(QWidget* parent)
    : Panel(tr("Assumptions"), parent), model_(new MachineModel(this)) {
  makeTable();
  body()->addWidget(makeStrip());
  auto* table = new QHBoxLayout;
  table->setContentsMargins(4, 0, 0, 0);
  table->addWidget(view_);
  body()->addLayout(table, 1);
  auto* note = mutedLabel(tr(
      "A published, M fitted to measured runs, S assumed: point at a row for its source. A double "
      "click or F2 changes a value, Del takes it back."));
  note->setWordWrap(true);
  note->setContentsMargins(8, 6, 8, 2);
  body()->addWidget(note);
  body()->addWidget(makeFooter());
  connect(model_, &MachineModel::changed, this, &AssumptionsPanel::showState);
  connect(model_, &MachineModel::modelReset, this, &AssumptionsPanel::spanGroups);
  connect(model_, &MachineModel::refused, this, &AssumptionsPanel::messageRequested);
  showState();
}

void AssumptionsPanel::makeTable() {
  view_ = new QTableView;
  view_->setModel(model_);
  styleTable(*view_);
  view_->setSortingEnabled(false);
  view_->setAccessibleName(tr("Assumptions"));
  view_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                         QAbstractItemView::AnyKeyPressed);
  QHeaderView* header = view_->horizontalHeader();
  header->setStretchLastSection(false);
  header->setSectionResizeMode(MachineModel::kName, QHeaderView::Stretch);
  const std::pair<int, int> widths[] = {{MachineModel::kValue, kValueWidth},
                                        {MachineModel::kUnit, kUnitWidth},
                                        {MachineModel::kSource, kGradeWidth},
                                        {MachineModel::kReset, kResetWidth}};
  for (const auto& [column, width] : widths) {
    header->setSectionResizeMode(column, QHeaderView::Fixed);
    header->resizeSection(column, width);
  }
  header->setSectionsClickable(false);
  connect(view_, &QTableView::clicked, this, [this](const QModelIndex& index) {
    if (index.column() == MachineModel::kReset) model_->reset(index);
  });
  auto* take_back = new QShortcut(QKeySequence(QKeySequence::Delete), view_);
  take_back->setContext(Qt::WidgetShortcut);
  connect(take_back, &QShortcut::activated, this, &AssumptionsPanel::resetCurrent);
}

QWidget* AssumptionsPanel::makeStrip() {
  strip_ = new WarnStrip;
  strip_text_ = new ElidedLabel;
  apply_ = button(tr("Simulate again"), tr("Times of the whole window with these values"));
  apply_->setProperty("primary", true);
  auto* back = button(tr("Revert"), tr("Back to the values that the times are of"));
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(8);
  buttons->addWidget(apply_);
  buttons->addWidget(back);
  buttons->addStretch(1);
  auto* layout = new QVBoxLayout(strip_);
  layout->setContentsMargins(8, 6, 8, 8);
  layout->setSpacing(6);
  layout->addWidget(strip_text_);
  layout->addLayout(buttons);
  connect(apply_, &QPushButton::clicked, this, &AssumptionsPanel::apply);
  connect(back, &QPushButton::clicked, this, &AssumptionsPanel::revert);
  return strip_;
}

QWidget* AssumptionsPanel::makeFooter() {
  auto* footer = new QWidget;
  reset_all_ = button(tr("Reset all"), tr("All values as the machine came"));
  save_ = button(tr("Save…"), tr("As a machine file, which opens here and with --machine"));
  auto* load = button(tr("Open…"), tr("A machine file"));
  auto* layout = new QHBoxLayout(footer);
  layout->setContentsMargins(8, 6, 8, 8);
  layout->setSpacing(8);
  for (QPushButton* one : {reset_all_, save_, load}) layout->addWidget(one);
  layout->addStretch(1);
  connect(reset_all_, &QPushButton::clicked, this, &AssumptionsPanel::resetAll);
  connect(save_, &QPushButton::clicked, this, &AssumptionsPanel::saveDialog);
  connect(load, &QPushButton::clicked, this, &AssumptionsPanel::loadDialog);
  return footer;
}

void AssumptionsPanel::spanGroups() {
  view_->clearSpans();
  for (int row = 0; row < model_->rowCount(); ++row) {
    if (model_->isGroup(row)) view_->setSpan(row, 0, 1, MachineModel::kColumnCount);
  }
}

Result<sim::Machine> AssumptionsPanel::machine() const {
  return sim::changed_machine(model_->machine(), model_->changes());
}

void AssumptionsPanel::setMachine(const sim::Machine& machine) {
  const bool is_known = machine.hash == used_;
  used_ = machine.hash;
  if (is_known) return showState();
  // Asked for by apply(): the base stays, so that changes stay marked.
  const auto own = this->machine();
  if (!model_->changes().empty() && own && own->hash == machine.hash) {
    in_force_ = model_->changes();
    return showState();
  }
  in_force_.clear();
  model_->setMachine(machine);
}

bool AssumptionsPanel::isPending() const {
  return model_->changes() != in_force_;
}

void AssumptionsPanel::showState() {
  const size_t count = model_->changes().size();
  QString context = textOf(model_->machine().title);
  if (count > 0) context += tr(", %1 changed").arg(count);
  setContext(context);
  strip_->setVisible(isPending());
  strip_text_->setWholeText(
      count == 0   ? tr("All values reset. Times are still the old ones.")
      : count == 1 ? tr("1 value changed. Times are still the old ones.")
                   : tr("%1 values changed. Times are still the old ones.").arg(count));
  reset_all_->setEnabled(count > 0);
}

void AssumptionsPanel::apply() {
  if (!isPending()) return;
  const auto changed = machine();
  if (!changed) return emit messageRequested(textOf(changed.error().message));
  in_force_ = model_->changes();
  used_ = changed->hash;
  showState();
  emit machineRequested(*changed, QString());
}

void AssumptionsPanel::revert() {
  model_->setChanges(in_force_);
}

void AssumptionsPanel::resetAll() {
  model_->resetAll();
}

void AssumptionsPanel::resetCurrent() {
  model_->reset(view_->currentIndex());
}

void AssumptionsPanel::saveTo(const QString& path) {
  const auto changed = machine();
  if (!changed) return emit messageRequested(textOf(changed.error().message));
  const auto named = sim::named_machine(*changed, QFileInfo(path).completeBaseName().toStdString());
  if (!named) return emit messageRequested(textOf(named.error().format()));
  const Status written = write_file(path.toStdString(), sim::machine_json(*named));
  if (!written) return emit messageRequested(textOf(written.error().format()));
  emit messageRequested(tr("Saved %1").arg(path));
  emit machineRequested(*named, path);
}

void AssumptionsPanel::loadFrom(const QString& path) {
  const auto found = sim::find_machine(path.toStdString());
  if (!found) return emit messageRequested(textOf(found.error().format()));
  emit machineRequested(*found, path);
}

void AssumptionsPanel::saveDialog() {
  QDir().mkpath(machinesFolder());
  const QString path = QFileDialog::getSaveFileName(
      this, tr("Save machine"), machinesFolder() + '/' + tr("my TPU") + QStringLiteral(".json"),
      tr("Machines (*.json)"));
  if (!path.isEmpty()) saveTo(path);
}

void AssumptionsPanel::loadDialog() {
  const QString path = QFileDialog::getOpenFileName(this, tr("Open machine"), machinesFolder(),
                                                    tr("Machines (*.json);;All files (*)"));
  if (!path.isEmpty()) loadFrom(path);
}

}  // namespace hloscope::ui
