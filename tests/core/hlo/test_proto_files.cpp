#include <QFile>
#include <set>

#include "core/hlo/proto_read.h"
#include "tests/core/hlo/compare_programs.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::hlo;

namespace {

std::string slurp(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return {};
  return file.readAll().toStdString();
}

Result<File> read_shared(const char* path) {
  return read_proto(slurp(hloscope::testing::shared_folder() + path));
}

QString numbers(const std::vector<int64_t>& values) {
  QStringList out;
  for (const int64_t value : values) out << QString::number(value);
  return out.join('x');
}

}  // namespace

class TestProtoFiles : public QObject {
  Q_OBJECT
 private slots:
  void tile_runs_are_those_of_the_measured_table();
  void layout_runs_differ_by_configuration();
  void corpus_protos_equal_the_text_beside_them_data();
  void corpus_protos_equal_the_text_beside_them();
};

// measured/tpu_v3_tiles.csv was made from the same file by other code; it leaves out failed runs.
void TestProtoFiles::tile_runs_are_those_of_the_measured_table() {
  HLOSCOPE_NEEDS_SHARED();
  const auto file = read_shared("/corpus/tpu_v3/tile_tuning_dev.pb");
  QVERIFY(file.has_value());
  QVERIFY(file->kind == FileKind::kTuningData);
  QStringList rows;
  for (const Module& m : file->modules) {
    const Program& program = *m.program;
    const Instruction& root = program[program[program.entry()].root];
    for (const MeasuredRun& run : m.runs) {
      if (run.failed) continue;
      rows << QStringList{QString::fromStdString(std::string(program.name())),
                          QString::fromStdString(std::string(name(root.opcode))),
                          QString::number(run.run_index),
                          numbers(run.kernel_bounds),
                          numbers(run.output_bounds),
                          numbers(run.input_bounds),
                          numbers(run.iteration_bounds),
                          QString::number(run.time_ns),
                          run.is_default ? "1" : "0"}
                  .join(',');
    }
  }
  QStringList expected;
  const std::string csv = slurp(hloscope::testing::shared_folder() + "/measured/tpu_v3_tiles.csv");
  for (const QString& line : QString::fromStdString(csv).split('\n', Qt::SkipEmptyParts).mid(1)) {
    // The shape in column 4 has commas: columns are counted from both ends.
    const QStringList c = line.split(',');
    expected << QStringList{c[1],
                            c[2],
                            c[c.size() - 7],
                            c[c.size() - 6],
                            c[c.size() - 5],
                            c[c.size() - 4],
                            c[c.size() - 3],
                            c[c.size() - 2],
                            c.last().trimmed()}
                    .join(',');
  }
  QCOMPARE(expected.size(), 691);
  QCOMPARE(rows, expected);
}

void TestProtoFiles::layout_runs_differ_by_configuration() {
  HLOSCOPE_NEEDS_SHARED();
  const auto file = read_shared("/corpus/tpu_v3/unet_3d_layout_tuning.pb");
  QVERIFY(file.has_value());
  QVERIFY(file->kind == FileKind::kModuleTuningData);
  QCOMPARE(file->modules.size(), size_t{1});
  const Module& m = file->modules.front();
  QCOMPARE(m.program->instruction_count(), size_t{3163});
  QCOMPARE(m.runs.size(), size_t{122});
  std::set<uint64_t> hashes;
  for (const MeasuredRun& run : m.runs) {
    QVERIFY(run.layout_hash != 0);
    QVERIFY(run.failed || run.time_ns > 0);
    hashes.insert(run.layout_hash);
  }
  QVERIFY(hashes.size() > 1);
}

void TestProtoFiles::corpus_protos_equal_the_text_beside_them_data() {
  QTest::addColumn<QString>("path");
  for (const char* path :
       {"before/ssd_detector.before_optimizations",
        "before/shard_map_collectives.before_optimizations",
        "before/control_flow.before_optimizations", "before/bert_base_train.before_optimizations",
        "before/resnet50_train.before_optimizations",
        "cpu_after/control_flow.cpu_after_optimizations",
        "cpu_after/ssd_detector.cpu_after_optimizations"}) {
    QTest::newRow(path) << path;
  }
}

void TestProtoFiles::corpus_protos_equal_the_text_beside_them() {
  HLOSCOPE_NEEDS_SHARED();
  QFETCH(QString, path);
  const QString base = hloscope::testing::shared_folder() + "/corpus/models/" + path;
  const auto proto = read_proto(slurp(base + ".hlo.pb"));
  QVERIFY2(proto.has_value(), proto ? "" : proto.error().message.c_str());
  const auto text = parse_program(slurp(base + ".txt"));
  QVERIFY2(text.has_value(), text ? "" : text.error().format().c_str());
  // The compilation settings stand beside the module in other messages, not in it.
  const hloscope::testing::Ignored ignored = {
      {AttrKey::kAllowSpmdShardingPropagationToOutput,
       AttrKey::kAllowSpmdShardingPropagationToParameters, AttrKey::kNumPartitions},
      true};
  QCOMPARE(hloscope::testing::difference(*proto->modules.front().program, **text, ignored),
           std::string());
}

HLOSCOPE_TEST(TestProtoFiles);
#include "test_proto_files.moc"
