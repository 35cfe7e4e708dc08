#pragma once

#include <QObject>
#include <QTimer>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "core/base/file_stamp.h"

class QWidget;

namespace hloscope::ui {

/// Says when a file that a widget shows is deleted, comes back, is replaced or written to; looks
/// while the widget is visible. Of a database its write-ahead log is looked at as well.
class FileWatch : public QObject {
  Q_OBJECT
 public:
  explicit FileWatch(QWidget* shown_in);

  /// In place of the files watched before; of those that stay, changes are not missed.
  void watch(const std::vector<std::filesystem::path>& paths);
  /// How a watched file was when it was read: what came after is told, what came before is not.
  void know(const std::filesystem::path& path, const std::optional<FileStamp>& stamp);
  /// Looks now.
  void check();

 signals:
  /// Deleted, there again, or another one in its place.
  void replaced(const std::filesystem::path& path);
  /// Something was written into the same file, and the writing has come to rest.
  void changed(const std::filesystem::path& path);

 private:
  struct Seen {
    std::optional<FileStamp> file;
    std::optional<FileStamp> log;
    bool is_changing = false;  ///< Written to, not told yet.
  };
  static Seen look(const std::filesystem::path& path);

  QWidget* shown_in_;
  QTimer timer_;
  std::map<std::filesystem::path, Seen> files_;
};

}  // namespace hloscope::ui
