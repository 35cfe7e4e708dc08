#include "ui/pages/tune/extend_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSpinBox>
#include <algorithm>
#include <cmath>

#include "ui/theme/format.h"
#include "ui/theme/mnemonics.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {
namespace {

constexpr int kLargestCount = 2'000'000'000;

QWidget* withLimit(QWidget* field, QCheckBox* no_limit, const QString& spent) {
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(field);
  layout->addWidget(no_limit);
  layout->addWidget(mutedLabel(spent));
  layout->addStretch(1);
  QObject::connect(no_limit, &QCheckBox::toggled, field, &QWidget::setDisabled);
  field->setDisabled(no_limit->isChecked());
  row->setFocusProxy(field);  // Where the letter of the label leads.
  row->setFocusPolicy(Qt::StrongFocus);
  return row;
}

QDoubleSpinBox* seconds(double low, double value) {
  auto* box = new QDoubleSpinBox;
  box->setRange(std::max(0.1, low), 1e7);
  box->setDecimals(1);
  box->setValue(value);
  box->setSuffix(ExtendDialog::tr(" s"));
  return box;
}

}  // namespace

ExtendDialog::ExtendDialog(const tune::Budget& budget, const tune::SessionState& spent,
                           QWidget* parent)
    : QDialog(parent) {
  setWindowTitle(tr("Extend the session"));
  const auto tried = static_cast<int>(std::min<uint64_t>(spent.searched(), kLargestCount));
  trials_ = new QSpinBox;
  trials_->setRange(std::max(1, tried), kLargestCount);
  const auto before = static_cast<int>(budget.trials.value_or(1000));
  trials_->setValue(std::max(before, tried) + before);
  no_trials_ = new QCheckBox(tr("no limit"));
  no_trials_->setChecked(!budget.trials);
  time_ = seconds(spent.active_s, budget.time_s.value_or(300) + spent.active_s);
  no_time_ = new QCheckBox(tr("no limit"));
  no_time_->setChecked(!budget.time_s);
  const double booked_s = spent.booked_ns / 1e9;
  hardware_ = seconds(booked_s, budget.hardware_s.value_or(60) + booked_s);
  no_hardware_ = new QCheckBox(tr("no limit"));
  no_hardware_->setChecked(!budget.hardware_s);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  buttons->button(QDialogButtonBox::Ok)->setText(tr("Extend and go on"));
  auto* form = new QFormLayout(this);
  form->addRow(mutedLabel(tr("The whole budget from now on; what is tried stays."), false));
  form->addRow(tr("Trials"),
               withLimit(trials_, no_trials_,
                         tr("%1 tried").arg(formatCount(static_cast<int64_t>(spent.searched())))));
  form->addRow(tr("Time"),
               withLimit(time_, no_time_, tr("%1 s spent").arg(formatNumber(spent.active_s, 1))));
  form->addRow(tr("Hardware"),
               withLimit(hardware_, no_hardware_, tr("%1 s spent").arg(formatNumber(booked_s, 1))));
  form->addRow(buttons);
  trials_->setAccessibleName(tr("Trials"));
  time_->setAccessibleName(tr("Time"));
  hardware_->setAccessibleName(tr("Hardware"));
  no_trials_->setAccessibleName(tr("No limit of trials"));
  no_time_->setAccessibleName(tr("No limit of time"));
  no_hardware_->setAccessibleName(tr("No limit of hardware"));
  buttons->button(QDialogButtonBox::Ok)->setDefault(true);
  assignMnemonics(*this);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

tune::Budget ExtendDialog::budget() const {
  tune::Budget budget;
  if (!no_trials_->isChecked()) budget.trials = static_cast<uint64_t>(trials_->value());
  if (!no_time_->isChecked()) budget.time_s = time_->value();
  if (!no_hardware_->isChecked()) budget.hardware_s = hardware_->value();
  return budget;
}

}  // namespace hloscope::ui
