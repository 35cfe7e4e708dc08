#include "ui/pages/data/data_set_forms.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <nlohmann/json.hpp>

#include "core/sim/machine.h"
#include "ui/models/empty_note.h"
#include "ui/theme/icons.h"
#include "ui/theme/mnemonics.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {
namespace {

QString words(const char* text) {
  return QDialog::tr(text);
}

/// A form with one button that does it, enabled while `ready` holds.
class Form : public QDialog {
 public:
  Form(const QString& title, const QString& button, const QString& note, QWidget* parent)
      : QDialog(parent), form_(new QFormLayout), button_(button), note_(note) {
    setWindowTitle(title);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form_);
    setMinimumWidth(560);
  }

  template <typename Field>
  Field* add(const QString& name, Field* field) {
    field->setAccessibleName(name);
    form_->addRow(name, field);
    return field;
  }

  QSpinBox* number(const QString& name, int low, int high, int value, const QString& help = {}) {
    auto* box = new QSpinBox;
    box->setRange(low, high);
    box->setValue(value);
    box->setToolTip(help);
    return add(name, box);
  }

  QDoubleSpinBox* fraction(const QString& name, double high, double value, const QString& help) {
    auto* box = new QDoubleSpinBox;
    box->setDecimals(3);
    box->setRange(0, high);
    box->setSingleStep(0.01);
    box->setValue(value);
    box->setToolTip(help);
    return add(name, box);
  }

  /// Files and folders in a list, with buttons to add them.
  QListWidget* files(const QString& name, const QString& filter, bool with_folders) {
    auto* list = new QListWidget;
    list->setAccessibleName(name);
    list->setMinimumHeight(90);
    new EmptyNote(list, [with_folders] {
      return with_folders
                 ? words("Nothing is chosen. Add files, or a folder with all of its files.")
                 : words("Nothing is chosen. Add files.");
    });
    auto* add_files = new QPushButton(icon(Icon::kFile), words("Add files…"));
    auto* remove = new QPushButton(icon(Icon::kMinus), words("Remove"));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(add_files);
    connect(add_files, &QPushButton::clicked, this, [this, list, filter, name] {
      list->addItems(QFileDialog::getOpenFileNames(this, name, QString(), filter));
      check();
    });
    if (with_folders) {
      auto* add_folder = new QPushButton(icon(Icon::kFolder), words("Add folder…"));
      buttons->addWidget(add_folder);
      connect(add_folder, &QPushButton::clicked, this, [this, list, name] {
        const QString folder = QFileDialog::getExistingDirectory(this, name);
        if (!folder.isEmpty()) list->addItem(folder);
        check();
      });
    }
    buttons->addWidget(remove);
    buttons->addStretch(1);
    connect(remove, &QPushButton::clicked, this, [this, list] {
      qDeleteAll(list->selectedItems());
      check();
    });
    auto* box = new QVBoxLayout;
    box->addWidget(list);
    box->addLayout(buttons);
    addRow(name, box, list);
    inputs_ = list;
    return list;
  }

  QLineEdit* output(const QString& name) {
    auto* row = new QHBoxLayout;
    output_ = new QLineEdit;
    output_->setAccessibleName(name);
    auto* browse = new QToolButton;
    browse->setIcon(icon(Icon::kFolder));
    browse->setAccessibleName(words("Choose the file"));
    row->addWidget(output_, 1);
    row->addWidget(browse);
    addRow(name, row, output_);
    connect(output_, &QLineEdit::textChanged, this, [this] { check(); });
    connect(browse, &QToolButton::clicked, this, [this, name] {
      const QString path = QFileDialog::getSaveFileName(this, name, output_->text(),
                                                        words("Data sets (*.hloscope)"));
      if (path.isEmpty()) return;
      output_->setText(path.endsWith(QStringLiteral(".hloscope")) ? path : path + ".hloscope");
    });
    return output_;
  }

  [[nodiscard]] bool ask() {
    addButtons();
    check();
    assignMnemonics(*this);
    return exec() == QDialog::Accepted;
  }

