// Choosing a tile, and taking rows out of TilesPage.
#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QButtonGroup>
#include <QClipboard>
#include <QFileDialog>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QSaveFile>
#include <QTableView>
#include <QUndoStack>
#include <algorithm>

#include "db/chosen_tiles.h"
#include "ui/charts/tile_curve_chart.h"
#include "ui/charts/tile_pipeline_chart.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/pages/command_action.h"
#include "ui/pages/tiles/tile_text.h"
#include "ui/pages/tiles/tiles_page.h"

namespace hloscope::ui {
namespace {

/// One change of a choice, there and back.
class UseTile : public QUndoCommand {
 public:
  UseTile(const QString& text, std::function<void()> use, std::function<void()> back)
      : QUndoCommand(text), use_(std::move(use)), back_(std::move(back)) {}
  void redo() override { use_(); }
  void undo() override { back_(); }

 private:
  std::function<void()> use_;
  std::function<void()> back_;
};

Result<std::optional<sim::Tile>> readChoice(const std::filesystem::path& path,
                                            const Hash128& kernel, const std::string& machine) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  HLOSCOPE_ASSIGN(db::Database database, db::Database::open(path));
  return db::ChosenTiles(database).find(kernel, machine);
}

Status writeChoice(const std::filesystem::path& path, const Hash128& kernel,
                   const std::string& machine, const std::optional<sim::Tile>& tile) {
  HLOSCOPE_ASSIGN(db::Database database, db::Database::open(path));
  return db::ChosenTiles(database).choose(kernel, machine, tile);
}

/// As a shell takes it; "#" begins a comment only at the start of a word.
QString quoted(const QString& word) {
  const bool plain = std::all_of(word.begin(), word.end(), [](QChar c) {
    return c.isLetterOrNumber() || QStringLiteral("_-./,=+:#").contains(c);
  });
  if (plain && !word.isEmpty()) return word;
  return '\'' + QString(word).replace('\'', QStringLiteral("'\\''")) + '\'';
}

}  // namespace

