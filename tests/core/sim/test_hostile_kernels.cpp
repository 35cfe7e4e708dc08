#include <cmath>

#include "core/sim/estimate.h"
#include "core/sim/simulate.h"
#include "core/sim/tile_space.h"
#include "tests/core/sim/sim_fixture.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

// Programs that no compiler writes but a file may hold: nothing hangs, overflows or reads beyond an
// array (the sanitizer builds see that), and every time is a number.
namespace {

std::string entry_with_plus(const std::string& lines) {
  return "HloModule m\nplus {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
         " ROOT c = f32[] add(a, b)\n}\nENTRY e {\n" +
         lines + "\n}\n";
}

// Times the kernel with its default tile, the whole tile and, where they are few, tiles of 1.
bool is_timed(const std::string& text) {
  const testing::OneKernel k = testing::one_kernel(text);
  const sim::Rates rates(testing::fitted_v3());
  const std::vector<int64_t> bounds = sim::default_bounds(k.model, rates);
  if (k.model.kind == sim::KernelKind::kFree) {
    return sim::simulate(k.model, bounds, rates).time_ns == 0;
  }
  if (bounds.size() != k.model.loops.size()) return false;
  std::vector<std::vector<int64_t>> tiles = {bounds};
  if (const auto whole = sim::loop_bounds(k.model, sim::whole_tile(k.model))) {
    tiles.push_back(*whole);
  }
  if (sim::TileSpace(k.model, rates).all_count() < 1e6) tiles.emplace_back(bounds.size(), 1);
  for (const std::vector<int64_t>& tile : tiles) {
    const double simulated = sim::simulate(k.model, tile, rates).time_ns;
    const double analytical = sim::estimate(k.model, tile, rates).time_ns;
    if (!std::isfinite(simulated) || simulated < rates.launch_ns) return false;
    if (!std::isfinite(analytical) || analytical < rates.launch_ns) return false;
    if (sim::timeline(k.model, tile, rates, 100).events.empty()) return false;
  }
  return true;
}

std::string times(const std::string& text, int count, const std::string& separator) {
  std::string out;
  for (int i = 0; i < count; ++i) out += (i == 0 ? "" : separator) + text;
  return out;
}

}  // namespace

