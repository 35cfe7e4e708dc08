#include "ui/pages/start/start_content.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace hloscope::ui {

std::vector<SampleEntry> readSamples(const QString& folder) {
  QFile list(folder + "/samples.json");
  if (!list.open(QIODevice::ReadOnly)) return {};
  std::vector<SampleEntry> samples;
  const QJsonArray entries = QJsonDocument::fromJson(list.readAll()).array();
  for (const auto& value : entries) {
    const QJsonObject sample = value.toObject();
    const QFileInfo file(QDir(folder), sample["file"].toString());
    if (!file.isFile()) continue;
    samples.push_back({file.absoluteFilePath(), sample["title"].toString(),
                       sample["note"].toString(), file.size()});
  }
  return samples;
}

QString samplesFolder() {
  const QDir program(QCoreApplication::applicationDirPath());
  for (const QString& folder :
       {program.filePath("samples"), program.filePath("../share/hloscope/samples"),
        QStringLiteral(HLOSCOPE_SAMPLES_DIR)}) {
    if (QFileInfo::exists(folder + "/samples.json")) return QDir(folder).canonicalPath();
  }
  return {};
}

QString openedText(const QDateTime& opened, const QDateTime& now) {
  const qint64 days = opened.date().daysTo(now.date());
  if (days == 0)
    return QCoreApplication::translate("StartPage", "today %1").arg(opened.toString("HH:mm"));
  if (days == 1) return QCoreApplication::translate("StartPage", "yesterday");
  if (days > 1 && days < 7) {
    return QCoreApplication::translate("StartPage", "%1 days ago").arg(days);
  }
  return opened.date().toString(Qt::ISODate);
}

}  // namespace hloscope::ui
