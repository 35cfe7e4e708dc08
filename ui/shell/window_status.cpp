#include "ui/shell/window_status.h"

#include <QFileInfo>
#include <QLabel>

#include "ui/shell/job_bar.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {

namespace {

constexpr int kHeight = 26;

}  // namespace

WindowStatus::WindowStatus(Workspace& workspace, QWidget* parent)
    : QStatusBar(parent), workspace_(workspace) {
  setFixedHeight(kHeight);
  setSizeGripEnabled(false);
  message_ = new ElidedLabel;
  message_->setFont(smallFont());
  message_->setContentsMargins(6, 0, 12, 0);
  file_ = mutedLabel({});
  store_ = mutedLabel({});
  machine_ = mutedLabel({});
  message_->setWholeText(tr("Ready"));
  addWidget(message_, 1);
  addWidget(new JobBar(workspace.tasks()));
  for (QLabel* label : {file_, store_, machine_}) {
    label->setContentsMargins(8, 0, 8, 0);
    addPermanentWidget(label);
  }
  connect(&workspace_, &Workspace::reportsChanged, this, &WindowStatus::refresh);
  connect(&workspace_, &Workspace::reportChanged, this, &WindowStatus::refresh);
  connect(&workspace_, &Workspace::machineChanged, this, &WindowStatus::refresh);
  connect(&workspace_.store(), &ResultStore::changed, this, &WindowStatus::refresh);
  refresh();
}

void WindowStatus::setMessage(const QString& text) {
  message_->setWholeText(text);
}

void WindowStatus::refresh() {
  const OpenFile* file = workspace_.currentFile();
  file_->setText(file == nullptr ? tr("no program open")
                                 : tr("%1 (%2) read in %3")
                                       .arg(QFileInfo(file->source.path).fileName(),
                                            formatBytes(static_cast<double>(file->bytes)),
                                            formatTime(file->read_ms * 1e6)));
  store_->setText(workspace_.store().stateText());
  store_->setToolTip(QString::fromStdString(workspace_.store().path().string()));
  const QString title = QString::fromStdString(workspace_.machine().title);
  machine_->setText(workspace_.isStale() ? tr("%1, numbers not updated yet").arg(title) : title);
}

}  // namespace hloscope::ui
