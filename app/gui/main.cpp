#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "app/gui/options.h"
#include "app/gui/screenshot.h"
#include "db/database.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme.h"

namespace hloscope::gui {

namespace {

constexpr int kBadInput = 1;
constexpr int kBadUsage = 2;

int complain(const Error& error, int code) {
  std::fprintf(stderr, "hloscope: %s\n", error.format().c_str());
  return code;
}

/// Where settings and results are kept: the user's own places, or for pictures a temporary folder.
struct Places {
  std::unique_ptr<QTemporaryDir> temporary;
  std::unique_ptr<QSettings> settings;
  std::filesystem::path database;
};

Places makePlaces(const Options& options) {
  Places places;
  if (options.screenshots.empty()) {
    places.settings =
        std::make_unique<QSettings>(QStringLiteral("hloscope"), QStringLiteral("hloscope"));
    places.database = db::default_path();
  } else {
    places.temporary = std::make_unique<QTemporaryDir>();
    places.settings = std::make_unique<QSettings>(
        places.temporary->filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    places.database = places.temporary->filePath(QStringLiteral("results.hloscope")).toStdString();
  }
  if (options.database) places.database = options.database->toStdString();
  return places;
}

/// Qt reads these when the application object is made.
void setEnvironment(const Options& options, const QSettings& settings) {
  if (!options.screenshots.empty() && !qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  const double kept = settings.value("window/scale", 100).toDouble() / 100;
  const double scale = options.scale.value_or(kept);
  if (scale != 1) qputenv("QT_SCALE_FACTOR", QByteArray::number(scale));
}

ui::ThemeMode initialTheme(const Options& options, const QSettings& settings) {
  if (options.theme) return *options.theme;
  if (!options.screenshots.empty()) return ui::ThemeMode::kLight;
  const int kept = settings.value("window/theme", static_cast<int>(ui::ThemeMode::kSystem)).toInt();
  return static_cast<ui::ThemeMode>(std::clamp(kept, 0, 2));
}

Status chooseMachine(ui::MainWindow& window, const Options& options, const QSettings& settings) {
  const QString id = options.machine.value_or(settings.value("window/machine").toString());
  if (id.isEmpty()) return {};
  const auto machine = sim::find_machine(id.toStdString());
  if (machine) {
    window.workspace().setMachine(*machine);
  } else if (options.machine) {
    return fail(machine.error());
  }
  return {};
}

Status chooseModel(ui::MainWindow& window, const Options& options) {
  if (options.models.isEmpty()) return {};
  std::vector<std::string> names;
  for (const QString& name : options.models) names.push_back(name.toStdString());
  HLOSCOPE_ASSIGN(const predict::TimePredictor predictor, predict::find_time_predictor(names));
  window.workspace().setPredictor(predictor);
  return {};
}

int runWindow(ui::MainWindow& window, const Options& options) {
  if (!options.screenshots.empty()) {
    if (const Status pages = checkPages(window, options); !pages) {
      return complain(pages.error(), kBadUsage);
    }
    const Status status = takeScreenshots(window, options);
    return status ? 0 : complain(status.error(), kBadInput);
  }
  window.show();
  if (options.restore) window.restoreSession();
  window.workspace().open(options.files);
  if (options.select) {
    QObject::connect(&window.workspace(), &ui::Workspace::opened, &window,
                     [&window, name = *options.select] {
                       const Status status = selectByName(window.workspace(), name);
                       if (!status) window.errors().add(ui::messageOf(status.error()));
                     });
  }
  return QApplication::exec();
}

int run(int argc, char** argv) {
  QStringList arguments;
  for (int i = 1; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
  const Result<Options> options = parseOptions(arguments);
  if (!options) return complain(options.error(), kBadUsage);
  if (options->help || options->version) {
    const QString text = options->help ? helpText() : "hloscope " HLOSCOPE_VERSION "\n";
    std::fputs(text.toLocal8Bit().constData(), stdout);
    return 0;
  }
  const Places places = makePlaces(*options);
  setEnvironment(*options, *places.settings);
  const QApplication app(argc, argv);
  QApplication::setApplicationName(QStringLiteral("hloscope"));
  QApplication::setApplicationVersion(QStringLiteral(HLOSCOPE_VERSION));
  ui::installTheme(initialTheme(*options, *places.settings));
  ui::MainWindow window(*places.settings, places.database);
  if (const Status status = chooseMachine(window, *options, *places.settings); !status) {
    return complain(status.error(), kBadUsage);
  }
  if (const Status status = chooseModel(window, *options); !status) {
    return complain(status.error(), kBadUsage);
  }
  if (options->size) window.resize(*options->size);
  if (options->raw) window.workspace().setKernelChoice(analysis::KernelChoice::kRaw);
  return runWindow(window, *options);
}

}  // namespace

}  // namespace hloscope::gui

int main(int argc, char** argv) {
  return hloscope::gui::run(argc, argv);
}
