#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include "core/data/program_list.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

std::string module_text(const std::string& name, int size, const std::string& metadata = {}) {
  return "HloModule " + name + "\nENTRY main {\n  p = f32[" + std::to_string(size) +
         "] parameter(0)\n  ROOT n = f32[" + std::to_string(size) + "] negate(p)" + metadata +
         "\n}\n";
}

}  // namespace

class TestProgramList : public QObject {
  Q_OBJECT
 private:
  QTemporaryDir folder_;
  std::string path(const std::string& name) const {
    return folder_.filePath(QString::fromStdString(name)).toStdString();
  }
  void write(const std::string& name, const std::string& text) const {
    QFile file(QString::fromStdString(path(name)));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text.data(), static_cast<qint64>(text.size()));
  }

 private slots:
  void families_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("family");
    const auto row = [](const char* name, const char* family) {
      QTest::newRow(name) << QString(name) << QString(family);
    };
    row("resnet50_train", "resnet50");
    row("inception_v3_batch_128_train", "inception_v3");
    row("unet_3d.4x4.bf16", "unet_3d");
    row("bert-base-f32", "bert-base");
    row("128_first", "128_first");
    row("train_128", "train");
    row("ssd", "ssd");
    row("", "");
  }
  void families() {
    QFETCH(QString, name);
    QFETCH(QString, family);
    QCOMPARE(QString::fromStdString(data::family_of(name.toStdString())), family);
  }

  void a_folder_is_searched_to_its_bottom() {
    QDir(folder_.path()).mkpath("inner");
    write("b_train.hlo", module_text("jit_b", 8));
    write("inner/a_train.txt", module_text("jit_a", 16));
    write("again.hlo", module_text("jit_b", 8, ", metadata={op_name=\"x\"}"));
    write("notes.md", "no program");
    const std::vector<std::string> paths{folder_.path().toStdString()};
    const auto list = data::list_programs(paths);
    QVERIFY2(list, list ? "" : list.error().message.c_str());
    // again.hlo comes first by name and is the same program but for metadata.
    QCOMPARE(list->programs.size(), size_t{2});
    QCOMPARE(list->programs[0].source.name, std::string("a_train"));
    QCOMPARE(list->programs[0].source.family, std::string("a"));
    QCOMPARE(list->programs[1].source.name, std::string("again"));
    QCOMPARE(list->programs[1].source.family, std::string("again"));
    QCOMPARE(list->programs[1].source.instruction_count, int64_t{2});
    QVERIFY(!list->programs[1].is_compiled);
    QCOMPARE(list->repeated, std::vector<std::string>{path("b_train.hlo")});
    QCOMPARE(list->unreadable.size(), size_t{1});
    QCOMPARE(list->unreadable[0].file, path("notes.md"));
  }
  void a_named_file_must_be_readable() {
    write("notes.md", "no program");
    const auto list = data::list_programs(std::vector{path("notes.md")});
    QVERIFY(!list);
    QCOMPARE(list.error().file, path("notes.md"));
  }
  void a_folder_without_programs_is_an_error() {
    QDir(folder_.path()).mkpath("empty");
    const auto list = data::list_programs(std::vector{path("empty")});
    QVERIFY(!list);
    QCOMPARE(list.error().code, ErrorCode::kNotFound);
  }
  void a_changed_file_is_noticed() {
    write("c.hlo", module_text("jit_c", 8));
    const auto list = data::list_programs(std::vector{path("c.hlo")});
    QVERIFY(list);
    QVERIFY(data::read_program(list->programs[0].source));
    write("c.hlo", module_text("jit_c", 9));
    const auto again = data::read_program(list->programs[0].source);
    QVERIFY(!again);
    QCOMPARE(again.error().code, ErrorCode::kInvalidInput);
  }
};

HLOSCOPE_TEST(TestProgramList);
#include "test_program_list.moc"
