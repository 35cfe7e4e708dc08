#include <QFontMetrics>
#include <algorithm>

#include "core/hlo/read.h"
#include "tests/support/test_registry.h"
#include "ui/graph/kernel_graph.h"
#include "ui/graph/legend.h"
#include "ui/theme/fonts.h"

using namespace hloscope;
using namespace hloscope::ui;
using layout::NodeId;

namespace {

constexpr const char* kProgram = R"(HloModule m, is_scheduled=true

fused_add {
  p0 = f32[8,128]{1,0} parameter(0)
  p1 = f32[8,128]{1,0} parameter(1)
  two = f32[] constant(2)
  splat = f32[8,128]{1,0} broadcast(two), dimensions={}
  product = f32[8,128]{1,0} multiply(p0, splat)
  ROOT sum = f32[8,128]{1,0} add(product, p1)
}

body {
  state = (s32[], f32[8,128]{1,0}) parameter(0)
  i = s32[] get-tuple-element(state), index=0
  x = f32[8,128]{1,0} get-tuple-element(state), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  twice = f32[8,128]{1,0} fusion(x, x), kind=kLoop, calls=fused_add
  ROOT out = (s32[], f32[8,128]{1,0}) tuple(next, twice)
}

condition {
  state.1 = (s32[], f32[8,128]{1,0}) parameter(0)
  i.1 = s32[] get-tuple-element(state.1), index=0
  limit = s32[] constant(7)
  ROOT less = pred[] compare(i.1, limit), direction=LT
}

ENTRY main {
  a = f32[8,128]{1,0} parameter(0)
  b = f32[8,128]{1,0} parameter(1)
  zero = s32[] constant(0)
  first = f32[8,128]{1,0} fusion(a, b), kind=kLoop, calls=fused_add, metadata={op_name="jit(f)/add" source_file="model.py" source_line=12}
  start = (s32[], f32[8,128]{1,0}) tuple(zero, first)
  loop = (s32[], f32[8,128]{1,0}) while(start), condition=condition, body=body
  result = f32[8,128]{1,0} get-tuple-element(loop), index=1
  ROOT last = f32[8,128]{1,0} fusion(result, a), kind=kLoop, calls=fused_add
}
)";

ReportPtr report() {
  auto program = hlo::parse_program(kProgram);
  if (!program) qFatal("%s", program.error().format().c_str());
  hlo::Module module;
  module.program = *program;
  const auto machine = sim::find_machine("tpu_v3");
  if (!machine) qFatal("%s", machine.error().format().c_str());
  auto result = analysis::analyse(module, "test.hlo", 1, *machine);
  if (!result) qFatal("%s", result.error().format().c_str());
  return *result;
}

/// "a -> first", one a line, in the order of the graph.
QStringList edges_of(const KernelGraph& graph) {
  QStringList out;
  const auto& model = *graph.model;
  for (uint32_t i = 0; i < model.nodes.size(); ++i) {
    for (const NodeId user : model.graph.edges[NodeId(i)]) {
      out << model.nodes[i].title + " -> " + model.nodes[user.value].title;
    }
  }
  out.sort();
  return out;
}

const GraphNode& node_named(const KernelGraph& graph, const QString& title) {
  const auto& nodes = graph.model->nodes;
  const auto at = std::ranges::find(nodes, title, &GraphNode::title);
  if (at == nodes.end()) qFatal("no node %s", qPrintable(title));
  return *at;
}

}  // namespace

class TestKernelGraph : public QObject {
  Q_OBJECT
 private slots:
  void entry_shows_kernels_loops_and_parameters() {
    const ReportPtr r = report();
    const hlo::Program& program = *r->module.program;
    const KernelGraph graph = computationGraph(r, program.entry());
    QCOMPARE(edges_of(graph), (QStringList{"0 -> loop", "a -> first", "a -> last", "b -> first",
                                           "first -> loop", "loop -> last"}));
    QCOMPARE(graph.model->edge_width.size(), graph.model->graph.edges.size());
    const GraphNode& first = node_named(graph, "first");
    QCOMPARE(first.look, GraphNode::Look::kKernel);
    QVERIFY(first.expandable);
    QVERIFY(first.right.startsWith("≈ "));
    QVERIFY(!first.subtitle.isEmpty());
    const GraphNode& loop = node_named(graph, "loop");
    QCOMPARE(loop.op_class, hlo::OpClass::kControlFlow);
    QCOMPARE(loop.right, QString("× 7"));
    QCOMPARE(loop.subtitle, QString("while body"));
    const GraphNode& a = node_named(graph, "a");
    QVERIFY(a.isPill());
    QCOMPARE(a.right, QString("f32[8,128]"));
    QVERIFY(node_named(graph, "0").isPill());  // A scalar constant shows its value.
  }

