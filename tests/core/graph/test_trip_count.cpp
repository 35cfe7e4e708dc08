#include "core/graph/trip_count.h"
#include "tests/core/graph/graph_fixture.h"
#include "tests/core/graph/loop_text.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;

namespace {

/// Runs the loop, as a check of the formula.
int64_t run_loop(int64_t i, int64_t limit, int64_t step, const std::string& direction) {
  const auto holds = [&] {
    if (direction == "LT") return i < limit;
    if (direction == "LE") return i <= limit;
    if (direction == "GT") return i > limit;
    if (direction == "GE") return i >= limit;
    if (direction == "NE") return i != limit;
    return i == limit;
  };
  int64_t trips = 0;
  while (holds() && trips < 1000) {
    i += step;
    ++trips;
  }
  return trips;
}

graph::Loop only_loop(const std::string& text) {
  const auto program = parse(text);
  return graph::kernels(*program).loops.at(0);
}

}  // namespace

class TestTripCount : public QObject {
  Q_OBJECT

 private slots:
  void iterations_are_counted_as_they_run() {
    for (const std::string direction : {"LT", "LE", "GT", "GE", "NE", "EQ"}) {
      for (int64_t init = -5; init <= 5; ++init) {
        for (int64_t limit = -5; limit <= 5; ++limit) {
          for (int64_t step = -3; step <= 3; ++step) {
            const int64_t expected = run_loop(init, limit, step, direction);
            const auto trips = graph::count_iterations(init, limit, step, direction);
            QCOMPARE(trips.value_or(1000), expected);
          }
        }
      }
    }
  }

  void iterations_that_overflow_are_not_counted() {
    constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
    constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
    QVERIFY(!graph::count_iterations(kMin, kMax, 1, "LT"));
    QVERIFY(!graph::count_iterations(0, kMax, 1, "LE"));
    QVERIFY(!graph::count_iterations(kMax, kMin, -1, "GT"));
    QVERIFY(!graph::count_iterations(kMax, -1, -1, "NE"));
    QCOMPARE(graph::count_iterations(0, kMax, kMax, "LT").value_or(-1), int64_t{1});
  }

  void the_compilers_trip_count_is_read_data() {
    QTest::addColumn<QString>("config");
    QTest::addColumn<qlonglong>("expected");  // -1: none.
    QTest::newRow("xla") << R"({"known_trip_count":{"n":"12"},"known_init_step":{"init":"0"}})"
                         << 12LL;
    QTest::newRow("blanks") << R"({ "known_trip_count" : { "n" : "7" } })" << 7LL;
    QTest::newRow("number") << R"({"known_trip_count":{"n":3}})" << 3LL;
    QTest::newRow("none") << R"({"other":{"n":"12"}})" << -1LL;
    QTest::newRow("empty") << QString() << -1LL;
    QTest::newRow("cut") << R"({"known_trip_count":{"n":)" << -1LL;
    QTest::newRow("negative") << R"({"known_trip_count":{"n":"-4"}})" << -1LL;
  }
  void the_compilers_trip_count_is_read() {
    QFETCH(QString, config);
    QFETCH(qlonglong, expected);
    QCOMPARE(graph::known_trip_count(config.toStdString()).value_or(-1), expected);
  }

  void a_trip_count_in_the_config_goes_first() {
    const auto loop =
        only_loop(loop_text({.config = R"(, backend_config={"known_trip_count":{"n":"44"}})"}));
    QVERIFY(loop.known);
    QCOMPARE(loop.trip_count, int64_t{44});
  }

