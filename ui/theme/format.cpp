#include "ui/theme/format.h"

#include <array>
#include <cmath>

namespace hloscope::ui {

namespace {

constexpr QChar kThinSpace(0x2009);
constexpr QChar kMinus(0x2212);
constexpr QChar kDash(0x2013);

QString withUnit(const QString& number, const QString& unit) {
  return number + QChar::Space + unit;
}

/// Three significant digits, never fewer than all digits before the point.
QString threeDigits(double value) {
  const double size = std::abs(value);
  // The limits are where rounding reaches the next decade.
  const int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  return formatNumber(value, decimals);
}

QString scaled(double value, const std::array<QString, 7>& prefixes, const QString& unit) {
  size_t step = 0;
  while (std::abs(value) >= 999.5 && step + 1 < prefixes.size()) {
    value /= 1000;
    ++step;
  }
  const bool whole = step == 0 && value == std::floor(value);
  return withUnit(whole ? formatNumber(value, 0) : threeDigits(value), prefixes[step] + unit)
      .trimmed();
}

}  // namespace

QString noValue() {
  return kDash;
}

QString formatNumber(double value, int decimals) {
  if (!std::isfinite(value)) return noValue();
  QString digits = QString::number(std::abs(value), 'f', decimals);
  qsizetype point = digits.indexOf('.');
  if (point < 0) point = digits.size();
  for (qsizetype i = point - 3; i > 0; i -= 3) digits.insert(i, kThinSpace);
  const bool zero =
      digits.count('0') + digits.count('.') + digits.count(kThinSpace) == digits.size();
  return value < 0 && !zero ? kMinus + digits : digits;
}

QString formatCount(int64_t value) {
  return formatNumber(static_cast<double>(value), 0);
}

QString formatTimeUs(double time_ns) {
  const double time_us = time_ns / 1e3;
  return formatNumber(time_us, std::abs(time_us) >= 9.995 ? 1 : 2);
}

QString formatTime(double time_ns) {
  if (!std::isfinite(time_ns)) return noValue();
  const double size = std::abs(time_ns);
  if (size < 99.5) return withUnit(threeDigits(time_ns), QStringLiteral("ns"));
  if (size < 999'950) return withUnit(formatTimeUs(time_ns), QStringLiteral("µs"));
  if (size < 999.5e6) return withUnit(threeDigits(time_ns / 1e6), QStringLiteral("ms"));
  return withUnit(threeDigits(time_ns / 1e9), QStringLiteral("s"));
}

QString formatBytes(double bytes) {
  if (!std::isfinite(bytes)) return noValue();
  return scaled(bytes, {"", "k", "M", "G", "T", "P", "E"}, QStringLiteral("B"));
}

QString formatFlops(double flops) {
  if (!std::isfinite(flops) || flops < 0) return noValue();
  return scaled(flops, {"", "k", "M", "G", "T", "P", "E"}, QString());
}

QString formatPercent(double fraction, int decimals) {
  if (!std::isfinite(fraction)) return noValue();
  return withUnit(formatNumber(fraction * 100, decimals), QStringLiteral("%"));
}

QString formatSignedPercent(double fraction, int decimals) {
  const QString text = formatPercent(fraction, decimals);
  return std::isfinite(fraction) && !text.startsWith(kMinus) ? '+' + text : text;
}

}  // namespace hloscope::ui
