#include <cstring>
#include <set>

#include "core/data/export_tpugraph.h"
#include "core/data/layout_content.h"
#include "core/data/layout_tuning.h"
#include "core/features/configuration.h"
#include "core/features/graph.h"
#include "core/graph/kernels.h"
#include "core/hlo/read.h"
#include "tests/core/data/import_fixtures.h"
#include "tests/core/data/wire_instruction.h"
#include "tests/core/hlo/wire_writer.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;
using data::Task;

namespace {

using Ints = std::vector<int64_t>;

// Field numbers: xla/service/hlo.proto and tpu_graphs/proto/tuning.proto.
/// p -> r, and with `kernels` = 2 a negate between them.
Wire module(const char* name, int kernels) {
  Wire computation;
  computation.text(1, "main").message(2, instruction("p", "parameter", 7, {}));
  if (kernels == 2) computation.message(2, instruction("n", "negate", 8, {7}));
  computation.message(2, instruction("r", "exponential", 9, {kernels == 2 ? 8 : 7}))
      .number(5, 1)
      .number(6, 9);
  return Wire().text(1, name).text(2, "main").message(3, computation).number(6, 1);
}

Wire run(const Wire& configuration, uint32_t field, int64_t time_ns) {
  return Wire().message(field, configuration).message(4, Wire().number(4, time_ns));
}
Wire tile_run(const Ints& output, int64_t time_ns) {
  const Wire tile = output.empty() ? Wire() : Wire().packed(2, output);
  return run(Wire().message(1, tile), 1, time_ns);
}
/// Output and input order of one node.
Wire layout_run(const Ints& output, int64_t time_ns) {
  const Wire node = Wire().message(1, Wire().packed(1, output)).message(1, Wire().packed(1, {0}));
  return run(Wire().message(1, Wire().message(1, node)), 2, time_ns);
}

Wire tuning(const Wire& module, const std::vector<Wire>& runs, const Ints& nodes = {}) {
  Wire out;
  out.message(1, module).number(2, 77);
  for (const Wire& one : runs) out.message(3, one);
  return nodes.empty() ? out : out.packed(4, nodes);
}

Imported import_tuning(const std::string& path) {
  return imported([&](const data::ImportSink& sink, data::ImportReport& report) {
    return data::import_tuning(path, {}, sink, report);
  });
}

std::string bits(std::span<const float> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

}  // namespace

class TestImportTuning : public QObject {
  Q_OBJECT
 private:
  FileFolder folder_;