  void the_counter_gives_the_trip_count_data() {
    QTest::addColumn<QString>("init");
    QTest::addColumn<QString>("condition");
    QTest::addColumn<QString>("next");
    QTest::addColumn<int>("expected");  // -1: unknown.
    const QString zero = "s32[] constant(0)";
    const QString below10 =
        "limit = s32[] constant(10)\n ROOT less = pred[] compare(i, limit), direction=LT";
    const QString plus1 = "one = s32[] constant(1)\n next = s32[] add(i, one)";
    QTest::newRow("canonical") << zero << below10 << plus1 << 10;
    QTest::newRow("mirrored")
        << zero << "limit = s32[] constant(10)\n ROOT less = pred[] compare(limit, i), direction=GT"
        << "one = s32[] constant(1)\n next = s32[] add(one, i)" << 10;
    QTest::newRow("downwards by three")
        << "s32[] constant(20)"
        << "limit = s32[] constant(0)\n ROOT more = pred[] compare(i, limit), direction=GT"
        << "three = s32[] constant(3)\n next = s32[] subtract(i, three)" << 7;
    QTest::newRow("inclusive")
        << "s32[] constant(1)"
        << "limit = s32[] constant(10)\n ROOT less = pred[] compare(i, limit), direction=LE"
        << "two = s32[] constant(2)\n next = s32[] add(i, two)" << 5;
    QTest::newRow("until equal")
        << zero << "limit = s32[] constant(12)\n ROOT ne = pred[] compare(i, limit), direction=NE"
        << "four = s32[] constant(4)\n next = s32[] add(i, four)" << 3;
    QTest::newRow("looks one ahead")
        << zero
        << "limit = s32[] constant(10)\n one = s32[] constant(1)\n ahead = s32[] add(i, one)\n "
           "ROOT less = pred[] compare(ahead, limit), direction=LT"
        << plus1 << 9;
    QTest::newRow("two steps")
        << zero << below10
        << "one = s32[] constant(1)\n half = s32[] add(i, one)\n next = s32[] add(half, one)" << 5;
    QTest::newRow("copies and converts")
        << zero
        << "limit = s64[] constant(10)\n wide = s64[] convert(i)\n ROOT less = pred[] "
           "compare(wide, limit), direction=LT"
        << "kept = s32[] copy(i)\n one = s32[] constant(1)\n next = s32[] add(kept, one)" << 10;
    QTest::newRow("never runs") << "s32[] constant(10)" << below10 << plus1 << 0;
    QTest::newRow("never ends") << zero << below10
                                << "one = s32[] constant(1)\n next = s32[] subtract(i, one)" << -1;
    QTest::newRow("doubles") << "s32[] constant(1)" << below10 << "next = s32[] add(i, i)" << -1;
    QTest::newRow("data decides")
        << zero
        << "d = f32[8,128]{1,0} get-tuple-element(state), index=1\n x = f32[1,1]{1,0} slice(d), "
           "slice={[0:1],[0:1]}\n s = f32[] reshape(x)\n limit = f32[] constant(1)\n ROOT less = "
           "pred[] compare(s, limit), direction=LT"
        << plus1 << -1;
  }
  void the_counter_gives_the_trip_count() {
    QFETCH(QString, init);
    QFETCH(QString, condition);
    QFETCH(QString, next);
    QFETCH(int, expected);
    const auto loop = only_loop(loop_text({.init = init.toStdString(),
                                           .condition = condition.toStdString(),
                                           .next = next.toStdString()}));
    QCOMPARE(loop.known, expected >= 0);
    QCOMPARE(loop.trip_count, expected >= 0 ? int64_t{expected} : int64_t{1});
  }

  void the_counter_is_seen_through_fusions_and_calls() {
    const auto loop = only_loop(loop_text(
        {.condition = "limit = s32[] constant(10)\n"
                      "ROOT less = pred[] fusion(i, limit), kind=kLoop, calls=fused_less",
         .next = "three = s32[] constant(3)\n next = s32[] call(three, i), to_apply=called_add",
         .computations = R"(
fused_less {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT c = pred[] compare(a, b), direction=LT
}
called_add {
  x = s32[] parameter(0)
  y = s32[] parameter(1)
  ROOT z = s32[] add(x, y)
})"}));
    QVERIFY(loop.known);
    QCOMPARE(loop.trip_count, int64_t{4});
  }

  void a_limit_carried_unchanged_through_the_loop_is_known() {
    const auto program = parse(R"(
HloModule carried
condition {
  state = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(state), index=0
  n = s32[] get-tuple-element(state), index=1
  ROOT less = pred[] compare(i, n), direction=LT
}
body {
  state = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(state), index=0
  n = s32[] get-tuple-element(state), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  ROOT result = (s32[], s32[]) tuple(next, n)
}
ENTRY main {
  zero = s32[] constant(0)
  limit = s32[] constant(24)
  init = (s32[], s32[]) tuple(zero, limit)
  ROOT loop = (s32[], s32[]) while(init), condition=condition, body=body
})");
    const auto loops = graph::kernels(*program).loops;
    QCOMPARE(loops.size(), size_t{1});
    QVERIFY(loops[0].known);
    QCOMPARE(loops[0].trip_count, int64_t{24});
  }

  void a_counter_limits_a_loop_that_data_ends() {
    const auto loop = only_loop(loop_text({
        .condition = "limit = s32[] constant(30)\n"
                     "less = pred[] compare(i, limit), direction=LT\n"
                     "d = f32[8,128]{1,0} get-tuple-element(state), index=1\n"
                     "x = f32[1,1]{1,0} slice(d), slice={[0:1],[0:1]}\n"
                     "s = f32[] reshape(x)\n"
                     "goal = f32[] constant(1)\n"
                     "wanted = pred[] compare(s, goal), direction=LT\n"
                     "ROOT both = pred[] and(wanted, less)",
    }));
    QVERIFY(!loop.known);
    QCOMPARE(loop.trip_count, int64_t{1});
    QCOMPARE(loop.at_most, int64_t{30});
    QCOMPARE(only_loop(loop_text({})).at_most, int64_t{0});
  }
};

HLOSCOPE_TEST(TestTripCount);

#include "test_trip_count.moc"
