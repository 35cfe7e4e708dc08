// MainWindow tells when files that it shows or writes change on the disk.
#include <QFileInfo>
#include <algorithm>

#include "ui/pages/file_watch.h"
#include "ui/shell/main_window.h"

namespace hloscope::ui {

namespace {

QString diskKey(const QString& path) {
  return "disk:" + path;
}

std::filesystem::path pathOf(const Source& source) {
  return source.path.toStdString();
}

}  // namespace

void MainWindow::connectFileWatch() {
  files_watch_ = new FileWatch(this);
  connect(files_watch_, &FileWatch::replaced, this, &MainWindow::fileChanged);
  connect(files_watch_, &FileWatch::changed, this, &MainWindow::fileChanged);
  connect(&workspace_, &Workspace::reportsChanged, this, &MainWindow::watchFiles);
  connect(&workspace_, &Workspace::opened, this, [this](const QString& path) {
    errors_->remove(diskKey(path));
    for (const OpenFile& file : workspace_.files()) {
      if (file.source.path == path) files_watch_->know(path.toStdString(), file.stamp);
    }
  });
  connect(&workspace_.store(), &ResultStore::changed, this, [this] {
    if (workspace_.store().state() == ResultStore::State::kSaved) {
      errors_->remove(QStringLiteral("store"));
    }
  });
  watchFiles();
}

void MainWindow::watchFiles() {
  std::vector<std::filesystem::path> paths{workspace_.store().path()};
  QStringList open;
  for (const OpenFile& file : workspace_.files()) {
    if (file.source.is_text) continue;
    paths.push_back(pathOf(file.source));
    open << file.source.path;
  }
  files_watch_->watch(paths);
  for (const QString& path : watched_files_) {
    if (!open.contains(path)) errors_->remove(diskKey(path));
  }
  watched_files_ = open;
}

void MainWindow::fileChanged(const std::filesystem::path& path) {
  if (path == workspace_.store().path()) workspace_.store().look();
  const auto& files = workspace_.files();
  const auto file = std::find_if(files.begin(), files.end(), [&path](const OpenFile& one) {
    return !one.source.is_text && pathOf(one.source) == path;
  });
  if (file == files.end()) return;
  const QString key = diskKey(file->source.path);
  const std::optional<FileStamp> now = file_stamp(path);
  if (now == file->stamp) return errors_->remove(key);
  const QString name = QFileInfo(file->source.path).fileName();
  ErrorStrip::Message message;
  message.is_warning = true;
  message.place = file->source.path;
  message.key = key;
  if (now) {
    message.text = tr("%1 has changed on disk: what is shown was read before").arg(name);
    message.hint = tr("F5 reads the file of the current module again");
    message.action_text = tr("Read again");
    message.action = [this, source = file->source] { workspace_.open(source); };
  } else {
    message.text = tr("%1 was deleted or moved: what is shown was read before").arg(name);
    message.hint = tr("Put it back, or open it where it is now");
  }
  errors_->add(std::move(message));
}

}  // namespace hloscope::ui
