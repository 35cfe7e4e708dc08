#include "tests/ui/numbers/shown_number.h"

#include <QMap>
#include <QRegularExpression>
#include <cmath>

namespace hloscope::testing {

namespace {

constexpr double kRounding = 1e-9;  ///< Of what JSON writes; ties may go either way.

QString plain(QString text) {
  text.remove(QChar(0x2009)).remove(',').remove(QStringLiteral("≈ "));
  text.replace(QChar(0x2212), '-');
  text.remove(QStringLiteral("± "));
  return text.trimmed();
}

std::optional<double> scale_of(const QString& unit, double usual) {
  static const QMap<QString, double> scales = {
      {"ns", 1},         {"µs", 1e3},   {"ms", 1e6},       {"s", 1e9},       {"B", 1},
      {"kB", 1e3},       {"MB", 1e6},   {"GB", 1e9},       {"TB", 1e12},     {"k", 1e3},
      {"M", 1e6},        {"G", 1e9},    {"T", 1e12},       {"P", 1e15},      {"%", 0.01},
      {"×", 1},          {"x", 1},      {"FLOP/B", 1},     {"FLOP/byte", 1}, {"GFLOP/s", 1e9},
      {"TFLOP/s", 1e12}, {"GB/s", 1e9}, {"MiB", 1048576.0}};
  if (unit.isEmpty()) return usual;
  const auto at = scales.find(unit);
  return at == scales.end() ? std::nullopt : std::optional(*at);
}

}  // namespace

std::optional<ShownNumber> read_shown(const QString& text, double unit) {
  static const QRegularExpression kNumber(
      QStringLiteral("^([+-]?\\d+(?:\\.(\\d+))?(?:e([+-]?\\d+))?)\\s*([^\\d\\s]\\S*)?$"));
  const QRegularExpressionMatch match = kNumber.match(plain(text));
  const std::optional<double> scale =
      match.hasMatch() ? scale_of(match.captured(4), unit) : std::nullopt;
  if (!scale) return std::nullopt;
  const auto decimals = static_cast<double>(match.captured(2).size());
  const double exponent = match.captured(3).toDouble();
  return ShownNumber{match.captured(1).toDouble() * *scale,
                     0.5 * std::pow(10, exponent - decimals) * *scale};
}

bool shows(const QString& text, const QJsonValue& value, double unit) {
  const bool is_none = value.isNull() || value.isUndefined();
  if (is_none) return text == QString(QChar(0x2013)) || text == QStringLiteral("-");
  if (value.isBool()) return text == (value.toBool() ? "yes" : "no");
  if (value.isString()) return text == value.toString();
  const std::optional<ShownNumber> shown = read_shown(text, unit);
  if (!shown) return false;
  const double rounding = kRounding * std::abs(value.toDouble());
  return std::abs(shown->value - value.toDouble()) <= shown->half_step * (1 + 1e-6) + rounding;
}

QByteArray told(const QString& what, const QString& text, const QJsonValue& value) {
  const QString wanted =
      value.isDouble() ? QString::number(value.toDouble(), 'g', 12) : value.toVariant().toString();
  return QStringLiteral("%1 shows '%2', should be %3")
      .arg(what, text, value.isUndefined() ? QStringLiteral("(nothing)") : wanted)
      .toUtf8();
}

QString TextRows::cell(qsizetype row, const QString& title) const {
  const qsizetype column = titles.indexOf(title);
  return column < 0 ? QStringLiteral("(no column %1)").arg(title) : rows[row].value(column);
}

TextRows read_table(const QString& text, const QString& first_title) {
  static const QRegularExpression kGap(QStringLiteral("\\s{2,}"));
  TextRows out;
  for (const QString& line : text.split('\n')) {
    const QStringList cells = line.trimmed().split(kGap, Qt::SkipEmptyParts);
    if (out.titles.isEmpty()) {
      if (!cells.isEmpty() && cells.front() == first_title) out.titles = cells;
    } else if (cells.size() < out.titles.size()) {
      break;  // An empty line, or what stands below the table.
    } else {
      out.rows << cells;
    }
  }
  return out;
}

}  // namespace hloscope::testing
