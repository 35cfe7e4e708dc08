#include "core/analysis/program_timeline.h"

#include <cmath>
#include <numeric>

#include "core/analysis/program_trace.h"
#include "core/hlo/read.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using analysis::ProgramTimeline;

namespace {

using Report = std::shared_ptr<const analysis::ModuleReport>;
using TimelinePtr = std::shared_ptr<const ProgramTimeline>;

Report sample(const char* name) {
  const std::string path = std::string(HLOSCOPE_SOURCE_DIR "/samples/") + name;
  const auto file = hlo::read_file(path);
  if (!file) qFatal("%s", file.error().format().c_str());
  return *analysis::analyse(file->modules.front(), path, 1, *sim::find_machine("tpu_v3"));
}

// A loop of 12 trips around a sine, then two kernels more.
Report loop_report() {
  hlo::Module module;
  module.program = *hlo::parse_program(R"(HloModule loop, is_scheduled=true
body {
  t.1 = (s32[], f32[512,512]{1,0}) parameter(0)
  i.1 = s32[] get-tuple-element(t.1), index=0
  x.1 = f32[512,512]{1,0} get-tuple-element(t.1), index=1
  one = s32[] constant(1)
  next = s32[] add(i.1, one)
  sine.1 = f32[512,512]{1,0} sine(x.1)
  ROOT out = (s32[], f32[512,512]{1,0}) tuple(next, sine.1)
}
condition {
  t.2 = (s32[], f32[512,512]{1,0}) parameter(0)
  i.2 = s32[] get-tuple-element(t.2), index=0
  limit = s32[] constant(12)
  ROOT less = pred[] compare(i.2, limit), direction=LT
}
ENTRY main {
  p0 = f32[512,512]{1,0} parameter(0)
  p1 = f32[512,256]{1,0} parameter(1)
  zero = s32[] constant(0)
  start = (s32[], f32[512,512]{1,0}) tuple(zero, p0)
  loop = (s32[], f32[512,512]{1,0}) while(start), condition=condition, body=body
  x = f32[512,512]{1,0} get-tuple-element(loop), index=1
  ROOT dot.1 = f32[512,256]{1,0} dot(x, p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)");
  return *analysis::analyse(module, "loop.hlo", 1, *sim::find_machine("tpu_v3"));
}

TimelinePtr timeline(const Report& report, size_t most = ProgramTimeline::kMostStretches) {
  auto made = ProgramTimeline::make(report, {}, most);
  if (!made) qFatal("%s", made.error().format().c_str());
  return *made;
}

bool near_share(double a, double b, double relative = 1e-9) {
  return std::abs(a - b) <= relative * std::max({std::abs(a), std::abs(b), 1.0});
}

double sum(const sim::TimeParts& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

sim::Unit unit(size_t u) {
  return static_cast<sim::Unit>(u);
}

}  // namespace

class TestProgramTimeline : public QObject {
  Q_OBJECT
 private slots:
  void it_takes_as_long_as_the_report_says() {
    for (const char* name : {"mobilenet_v2.hlo", "control_flow.cpu_after_optimizations.txt",
                             "resnet50_train.cpu_after_optimizations.txt"}) {
      const Report report = sample(name);
      const TimelinePtr line = timeline(report);
      QVERIFY(near_share(line->total_ns(), report->simulated_total_ns));
      QVERIFY(near_share(sum(line->total_parts()), report->simulated_total_ns));
    }
  }

  void parts_and_tiles_are_those_of_the_times_of_each_kernel() {
    const Report report = sample("mobilenet_v2.hlo");
    const TimelinePtr line = timeline(report);
    for (uint32_t k = 0; k < report->kernels.kernels.size(); ++k) {
      const graph::KernelId id(k);
      const analysis::KernelActivity& one = line->activity(id);
      QCOMPARE(one.simulation.time_ns, report->times.simulated[id].time_ns);
      QVERIFY(near_share(sum(line->parts(id)), one.simulation.time_ns));
    }
  }

  void spans_follow_each_other_without_gaps() {
    const TimelinePtr line = timeline(loop_report());
    double now_ns = 0;
    for (size_t s = 0; s < line->spans().size(); ++s) {
      const analysis::KernelSpan& span = line->spans()[s];
      QCOMPARE(span.start_ns, now_ns);
      now_ns = span.end_ns();
      QCOMPARE(line->span_at(0.5 * (span.start_ns + span.end_ns())), s);
      QCOMPARE(line->span_of(span.kernel), std::optional<size_t>(s));
    }
    QCOMPARE(line->span_at(1e12), line->spans().size() - 1);
    QVERIFY(!line->span_of(graph::KernelId()));
  }

  void executions_repeat() {
    const Report report = loop_report();
    const TimelinePtr line = timeline(report);
    const auto sine = std::find_if(
        line->spans().begin(), line->spans().end(), [&](const analysis::KernelSpan& span) {
          const auto id = report->kernels.kernels[span.kernel].instruction;
          return (*report->module.program)[id].name == "sine.1";
        });
    QCOMPARE(sine->executions, 12.0);
    const double end_ns = sine->start_ns + sine->time_ns;
    for (size_t u = 0; u < sim::kUnitCount; ++u) {
      const double once = line->busy_ns(unit(u), sine->start_ns, end_ns);
      QVERIFY(near_share(line->busy_ns(unit(u), sine->start_ns, sine->end_ns()), 12 * once));
      const auto first = line->stretches(unit(u), sine->start_ns, end_ns, 100'000);
      const auto all = line->stretches(unit(u), sine->start_ns, sine->end_ns(), 100'000);
      QCOMPARE(all->size(), 12 * first->size());
    }
  }

  // The two ways of drawing agree: the share of a column and single stretches.
  void stretches_are_as_long_as_the_unit_is_busy() {
    const TimelinePtr line = timeline(loop_report());
    const double total = line->total_ns();
    for (size_t u = 0; u < sim::kUnitCount; ++u) {
      for (int i = 0; i < 50; ++i) {
        const double from = total * i / 50;
        const double to = total * (i + 3) / 50;
        const auto list = line->stretches(unit(u), from, to, 1'000'000);
        QVERIFY(list);
        double busy = 0;
        double last = 0;
        for (const analysis::Stretch& stretch : *list) {
          busy += std::min(to, stretch.end_ns) - std::max(from, stretch.start_ns);
          QVERIFY(stretch.start_ns >= last - 1e-6);
          last = stretch.end_ns;
        }
        QVERIFY(near_share(busy, line->busy_ns(unit(u), from, to), 1e-6));
      }
    }
  }

  void a_unit_is_never_busier_than_time_passes() {
    const TimelinePtr line = timeline(sample("resnet50_train.cpu_after_optimizations.txt"), 20'000);
    const double step = line->total_ns() / 777;
    for (size_t u = 0; u < sim::kUnitCount; ++u) {
      for (int i = 0; i < 777; ++i) {
        const double busy = line->busy_ns(unit(u), i * step, (i + 1) * step);
        QVERIFY(busy >= -1e-6 && busy <= step * (1 + 1e-6));
      }
    }
  }

  void the_stretch_at_a_time_is_one_of_them() {
    const TimelinePtr line = timeline(loop_report());
    const auto list = line->stretches(sim::Unit::kDmaIn, 0, line->total_ns(), 1'000'000);
    for (const analysis::Stretch& stretch : *list) {
      const double middle = 0.5 * (stretch.start_ns + stretch.end_ns);
      const auto hit = line->stretch_at(sim::Unit::kDmaIn, middle);
      QVERIFY(hit && hit->tile == stretch.tile && near_share(hit->start_ns, stretch.start_ns));
      QCOMPARE(std::string(hit->what), std::string("read"));
    }
    QVERIFY(!line->stretch_at(sim::Unit::kDmaIn, line->total_ns() + 1));
  }

  void what_is_not_kept_is_an_even_rest_of_the_same_length() {
    hlo::Module module;
    module.program = *hlo::parse_program(R"(HloModule large, is_scheduled=true
ENTRY main {
  x = f32[16384,4096]{1,0} parameter(0)
  ROOT y = f32[16384,4096]{1,0} exponential(x)
}
)");
    const Report report = *analysis::analyse(module, "large.hlo", 1, *sim::find_machine("tpu_v3"));
    const TimelinePtr all = timeline(report);
    const TimelinePtr few = timeline(report, 10);
    QVERIFY(all->activity(graph::KernelId(0)).is_complete);
    QVERIFY(!few->activity(graph::KernelId(0)).is_complete);
    QCOMPARE(all->total_ns(), few->total_ns());
    QVERIFY(!few->stretches(sim::Unit::kEup, 0, few->total_ns(), 1'000'000));
    for (size_t u = 0; u < sim::kUnitCount; ++u) {
      const double busy = all->busy_ns(unit(u), 0, all->total_ns());
      QVERIFY(near_share(few->busy_ns(unit(u), 0, few->total_ns()), busy, 0.02));
    }
  }

  void too_many_stretches_are_not_given() {
    const TimelinePtr line = timeline(loop_report());
    QVERIFY(!line->stretches(sim::Unit::kDmaIn, 0, line->total_ns(), 1));
    QVERIFY(line->stretches(sim::Unit::kDmaIn, 5, 5, 1)->empty());
    QVERIFY(line->stretch_count() > 12);
  }

  void the_trace_has_every_kernel_once() {
    const TimelinePtr line = timeline(loop_report());
    const sim::TraceProcess trace = analysis::program_trace(*line, 2);
    QCOMPARE(trace.kernels.size(), line->spans().size());
    for (size_t s = 0; s < trace.kernels.size(); ++s) {
      const sim::TracedKernel& kernel = trace.kernels[s];
      QCOMPARE(kernel.time_ns, line->spans()[s].time_ns);
      QCOMPARE(kernel.executions, line->spans()[s].executions);
      QVERIFY(!kernel.timeline.events.empty() && kernel.timeline.tiles.size() <= 2);
      for (const sim::Event& event : kernel.timeline.events) {
        QVERIFY(event.end_ns <= kernel.time_ns * (1 + 1e-9));
      }
    }
    const std::string json = sim::chrome_trace(line->report().machine, {&trace, 1});
    QVERIFY(json.find("\"sine.1\"") != std::string::npos);
  }

  void it_can_be_cancelled() {
    std::stop_source stop;
    stop.request_stop();
    const auto made = ProgramTimeline::make(loop_report(), Progress(stop.get_token()));
    QVERIFY(!made && made.error().code == ErrorCode::kCancelled);
  }

  void a_program_without_kernels_is_empty() {
    hlo::Module module;
    module.program = *hlo::parse_program(
        "HloModule none, is_scheduled=true\nENTRY main {\n  ROOT p = f32[8]{0} parameter(0)\n}\n");
    const auto report = analysis::analyse(module, "none.hlo", 1, *sim::find_machine("tpu_v3"));
    const TimelinePtr line = timeline(*report);
    QVERIFY(line->spans().empty());
    QCOMPARE(line->total_ns(), 0.0);
    QCOMPARE(line->busy_ns(sim::Unit::kMxu, 0, 10), 0.0);
    QVERIFY(line->stretches(sim::Unit::kMxu, 0, 10, 5)->empty());
    QVERIFY(!line->stretch_at(sim::Unit::kMxu, 0));
  }
};

HLOSCOPE_TEST(TestProgramTimeline);
#include "test_program_timeline.moc"
