#pragma once

#include <QDateTime>
#include <QObject>
#include <QTimer>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

class QWidget;

namespace hloscope::ui {

/// Says when a file that a widget shows is deleted, comes back, or another one takes its place;
/// looks while the widget is visible. What is written into the same file is none of that.
class FileWatch : public QObject {
  Q_OBJECT
 public:
  explicit FileWatch(QWidget* shown_in);

  /// In place of the files watched before; of those that stay, changes are not missed.
  void watch(const std::vector<std::filesystem::path>& paths);
  /// Looks now.
  void check();

 signals:
  void replaced(const std::filesystem::path& path);

 private:
  struct Identity {
    uint64_t device = 0;
    uint64_t number = 0;
    QDateTime born;  ///< The number of a deleted file is given to the next one.
    bool operator==(const Identity&) const = default;
  };
  static std::optional<Identity> identityOf(const std::filesystem::path& path);

  QWidget* shown_in_;
  QTimer timer_;
  std::map<std::filesystem::path, std::optional<Identity>> files_;
};

}  // namespace hloscope::ui
