#include "ui/pages/file_watch.h"

#include <sys/stat.h>

#include <QFileInfo>
#include <QWidget>
#include <utility>

namespace hloscope::ui {
namespace {

constexpr int kLookEveryMs = 1000;

}  // namespace

FileWatch::FileWatch(QWidget* shown_in) : QObject(shown_in), shown_in_(shown_in) {
  timer_.setInterval(kLookEveryMs);
  connect(&timer_, &QTimer::timeout, this, [this] {
    if (shown_in_->isVisible()) check();
  });
  timer_.start();
}

void FileWatch::watch(const std::vector<std::filesystem::path>& paths) {
  std::map<std::filesystem::path, std::optional<Identity>> files;
  for (const std::filesystem::path& path : paths) {
    const auto known = files_.find(path);
    files[path] = known == files_.end() ? identityOf(path) : known->second;
  }
  files_ = std::move(files);
}

void FileWatch::check() {
  std::vector<std::filesystem::path> other;
  for (auto& [path, identity] : files_) {
    std::optional<Identity> now = identityOf(path);
    if (std::exchange(identity, now) != now) other.push_back(path);
  }
  for (const std::filesystem::path& path : other) emit replaced(path);
}

std::optional<FileWatch::Identity> FileWatch::identityOf(const std::filesystem::path& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  const QFileInfo info(QString::fromStdString(path.string()));
  return Identity{status.st_dev, status.st_ino, info.birthTime()};
}

}  // namespace hloscope::ui