 private:
  /// The letter of the label is for `field`, a part of the row.
  void addRow(const QString& name, QLayout* row, QWidget* field) {
    auto* label = new QLabel(name);
    label->setBuddy(field);
    form_->addRow(label, row);
  }

  /// After the fields, so that Tab comes to them last.
  void addButtons() {
    label_ = mutedLabel(note_);
    label_->setWordWrap(true);
    auto* buttons = new QDialogButtonBox;
    go_ = buttons->addButton(button_, QDialogButtonBox::AcceptRole);
    buttons->addButton(QDialogButtonBox::Cancel);
    layout()->addWidget(label_);
    layout()->addWidget(buttons);
    go_->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  }

  void check() {
    if (go_ == nullptr) return;
    const bool has_inputs = inputs_ == nullptr || inputs_->count() > 0;
    const bool has_output = output_ == nullptr || !output_->text().trimmed().isEmpty();
    go_->setEnabled(has_inputs && has_output);
    const QString lacking = !has_inputs   ? words("Add files first.")
                            : !has_output ? words("Name the file to make.")
                                          : QString();
    go_->setToolTip(lacking);
    label_->setText(lacking.isEmpty() ? note_ : note_ + QChar(u' ') + lacking);
  }

  QFormLayout* form_;
  QString button_;
  QString note_;
  QLabel* label_ = nullptr;
  QPushButton* go_ = nullptr;
  QListWidget* inputs_ = nullptr;
  QLineEdit* output_ = nullptr;
};

QStringList texts(const QListWidget& list) {
  QStringList out;
  for (int i = 0; i < list.count(); ++i) out << list.item(i)->text();
  return out;
}

std::vector<std::string> paths(const QListWidget& list) {
  std::vector<std::string> out;
  for (const QString& text : texts(list)) out.push_back(text.toStdString());
  return out;
}

}  // namespace

