#include "ui/pages/data/models_panel.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

#include "ui/models/plain_columns.h"
#include "ui/models/plain_table_view.h"
#include "ui/pages/data/control_row.h"
#include "ui/theme/format.h"
#include "ui/theme/icons.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {
namespace {

using predict::ModelCard;

QString taskText(const std::string& task) {
  if (task == "fusion") return ModelsPanel::tr("times of kernels");
  if (task == "tile") return ModelsPanel::tr("rank tiles");
  return ModelsPanel::tr("rank layouts");
}

/// What a card says, line by line.
std::vector<std::pair<std::string, std::string>> linesOf(const ModelCard& card) {
  const auto text = [](const QString& text) { return text.toStdString(); };
  const auto yes = [&text](bool on) {
    return text(on ? ModelsPanel::tr("yes") : ModelsPanel::tr("no"));
  };
  std::vector<std::pair<std::string, std::string>> lines = {
      {text(ModelsPanel::tr("Model")), card.name},
      {text(ModelsPanel::tr("Where")),
       text(card.is_builtin ? ModelsPanel::tr("built in") : ModelsPanel::tr("a file"))},
      {text(ModelsPanel::tr("Task")), text(taskText(card.task))},
      {text(ModelsPanel::tr("Models that predict together")), std::to_string(card.members)},
      {text(ModelsPanel::tr("Learned from")), card.trained_on},
      {text(ModelsPanel::tr("Data set")), card.data_set},
      {text(ModelsPanel::tr("Split")), card.split},
      {text(ModelsPanel::tr("On the validation part")), card.validation},
      {text(ModelsPanel::tr("Parameters of one")),
       text(formatCount(static_cast<int64_t>(card.parameters)))},
      {text(ModelsPanel::tr("Spread of predictions was fitted")), yes(card.is_calibrated)},
      {text(ModelsPanel::tr("Tells kernels unlike those it learned from")), yes(card.knows_far)}};
  lines.insert(lines.end(), card.properties.begin(), card.properties.end());
  return lines;
}

PlainTable cardTable(const ModelCard& card) {
  using Line = std::pair<std::string, std::string>;
  const auto rows = std::make_shared<const std::vector<Line>>(linesOf(card));
  PlainTable table;
  table.rows = rows->size();
  table.columns = {
      textColumn(ModelsPanel::tr("Property"), rows, [](const Line& line) { return line.first; }),
      textColumn(ModelsPanel::tr("Value"), rows, [](const Line& line) { return line.second; })};
  table.columns[1].look = [rows](size_t row, int role) {
    return role == Qt::ToolTipRole ? QVariant(QString::fromStdString((*rows)[row].second))
                                   : QVariant();
  };
  fillSearch(table);
  return table;
}

}  // namespace

QString modelName(const ModelCard& card) {
  const QString name = QString::fromStdString(card.name);
  return card.is_builtin ? name : QFileInfo(name).fileName();
}

ModelsPanel::ModelsPanel(TaskRunner& tasks, QWidget* parent) : QWidget(parent), tasks_(tasks) {
  list_ = new PlainTableView(tr("Models"));
  list_->setColumnWidths({150, 64, 110, 190, 110, 84});
  list_->setSelectionMode(QAbstractItemView::SingleSelection);
  list_->setEmptyText(tr("This program was built without models. Train one, or open a file."));
  card_ = new PlainTableView(tr("Model card"));
  card_->setColumnWidths({150});
  card_->setEmptyText(tr("Choose a model to see its card."));
  use_ = new QPushButton(icon(Icon::kCheck), tr("Use this model"));
  auto* open = new QPushButton(icon(Icon::kOpen), tr("Open model file…"));
  note_ = mutedLabel(QString());
  note_->setWordWrap(true);
  auto* splitter = new QSplitter(Qt::Horizontal);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(list_);
  splitter->addWidget(card_);
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 2);
  auto* row = controlRow();
  row->addWidget(use_);
  row->addWidget(open);
  row->addWidget(note_, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(splitter, 1);
  layout->addLayout(row);
  connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          &ModelsPanel::showCard);
  connect(list_, &QTableView::activated, this, &ModelsPanel::use);
  connect(use_, &QPushButton::clicked, this, &ModelsPanel::use);
  connect(open, &QPushButton::clicked, this, &ModelsPanel::openDialog);
  showList();
}

