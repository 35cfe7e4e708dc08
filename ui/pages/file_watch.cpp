#include "ui/pages/file_watch.h"

#include <QWidget>
#include <utility>

namespace hloscope::ui {
namespace {

constexpr int kLookEveryMs = 1000;

bool isSameFile(const std::optional<FileStamp>& a, const std::optional<FileStamp>& b) {
  return a.has_value() == b.has_value() && (!a || a->is_same_file(*b));
}

}  // namespace

FileWatch::FileWatch(QWidget* shown_in) : QObject(shown_in), shown_in_(shown_in) {
  timer_.setInterval(kLookEveryMs);
  connect(&timer_, &QTimer::timeout, this, [this] {
    if (shown_in_->isVisible()) check();
  });
  timer_.start();
}

void FileWatch::watch(const std::vector<std::filesystem::path>& paths) {
  std::map<std::filesystem::path, Seen> files;
  for (const std::filesystem::path& path : paths) {
    const auto known = files_.find(path);
    files[path] = known == files_.end() ? look(path) : known->second;
  }
  files_ = std::move(files);
}

void FileWatch::know(const std::filesystem::path& path, const std::optional<FileStamp>& stamp) {
  const auto known = files_.find(path);
  if (known != files_.end()) known->second = {stamp, look(path).log};
}

void FileWatch::check() {
  std::vector<std::filesystem::path> other;
  std::vector<std::filesystem::path> written;
  for (auto& [path, seen] : files_) {
    Seen now = look(path);
    const bool is_other = !isSameFile(seen.file, now.file);
    const bool is_written = !is_other && (seen.file != now.file || seen.log != now.log);
    if (is_other) other.push_back(path);
    // Half of a file is not worth reading: told when two looks have seen the same.
    if (seen.is_changing && !is_written && !is_other) written.push_back(path);
    now.is_changing = is_written;
    seen = now;
  }
  for (const std::filesystem::path& path : other) emit replaced(path);
  for (const std::filesystem::path& path : written) emit changed(path);
}

FileWatch::Seen FileWatch::look(const std::filesystem::path& path) {
  Seen seen{file_stamp(path), file_stamp(path.string() + "-wal"), false};
  // Who opens a database makes an empty log, and takes it away again.
  if (seen.log && seen.log->bytes == 0) seen.log.reset();
  return seen;
}

}  // namespace hloscope::ui