std::optional<GenerateAnswer> askGenerate(QWidget* parent) {
  Form form(words("Generate with the simulator"), words("Generate"),
            words("Simulated times of the kernels of programs, under many fusion configurations. "
                  "When it is cancelled, what is done stays beside the file, and the same order "
                  "goes on from there."),
            parent);
  auto* programs =
      form.files(words("Programs"),
                 words("HLO programs (*.hlo *.txt *.pb *.pbtxt *.gz);;All files (*)"), true);
  auto* task = form.add(words("Task"), new QComboBox);
  task->addItem(words("times of kernels"), static_cast<int>(data::Task::kFusion));
  task->addItem(words("rank tiles of kernels"), static_cast<int>(data::Task::kTile));
  auto* machine = form.add(words("Machine"), new QComboBox);
  for (const sim::Machine& one : sim::builtin_machines()) {
    machine->addItem(QString::fromStdString(one.title), QString::fromStdString(one.id));
  }
  machine->setCurrentIndex(machine->findData(QStringLiteral("tpu_v3")));
  auto* configurations =
      form.number(words("Configurations"), 1, 100'000'000, 20,
                  words("Fusion configurations per family of programs: the default fusion and "
                        "random ones"));
  auto* tiles = form.number(words("Tiles"), 1, 1'000'000, 100,
                            words("Of the task to rank tiles: at most so many per kernel"));
  auto* noise = form.fraction(words("Noise"), 1, 0,
                              words("Run-to-run noise of simulated times: 0.02 is 2 %"));
  auto* seed = form.number(words("Seed"), 0, 2'000'000'000, 1);
  auto* output = form.output(words("Data set file"));
  QObject::connect(task, &QComboBox::currentIndexChanged, tiles,
                   [tiles](int index) { tiles->setEnabled(index == 1); });
  tiles->setEnabled(false);
  if (!form.ask()) return std::nullopt;
  GenerateAnswer answer;
  answer.order.paths = paths(*programs);
  answer.order.output = output->text().toStdString();
  answer.order.task = static_cast<data::Task>(task->currentData().toInt());
  answer.order.machine = machine->currentData().toString().toStdString();
  answer.order.configurations = configurations->value();
  answer.order.tiles = tiles->value();
  answer.order.noise = noise->value();
  answer.order.seed = static_cast<uint64_t>(seed->value());
  return answer;
}

std::optional<ImportAnswer> askImport(QWidget* parent) {
  return askImportOf(parent, {});
}

std::optional<ImportAnswer> askImportOf(QWidget* parent, const QStringList& given) {
  Form form(words("Import measured times"), words("Import"),
            words("TpuGraphs (.npz), TuningData (.pb) and tables (.csv) are told apart by their "
                  "content. All must be of one task and one device. Nothing is written when it is "
                  "cancelled."),
            parent);
  auto* files = form.files(words("Files"),
                           words("Measured times (*.npz *.pb *.csv *.json);;All files (*)"), true);
  auto* device = form.add(words("Device"), new QLineEdit);
  device->setPlaceholderText(words("as the file says; TpuGraphs: TPU v3"));
  auto* skip = form.add(words("Bad files"), new QCheckBox(words("leave out what cannot be read")));
  auto* output = form.output(words("Data set file"));
  files->addItems(given);
  if (!given.isEmpty()) {
    const QFileInfo first(given.front());
    output->setText(first.dir().filePath(first.completeBaseName() + ".hloscope"));
  }
  if (!form.ask()) return std::nullopt;
  ImportAnswer answer;
  answer.output = output->text();
  answer.order.name = std::filesystem::path(answer.output.toStdString()).stem().string();
  answer.order.paths = paths(*files);
  answer.order.device = device->text().toStdString();
  answer.order.skip_bad = skip->isChecked();
  const nlohmann::ordered_json settings = {{"made_by", "dataset import"},
                                           {"files", answer.order.paths}};
  answer.order.settings =
      settings.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return answer;
}

std::optional<MergeAnswer> askMerge(QWidget* parent) {
  Form form(
      words("Merge shards"), words("Merge"),
      words("One data set of the shards that were generated apart, in any order: hloscope-cli "
            "dataset generate --shard i/n makes them."),
      parent);
  auto* shards = form.files(words("Shards"), words("Data sets (*.hloscope);;All files (*)"), false);
  auto* output = form.output(words("Data set file"));
  if (!form.ask()) return std::nullopt;
  return MergeAnswer{texts(*shards), output->text()};
}

std::optional<SplitAnswer> askSplit(QWidget* parent) {
  Form form(words("Make a split"), words("Split"),
            words("Programs are divided, and no kernel of a held-out program is learned from. The "
                  "manual method holds those out that are least like the rest. It is written into "
                  "the data set."),
            parent);
  auto* method = form.add(words("Method"), new QComboBox);
  method->addItem(words("random, by program"));
  method->addItem(words("manual, by similarity"));
  auto* name = form.add(words("Name"), new QLineEdit(QStringLiteral("random")));
  auto* valid = form.fraction(words("For validation"), 0.9, 0.1, words("Fraction of programs"));
  auto* test = form.fraction(words("For the test"), 0.9, 0.1, words("Fraction of programs"));
  auto* seed = form.number(words("Seed"), 0, 2'000'000'000, 1);
  auto* families = form.add(words("Families"), new QCheckBox(words("variants stay together")));
  families->setChecked(true);  // Else the many small programs of one file can be all of a part.
  QObject::connect(
      method, &QComboBox::currentIndexChanged, &form, [name, seed, families](int index) {
        name->setText(index == 0 ? QStringLiteral("random") : QStringLiteral("manual"));
        seed->setEnabled(index == 0);
        families->setEnabled(index == 0);
      });
  if (!form.ask()) return std::nullopt;
  SplitAnswer answer;
  answer.order.method = method->currentIndex() == 0 ? db::SplitOrder::Method::kRandom
                                                    : db::SplitOrder::Method::kManual;
  answer.order.name = name->text().toStdString();
  answer.order.options.held_out = {valid->value(), test->value()};
  answer.order.options.seed = static_cast<uint64_t>(seed->value());
  answer.order.options.keep_families = families->isChecked();
  return answer;
}

}  // namespace hloscope::ui
