#include "ui/shell/recent_files.h"

#include <QFileInfo>

namespace hloscope::ui {

namespace {

const QString kArray = QStringLiteral("recent");

}  // namespace

RecentFiles::RecentFiles(QSettings& settings, QObject* parent)
    : QObject(parent), settings_(settings) {
  load();
}

void RecentFiles::load() {
  const int count = settings_.beginReadArray(kArray);
  for (int i = 0; i < count; ++i) {
    settings_.setArrayIndex(i);
    RecentEntry entry;
    entry.path = settings_.value("path").toString();
    entry.content = settings_.value("content").toString();
    entry.bytes = settings_.value("bytes").toLongLong();
    entry.opened = settings_.value("opened").toDateTime();
    entry.exists = QFileInfo::exists(entry.path);
    entries_.push_back(std::move(entry));
  }
  settings_.endArray();
}

void RecentFiles::save() {
  settings_.beginWriteArray(kArray, static_cast<int>(entries_.size()));
  for (size_t i = 0; i < entries_.size(); ++i) {
    settings_.setArrayIndex(static_cast<int>(i));
    settings_.setValue("path", entries_[i].path);
    settings_.setValue("content", entries_[i].content);
    settings_.setValue("bytes", entries_[i].bytes);
    settings_.setValue("opened", entries_[i].opened);
  }
  settings_.endArray();
  emit changed();
}

void RecentFiles::add(const QString& path, const QString& content, qint64 bytes) {
  std::erase_if(entries_, [&path](const RecentEntry& entry) { return entry.path == path; });
  entries_.insert(entries_.begin(),
                  RecentEntry{path, content, bytes, QDateTime::currentDateTime(), true});
  if (entries_.size() > kLimit) entries_.resize(kLimit);
  save();
}

void RecentFiles::remove(const QString& path) {
  std::erase_if(entries_, [&path](const RecentEntry& entry) { return entry.path == path; });
  save();
}

void RecentFiles::removeMissing() {
  std::erase_if(entries_, [](const RecentEntry& entry) { return !QFileInfo::exists(entry.path); });
  save();
}

void RecentFiles::refresh() {
  bool differs = false;
  for (RecentEntry& entry : entries_) {
    const bool exists = QFileInfo::exists(entry.path);
    differs = differs || exists != entry.exists;
    entry.exists = exists;
  }
  if (differs) emit changed();
}

}  // namespace hloscope::ui
