#include <QDirIterator>
#include <algorithm>

#include "core/graph/async_pairs.h"
#include "core/graph/trip_count.h"
#include "tests/core/graph/graph_fixture.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;

namespace {

QStringList corpus_files() {
  QStringList files;
  for (const char* folder :
       {"hlo", "hlo_proto", "models/before", "models/cpu_after", "models/tpu_lowering", "tpu_v3"}) {
    QDirIterator it(shared_folder() + "/corpus/" + folder, QDir::Files,
                    QDirIterator::Subdirectories);
    while (it.hasNext()) files << it.next();
  }
  files.sort();
  return files;
}

/// Empty, or the first thing that is wrong with the list of kernels.
QString inconsistency(const hlo::Program& program, const graph::KernelList& list) {
  std::vector<bool> seen(list.kernels.size(), false);
  for (hlo::ComputationId computation : program.computations()) {
    if (!list.computations[computation].is_scheduled) continue;
    for (hlo::InstructionId id : program[computation].instructions) {
      const auto opcode = program[id].opcode;
      const auto kernel = list.kernel_of[id];
      const bool expected = !graph::is_free(opcode) && !graph::is_control_flow(opcode);
      if (kernel.valid() != expected) return "kernel_of " + qt(program[id].name);
      if (!expected) continue;
      const bool stands_for_it = list.kernels[kernel].instruction == id;
      if (!stands_for_it && !graph::is_async_end(opcode)) return "owner " + qt(program[id].name);
      if (stands_for_it && seen[kernel.value]) return "two kernels " + qt(program[id].name);
      if (stands_for_it) seen[kernel.value] = true;
      if (list.kernels[kernel].computation != computation) return "place " + qt(program[id].name);
    }
  }
  if (std::find(seen.begin(), seen.end(), false) != seen.end()) return "a kernel of nothing";
  for (uint32_t i = 0; i < list.kernels.size(); ++i) {
    const graph::KernelId id(i);
    for (graph::KernelId operand : list.operands[id]) {
      if (operand >= id) return "edge against the order";
      if (list.kernels[operand].computation != list.kernels[id].computation) return "edge abroad";
    }
    if (list.kernels[list.distinct[list.distinct_of[id]]].hash != list.kernels[id].hash) {
      return "distinct";
    }
  }
  return {};
}

/// Empty, or what is wrong with the first kernel that changes when it is taken out.
QString extraction_fault(const hlo::Program& program, const graph::KernelList& list) {
  for (graph::KernelId id : list.distinct) {
    const graph::Kernel& kernel = list.kernels[id];
    const QString name = qt(program[kernel.instruction].name);
    const auto alone = graph::extract(program, kernel.instruction);
    if (!alone) return name + ": " + qt(alone.error().message);
    const auto found = graph::kernels(**alone);
    if (found.kernels.size() != 1) return name + ": not one kernel";
    if (found.kernels[graph::KernelId(0)].hash != kernel.hash) return name + ": another hash";
    if (found.kernels[graph::KernelId(0)].op_class != kernel.op_class) return name + ": class";
  }
  return {};
}

hlo::ProgramPtr read_model(const QString& name) {
  const auto file =
      hlo::read_file((shared_folder() + "/corpus/models/" + name + ".txt").toStdString());
  if (!file) {
    qCritical("%s", file.error().format().c_str());
    return nullptr;
  }
  return file->modules.at(0).program;
}

/// Sorted trip counts; "<=N" or "?" for unknown ones.
QString trips_of(const hlo::Program& program) {
  std::vector<int64_t> counts;
  std::vector<int64_t> unknown;
  for (const graph::Loop& loop : graph::kernels(program).loops) {
    if (loop.known) {
      counts.push_back(loop.trip_count);
    } else {
      unknown.push_back(loop.at_most);
    }
  }
  std::sort(counts.begin(), counts.end());
  QStringList texts;
  for (int64_t count : counts) texts << QString::number(count);
  for (int64_t limit : unknown) texts << (limit > 0 ? QString("<=%1").arg(limit) : "?");
  return texts.join(' ');
}

}  // namespace

class TestCorpusGraphs : public QObject {
  Q_OBJECT

 private slots:
  void every_program_has_consistent_kernels() {
    HLOSCOPE_NEEDS_SHARED();
    int modules = 0;
    for (const QString& path : corpus_files()) {
      const auto file = hlo::read_file(path.toStdString());
      if (!file) continue;  // What is no program is the readers' business.
      for (const hlo::Module& module : file->modules) {
        ++modules;
        const auto list = graph::kernels(*module.program);
        const QString fault = inconsistency(*module.program, list);
        QVERIFY2(fault.isEmpty(), qPrintable(path + ": " + fault));
        double executions = 0;
        for (const auto& kernel : list.kernels) executions += kernel.executions;
        const std::vector<double> ones(list.kernels.size(), 1.0);
        const double total = graph::total(*module.program, list, ones, graph::BranchRule::kMean);
        QVERIFY2(std::abs(total - executions) <= 1e-9 * executions, qPrintable(path));
      }
    }
    QVERIFY(modules > 250);
  }

