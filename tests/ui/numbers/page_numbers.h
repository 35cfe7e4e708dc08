#pragma once

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QTableView>

#include "tests/cli/cli_process.h"
#include "tests/ui/numbers/shown_number.h"
#include "tests/ui/shell/window_fixture.h"

namespace hloscope::testing {

inline constexpr int kPatience = 20'000;  ///< Milliseconds: machines that build meanwhile are slow.

inline QString sample_path(const char* name) {
  return QStringLiteral(HLOSCOPE_SOURCE_DIR "/samples/") + name;
}

/// Until nothing runs and the page has all it asked for.
inline void settle(ui::MainWindow& window) {
  for (int quiet = 0; quiet < 3; ++quiet) {
    QVERIFY(QTest::qWaitFor(
        [&window] { return window.tasks().isIdle() && window.currentPage()->isReady(); },
        kPatience));
    QTest::qWait(5);
  }
}

/// Opens a file and goes to its Nth module.
inline void open_module(ui::MainWindow& window, const QString& path, int module = 1) {
  window.workspace().open(QStringList{path});
  QVERIFY(
      QTest::qWaitFor([&] { return window.workspace().find(path, module) != nullptr; }, kPatience));
  window.workspace().select(window.workspace().find(path, module), {});
  settle(window);
}

/// Shows a page of the window.
template <typename Page>
Page& page_of(ui::MainWindow& window) {
  auto* page = window.findChild<Page*>();
  if (page == nullptr || !window.showPage(page->id())) qFatal("no such page");
  settle(window);
  return *page;
}

inline QTableView* table_named(QWidget& parent, const QString& name) {
  for (auto* view : parent.findChildren<QTableView*>()) {
    if (view->accessibleName() == name) return view;
  }
  return nullptr;
}

inline QString cell(const QAbstractItemModel& model, int row, int column) {
  return model.index(row, column).data().toString();
}

/// What the command line prints; asked once, as nothing changes what it reads.
inline const QByteArray& output_of(const QStringList& arguments) {
  static QMap<QString, QByteArray> known;
  const QString key = arguments.join('\n');
  if (!known.contains(key)) {
    const Outcome outcome = run(arguments);
    if (outcome.code != 0) qWarning("%s", outcome.err.constData());
    known[key] = outcome.out;
  }
  return known[key];
}

/// As JSON; of an array the first.
inline QJsonObject printed(const QStringList& arguments) {
  const auto document = QJsonDocument::fromJson(output_of(arguments + QStringList{"--json"}));
  return document.isArray() ? document.array().first().toObject() : document.object();
}

inline QJsonArray printed_list(const QStringList& arguments) {
  return QJsonDocument::fromJson(output_of(arguments + QStringList{"--json"})).array();
}

inline QString printed_text(const QStringList& arguments) {
  return QString::fromUtf8(output_of(arguments));
}

}  // namespace hloscope::testing