class TestHostileKernels : public QObject {
  Q_OBJECT
 private slots:
  // More elements than 32 bits count: every byte is moved. Two ways, at 436 GB/s.
  void arrays_beyond_32_bits() {
    const sim::Rates rates(testing::fitted_v3());
    const auto simulated = [&](const char* lines) {
      const testing::OneKernel k = testing::one_kernel(entry_with_plus(lines));
      return sim::simulate(k.model, sim::default_bounds(k.model, rates), rates);
    };
    const double bytes = 3e9 * 2;
    const auto flat =
        simulated(" a = bf16[3000000000] parameter(0)\n ROOT r = bf16[3000000000] negate(a)");
    QVERIFY(flat.bytes_read >= bytes && flat.time_ns >= 2 * bytes / 450);
    const auto moved =
        simulated(" a = bf16[60000,50000] parameter(0)\n ROOT r = bf16[50000,60000] reshape(a)");
    QVERIFY(moved.bytes_read >= bytes && moved.time_ns >= 2 * bytes / 450);
    const auto huge =
        simulated(" a = f32[1099511627776] parameter(0)\n ROOT r = f32[1099511627776] negate(a)");
    QVERIFY(huge.time_ns >= 2 * 4 * 1099511627776.0 / 450);
  }
  void odd_shapes_data() {
    QTest::addColumn<QString>("lines");
    const auto row = [](const char* name, const std::string& lines) {
      QTest::newRow(name) << QString::fromStdString(lines);
    };
    row("a huge vector",
        " a = f32[1099511627776] parameter(0)\n"
        " ROOT r = f32[1099511627776] negate(a)");
    row("a huge matrix",
        " a = f32[1099511627776,1048576] parameter(0)\n"
        " ROOT r = f32[1099511627776,1048576] negate(a)");
    row("a huge dot",
        " a = bf16[1048576,1099511627776] parameter(0)\n b = bf16[1099511627776,8] "
        "parameter(1)\n"
        " ROOT r = bf16[1048576,8] dot(a, b), lhs_contracting_dims={1},"
        " rhs_contracting_dims={0}");
    row("a huge convolution",
        " a = bf16[65536,65536,65536,1024] parameter(0)\n"
        " b = bf16[3,3,1024,1099511627776] parameter(1)\n"
        " ROOT r = bf16[8,8,8,1099511627776] convolution(a, b),"
        " window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f");
    row("huge strides and padding",
        " a = f32[4,4,4,4] parameter(0)\n b = f32[3,3,4,4] parameter(1)\n"
        " ROOT r = f32[4,4,4,4] convolution(a, b), window={size=3x3"
        " stride=9223372036854775807x9223372036854775807"
        " pad=4611686018427387904_1x-4611686018427387904_1"
        " lhs_dilate=9223372036854775807x1 rhs_dilate=9223372036854775807x1},"
        " dim_labels=b01f_01io->b01f");
    row("a huge window",
        " a = f32[4,1099511627776] parameter(0)\n z = f32[] constant(0)\n"
        " ROOT r = f32[4,1099511627776] reduce-window(a, z),"
        " window={size=1x9223372036854775807 stride=1x1}, to_apply=plus");
    row("huge reshapes",
        " a = s8[1099511627776,3,1048576] parameter(0)\n"
        " ROOT r = s8[3145728,1099511627776] reshape(a)");
    row("a huge slice",
        " a = f32[4,8] parameter(0)\n ROOT r = f32[4,8] slice(a),"
        " slice={[0:4:1], [0:9223372036854775807:1152921504606846976]}");
    row("an empty reshape of huge dimensions",
        " a = s8[1099511627776,0,1099511627776] parameter(0)\n"
        " ROOT r = s8[0,1099511627776,1099511627776] reshape(a)");
    row("huge padding",
        " a = s8[4,8] parameter(0)\n z = s8[] constant(0)\n"
        " ROOT r = s8[1,9223372036854775807] pad(a, z),"
        " padding=0_-3_0x9223372036854775807_0_9223372036854775807");
    row("pieces of a huge whole",
        " a = s8[4611686018427387904,1] parameter(0)\n"
        " ROOT r = s8[4611686018427387904,1] concatenate(a, a, a), dimensions={0}");
    row("a huge reduction",
        " a = f32[1099511627776,1048576] parameter(0)\n"
        " z = f32[] constant(0)\n ROOT r = f32[1099511627776] reduce(a, z),"
        " dimensions={1}, to_apply=plus");
    row("an empty array", " a = f32[0] parameter(0)\n ROOT r = f32[0] negate(a)");
    row("an empty dimension", " a = f32[4,0,8] parameter(0)\n ROOT r = f32[4,0,8] negate(a)");
    row("an empty product",
        " a = f32[8,0] parameter(0)\n b = f32[0,16] parameter(1)\n"
        " ROOT r = f32[8,16] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}");
    row("an empty reshape", " a = f32[0,3] parameter(0)\n ROOT r = f32[5,0] reshape(a)");
    row("an empty gather",
        " a = f32[0,3] parameter(0)\n i = s32[0,1] parameter(1)\n ROOT r = f32[0,3] gather(a, i),"
        " offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1,"
        " slice_sizes={1,3}");
    row("an empty reduction",
        " a = f32[0,5] parameter(0)\n z = f32[] constant(0)\n"
        " ROOT r = f32[5] reduce(a, z), dimensions={0}, to_apply=plus");
    row("scalars", " a = f32[] parameter(0)\n ROOT r = f32[] negate(a)");
    row("a product of vectors",
        " a = f32[8] parameter(0)\n b = f32[8] parameter(1)\n ROOT r = f32[] dot(a, b),"
        " lhs_contracting_dims={0}, rhs_contracting_dims={0}");
    row("no operands", " ROOT r = f32[64,128] iota(), iota_dimension=0");
    row("a tuple of nothing", " ROOT r = () tuple()");
    row("a token", " ROOT r = token[] after-all()");
    row("a dynamic dimension",
        " a = f32[<=128,<=7] parameter(0)\n ROOT r = f32[<=128,<=7] negate(a)");
    row("an unbounded dimension", " a = f32[?,8] parameter(0)\n ROOT r = f32[?,8] negate(a)");
    row("twelve dimensions",
        " a = f32[2,3,2,3,2,3,2,3,2,3,2,3] parameter(0)\n"
        " ROOT r = f32[2,3,2,3,2,3,2,3,2,3,2,3] negate(a)");
    const std::string many = "f32[" + times("2", 30, ",") + "]";
    row("thirty dimensions", " a = " + many + " parameter(0)\n ROOT r = " + many + " negate(a)");
    const std::string more = "f32[" + times("1", 200, ",") + "]";
    row("two hundred dimensions",
        " a = " + more + " parameter(0)\n ROOT r = " + more + " negate(a)");
    row("tiles of tiles",
        " a = f32[5,7,9]{2,1,0:T(8,128)(2,1)(4,4)} parameter(0)\n"
        " ROOT r = f32[5,7,9]{0,1,2:T(2,2,2,2,2)} copy(a)");
    row("a huge tile",
        " a = f32[5,7]{1,0:T(4611686018427387904,4611686018427387904)} parameter(0)\n"
        " ROOT r = f32[5,7] copy(a)");
    row("merged tile dimensions",
        " a = f32[5,7,9]{2,1,0:T(*,8,128)} parameter(0)\n"
        " ROOT r = f32[5,7,9] copy(a)");
  }
  void odd_shapes() {
    QFETCH(QString, lines);
    const auto program = hlo::parse_program(entry_with_plus(lines.toStdString()));
    QVERIFY2(program.has_value(), program ? "" : program.error().format().c_str());
    QVERIFY(is_timed(entry_with_plus(lines.toStdString())));
  }
  // Shapes that do not go together: a reader of files does not check them.
  void shapes_that_do_not_fit_data() {
    QTest::addColumn<QString>("lines");
    const auto row = [](const char* name, const char* lines) {
      QTest::newRow(name) << QString::fromLatin1(lines);
    };
    row("add",
        " a = f32[4,8] parameter(0)\n b = f32[3] parameter(1)\n"
        " ROOT r = f32[2,2,2] add(a, b)");
    row("broadcast",
        " a = f32[4,8] parameter(0)\n"
        " ROOT r = f32[2] broadcast(a), dimensions={7,9}");
    row("transpose",
        " a = f32[4,8] parameter(0)\n"
        " ROOT r = f32[8,4] transpose(a), dimensions={5,6}");
    row("transpose of more",
        " a = f32[4,8] parameter(0)\n"
        " ROOT r = f32[8,4,2] transpose(a), dimensions={2,1,0}");
    row("reshape", " a = f32[4,9] parameter(0)\n ROOT r = f32[7,2,3] reshape(a)");
    row("slice",
        " a = f32[4] parameter(0)\n"
        " ROOT r = f32[2,2,2] slice(a), slice={[0:2], [0:2], [0:2]}");
    row("slice without ranges",
        " a = f32[4,4] parameter(0)\n"
        " ROOT r = f32[2,2] slice(a), slice={[0:2]}");
    row("dynamic-update-slice",
        " a = f32[4,4] parameter(0)\n u = f32[2] parameter(1)\n"
        " i = s32[] parameter(2)\n"
        " ROOT r = f32[4,4] dynamic-update-slice(a, u, i, i)");
    row("pad",
        " a = f32[4] parameter(0)\n z = f32[] constant(0)\n"
        " ROOT r = f32[6,6] pad(a, z), padding=1_1x1_1");
    row("concatenate",
        " a = f32[4] parameter(0)\n b = f32[4,4,4] parameter(1)\n"
        " ROOT r = f32[4,4,8] concatenate(a, b), dimensions={2}");
    row("concatenate beyond",
        " a = f32[4] parameter(0)\n"
        " ROOT r = f32[8] concatenate(a, a), dimensions={6}");
    row("reverse", " a = f32[4] parameter(0)\n ROOT r = f32[4,4] reverse(a), dimensions={1,8}");
    row("reduce",
        " a = f32[4] parameter(0)\n z = f32[] constant(0)\n"
        " ROOT r = f32[4,4,4] reduce(a, z), dimensions={9}, to_apply=plus");
    row("reduce-window",
        " a = f32[4] parameter(0)\n z = f32[] constant(0)\n"
        " ROOT r = f32[4,4] reduce-window(a, z), window={size=2x2},"
        " to_apply=plus");
    row("gather",
        " a = f32[4] parameter(0)\n i = s32[2] parameter(1)\n"
        " ROOT r = f32[2,2] gather(a, i), offset_dims={7,9}, collapsed_slice_dims={},"
        " start_index_map={0}, index_vector_dim=1, slice_sizes={2,2,2,2}");
    row("scatter",
        " a = f32[4] parameter(0)\n i = s32[2] parameter(1)\n"
        " u = f32[2,2,2] parameter(2)\n ROOT r = f32[4] scatter(a, i, u),"
        " update_window_dims={5}, inserted_window_dims={6},"
        " scatter_dims_to_operand_dims={7}, index_vector_dim=8, to_apply=plus");
    row("sort",
        " a = f32[4] parameter(0)\n"
        " ROOT r = f32[4,4] sort(a), dimensions={1}, to_apply=plus");
    row("dot",
        " a = f32[4] parameter(0)\n b = f32[5,6,7] parameter(1)\n"
        " ROOT r = f32[2,2] dot(a, b), lhs_contracting_dims={3}, rhs_contracting_dims={5},"
        " lhs_batch_dims={7}, rhs_batch_dims={9}");
    row("convolution",
        " a = f32[4] parameter(0)\n b = f32[5,6,7] parameter(1)\n"
        " ROOT r = f32[2,2] convolution(a, b), window={size=3x3},"
        " dim_labels=b01f_01io->b01f");
    row("select-and-scatter",
        " a = f32[4] parameter(0)\n b = f32[2,2] parameter(1)\n"
        " z = f32[] constant(0)\n ROOT r = f32[4,4] select-and-scatter(a, b,"
        " z), window={size=2x2}, select=plus, scatter=plus");
    row("iota", " ROOT r = f32[4,4] iota(), iota_dimension=9");
    row("bitcast", " a = f32[4,8] parameter(0)\n ROOT r = f32[7,3,5]{0,2,1} bitcast(a)");
  }
  void shapes_that_do_not_fit() {
    QFETCH(QString, lines);
    const auto program = hlo::parse_program(entry_with_plus(lines.toStdString()));
    QVERIFY2(program.has_value(), program ? "" : program.error().format().c_str());
    QVERIFY(is_timed(entry_with_plus(lines.toStdString())));
  }
  // Each level calls the next one twice: 2^40 ways.
  void calls_of_many_levels_data() {
    QTest::addColumn<QString>("inner");
    QTest::newRow("that compute") << " ROOT r = f32[64,128] negate(a)";
    QTest::newRow("that only pass on") << " t = (f32[64,128]) tuple(a)\n"
                                          " ROOT r = f32[64,128] get-tuple-element(t), index=0";
  }
  void calls_of_many_levels() {
    QFETCH(QString, inner);
    constexpr int kLevels = 40;
    std::string text =
        "HloModule m\nlevel0 {\n a = f32[64,128] parameter(0)\n" + inner.toStdString() + "\n}\n";
    for (int level = 1; level <= kLevels; ++level) {
      const std::string call = "), kind=kLoop, calls=level" + std::to_string(level - 1) + "\n";
      text += "level" + std::to_string(level) +
              " {\n a = f32[64,128] parameter(0)\n b = f32[64,128] fusion(a" + call +
              " ROOT c = f32[64,128] fusion(b" + call + "}\n";
    }
    text +=
        "ENTRY e {\n a = f32[64,128] parameter(0)\n"
        " ROOT r = f32[64,128] fusion(a), kind=kLoop, calls=level" +
        std::to_string(kLevels) + "\n}\n";
    QVERIFY(is_timed(text));
  }
  void deep_nesting_of_fusions() {
    std::string text =
        "HloModule m\nlevel0 {\n a = f32[64,128] parameter(0)\n"
        " ROOT r = f32[64,128] negate(a)\n}\n";
    constexpr int kLevels = 1500;
    for (int level = 1; level <= kLevels; ++level) {
      text += "level" + std::to_string(level) +
              " {\n a = f32[64,128] parameter(0)\n ROOT c = f32[64,128] fusion(a), kind=kLoop,"
              " calls=level" +
              std::to_string(level - 1) + "\n}\n";
    }
    text +=
        "ENTRY e {\n a = f32[64,128] parameter(0)\n"
        " ROOT r = f32[64,128] fusion(a), kind=kLoop, calls=level" +
        std::to_string(kLevels) + "\n}\n";
    QVERIFY(is_timed(text));
  }
  // A body of many instructions: chains, and values that are used in many ways.
  void large_fusions_data() {
    QTest::addColumn<QString>("operation");
    QTest::addColumn<int>("count");
    QTest::newRow("elementwise") << "f32[64,128] add(%1, %2)" << 5000;
    QTest::newRow("transposes") << "f32[64,64] transpose(%1), dimensions={1,0}" << 5000;
    QTest::newRow("slices and padding") << "f32[64,128] pad(%1, z), padding=0_0x-1_1" << 5000;
    QTest::newRow("many different windows")
        << "f32[64,128] reduce-window(%1, z), window={size=1x3 pad=0_0x1_1}, to_apply=plus" << 1000;
  }
  void large_fusions() {
    QFETCH(QString, operation);
    QFETCH(int, count);
    const QString shape = operation.section(' ', 0, 0);
    QString text = QStringLiteral(
                       "HloModule m\nplus {\n a = f32[] parameter(0)\n"
                       " b = f32[] parameter(1)\n ROOT c = f32[] add(a, b)\n}\n"
                       "f {\n x0 = %1 parameter(0)\n z = f32[] constant(0)\n"
                       " x1 = %1 negate(x0)\n")
                       .arg(shape);
    for (int i = 2; i < count; ++i) {
      text += QStringLiteral(" x%1 = ").arg(i) +
              QString(operation)
                  .replace("%1", QStringLiteral("x%1").arg(i - 1))
                  .replace("%2", QStringLiteral("x%1").arg(i - 2)) +
              "\n";
    }
    text += QStringLiteral(
                " ROOT r = %1 negate(x%2)\n}\nENTRY e {\n p = %1 parameter(0)\n"
                " ROOT k = %1 fusion(p), kind=kLoop, calls=f\n}\n")
                .arg(shape)
                .arg(count - 1);
    QVERIFY(is_timed(text.toStdString()));
  }
  // A stencil of five points, unrolled: each step reads the last one in five ways.
  void unrolled_stencils() {
    std::string text = "HloModule m\nf {\n x0 = f32[64,128] parameter(0)\n z = f32[] constant(0)\n";
    std::string last = "x0";
    for (int step = 1; step <= 30; ++step) {
      const std::string n = std::to_string(step);
      int part = 0;
      std::string sum = last;
      for (const char* padding : {"1_-1x0_0", "-1_1x0_0", "0_0x1_-1", "0_0x-1_1"}) {
        const std::string name = n + "_" + std::to_string(part++);
        text += " s" + name + " = f32[64,128] pad(" + last + ", z), padding=" + padding + "\n";
        text += " t" + name + " = f32[64,128] add(" + sum + ", s" + name + ")\n";
        sum = "t" + name;
      }
      last = sum;
    }
    text += " ROOT r = f32[64,128] negate(" + last +
            ")\n}\nENTRY e {\n p = f32[64,128] parameter(0)\n"
            " ROOT k = f32[64,128] fusion(p), kind=kLoop, calls=f\n}\n";
    QVERIFY(is_timed(text));
  }
  // All tiles of 1 of an array of 2^31 elements: the walk must not list them.
  void a_walk_of_very_many_tiles_is_short() {
    const testing::OneKernel k = testing::one_kernel(
        entry_with_plus(" a = f32[1024,1048576,8,128]{3,2,1,0:T(8,128)} parameter(0)\n"
                        " ROOT r = f32[1024,1048576,8,128]{3,2,1,0:T(8,128)} negate(a)"));
    const sim::Rates rates(testing::fitted_v3());
    const sim::Simulation s =
        sim::simulate(k.model, std::vector<int64_t>(k.model.loops.size(), 1), rates);
    QCOMPARE(s.tiles, 1024.0 * 1048576);
    QCOMPARE(s.bytes_read, 4096.0 * 1024 * 1048576);
  }
};

HLOSCOPE_TEST(TestHostileKernels);
#include "test_hostile_kernels.moc"
