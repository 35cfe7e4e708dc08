#include <QElapsedTimer>
#include <QFile>
#include <QLockFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/test_registry.h"
#include "ui/shell/settings_writer.h"

namespace hloscope::testing {

class TestSettingsWriter : public QObject {
  Q_OBJECT
 private slots:
  void changesAreWritten() {
    QSettings settings(file(), QSettings::IniFormat);
    const ui::SettingsWriter writer(settings);
    settings.setValue("window/page", "graph");
    QTRY_VERIFY(content().contains("page=graph"));
    // Again: the first request was answered.
    settings.setValue("window/page", "tiles");
    QTRY_VERIFY(content().contains("page=tiles"));
  }

  void theEventLoopGoesOnWhileTheFileIsHeld() {
    QSettings settings(file(), QSettings::IniFormat);
    const ui::SettingsWriter writer(settings);
    QLockFile held(file() + ".lock");
    QVERIFY(held.lock());
    settings.setValue("window/page", "runs");
    bool answered = false;
    QMetaObject::invokeMethod(
        this, [&answered] { answered = true; }, Qt::QueuedConnection);
    QCoreApplication::processEvents();
    QVERIFY(answered);
    QVERIFY(!content().contains("page=runs"));
    held.unlock();
    QTRY_VERIFY(content().contains("page=runs"));
  }

 private:
  [[nodiscard]] QString file() const { return folder_.filePath("settings.ini"); }
  [[nodiscard]] QByteArray content() const {
    QFile read(file());
    return read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray();
  }

  QTemporaryDir folder_;
};

HLOSCOPE_TEST(TestSettingsWriter);

}  // namespace hloscope::testing

#include "test_settings_writer.moc"