  void nodes_are_found_by_instruction_and_kernel() {
    const ReportPtr r = report();
    const hlo::Program& program = *r->module.program;
    const KernelGraph graph = computationGraph(r, program.entry());
    const hlo::InstructionId last = program.find_instruction("last");
    const NodeId node = graph.find(last);
    QCOMPARE(graph.model->nodes[node.value].title, QString("last"));
    QCOMPARE(graph.find(r->kernels.kernel_of[last]), node);
    QVERIFY(!graph.find(program.find_instruction("product")).valid());
    QVERIFY(!graph.find(graph::KernelId()).valid());
  }

  void loop_body_shows_elements_of_its_state() {
    const ReportPtr r = report();
    const hlo::Program& program = *r->module.program;
    const KernelGraph graph = computationGraph(r, program.find_computation("body"));
    QCOMPARE(edges_of(graph), (QStringList{"1 -> next", "state:0 -> next", "state:1 -> twice"}));
    QCOMPARE(node_named(graph, "state:1").right, QString("f32[8,128]"));
    QCOMPARE(node_named(graph, "state:0").right, QString("s32[]"));
  }

  void body_of_a_fusion_shows_its_instructions() {
    const ReportPtr r = report();
    const hlo::Program& program = *r->module.program;
    const auto kernel = r->kernels.kernel_of[program.find_instruction("first")];
    const KernelGraph graph = bodyGraph(r, kernel);
    QCOMPARE(edges_of(graph), (QStringList{"2 -> splat", "p0 -> product", "p1 -> sum",
                                           "product -> sum", "splat -> product"}));
    QCOMPARE(node_named(graph, "product").look, GraphNode::Look::kOp);
    QCOMPARE(node_named(graph, "product").op_class, hlo::OpClass::kElementwise);
    QCOMPARE(node_named(graph, "product").right, QString("f32[8,128]"));
  }

  void kernel_without_a_body_stands_between_its_operands() {
    const ReportPtr r = report();
    const hlo::Program& program = *r->module.program;
    const auto kernel = r->kernels.kernel_of[program.find_instruction("next")];
    const KernelGraph graph = bodyGraph(r, kernel);
    QCOMPARE(edges_of(graph), (QStringList{"1 -> next", "state:0 -> next"}));
  }

  void colours_are_positions_on_a_logarithmic_scale() {
    const ReportPtr r = report();
    const KernelGraph graph = computationGraph(r, r->module.program->entry());
    QVERIFY(colouring(*r, graph, ColourMode::kOpClass) == nullptr);
    for (const auto mode : {ColourMode::kSimulatedTime, ColourMode::kAnalyticalTime,
                            ColourMode::kFlops, ColourMode::kBytes, ColourMode::kIntensity}) {
      const GraphColouringPtr colours = colouring(*r, graph, mode);
      QCOMPARE(colours->title, name(mode));
      QCOMPARE(colours->value.size(), graph.model->nodes.size());
      for (size_t i = 0; i < colours->value.size(); ++i) {
        // Both kernels do the same work; what is no kernel has no value.
        QCOMPARE(std::isnan(colours->value[i]), !graph.kernels[i].valid());
        if (graph.kernels[i].valid()) QCOMPARE(colours->value[i], 0.5F);
      }
      QVERIFY(!colours->low.isEmpty());
    }
    // Nothing is measured, so there are no errors either.
    for (const auto mode : {ColourMode::kMeasuredTime, ColourMode::kError}) {
      const GraphColouringPtr colours = colouring(*r, graph, mode);
      QVERIFY(std::ranges::all_of(colours->value, [](float v) { return std::isnan(v); }));
    }
  }