void TilesPage::makeActions() {
  const auto add = [this](const char* id, const QString& text, const QKeySequence& keys,
                          auto&& slot) {
    return addCommand(this, QLatin1String(id), text, keys, slot);
  };
  // Enter itself comes from the table.
  use_ = add("tiles.use", tr("Use this tile"), QKeySequence(Qt::CTRL | Qt::Key_U), [this] {
    if (const auto tile = selectedTile()) useTile(*tile);
  });
  use_default_ = add("tiles.use_default", tr("Use the compiler's tile"), {}, [this] {
    if (ranking_ && ranking_->default_tile) useTile(*ranking_->default_tile);
  });
  add("tiles.copy", tr("Copy rows"), QKeySequence::Copy, [this] { copyRows(); });
  add("tiles.copy_command", tr("Copy command line"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
      [this] { copyText(commandLine(), tr("Command line copied")); });
  add("tiles.save", tr("Save tiles as CSV…"), QKeySequence(Qt::CTRL | Qt::Key_E),
      [this] { saveTable(); });
  add("tiles.filter", tr("Filter tiles"), QKeySequence::Find, [this] {
    filter_->setFocus(Qt::ShortcutFocusReason);
    filter_->selectAll();
  });
  add("tiles.map", tr("Curve or map"), QKeySequence(Qt::CTRL | Qt::Key_M),
      [this] { view_buttons_->button(1 - view_buttons_->checkedId())->click(); });
  add("tiles.pin", tr("Pin the tile: Δ against it"), QKeySequence(Qt::CTRL | Qt::Key_D),
      [this] { pinTile(selectedTile()); });
  QAction* undo = undo_->createUndoAction(this, tr("Undo"));
  undo->setObjectName(QStringLiteral("tiles.undo"));
  undo->setShortcut(QKeySequence::Undo);
  QAction* redo = undo_->createRedoAction(this, tr("Redo"));
  redo->setObjectName(QStringLiteral("tiles.redo"));
  redo->setShortcut(QKeySequence::Redo);
  for (QAction* action : {undo, redo}) {
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(action);
  }
}

TilesPage::ChoiceKey TilesPage::choiceKey() const {
  return {ranking_->report->kernels.kernels[ranking_->kernel].hash, ranking_->report->machine.id};
}

void TilesPage::loadChoice() {
  if (!ranking_ || database_.empty()) return;
  const ChoiceKey key = choiceKey();
  using Choice = Result<MaybeTile>;
  // Behind what is being stored: the file may be made by that.
  tasks_.run<Choice>(
      {.label = tr("Reading the chosen tile"),
       .key = QStringLiteral("tiles.choice"),
       .serial = true},
      [path = database_, key](const Progress& /*progress*/) {
        return readChoice(path, key.kernel, key.machine_id);
      },
      this,
      [this, key](const Choice& choice) {
        if (choice) return applyChoice(key, *choice);
        emit messageRequested(
            tr("The chosen tile could not be read: %1").arg(textOf(choice.error().message)));
      });
}

void TilesPage::applyChoice(const ChoiceKey& key, const MaybeTile& tile) {
  if (!ranking_ || choiceKey() != key) return;
  picks_.is_chosen = tile.has_value();
  picks_.in_use = tile ? ranking_->find(*tile) : ranking_->default_tile;
  chosen_ = tile;
  showPicks();
}

void TilesPage::showPicks() {
  model_->setPicks(picks_);
  fillCurve();
  refreshTexts();
}

void TilesPage::pinTile(std::optional<uint32_t> tile) {
  if (!ranking_ || !tile) return;
  const bool again = picks_.pinned == tile;
  picks_.pinned = again ? std::nullopt : tile;
  pinned_ = again ? MaybeTile() : ranking_->tile(*tile);
  pinned_of_ = choiceKey().kernel;
  showPicks();
  measureColumns();
  fitColumns();
  const QString text = tileText(ranking_->tile(*tile));
  emit messageRequested(
      again ? tr("Tile %1 is not pinned any more: Δ is against the default tile").arg(text)
            : tr("Tile %1 is pinned: Δ is against it").arg(text));
}

void TilesPage::useTile(uint32_t tile) {
  if (!ranking_) return;
  if (database_.empty()) {
    emit messageRequested(tr("There is no results file to keep the choice in"));
    return;
  }
  const ChoiceKey key = choiceKey();
  const MaybeTile before = chosen_;
  // The compiler's own tile is no choice.
  const bool is_default = ranking_->default_tile == tile;
  const MaybeTile after = is_default ? MaybeTile() : ranking_->tile(tile);
  if (before == after) {
    emit messageRequested(tr("Tile %1 is in use already").arg(tileText(ranking_->tile(tile))));
    return;
  }
  const QString text = tr("use of tile %1").arg(tileText(ranking_->tile(tile)));
  undo_->push(new UseTile(
      text, [this, key, after] { storeChoice(key, after); },
      [this, key, before] { storeChoice(key, before); }));
}

void TilesPage::storeChoice(const ChoiceKey& key, const MaybeTile& tile) {
  applyChoice(key, tile);
  tasks_.run<Status>(
      {.label = tr("Storing the chosen tile"), .serial = true, .cancellable = false},
      [path = database_, key, tile](const Progress& /*progress*/) {
        return writeChoice(path, key.kernel, key.machine_id, tile);
      },
      this,
      [this, tile](const Status& status) {
        if (!status) {
          emit messageRequested(tr("The choice could not be stored: %1")
                                    .arg(QString::fromStdString(status.error().format())));
          return loadChoice();
        }
        emit messageRequested(
            tile ? tr("Tile %1 is in use now · Ctrl+Z takes it back").arg(tileText(*tile))
                 : tr("The compiler's tile is in use again"));
      });
}

QString TilesPage::commandLine() const {
  const auto tile = selectedTile();
  if (!ranking_ || !tile) return {};
  const analysis::ModuleReport& report = *ranking_->report;
  const auto& kernel = report.kernels.kernels[ranking_->kernel];
  QStringList words{QStringLiteral("hloscope-cli"),
                    QStringLiteral("simulate"),
                    QStringLiteral("%1#%2")
                        .arg(QString::fromStdString(report.file_path))
                        .arg(report.module_number),
                    QStringLiteral("--kernel"),
                    textOf((*report.module.program)[kernel.instruction].name),
                    QStringLiteral("--tile"),
                    textOf(sim::tile_text(ranking_->tile(*tile))),
                    QStringLiteral("--machine"),
                    textOf(report.machine.id)};
  if (report.origin == analysis::KernelOrigin::kRaw) words << QStringLiteral("--raw");
  for (QString& word : words) word = quoted(word);
  return words.join(' ');
}

void TilesPage::copyText(const QString& text, const QString& what) {
  if (text.isEmpty()) return;
  QApplication::clipboard()->setText(text);
  emit messageRequested(what);
}

void TilesPage::copyRows() {
  QModelIndexList rows = view_->selectionModel()->selectedRows();
  if (rows.isEmpty()) return;
  std::sort(rows.begin(), rows.end());
  QString text = rows.size() > 1 ? model_->headerText() + '\n' : QString();
  for (const QModelIndex& row : rows) text += model_->rowText(row.row()) + '\n';
  copyText(text, tr("%1 copied").arg(countOf(static_cast<size_t>(rows.size()), tr("row"))));
}

QString TilesPage::tableText(QChar separator) const {
  const auto line = [separator](const QString& cells) {
    QStringList out = cells.split('\t');
    if (separator == ',') {
      for (QString& cell : out) {
        if (cell.contains(',') || cell.contains('"')) {
          cell = '"' + cell.replace('"', QStringLiteral("\"\"")) + '"';
        }
      }
    }
    return out.join(separator) + '\n';
  };
  QString text = line(model_->headerText());
  for (int row = 0; row < model_->rowCount(); ++row) text += line(model_->rowText(row));
  return text;
}

void TilesPage::saveTable() {
  if (!ranking_) return;
  const QString path = QFileDialog::getSaveFileName(
      this, tr("Save tiles"), QStringLiteral("tiles.csv"), QStringLiteral("CSV (*.csv)"));
  if (path.isEmpty()) return;
  const QByteArray bytes = tableText(',').toUtf8();
  QSaveFile file(path);
  const bool done =
      file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
  emit messageRequested(done ? tr("Saved %1").arg(path)
                             : tr("%1 could not be written: %2").arg(path, file.errorString()));
}

QMenu* TilesPage::makeExportMenu() {
  auto* menu = new QMenu(this);
  menu->addAction(tr("Copy tiles as CSV"), this,
                  [this] { copyText(tableText(','), tr("Tiles copied as CSV")); });
  menu->addAction(tr("Copy tiles as TSV"), this,
                  [this] { copyText(tableText('\t'), tr("Tiles copied as TSV")); });
  menu->addAction(tr("Save tiles as CSV…"), this, [this] { saveTable(); });
  menu->addSeparator();
  const auto picture = [this](QWidget* chart) {
    QApplication::clipboard()->setPixmap(chart->grab());
    emit messageRequested(tr("Chart copied as a picture"));
  };
  menu->addAction(tr("Copy chart as PNG"), this,
                  [this, picture] { picture(static_cast<QWidget*>(curve_)->parentWidget()); });
  menu->addAction(tr("Copy pipeline as PNG"), this, [this, picture] { picture(pipeline_); });
  menu->addSeparator();
  menu->addAction(tr("Copy command line"), this,
                  [this] { copyText(commandLine(), tr("Command line copied")); });
  return menu;
}

bool TilesPage::eventFilter(QObject* watched, QEvent* event) {
  if (view_ != nullptr && watched == view_->viewport() && event->type() == QEvent::Resize) {
    fitColumns();
  }
  if (watched == filter_ && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Escape && !filter_->text().isEmpty()) {
      filter_->clear();
      return true;
    }
    if (key->key() == Qt::Key_Down) {
      view_->setFocus(Qt::ShortcutFocusReason);
      return true;
    }
  }
  return Page::eventFilter(watched, event);
}

}  // namespace hloscope::ui