  void every_distinct_kernel_can_be_taken_out() {
    HLOSCOPE_NEEDS_SHARED();
    for (const QString& path : corpus_files()) {
      const auto file = hlo::read_file(path.toStdString());
      if (!file) continue;
      for (const hlo::Module& module : file->modules) {
        const auto list = graph::kernels(*module.program);
        const QString fault = extraction_fault(*module.program, list);
        QVERIFY2(fault.isEmpty(), qPrintable(path + ": " + fault));
      }
    }
  }

  /// XLA wrote the trip counts of these files: deriving them again is a check of ours.
  void derived_trip_counts_are_the_compilers() {
    HLOSCOPE_NEEDS_SHARED();
    int compared = 0;
    for (const QString& path : corpus_files()) {
      if (!path.contains("cpu_after")) continue;
      const auto file = hlo::read_file(path.toStdString());
      QVERIFY2(file.has_value(), qPrintable(path));
      const hlo::Program& program = *file->modules.at(0).program;
      for (const graph::Loop& loop : graph::kernels(program).loops) {
        const auto known =
            graph::known_trip_count(program.text(loop.instruction, hlo::AttrKey::kBackendConfig));
        if (!known) continue;
        const auto derived = graph::derived_trip_count(program, loop.instruction);
        const QString where = path + ": " + qt(program[loop.instruction].name);
        QVERIFY2(derived.has_value(), qPrintable(where));
        QCOMPARE(*derived, *known);
        ++compared;
      }
    }
    QVERIFY(compared > 60);
  }

  /// Before optimisation the constants of the JAX programs stand in the conditions; after it XLA
  /// has cloned, dropped or inlined some loops. "?" are loops that data ends.
  void trip_counts_of_the_models_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::newRow("wavernn_sample") << "wavernn_sample"
                                    << "5 5 4096"
                                    << "5 5 5 4096";
    QTest::newRow("gpt2_scan_remat_train") << "gpt2_scan_remat_train"
                                           << "12 12"
                                           << "12 12";
    QTest::newRow("gpt24_generate") << "gpt24_generate"
                                    << "5 5 <=192"
                                    << "5 5 <=192";
    QTest::newRow("control_flow") << "control_flow"
                                  << "32 32 ?"
                                  << "32 32 ?";
    QTest::newRow("shard_map_collectives") << "shard_map_collectives"
                                           << "4"
                                           << "4";
    QTest::newRow("ssd_detector") << "ssd_detector"
                                  << "?"
                                  << "?";
    QTest::newRow("bert_base_train") << "bert_base_train"
                                     << "5 5 5" << QString();
  }
  void trip_counts_of_the_models() {
    HLOSCOPE_NEEDS_SHARED();
    QFETCH(QString, model);
    QFETCH(QString, before);
    QFETCH(QString, after);
    const auto first = read_model("before/" + model + ".before_optimizations");
    const auto last = read_model("cpu_after/" + model + ".cpu_after_optimizations");
    QVERIFY(first && last);
    QCOMPARE(trips_of(*first), before);
    if (!after.isEmpty()) QCOMPARE(trips_of(*last), after);
  }

  void text_and_proto_give_the_same_kernels_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("control_flow") << "cpu_after/control_flow.cpu_after_optimizations";
    QTest::newRow("ssd_detector") << "cpu_after/ssd_detector.cpu_after_optimizations";
    QTest::newRow("resnet50_train") << "before/resnet50_train.before_optimizations";
    QTest::newRow("shard_map") << "before/shard_map_collectives.before_optimizations";
  }
  void text_and_proto_give_the_same_kernels() {
    HLOSCOPE_NEEDS_SHARED();
    QFETCH(QString, name);
    const auto text = read_model(name);
    const auto proto =
        hlo::read_file((shared_folder() + "/corpus/models/" + name + ".hlo.pb").toStdString());
    QVERIFY(text && proto);
    const auto a = graph::kernels(*text);
    const auto b = graph::kernels(*proto->modules.at(0).program);
    QCOMPARE(a.kernels.size(), b.kernels.size());
    QCOMPARE(a.distinct.size(), b.distinct.size());
    const auto sorted_hashes = [](const graph::KernelList& list) {
      std::vector<Hash128> hashes;
      for (const auto& kernel : list.kernels) hashes.push_back(kernel.hash);
      std::sort(hashes.begin(), hashes.end());
      return hashes;
    };
    QVERIFY(sorted_hashes(a) == sorted_hashes(b));
  }
};

HLOSCOPE_TEST(TestCorpusGraphs);

#include "test_corpus_graphs.moc"
