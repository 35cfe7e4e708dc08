#pragma once

#include <QApplication>
#include <QFile>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "ui/shell/main_window.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"

namespace hloscope::testing {

inline constexpr const char* kTwoKernels = R"(HloModule two_kernels, is_scheduled=true

fused {
  p0 = f32[8,128]{1,0} parameter(0)
  p1 = f32[8,128]{1,0} parameter(1)
  ROOT add.1 = f32[8,128]{1,0} add(p0, p1)
}

ENTRY main {
  a = f32[8,128]{1,0} parameter(0)
  b = f32[8,128]{1,0} parameter(1)
  fusion.1 = f32[8,128]{1,0} fusion(a, b), kind=kLoop, calls=fused
  ROOT copy.2 = f32[8,128]{1,0} copy(fusion.1)
}
)";

inline constexpr const char* kOneKernel = R"(HloModule one_kernel

ENTRY main {
  x = f32[16]{0} parameter(0)
  ROOT negate.7 = f32[16]{0} negate(x)
}
)";

/// A window with settings, results and files of its own.
class WindowFixture {
 public:
  WindowFixture() { remake(); }

  /// Closes the window and opens another with the same settings: a restart.
  void remake() {
    if (window_) window_->close();
    if (qobject_cast<ui::Style*>(QApplication::style()) == nullptr) {
      ui::installTheme(ui::ThemeMode::kLight);
    }
    window_.reset();
    settings_ = std::make_unique<QSettings>(folder_.filePath("settings.ini"), QSettings::IniFormat);
    window_ = std::make_unique<ui::MainWindow>(*settings_, database());
    window_->resize(1280, 800);
    window_->show();
    // Shortcuts work in the active window only.
    if (!QTest::qWaitForWindowActive(window_.get())) qFatal("the window was not activated");
  }
  /// Writes a file and returns its path.
  QString write(const QString& name, const QString& text) const {
    QFile file(folder_.filePath(name));
    if (file.open(QIODevice::WriteOnly)) file.write(text.toUtf8());
    return file.fileName();
  }
  [[nodiscard]] std::string database() const {
    return folder_.filePath("results.hloscope").toStdString();
  }
  [[nodiscard]] ui::MainWindow& window() { return *window_; }
  [[nodiscard]] QSettings& settings() { return *settings_; }
  [[nodiscard]] const QTemporaryDir& folder() const { return folder_; }
  void destroyWindow() { window_.reset(); }

 private:
  QTemporaryDir folder_;
  std::unique_ptr<QSettings> settings_;
  std::unique_ptr<ui::MainWindow> window_;
};

/// Any warning of Qt fails the test, but for what the offscreen platform says about itself.
inline void fail_on_warnings() {
  QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support)"));
}

}  // namespace hloscope::testing
