#include "core/sim/free_kernel.h"

#include "core/sim/simulate.h"
#include "core/sim/tile_space.h"
#include "tests/core/sim/sim_fixture.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

std::string entry(const std::string& lines) {
  return "HloModule m\nENTRY e {\n" + lines + "\n}\n";
}

sim::Simulation simulated(const std::string& lines) {
  const testing::OneKernel k = testing::one_kernel(entry(lines));
  const sim::Rates rates(testing::fitted_v3());
  return sim::simulate(k.model, sim::default_bounds(k.model, rates), rates);
}

}  // namespace

class TestFreeKernel : public QObject {
  Q_OBJECT
 private slots:
  void bitcasts_and_marks_data() {
    QTest::addColumn<QString>("result");
    QTest::addColumn<bool>("is_free");
    const QString a = QStringLiteral("f32[64,256]{1,0} parameter(0)\n ROOT r = ");
    const auto row = [&](const char* name, const char* lines, bool is_free) {
      QTest::newRow(name) << " a = " + a + QString::fromLatin1(lines) << is_free;
    };
    row("the layout undoes the permutation", "f32[256,64]{0,1} transpose(a), dimensions={1,0}",
        true);
    row("a transpose", "f32[256,64]{1,0} transpose(a), dimensions={1,0}", false);
    row("a dimension of 1 more", "f32[1,64,256]{2,1,0} reshape(a)", true);
    row("rows of whole tiles apart", "f32[8,8,256]{2,1,0} reshape(a)", true);
    row("tiles of 8 rows cut", "f32[16,4,256]{2,1,0} reshape(a)", false);
    row("other lanes", "f32[128,128]{1,0} reshape(a)", false);
    row("a mark", "f32[64,256] custom-call(a), custom_call_target=\"Sharding\"", true);
    row("a mark of Shardy",
        "f32[64,256] custom-call(a), custom_call_target=\"xla.sdy.FuncResultSharding\"", true);
    row("an unknown call", "f32[64,256] custom-call(a), custom_call_target=\"Foo\"", false);
    row("a copy", "f32[64,256]{1,0} copy(a)", false);
    // Tiles that the program states stay where they are only with the same minor dimension.
    QTest::newRow("stated tiles, lanes of 1") << " a = f32[64]{0:T(256)} parameter(0)\n"
                                                 " ROOT r = f32[64,1]{1,0:T(8,128)} reshape(a)"
                                              << false;
  }
  void bitcasts_and_marks() {
    QFETCH(QString, result);
    QFETCH(bool, is_free);
    const sim::Simulation s = simulated(result.toStdString());
    QCOMPARE(s.time_ns == 0, is_free);
  }
  // Read and written once at 436 GB/s, with the launch and two latencies; float16 is not converted
  // on the way, whatever the vector unit would take.
  void asynchronous_copies_are_transfers() {
    for (const char* type : {"f16", "bf16"}) {
      const sim::Simulation s =
          simulated(std::string(" a = ") + type + "[1024,1024] parameter(0)\n ROOT s = (" + type +
                    "[1024,1024], " + type + "[1024,1024], u32[]) copy-start(a)");
      const double expected_ns = 200 + 2 * 90 + 2 * 1024.0 * 1024 * 2 / 436;
      QVERIFY2(std::abs(s.time_ns - expected_ns) < 1, type);
    }
  }
  // XLA turns dots with one row or column into a multiplication and a sum: the vector unit takes 2
  // operations per register, a twentieth of loading the weights.
  void vector_products_do_not_load_weights() {
    const sim::Simulation dot = simulated(
        " a = f32[1048576] parameter(0)\n b = f32[1048576] parameter(1)\n"
        " ROOT r = f32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}");
    QCOMPARE(dot.busy_ns[static_cast<size_t>(sim::Unit::kMxu)], 0.0);
    QVERIFY(dot.time_ns < 2.2 * (2 * 1048576.0 * 4 / 436));
    const sim::Simulation rows = simulated(
        " a = f32[4096,4096] parameter(0)\n b = f32[4096] parameter(1)\n"
        " ROOT r = f32[4096] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}");
    QVERIFY(rows.time_ns < 1.3 * (4096.0 * 4096 * 4 / 436));
  }
  // A ring of 8 (assumed) where neither groups nor counts are known; 2 x 7/8 of the bytes.
  void collectives_without_a_group_size() {
    const std::string lines =
        " a = f32[1048576] parameter(0)\n ROOT r = f32[1048576] all-reduce(a), replica_groups={},"
        " to_apply=s";
    const std::string sum =
        "HloModule m\ns {\n x = f32[] parameter(0)\n y = f32[] parameter(1)\n"
        " ROOT z = f32[] add(x, y)\n}\nENTRY e {\n";
    const testing::OneKernel k = testing::one_kernel(sum + lines + "\n}\n");
    QCOMPARE(k.model.link_share, 2 * 7.0 / 8);
    QCOMPARE(k.model.link_steps, 14.0);
  }
};

HLOSCOPE_TEST(TestFreeKernel);
#include "test_free_kernel.moc"
