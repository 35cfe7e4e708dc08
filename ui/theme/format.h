#pragma once

#include <QString>
#include <cstdint>

namespace hloscope::ui {

/// Text of numbers as every page shows it: thin space (U+2009) between thousands, real minus
/// (U+2212), a dash for what has no value (NaN).

/// An integer with thousands separated: "40 312".
[[nodiscard]] QString formatCount(int64_t value);
/// A number with `decimals` digits after the point, thousands separated.
[[nodiscard]] QString formatNumber(double value, int decimals);
/// A time in microseconds without the unit: 1 decimal from 10 up, 2 below.
[[nodiscard]] QString formatTimeUs(double time_ns);
/// A time with the unit that suits it: "4.20 ns", "151.6 µs", "6.65 ms", "1.20 s".
[[nodiscard]] QString formatTime(double time_ns);
/// "512 B", "45.1 kB", "8.85 MB" (powers of 1000).
[[nodiscard]] QString formatBytes(double bytes);
/// "6.12 G", without the word FLOP. A negative number means unknown.
[[nodiscard]] QString formatFlops(double flops);
/// 0.023 -> "2.3 %".
[[nodiscard]] QString formatPercent(double fraction, int decimals = 1);
/// 0.024 -> "+2.4 %", -0.036 -> "−3.6 %".
[[nodiscard]] QString formatSignedPercent(double fraction, int decimals = 1);
/// The grey dash of a missing value.
[[nodiscard]] QString noValue();

}  // namespace hloscope::ui
