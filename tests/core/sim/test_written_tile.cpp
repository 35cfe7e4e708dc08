#include "core/sim/tile_space.h"
#include "core/sim/written_tile.h"
#include "tests/core/sim/sim_fixture.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

std::string dot_with(const std::string& attributes) {
  return "HloModule m, is_scheduled=true\nENTRY main {\n"
         "  a = f32[64,384]{1,0:T(8,128)} parameter(0)\n"
         "  b = f32[384,512]{1,0:T(8,128)} parameter(1)\n"
         "  ROOT dot = f32[64,512]{1,0:T(8,128)} dot(a, b), lhs_contracting_dims={1}, "
         "rhs_contracting_dims={0}" +
         attributes + "\n}\n";
}

hlo::InstructionId root(const testing::OneKernel& k) {
  return (*k.program)[k.program->entry()].root;
}

}  // namespace

class TestWrittenTile : public QObject {
  Q_OBJECT
 private slots:
  void the_value_of_the_attribute_data() {
    QTest::addColumn<QString>("attributes");
    QTest::addColumn<QString>("tile");
    QTest::newRow("none") << ""
                          << "";
    QTest::newRow("alone") << ", frontend_attributes={hloscope_tile=\"out=4x2,kernel=3x2\"}"
                           << "out=4x2,kernel=3x2";
    QTest::newRow("behind others") << ", frontend_attributes={a=\"b\",hloscope_tile=\"out=1x1\"}"
                                   << "out=1x1";
    QTest::newRow("another name") << ", frontend_attributes={my_hloscope_tile=\"out=1x1\"}"
                                  << "";
  }
  void the_value_of_the_attribute() {
    QFETCH(QString, attributes);
    QFETCH(QString, tile);
    const testing::OneKernel k = testing::one_kernel(dot_with(attributes.toStdString()));
    QCOMPARE(QString::fromStdString(std::string(sim::written_tile(*k.program, root(k)))), tile);
  }
  // 64 x 512 in registers of 8 x 128: 8 rows, 4 columns, 3 steps of the sum.
  void a_kernel_is_timed_at_the_tile_that_the_program_says_data() {
    QTest::addColumn<QString>("tile");
    QTest::addColumn<bool>("is_taken");
    QTest::addColumn<QString>("why_not");
    QTest::newRow("a tile") << "out=2x1,kernel=3x1" << true << "";
    QTest::newRow("a bound for each loop") << "loops=2x1x3" << true << "";
    QTest::newRow("too large") << "out=9x1,kernel=3x1" << false
                               << "bound 1 of out= is 9, its range is 1 to 8";
    QTest::newRow("too few loops") << "loops=2x1" << false << "loops=2x1: the kernel has 3 loops";
    QTest::newRow("no tile") << "best" << false << "cannot read the tile \"best\"";
    QTest::newRow("negative") << "out=-2x1,kernel=3x1" << false
                              << "cannot read the tile \"out=-2x1,kernel=3x1\"";
    QTest::newRow("more than 64 bits")
        << "out=99999999999999999999x1,kernel=3x1" << false
        << "cannot read the tile \"out=99999999999999999999x1,kernel=3x1\"";
  }
  void a_kernel_is_timed_at_the_tile_that_the_program_says() {
    QFETCH(QString, tile);
    QFETCH(bool, is_taken);
    QFETCH(QString, why_not);
    const sim::Rates rates(testing::fitted_v3());
    const testing::OneKernel k = testing::one_kernel(
        dot_with(", frontend_attributes={hloscope_tile=\"" + tile.toStdString() + "\"}"));
    const auto written = sim::written_bounds(*k.program, root(k), k.model, rates);
    QCOMPARE(written.has_value(), is_taken);
    const auto error = sim::written_tile_error(*k.program, root(k), k.model, rates);
    QCOMPARE(QString::fromStdString(error ? error->message : std::string()), why_not);
    const auto bounds = sim::program_bounds(*k.program, root(k), k.model, rates);
    QVERIFY(bounds == (is_taken ? *written : sim::default_bounds(k.model, rates)));
    if (is_taken) QVERIFY(bounds != sim::default_bounds(k.model, rates));
  }
};

HLOSCOPE_TEST(TestWrittenTile);
#include "test_written_tile.moc"
