#include <set>

#include "core/hlo/tpu_layout.h"

#include "tests/core/tune/layout_fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;
using tune::Config;

class TestLayoutSpace : public QObject {
  Q_OBJECT

  static size_t choices_of(const std::string& shape) {
    const auto program = entry_of("  ROOT p = " + shape + " parameter(0)\n");
    return tune::layout_choices(program->shape((*program)[program->entry()].root)).size();
  }

 private slots:
  void orders_that_differ_in_memory_count_once_data() {
    QTest::addColumn<QString>("shape");
    QTest::addColumn<int>("count");
    QTest::newRow("rank 2") << "f32[8,128]" << 2;
    QTest::newRow("all of rank 4") << "f32[2,3,4,5]" << 24;
    // 2 minor dimensions and 3 above each; what lies above those has one element but for one.
    QTest::newRow("a 1x1 filter") << "f32[1,1,64,128]" << 6;
    QTest::newRow("minor pairs of rank 5") << "f32[2,3,4,5,6]" << 20;
    QTest::newRow("a row") << "f32[1,128]" << 1;
    QTest::newRow("a vector") << "f32[128]" << 1;
    QTest::newRow("dynamic") << "f32[<=8,128]" << 1;
    QTest::newRow("in VMEM") << "f32[8,128]{1,0:S(1)}" << 1;
  }
  void orders_that_differ_in_memory_count_once() {
    QFETCH(QString, shape);
    QFETCH(int, count);
    QCOMPARE(choices_of(shape.toStdString()), static_cast<size_t>(count));
  }

  void stated_tiles_are_those_of_the_new_order() {
    const auto program = entry_of("  ROOT p = f32[2,512]{1,0:T(2,128)} parameter(0)\n");
    const hlo::Shape& shape = program->shape((*program)[program->entry()].root);
    const hlo::Shape turned = tune::with_order(shape, {0, 1});
    // 512 rows of 2 lanes: openxla.org/xla/tiled_layout.
    QVERIFY((turned.layout.tiles == hlo::Tiles{{8, 128}}));
    QVERIFY((tune::with_order(turned, {1, 0}).layout.tiles == hlo::Tiles{{2, 128}}));
  }

  void dimensions_are_operands_and_results() {
    const auto space = layout_space(scheduled(kNarrowLanes));
    QStringList names;
    for (size_t d = 0; d < space->dimensions(); ++d) names << qt(space->dimension_name(d));
    QCOMPARE(names.join(", "), QString("narrow operand 0, narrow result, wide operand 0, "
                                       "wide result"));
    QCOMPARE(*space->count(), 2.0 * 6 * 6 * 2);
  }

  void all_configurations_follow_once() {
    const auto space = layout_space(scheduled(kNarrowLanes));
    std::set<Config> seen;
    std::optional<Config> at = space->after(nullptr);
    QVERIFY(*at == space->default_config());
    for (; at; at = space->after(&*at)) QVERIFY(seen.insert(*at).second);
    QCOMPARE(static_cast<double>(seen.size()), *space->count());
  }

  void texts_come_back() {
    Rng rng(5);
    const auto space = layout_space(entry_of(kSmallNetwork));
    QCOMPARE(qt(space->text(space->default_config())), QString("default"));
    QVERIFY(*space->parse("default") == space->default_config());
    for (int i = 0; i < 100; ++i) {
      const Config config = space->random(rng);
      QVERIFY(value_of(space->parse(space->text(config))) == config);
      const Config moved = *space->neighbour(config, rng);
      QVERIFY(moved != config);
      QVERIFY(value_of(space->parse(space->text(moved))) == moved);
      const Config child = space->cross(config, moved, rng);
      QVERIFY(value_of(space->parse(space->text(child))) == child);
    }
  }
  void a_text_names_what_differs() {
    const auto space = layout_space(scheduled(kNarrowLanes));
    const Config config = value_of(space->parse("narrow/out:1.2.0;wide/in0:1.2.0"));
    QCOMPARE(qt(space->text(config)), QString("narrow/out:1.2.0;wide/in0:1.2.0"));
    QCOMPARE(
        space->dimensions() - static_cast<size_t>(std::count(config.begin(), config.end(), 0U)),
        size_t{2});
  }
  void wrong_texts_are_refused_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    QTest::newRow("empty") << ""
                           << "\"\" is no layout of an array";
    QTest::newRow("end") << "narrow/out:1.2.0;"
                         << "\"\" is no layout of an array";
    QTest::newRow("name") << "narow/out:1.2.0"
                          << "did you mean narrow/out?";
    QTest::newRow("letters") << "narrow/out:a"
                             << "\"a\" is not an order of dimensions";
    QTest::newRow("half") << "narrow/out:1.2."
                          << "\"1.2.\" is not an order of dimensions";
    QTest::newRow("twice") << "narrow/out:1.1.0"
                           << "1.1.0 is not among the layouts of narrow/out";
    QTest::newRow("rank") << "narrow/out:1.0"
                          << "1.0 is not among the layouts of narrow/out";
  }
  void wrong_texts_are_refused() {
    QFETCH(QString, text);
    QFETCH(QString, message);
    const auto config = layout_space(scheduled(kNarrowLanes))->parse(text.toStdString());
    QVERIFY(!config);
    QVERIFY2(qt(config.error().format()).contains(message), config.error().format().c_str());
  }

  void half_of_the_moves_take_along_what_hangs_together() {
    Rng rng(1);
    const auto space = layout_space(scheduled(kNarrowLanes));
    int together = 0;
    for (int i = 0; i < 400; ++i) {
      const Config moved = *space->neighbour(space->default_config(), rng);
      const auto changed =
          space->dimensions() - static_cast<size_t>(std::count(moved.begin(), moved.end(), 0U));
      QVERIFY(changed == 1 || (changed == 2 && moved[1] == moved[2]));
      together += changed == 2 ? 1 : 0;
    }
    // Half of the moves of the two dimensions in the middle: 100 expected, 9 is its deviation.
    QVERIFY2(together > 60 && together < 140, qPrintable(QString::number(together)));
  }

  void nothing_to_choose_is_an_error() {
    const auto space = tune::make_layout_space(entry_of("  ROOT p = f32[8,128] parameter(0)\n"));
    QVERIFY(!space);
    QCOMPARE(space.error().code, ErrorCode::kUnsupported);
  }
};

HLOSCOPE_TEST(TestLayoutSpace);
#include "test_layout_space.moc"
