#include <sys/stat.h>
#include <unistd.h>

#include "tests/core/data/import_fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;
using data::ImportKind;
using data::Task;

namespace {

// f1 and f2 are equal kernels; the loop runs c three times.
constexpr auto kTimedProgram = R"(HloModule k, is_scheduled=true
fused {
  p = f32[1024,1024]{1,0:T(8,128)} parameter(0)
  q = f32[1024,1024]{1,0:T(8,128)} parameter(1)
  ROOT a = f32[1024,1024]{1,0:T(8,128)} add(p, q)
}
ENTRY main {
  x = f32[1024,1024]{1,0:T(8,128)} parameter(0)
  f1 = f32[1024,1024]{1,0:T(8,128)} fusion(x, x), kind=kLoop, calls=fused, backend_config={"window_config":{"estimated_cycles":"9400"}}
  f2 = f32[1024,1024]{1,0:T(8,128)} fusion(f1, f1), kind=kLoop, calls=fused, backend_config={"window_config":{"estimated_cycles":"8460"}}
  ROOT c = f32[1024,1024]{0,1:T(8,128)} copy(f2)
}
)";

Imported import_times(const std::string& path, const std::string& device = {}) {
  return imported([&](const data::ImportSink& sink, data::ImportReport& report) {
    return data::import_times(path, {device, {}}, sink, report);
  });
}

}  // namespace

class TestImportTimes : public QObject {
  Q_OBJECT
 private:
  FileFolder folder_;
  Imported of(const std::string& text) const {
    folder_.write("k.hlo", kTimedProgram);
    return import_times(folder_.write("t.csv", text));
  }
  /// The message without the folder.
  std::string message(const std::string& text) const {
    std::string out = of(text).message();
    const std::string folder = folder_.path("x").substr(0, folder_.path("x").size() - 1);
    for (size_t at = out.find(folder); at != std::string::npos; at = out.find(folder)) {
      out.erase(at, folder.size());
    }
    return out;
  }

