#pragma once

#include <QDateTime>
#include <QString>
#include <vector>

namespace hloscope::ui {

/// A file that was opened before.
struct RecentEntry {
  QString path;
  QString content;  ///< "2 531 instructions"; as found when it was opened last.
  qint64 bytes = 0;
  QDateTime opened;
  bool exists = true;
  bool operator==(const RecentEntry&) const = default;
};

/// A program that comes with hloscope.
struct SampleEntry {
  QString path;
  QString title;
  QString note;
  qint64 bytes = 0;
};

/// What the Restore button brings back.
struct SavedSession {
  QString title;   ///< "resnet50_train, around fusion.191"
  QString detail;  ///< "2 files, page Graph"
  QDateTime saved;
};

/// The samples listed in `folder`/samples.json whose files exist; empty without that file.
[[nodiscard]] std::vector<SampleEntry> readSamples(const QString& folder);
/// The folder of samples: beside the program, below ../share, or in the source tree it was built
/// from; empty when there is none.
[[nodiscard]] QString samplesFolder();

/// "today 13:52", "yesterday", "3 days ago", "2026-01-31".
[[nodiscard]] QString openedText(const QDateTime& opened, const QDateTime& now);

}  // namespace hloscope::ui
