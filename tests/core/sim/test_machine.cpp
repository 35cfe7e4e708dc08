#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>

#include "core/sim/machine.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

std::string file_of(const std::string& id) {
  QFile file(QStringLiteral(HLOSCOPE_SOURCE_DIR "/resources/machines/%1.json")
                 .arg(QString::fromStdString(id)));
  if (!file.open(QIODevice::ReadOnly)) return {};
  return file.readAll().toStdString();
}

std::string with(std::string text, const std::string& old_part, const std::string& new_part) {
  const size_t at = text.find(old_part);
  if (at == std::string::npos) qFatal("no \"%s\"", old_part.c_str());
  return text.replace(at, old_part.size(), new_part);
}

}  // namespace

class TestMachine : public QObject {
  Q_OBJECT
 private slots:
  void six_generations_in_order() {
    std::vector<std::string> ids;
    for (const sim::Machine& machine : sim::builtin_machines()) ids.push_back(machine.id);
    const std::vector<std::string> expected = {"tpu_v2",  "tpu_v3",  "tpu_v4",
                                               "tpu_v5e", "tpu_v5p", "tpu_v6e"};
    QCOMPARE(ids, expected);
  }
  void every_constant_has_a_unit_and_a_source() {
    for (const sim::Machine& machine : sim::builtin_machines()) {
      for (const auto& [name, constant] : machine.constants) {
        QVERIFY2(!constant.unit.empty() && constant.source.size() > 5, name.c_str());
        // "assumed" alone is no reason.
        if (constant.is_assumed()) QVERIFY2(constant.source.size() > 10, name.c_str());
      }
    }
  }
  void generations_have_the_same_constants() {
    const auto& first = sim::builtin_machines().front().constants;
    for (const sim::Machine& machine : sim::builtin_machines()) {
      QCOMPARE(machine.constants.size(), first.size());
      for (const auto& [name, constant] : first) {
        QVERIFY(machine.constants.contains(name));
        QCOMPARE(machine.constants.at(name).unit, constant.unit);
      }
    }
  }
  // Peak = units x rows x columns x 2 x rows per cycle x clock: 22.9, 61.6, 137.6, 196.6, 229.4 and
  // 917.5 TFLOPS per core.
  void peak_follows_from_the_matrix_units() {
    for (const sim::Machine& m : sim::builtin_machines()) {
      const double peak = m["mxu_count"] * m["mxu_rows"] * m["mxu_columns"] * 2 *
                          m["mxu_rows_per_cycle"] * m["clock_ghz"] * 1e9;
      QVERIFY2(std::abs(peak / m["peak_bf16_flops_per_s"] - 1) < 2e-3, m.id.c_str());
    }
  }
  void hash_is_that_of_the_file() {
    const auto machine = sim::find_machine("tpu_v3");
    QVERIFY(machine.has_value());
    QCOMPARE(machine->hash, hash128(file_of("tpu_v3")));
    QCOMPARE((*machine)["clock_ghz"], 0.94);
    QCOMPARE(machine->constants.at("clock_ghz").unit, std::string("GHz"));
  }
  void a_path_gives_the_machine_of_a_user() {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine.json"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    const std::string text = with(with(file_of("tpu_v3"), "\"tpu_v3\"", "\"mine\""), "0.94", "1.5");
    file.write(QByteArray::fromStdString(text));
    file.close();
    const auto machine = sim::find_machine(path.toStdString());
    QVERIFY2(machine.has_value(), machine ? "" : machine.error().format().c_str());
    QCOMPARE(machine->id, std::string("mine"));
    QCOMPARE((*machine)["clock_ghz"], 1.5);
    QVERIFY(machine->hash != sim::find_machine("tpu_v3")->hash);
  }
  void broken_json_tells_where() {
    const std::string text = with(file_of("tpu_v3"), "\"title\": ", "\"title\" ");
    const auto machine = sim::parse_machine(text, "mine.json");
    QVERIFY(!machine.has_value());
    QCOMPARE(machine.error().line, 3);
    QVERIFY(machine.error().column > 10);
  }
  // 940 MHz would be taken for 940 GHz.
  void units_are_those_of_the_shipped_files() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine.json"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(with(file_of("tpu_v3"), "\"GHz\"", "\"MHz\"")));
    file.close();
    const auto machine = sim::find_machine(path.toStdString());
    QVERIFY(!machine.has_value());
    QVERIFY(machine.error().message.find("clock_ghz") != std::string::npos);
    QVERIFY(machine.error().message.find("MHz") != std::string::npos);
  }
  // Times would not be finite.
  void constants_of_no_machine() {
    for (const char* value : {"1e300", "1e-300", "-1"}) {
      const auto machine = sim::parse_machine(with(file_of("tpu_v3"), "0.94", value), "mine.json");
      QVERIFY2(!machine.has_value(), value);
      QVERIFY(machine.error().message.find("clock_ghz") != std::string::npos);
    }
  }
  void an_unknown_name_lists_the_known_ones() {
    const auto machine = sim::find_machine("tpu_v99");
    QVERIFY(!machine.has_value());
    QCOMPARE(machine.error().code, ErrorCode::kNotFound);
    QVERIFY(machine.error().message.find("tpu_v99") != std::string::npos);
    QVERIFY(machine.error().hint.find("tpu_v5p") != std::string::npos);
  }
  void errors_name_the_key_data() {
    QTest::addColumn<QString>("old_part");
    QTest::addColumn<QString>("new_part");
    QTest::addColumn<QString>("named");
    const auto row = [](const char* name, const char* o, const char* n, const char* key) {
      QTest::newRow(name) << QString(o) << QString(n) << QString(key);
    };
    row("no id", "\"id\"", "\"identity\"", "\"id\"");
    row("no title", "\"title\"", "\"name\"", "\"title\"");
    row("no constants", "\"constants\"", "\"values\"", "\"constants\"");
    row("missing constant", "\"clock_ghz\"", "\"clock\"", "\"clock_ghz\"");
    row("no value", "\"value\": 0.94", "\"val\": 0.94", "\"clock_ghz\"");
    row("text for a number", "\"value\": 0.94", "\"value\": \"0.94\"", "\"clock_ghz\"");
    row("zero", "\"value\": 0.94", "\"value\": 0", "\"clock_ghz\"");
    row("negative", "\"value\": 0.94", "\"value\": -1", "\"clock_ghz\"");
    row("no unit", "\"unit\": \"GHz\"", "\"units\": \"GHz\"", "\"clock_ghz\"");
    row("not JSON", "{", "[", "JSON");
  }
  void errors_name_the_key() {
    QFETCH(QString, old_part);
    QFETCH(QString, new_part);
    QFETCH(QString, named);
    const auto machine = sim::parse_machine(
        with(file_of("tpu_v3"), old_part.toStdString(), new_part.toStdString()), "a.json");
    QVERIFY(!machine.has_value());
    QCOMPARE(machine.error().code, ErrorCode::kInvalidInput);
    QCOMPARE(machine.error().file, std::string("a.json"));
    QVERIFY2(machine.error().message.find(named.toStdString()) != std::string::npos,
             machine.error().message.c_str());
  }
};

HLOSCOPE_TEST(TestMachine);
#include "test_machine.moc"