  void changes_have_their_sign_and_kernels_without_one_no_value() {
    auto now = std::make_shared<analysis::ModuleReport>(*report());
    const KernelGraph graph = computationGraph(now, now->module.program->entry());
    QVERIFY(colouring(*now, graph, ColourMode::kChange) == nullptr);
    // Of the first kernel 1.5 of 2 µs; the second one has no pinned time.
    const graph::Kernel& first = now->kernels.kernels[graph::KernelId(0)];
    now->times.simulated[graph::KernelId(0)].time_ns = 1500;
    analysis::BaselineKernel pinned{
        std::string((*now->module.program)[first.instruction].name), hash128("another"), 1, {}};
    pinned.times_ns[static_cast<size_t>(analysis::TimeSource::kSimulated)] = 2000;
    std::vector<analysis::BaselineProgram> programs{
        {now->file_path, now->module_number, "", {pinned}}};
    const auto baseline = std::make_shared<const analysis::Baseline>("before", std::move(programs));
    const auto colours = colouring(*now, graph, ColourMode::kChange, baseline);
    QVERIFY(colours->scale == GraphColouring::Scale::kDiverging);
    QCOMPARE(colours->unit, QStringLiteral("simulated"));
    QCOMPARE(colours->low, QStringLiteral("−30 %"));
    for (size_t i = 0; i < colours->value.size(); ++i) {
      if (graph.kernels[i] == graph::KernelId(0)) {
        QCOMPARE(colours->value[i], -0.25F);
      } else {
        QVERIFY(std::isnan(colours->value[i]));
      }
    }
  }

  void title_and_unit_of_every_legend_have_room_beside_each_other() {
    const ReportPtr r = report();
    const KernelGraph graph = computationGraph(r, r->module.program->entry());
    const auto baseline = analysis::pinned_times({&r, 1}, "now");
    for (int i = 1; i < kColourModeCount; ++i) {
      Legend legend;
      legend.setColouring(colouring(*r, graph, static_cast<ColourMode>(i), baseline));
      const GraphColouringPtr colours = colouring(*r, graph, static_cast<ColourMode>(i), baseline);
      const int needed = QFontMetrics(boldFont()).horizontalAdvance(colours->title) +
                         QFontMetrics(smallFont()).horizontalAdvance(colours->unit);
      const int margins = 3 * 8;
      const int room = legend.rect(QSize(1600, 1000)).width() - margins;
      QVERIFY2(needed <= room, qPrintable(colours->title));
    }
  }

  void tool_tip_names_shape_times_and_source() {
    const ReportPtr r = report();
    const KernelGraph graph = computationGraph(r, r->module.program->entry());
    const NodeId first = graph.find(r->module.program->find_instruction("first"));
    const QString tip = graph.model->tool_tip(first);
    for (const char* part :
         {"first", "fusion", "f32[8,128]", "jit(f)/add", "model.py:12", "simulated", "bound by",
          "analytical", "out=1x1", "VMEM", "iterations"}) {
      QVERIFY2(tip.contains(part), qPrintable(tip));
    }
    QVERIFY(!tip.contains("no rule"));
  }

  void tool_tip_tells_of_opcodes_without_a_rule() {
    auto r = std::make_shared<analysis::ModuleReport>(*report());
    for (analysis::TileChoice& choice : r->times.tiles) choice.has_fallback = true;
    const KernelGraph graph = computationGraph(r, r->module.program->entry());
    const NodeId first = graph.find(r->module.program->find_instruction("first"));
    QVERIFY(graph.model->tool_tip(first).contains("an opcode in it has no rule of its own"));
  }

  void nodes_show_the_simulated_time_as_an_estimate() {
    auto r = std::make_shared<analysis::ModuleReport>(*report());
    const auto kernel = r->kernels.kernel_of[r->module.program->find_instruction("first")];
    r->times.simulated[kernel].time_ns = 12345;
    KernelGraph graph = computationGraph(r, r->module.program->entry());
    QCOMPARE(node_named(graph, "first").right, QString("≈ 12.3 µs"));
    r->measured_ns[kernel] = 11000.0;
    graph = computationGraph(r, r->module.program->entry());
    QCOMPARE(node_named(graph, "first").right, QString("11.0 µs"));
  }
};

HLOSCOPE_TEST(TestKernelGraph);
#include "test_kernel_graph.moc"