 private slots:
  void tiles() {
    const Imported out =
        of("program,kernel,tile,time_ns,device,is_default,color,repeats\n"
           "k.hlo,f1,out=8x8,2000,TPU v4,0,red,5\n"
           "k.hlo,c,,700,TPU v4,1,red,3\n"
           "k.hlo,f2,out=8x8,1900,,0,red,3\n"
           "k.hlo,main/f1,out=128x8,1500,TPU v4,true,red,3\n"
           "k.hlo,c,out=8x8,900.5,TPU v4,0,red,3\n");
    QVERIFY2(out.status.has_value(), out.message().c_str());
    QCOMPARE(out.graphs.size(), size_t{2});
    const data::ImportedGraph& add = out.graphs[0];
    QVERIFY(add.task == Task::kTile);
    QCOMPARE(add.target.label(), std::string("measured (TPU v4, imported, min of 3)"));
    QCOMPARE(add.program.name, std::string("k"));
    QCOMPARE(add.executions, 2.0);  // f1 and f2
    QCOMPARE(add.samples.size(), size_t{2});
    QVERIFY((add.samples[0].configuration == data::Configuration{{}, {8, 8}, {}}));
    QCOMPARE(add.samples[0].time_ns, 1900.0);
    QCOMPARE(*add.samples[0].normalizer_ns, 1500.0);
    QVERIFY(!add.samples[0].is_default && add.samples[1].is_default);
    const data::ImportedGraph& copy = out.graphs[1];
    QCOMPARE(copy.samples.size(), size_t{1});
    QCOMPARE(copy.samples[0].time_ns, 900.5);
    QCOMPARE(*copy.samples[0].normalizer_ns, 700.0);
    QCOMPARE(out.report.duplicates, int64_t{1});
    QCOMPARE(out.report.without_choice, int64_t{1});
    QCOMPARE(out.report.warnings.size(), size_t{1});
    QCOMPARE(out.report.warnings[0].message, std::string("column 'color' is not read"));
    QCOMPARE(out.report.warnings[0].line, 1);
  }
  void without_tiles_it_is_fusion() {
    const Imported out = of("time_ns,program,kernel\n30,k.hlo,f1\n20,k.hlo,f1\n10,k.hlo,c\n");
    QVERIFY2(out.status.has_value(), out.message().c_str());
    QCOMPARE(out.graphs.size(), size_t{2});
    QVERIFY(out.graphs[0].task == Task::kFusion);
    QCOMPARE(out.graphs[0].samples.size(), size_t{1});
    QCOMPARE(out.graphs[0].samples[0].time_ns, 20.0);
    QVERIFY(out.graphs[0].samples[0].configuration.empty());
    QVERIFY(!out.graphs[0].samples[0].normalizer_ns.has_value());
    QCOMPARE(out.graphs[0].graph.op_class, std::string("elementwise"));
    QCOMPARE(out.report.duplicates, int64_t{1});
  }
  void the_only_kernel_needs_no_name() {
    folder_.write(
        "one.hlo",
        "HloModule one\nENTRY e {\n p = f32[8] parameter(0)\n ROOT t = f32[8] tanh(p)\n}");
    const Imported out = import_times(
        folder_.write("one.csv", "program,time_ns\none.hlo,12\none.hlo#1,11\n"), "my TPU");
    QVERIFY2(out.status.has_value(), out.message().c_str());
    QCOMPARE(out.graphs.size(), size_t{2});
    QCOMPARE(out.graphs[0].target.device, std::string("my TPU, imported"));
    QVERIFY(out.graphs[0].graph.hash == out.graphs[1].graph.hash);
  }
  void errors_say_line_and_column() {
    QCOMPARE(message("program,kernel,time\nk.hlo,f1,2\n"),
             std::string("t.csv:1:1: there is no column \"time_ns\""));
    QCOMPARE(message("program,time_ns\nk.hlo,20\n"), std::string("t.csv:2:1: k.hlo has 3 kernels"));
    QCOMPARE(message("program,kernel,time_ns\nk.hlo,f9,20\n"),
             std::string("t.csv:2:7: no kernel of k.hlo is called 'f9'"));
    QCOMPARE(message("program,kernel,time_ns\nk.hlo,f1,-20\n"),
             std::string("t.csv:2:10: time_ns is no number above zero: \"-20\""));
    QCOMPARE(message("program,kernel,time_ns\nk.hlo,f1,2\nnope.hlo,f1,20\n"),
             std::string("t.csv:3:1: cannot read nope.hlo: No such file or directory"));
    QCOMPARE(message("program,kernel,time_ns,tile\nk.hlo,f1,20,8x8\n"),
             std::string("t.csv:2:13: cannot read the tile \"8x8\""));
    QCOMPARE(message("program,time_ns\n"), std::string("t.csv: has a header line, but no rows"));
    QCOMPARE(message("program,time_ns\n,5\n"), std::string("t.csv:2:1: program is empty"));
    QCOMPARE(message("program,kernel,time_ns,device\nk.hlo,f1,2,a\nk.hlo,f1,2,b\n"),
             std::string("t.csv:3:12: device is 'b', in rows before it is 'a'"));
    QCOMPARE(message("program,kernel,time_ns,is_default\nk.hlo,c,20,yes\n"),
             std::string("t.csv:2:12: is_default is 'yes'"));
    QCOMPARE(message("program,kernel,time_ns,repeats\nk.hlo,c,20,0\n"),
             std::string("t.csv:2:12: repeats is no whole number: \"0\""));
    QCOMPARE(message("program,time_ns,time_ns\nk.hlo,20,3\n"),
             std::string("t.csv:1:17: column 'time_ns' stands twice"));
  }
  void a_tile_that_is_none_of_the_kernel_is_taken_with_a_warning() {
    const Imported out = of("program,kernel,time_ns,tile\nk.hlo,f1,20,out=8x8x9\n");
    QVERIFY(out.status.has_value());
    QCOMPARE(out.graphs[0].samples.size(), size_t{1});
    QCOMPARE(out.report.warnings.size(), size_t{1});
    QCOMPARE(out.report.warnings[0].column, 13);
  }

