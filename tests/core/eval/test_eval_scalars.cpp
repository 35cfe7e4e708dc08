#include <QTest>
#include <cmath>
#include <limits>

#include "core/eval/scalar.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using eval::Scalar;
using hlo::PrimitiveType;

namespace {
constexpr double kInf = std::numeric_limits<double>::infinity();
}

class TestEvalScalars : public QObject {
  Q_OBJECT
 private slots:
  // Values from the definitions of the formats: IEEE 754 and the OCP 8-bit formats.
  void rounding_to_narrow_floats_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<double>("value");
    QTest::addColumn<double>("expected");
    const auto row = [](const char* name, PrimitiveType type, double value, double expected) {
      QTest::newRow(name) << static_cast<int>(type) << value << expected;
    };
    row("bf16 tie goes to even", PrimitiveType::kBf16, 1 + 0x1p-8, 1);
    row("bf16 tie goes to even, up", PrimitiveType::kBf16, 1 + 0x3p-8, 1 + 0x1p-6);
    row("bf16 above a tie", PrimitiveType::kBf16, 1 + 0x1.01p-8, 1 + 0x1p-7);
    row("f16 largest", PrimitiveType::kF16, 65519, 65504);
    row("f16 too large", PrimitiveType::kF16, 65520, kInf);
    row("f16 below normal", PrimitiveType::kF16, 0x1.8p-24, 0x1p-23);
    row("f16 smallest", PrimitiveType::kF16, 0x1p-24, 0x1p-24);
    row("f16 nothing", PrimitiveType::kF16, 0x1p-25, 0);
    row("f8e4m3fn largest", PrimitiveType::kF8e4m3fn, 464, 448);
    row("f8e5m2 largest", PrimitiveType::kF8e5m2, -61439, -57344);
    row("f8e5m2 too large", PrimitiveType::kF8e5m2, -61440, -kInf);
    row("f8e4m3fnuz largest", PrimitiveType::kF8e4m3fnuz, 240, 240);
    row("f32", PrimitiveType::kF32, 16777217, 16777216);
  }
  void rounding_to_narrow_floats() {
    QFETCH(int, type);
    QFETCH(double, value);
    QFETCH(double, expected);
    QCOMPARE(eval::rounded(static_cast<PrimitiveType>(type), value), expected);
  }
  void types_without_infinity_overflow_to_nan() {
    QVERIFY(std::isnan(eval::rounded(PrimitiveType::kF8e4m3fn, 465)));
    QVERIFY(std::isnan(eval::rounded(PrimitiveType::kF8e4m3fnuz, kInf)));
    QVERIFY(!std::signbit(eval::rounded(PrimitiveType::kF8e4m3fnuz, -0.0)));
  }

  void every_pattern_of_narrow_types_comes_back_data() {
    QTest::addColumn<int>("type");
    for (int i = 1; i < hlo::kPrimitiveTypeCount; ++i) {
      const auto type = static_cast<PrimitiveType>(i);
      if (!eval::is_supported(type) || hlo::info(type).bits > 16) continue;
      QTest::newRow(std::string(hlo::name(type)).c_str()) << i;
    }
  }
  void every_pattern_of_narrow_types_comes_back() {
    QFETCH(int, type);
    const auto t = static_cast<PrimitiveType>(type);
    const int bits = t == PrimitiveType::kPred ? 1 : hlo::info(t).bits;
    for (uint64_t pattern = 0; pattern < uint64_t{1} << bits; ++pattern) {
      const Scalar value = eval::from_bits(t, pattern);
      if (eval::domain(t) == eval::Domain::kFloat) {
        if (std::isnan(value.re)) continue;
        QCOMPARE(eval::rounded(t, value.re), value.re);
      } else {
        QCOMPARE(eval::wrapped(t, value.i), value.i);
      }
      QCOMPARE(eval::to_bits(t, value), pattern);
    }
  }

  void conversions_to_integers_saturate() {
    const auto to = [](PrimitiveType type, double value) {
      return eval::converted(PrimitiveType::kF64, type, Scalar::of(value)).i;
    };
    QCOMPARE(to(PrimitiveType::kS8, 1000), 127);
    QCOMPARE(to(PrimitiveType::kS8, -1000), -128);
    QCOMPARE(to(PrimitiveType::kU8, -3), 0);
    QCOMPARE(to(PrimitiveType::kS64, 1e30), std::numeric_limits<int64_t>::max());
    QCOMPARE(to(PrimitiveType::kS64, -1e30), std::numeric_limits<int64_t>::min());
    QCOMPARE(static_cast<uint64_t>(to(PrimitiveType::kU64, 1e30)), ~uint64_t{0});
    QCOMPARE(to(PrimitiveType::kS32, std::nan("")), 0);
    QCOMPARE(to(PrimitiveType::kS32, -2.9), -2);
    QCOMPARE(to(PrimitiveType::kS4, 9.5), 7);
  }
  void integers_are_rounded_once() {
    // 2^62 + 2^38 + 1: just above half a step of f32; as a double it would be a tie.
    const int64_t value = (int64_t{1} << 62) + (int64_t{1} << 38) + 1;
    const Scalar result =
        eval::converted(PrimitiveType::kS64, PrimitiveType::kF32, Scalar::of(value));
    QCOMPARE(result.re, 0x1p62 + 0x1p39);
  }
};

HLOSCOPE_TEST(TestEvalScalars);

#include "test_eval_scalars.moc"
