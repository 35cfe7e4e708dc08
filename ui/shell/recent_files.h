#pragma once

#include <QObject>
#include <QSettings>
#include <vector>

#include "ui/pages/start/start_content.h"

namespace hloscope::ui {

/// The files opened last, newest first, kept in the settings.
class RecentFiles : public QObject {
  Q_OBJECT
 public:
  static constexpr size_t kLimit = 20;

  explicit RecentFiles(QSettings& settings, QObject* parent = nullptr);

  /// Puts a file to the front; `content` says in a few words what was found in it.
  void add(const QString& path, const QString& content, qint64 bytes);
  void remove(const QString& path);
  void removeMissing();
  /// Looks again which files exist.
  void refresh();
  [[nodiscard]] const std::vector<RecentEntry>& entries() const { return entries_; }

 signals:
  void changed();

 private:
  void load();
  void save();

  QSettings& settings_;
  std::vector<RecentEntry> entries_;
};

}  // namespace hloscope::ui
