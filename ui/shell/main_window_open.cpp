// MainWindow opens what is not a program: each where it belongs.
#include <QDirIterator>
#include <QFileInfo>

#include "ui/pages/data/data_page.h"
#include "ui/pages/data/data_sets_panel.h"
#include "ui/pages/data/models_panel.h"
#include "ui/shell/file_kind.h"
#include "ui/shell/main_window.h"

namespace hloscope::ui {

namespace {

constexpr qsizetype kMostOfFolder = 20;

QStringList openableIn(const QString& folder) {
  const QStringList patterns{QStringLiteral("*.hlo"),      QStringLiteral("*.txt"),
                             QStringLiteral("*.pb"),       QStringLiteral("*.gz"),
                             QStringLiteral("*.hloscope"), QStringLiteral("*.safetensors")};
  QStringList paths;
  for (const QFileInfo& file : QDir(folder).entryInfoList(patterns, QDir::Files, QDir::Name)) {
    paths << file.filePath();
  }
  return paths;
}

bool holdsArchives(const QString& folder) {
  return QDirIterator(folder, {QStringLiteral("*.npz")}, QDir::Files, QDirIterator::Subdirectories)
      .hasNext();
}

}  // namespace

DataPage* MainWindow::dataPage() const {
  for (Page* page : pages_) {
    if (auto* data = qobject_cast<DataPage*>(page)) return data;
  }
  return nullptr;
}

void MainWindow::connectOpening() {
  connect(&workspace_, &Workspace::databaseFound, this, &MainWindow::openDatabase);
  connect(&workspace_, &Workspace::archivesFound, this, &MainWindow::offerImport);
  connect(&workspace_, &Workspace::modelFound, this, [this](const QString& path) {
    dataPage()->showTab(DataPage::kModels);
    dataPage()->models()->addFiles({path});
    showPage(QStringLiteral("data"));
  });
  connect(&workspace_, &Workspace::folderFound, this, &MainWindow::openFolder);
}

void MainWindow::offerImport(const QStringList& paths) {
  showPage(QStringLiteral("data"));
  ErrorStrip::Message message;
  message.is_warning = true;
  const QString name = QFileInfo(paths.front()).fileName();
  message.text =
      paths.size() == 1
          ? tr("%1 holds times of kernels, not a program: it is imported into a data set").arg(name)
          : tr("%1 and %2 more hold times of kernels, not programs: they are imported "
               "into a data set")
                .arg(name)
                .arg(paths.size() - 1);
  message.key = QStringLiteral("import");
  message.action_text = tr("Import…");
  message.action = [this, paths] { dataPage()->dataSets()->askWhatToImport(paths); };
  errors_->add(std::move(message));
}

void MainWindow::openFolder(const QString& path) {
  const QStringList programs = openableIn(path);
  if (!programs.isEmpty() && programs.size() <= kMostOfFolder) return workspace_.open(programs);
  if (programs.isEmpty() && holdsArchives(path)) return offerImport({path});
  ErrorStrip::Message message;
  message.place = path;
  message.key = openKey(path);
  const QString name = QFileInfo(path).fileName();
  if (programs.isEmpty()) {
    message.text = tr("The folder %1 holds nothing that can be opened").arg(name);
    message.hint = openableKinds();
  } else {
    message.is_warning = true;
    message.text = tr("The folder %1 holds %2 files, more than are opened at once")
                       .arg(name)
                       .arg(programs.size());
    message.hint = tr("Choose those that you want to see");
    message.action_text = tr("Choose…");
    message.action = [this, path] {
      settings_.setValue("window/open_folder", path);
      openDialog();
    };
  }
  errors_->add(std::move(message));
}

void MainWindow::dropped(const QList<QUrl>& urls) {
  QStringList paths;
  for (const QUrl& url : urls) {
    if (url.isLocalFile()) paths << url.toLocalFile();
  }
  if (!paths.isEmpty()) return workspace_.open(paths);
  ErrorStrip::Message message;
  message.text = tr("Nothing was dropped that can be opened: only files of this machine can be");
  message.hint = openableKinds();
  message.key = QStringLiteral("drop");
  errors_->add(std::move(message));
}

}  // namespace hloscope::ui