void ModelsPanel::readBuiltin() {
  if (std::exchange(builtin_read_, true)) return;
  using Cards = Result<std::vector<ModelCard>>;
  tasks_.run<Cards>(
      {.label = tr("Reading models"), .key = QStringLiteral("data.models")},
      [](const Progress&) { return predict::builtin_cards(); }, this,
      [this](Cards cards) {
        if (!cards) {
          emit failed(cards.error());
          return;
        }
        for (ModelCard& card : *cards) put(std::move(card));
        if (list_->currentRow() < 0) list_->selectTableRow(0);
      });
}

void ModelsPanel::addFiles(const QStringList& paths) {
  for (const QString& path : paths) {
    tasks_.run<Result<ModelCard>>(
        {.label = tr("Reading %1").arg(QFileInfo(path).fileName()), .key = "data.model:" + path},
        [path](const Progress&) { return predict::card_of_file(path.toStdString()); }, this,
        [this](Result<ModelCard> card) {
          if (!card) {
            emit failed(card.error());
            return;
          }
          put(std::move(*card));
        });
  }
}

QStringList ModelsPanel::files() const {
  QStringList out;
  for (const ModelCard& card : *cards_) {
    if (!card.is_builtin) out << QString::fromStdString(card.name);
  }
  return out;
}

void ModelsPanel::put(ModelCard card) {
  auto cards = std::make_shared<std::vector<ModelCard>>(*cards_);
  const bool is_builtin = card.is_builtin;
  std::erase_if(*cards, [&card](const ModelCard& old) { return old.name == card.name; });
  cards->push_back(std::move(card));
  cards_ = std::move(cards);
  showList();
  // The newest file is what the user asked for.
  if (!is_builtin) list_->selectTableRow(static_cast<int>(cards_->size()) - 1);
  showCard();
  emit cardsChanged();
}

void ModelsPanel::showList() {
  const auto text = [this](const QString& title, std::string ModelCard::*of) {
    return textColumn(title, cards_, [of](const ModelCard& card) { return card.*of; });
  };
  PlainTable table;
  table.rows = cards_->size();
  table.columns = {
      textColumn(tr("Model"), cards_,
                 [](const ModelCard& card) { return modelName(card).toStdString(); }),
      numberColumn(
          tr("Models"), cards_, [](const ModelCard& card) { return card.members; },
          [](size_t count) { return QString::number(count); }),
      textColumn(tr("Task"), cards_,
                 [](const ModelCard& card) { return taskText(card.task).toStdString(); }),
      text(tr("Learned from"), &ModelCard::trained_on),
      text(tr("Data set"), &ModelCard::data_set),
      numberColumn(
          tr("Parameters"), cards_, [](const ModelCard& card) { return card.parameters; },
          [](size_t count) { return formatCount(static_cast<int64_t>(count)); }),
      text(tr("Validation part"), &ModelCard::validation)};
  table.columns.front().look = [cards = cards_, used = used_](size_t row, int role) -> QVariant {
    const ModelCard& card = (*cards)[row];
    const bool in_use = QString::fromStdString(card.name) == used;
    if (role == Qt::DecorationRole) {
      return in_use ? icon(Icon::kCheck, Role::kGood) : icon(Icon::kCompare);
    }
    if (role == Qt::ToolTipRole) {
      return QString::fromStdString(card.name) + (in_use ? tr(" (in use)") : QString());
    }
    return {};
  };
  fillSearch(table);
  list_->setTable(std::move(table));
}

const ModelCard* ModelsPanel::chosen() const {
  const int row = list_->currentRow();
  return row < 0 || row >= static_cast<int>(cards_->size()) ? nullptr
                                                            : &(*cards_)[static_cast<size_t>(row)];
}

void ModelsPanel::showCard() {
  const ModelCard* card = chosen();
  card_->setTable(card == nullptr ? PlainTable() : cardTable(*card));
  use_->setEnabled(card != nullptr && card->predicts_times());
  QString note;
  if (card != nullptr && !card->predicts_times()) {
    note =
        tr("It ranks, and gives no times: the window predicts with models of the times of "
           "kernels.");
  } else if (card != nullptr) {
    note = QString::fromStdString(card->name) == used_
               ? tr("In use: what is opened from now on is predicted with it.")
               : tr("Use it to predict the times of what is opened from now on.");
  }
  note_->setText(note);
}

void ModelsPanel::use() {
  const ModelCard* card = chosen();
  if (card == nullptr || !card->predicts_times()) return;
  used_ = QString::fromStdString(card->name);
  emit useRequested(used_);
  showList();
  showCard();
}

void ModelsPanel::openDialog() {
  addFiles(QFileDialog::getOpenFileNames(this, tr("Open models"), QString(),
                                         tr("Models (*.safetensors);;All files (*)")));
}

}  // namespace hloscope::ui