  void kinds_of_files() {
    const auto kind = [this](const std::string& name, const std::string& bytes) {
      const auto found = data::find_import_kind(folder_.write(name, bytes));
      return found ? static_cast<int>(*found) : -1;
    };
    QCOMPARE(kind("a.csv", "program,time_ns\n"), static_cast<int>(ImportKind::kTimes));
    QCOMPARE(kind("a.txt", "time_ns,program\n"), static_cast<int>(ImportKind::kTimes));
    QCOMPARE(kind("b.csv", "program,time\n"), static_cast<int>(ImportKind::kTimes));
    QCOMPARE(kind("c.csv", "HLO op name,#Occurrences,Total self time (us)\n"),
             static_cast<int>(ImportKind::kHloStats));
    QCOMPARE(kind("d.npz", ""), static_cast<int>(ImportKind::kTpuGraph));
    QCOMPARE(kind("d", "PK\x03\x04"), static_cast<int>(ImportKind::kTpuGraph));
    QCOMPARE(kind("e.hlo", kTimedProgram), static_cast<int>(ImportKind::kHlo));
    // A look at a pipe would wait for its writer, and take from it.
    const std::string pipe = folder_.write("f", "");
    QVERIFY(unlink(pipe.c_str()) == 0 && mkfifo(pipe.c_str(), 0600) == 0);
    QCOMPARE(static_cast<int>(*data::find_import_kind(pipe)), static_cast<int>(ImportKind::kHlo));
  }

  // 9,400 and 8,460 cycles at the 940 MHz of a TPU v3.
  void times_that_the_compiler_expected() {
    const std::string path = folder_.write("k.hlo", kTimedProgram);
    const auto machine = sim::find_machine("tpu_v3");
    QVERIFY(machine.has_value());
    const Imported out = imported([&](const data::ImportSink& sink, data::ImportReport& report) {
      return data::import_compiler_times(path, *machine, {}, sink, report);
    });
    QVERIFY2(out.status.has_value(), out.message().c_str());
    QCOMPARE(out.graphs.size(), size_t{1});
    QCOMPARE(out.graphs[0].target.label(), std::string("compiler (tpu_v3)"));
    QVERIFY(out.graphs[0].task == Task::kFusion);
    QCOMPARE(out.graphs[0].samples[0].time_ns, 9000.0);
    QCOMPARE(out.graphs[0].executions, 2.0);
    QCOMPARE(out.report.duplicates, int64_t{1});
    QCOMPARE(out.report.graphs_left_out, int64_t{1});
    const std::string plain = folder_.write(
        "p.hlo", "HloModule p\nENTRY e {\n p = f32[8] parameter(0)\n ROOT t = f32[8] tanh(p)\n}");
    const Imported none = imported([&](const data::ImportSink& sink, data::ImportReport& report) {
      return data::import_compiler_times(plain, *machine, {}, sink, report);
    });
    QCOMPARE(none.message(), plain + ": no kernel has a time that the compiler expected");
  }

  void a_profile_with_its_program() {
    const std::string program = folder_.write("k.hlo", kTimedProgram);
    const std::string stats =
        folder_.write("s.csv",
                      "HLO op category,HLO op name,#Occurrences,Avg. self time (us)\n"
                      "loop fusion,f1,10,5.0\nloop fusion,f2,10,4.5\ndata formatting,c,10,3.0\n");
    const auto import = [&](const std::string& hlo) {
      return imported([&](const data::ImportSink& sink, data::ImportReport& report) {
        return data::import_hlo_stats(stats, hlo, {"TPU v5e", {}}, sink, report);
      });
    };
    const Imported out = import(program);
    QVERIFY2(out.status.has_value(), out.message().c_str());
    QCOMPARE(out.graphs.size(), size_t{2});
    QCOMPARE(out.graphs[0].samples[0].time_ns, 4500.0);
    QCOMPARE(out.graphs[1].samples[0].time_ns, 3000.0);
    QCOMPARE(out.graphs[0].target.device, std::string("TPU v5e, imported"));
    QVERIFY(!out.report.notes.empty());
    const Imported other = import(folder_.write(
        "p.hlo", "HloModule p\nENTRY e {\n p = f32[8] parameter(0)\n ROOT t = f32[8] tanh(p)\n}"));
    QVERIFY2(other.message().starts_with(stats + ": does not fit "), other.message().c_str());
  }
};

HLOSCOPE_TEST(TestImportTimes);
#include "test_import_times.moc"