 private slots:
  void tile_runs() {
    std::vector<Wire> runs = {tile_run({2}, 500), tile_run({3}, 400), tile_run({2}, 450),
                              tile_run({1}, 1),   tile_run({4}, 900), tile_run({}, 390)};
    runs[1].number(5, 1);  // the default
    runs[4].number(3, 1);  // failed
    const std::string path = folder_.write(
        "model_batch_4.pb", Wire()
                                .message(1, tuning(module("a", 1), runs))
                                .message(1, tuning(module("b", 2), {tile_run({2}, 500)}))
                                .message(1, tuning(module("c", 1), {tile_run({}, 500)}))
                                .bytes());
    const Imported out = import_tuning(path);
    QVERIFY2(out.status.has_value(), out.message().c_str());
    QCOMPARE(out.graphs.size(), size_t{1});
    const data::ImportedGraph& one = out.graphs.front();
    QVERIFY(one.task == Task::kTile);
    QVERIFY(one.graph.form == data::GraphForm::kHlo);
    QCOMPARE(one.program.name, std::string("model_batch_4"));
    QCOMPARE(one.program.family, std::string("model"));
    QCOMPARE(one.program.instruction_count, int64_t{2 + 3 + 2});
    const auto kernel = hlo::parse_program(one.graph.content);
    QVERIFY(kernel.has_value());
    QVERIFY(graph::canonical_hash(**kernel, (**kernel)[(*kernel)->entry()].root) == one.graph.hash);
    QCOMPARE(one.samples.size(), size_t{2});
    // Kernel, output and input bounds.
    QVERIFY((one.samples[0].configuration == data::Configuration{{}, {2}, {}}));
    QCOMPARE(one.samples[0].time_ns, 450.0);
    QCOMPARE(*one.samples[0].normalizer_ns, 400.0);
    QVERIFY(!one.samples[0].is_default);
    QVERIFY(one.samples[1].is_default);
    QCOMPARE(out.report.duplicates, int64_t{1});
    QCOMPARE(out.report.failed, int64_t{1});
    QCOMPARE(out.report.too_short, int64_t{1});
    QCOMPARE(out.report.without_choice, int64_t{2});
    QCOMPARE(out.report.graphs_left_out, int64_t{2});
    QCOMPARE(out.report.warnings.size(), size_t{2});
    QCOMPARE(out.report.warnings[0].message,
             std::string("module 2 (b) has 2 kernels, so its tile runs are of none: left out"));
  }
  void layout_runs() {
    std::vector<Wire> runs = {layout_run({0}, 500), layout_run({}, 400), layout_run({0}, 600)};
    runs[1].number(5, 1);
    const std::string path =
        folder_.write("net.layout.pb", tuning(module("a", 2), runs, {1}).bytes());
    const Imported out = import_tuning(path);
    QVERIFY2(out.status.has_value(), out.message().c_str());
    QCOMPARE(out.graphs.size(), size_t{1});
    const data::ImportedGraph& one = out.graphs.front();
    QVERIFY(one.task == Task::kLayout);
    QCOMPARE(one.program.name, std::string("net"));
    QCOMPARE(one.graph.label, std::string("a"));
    QCOMPARE(one.graph.node_count, int64_t{3});
    const auto content = data::read_layout_content(one.graph.content);
    QVERIFY(content.has_value());
    QVERIFY((*content->program)[content->configurable.front()].name == "n");
    QCOMPARE(one.samples.size(), size_t{2});
    // Output, input and kernel order of the one node.
    QVERIFY((one.samples[0].configuration == data::Configuration{{0}, {0}, {}}));
    QCOMPARE(one.samples[0].time_ns, 500.0);
    QCOMPARE(*one.samples[0].normalizer_ns, 400.0);
    QVERIFY((one.samples[1].configuration == data::Configuration{{}, {0}, {}}));
    QVERIFY(one.samples[1].is_default);
  }
  void errors() {
    const std::string text = folder_.write("m.hlo",
                                           "HloModule m\nENTRY e {\n ROOT p = f32[] "
                                           "parameter(0)\n}\n");
    QCOMPARE(import_tuning(text).message(), text + ": holds programs without measured runs");
    const std::string both = folder_.write(
        "both.pb", tuning(module("a", 2), {layout_run({0}, 5), tile_run({2}, 6)}, {1}).bytes());
    QCOMPARE(import_tuning(both).message(), both + ": has 1 tile runs and 1 layout runs");
    QVERIFY(import_tuning(folder_.path("absent")).status.error().code == ErrorCode::kNotFound);
  }
  // The counts of runs and times are those of the file, as a reader of the wire format in Python
  // finds them.
  void tile_runs_of_a_tpu_v3() {
    const Imported out = import_tuning(HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb");
    QVERIFY2(out.status.has_value(), out.message().c_str());
    QCOMPARE(out.graphs.size(), size_t{7});
    Ints counts;
    for (const data::ImportedGraph& one : out.graphs) {
      counts.push_back(static_cast<int64_t>(one.samples.size()));
      QVERIFY(one.program.hash == out.graphs.front().program.hash);
    }
    QVERIFY((counts == Ints{60, 579, 16, 16, 10, 5, 2}));
    QCOMPARE(out.report.duplicates, int64_t{1});
    QCOMPARE(out.report.failed, int64_t{2});
    QCOMPARE(*out.graphs[1].samples[0].normalizer_ns, 151565.0);
  }
  // What is stored of a kernel gives the features of the kernel in the file.
  void kernels_keep_their_features() {
    const std::string path = HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb";
    const auto file = hlo::read_file(path);
    QVERIFY(file.has_value());
    const Imported out = import_tuning(path);
    for (size_t i = 0; i < out.graphs.size(); ++i) {
      const hlo::Program& program = *file->modules[i].program;
      const auto kernels = graph::kernels(program);
      const auto expected =
          features::kernel_graph(program, kernels.kernels[graph::KernelId(0U)].instruction);
      QVERIFY(expected.has_value());
      const auto ours = data::tpugraph_of(out.graphs[i].graph, Task::kTile, out.graphs[i].samples);
      QVERIFY2(ours.has_value(), ours ? "" : ours.error().format().c_str());
      constexpr features::Group kGroups[] = {features::Group::kNode};
      QVERIFY(ours->node_features == features::node_features(*expected, kGroups).values);
      QVERIFY(ours->opcodes == features::opcodes(*expected));
    }
  }
  // The tuning file of unet_3d, imported and written as TpuGraphs' file, beside the published one.
  void the_published_file_comes_out() {
    HLOSCOPE_NEEDS_SHARED();
    const std::string folder = shared_folder().toStdString() + "/corpus/";
    const std::string proto = folder + "tpu_v3/unet_3d_layout_tuning.pb";
    const Imported out = import_tuning(proto);
    QVERIFY2(out.status.has_value(), out.message().c_str());
    const data::ImportedGraph& one = out.graphs.front();
    const auto graph = data::tpugraph_of(one.graph, one.task, one.samples);
    QVERIFY2(graph.has_value(), graph ? "" : graph.error().format().c_str());
    QVERIFY(data::write_tpugraph(folder_.path("unet.npz"), *graph).has_value());
    const std::string published =
        folder + "tpugraphs_npz/layout_xla_default_valid_unet_3d.4x4.bf16.npz";
    const auto ours = data::NpzFile::open(folder_.path("unet.npz"));
    const auto theirs = data::NpzFile::open(published);
    QVERIFY(ours.has_value() && theirs.has_value());
    QVERIFY(ours->names() == theirs->names());
    for (const char* name :
         {"node_feat", "node_opcode", "edge_index", "node_config_ids", "node_splits"}) {
      const auto a = ours->array(name);
      const auto b = theirs->array(name);
      QVERIFY2(a->type == b->type && a->shape == b->shape && a->bytes == b->bytes, name);
    }
  }
  // The rows of configurations of the same file, beside what its runs say.
  void every_timed_layout_has_its_row() {
    HLOSCOPE_NEEDS_SHARED();
    const std::string proto =
        shared_folder().toStdString() + "/corpus/tpu_v3/unet_3d_layout_tuning.pb";
    const Imported out = import_tuning(proto);
    QVERIFY2(out.status.has_value(), out.message().c_str());
    const data::ImportedGraph& one = out.graphs.front();
    const auto graph = data::tpugraph_of(one.graph, one.task, one.samples);
    QVERIFY2(graph.has_value(), graph ? "" : graph.error().format().c_str());
    std::set<std::string> rows;
    constexpr size_t kRow = 62 * data::kTpuLayoutFeatures;
    for (size_t i = 0; i < graph->configurations(); ++i) {
      rows.insert(bits(std::span(graph->configuration_features).subspan(i * kRow, kRow)));
    }
    // 112 timed runs, 91 different.
    QCOMPARE(rows.size(), size_t{91});
    const auto tunings = data::read_layout_tunings(proto);
    size_t timed = 0;
    for (const data::LayoutRun& run : tunings->front().runs) {
      if (run.failed) continue;
      std::vector<float> row;
      for (const auto& orders : run.layouts) {
        features::append_configuration_features(features::Group::kLayout,
                                                {orders.begin(), orders.end()}, row);
      }
      QVERIFY(rows.contains(bits(row)));
      ++timed;
    }
    QCOMPARE(timed, size_t{112});
  }
};

HLOSCOPE_TEST(TestImportTuning);
#include "test_import_tuning.moc"
