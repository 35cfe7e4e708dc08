#pragma once

#include <QJsonValue>
#include <QString>
#include <QStringList>
#include <optional>

namespace hloscope::testing {

/// A number as a page or the command line writes it, in base units (ns, bytes, fractions ...).
struct ShownNumber {
  double value = 0;
  double half_step = 0;  ///< Half of what its last digit stands for.
};

/// Reads "1 234.5", "−3.4 %", "+12.1", "9.57 T", "436 ms", "≈ 1.234×". A number without a unit of
/// its own counts `unit`. Empty: no number.
[[nodiscard]] std::optional<ShownNumber> read_shown(const QString& text, double unit = 1);

/// The text says `value` to the digits that it shows. Null and NaN are written as a dash.
[[nodiscard]] bool shows(const QString& text, const QJsonValue& value, double unit = 1);

/// For messages: "shows 12.3, should be 12.41".
[[nodiscard]] QByteArray told(const QString& what, const QString& text, const QJsonValue& value);

/// A table as the command line prints it, from its head line on: cells by row and column title.
struct TextRows {
  QStringList titles;
  QList<QStringList> rows;

  [[nodiscard]] QString cell(qsizetype row, const QString& title) const;
};
/// The table whose head line begins with `first_title`; empty where there is none.
[[nodiscard]] TextRows read_table(const QString& text, const QString& first_title);

}  // namespace hloscope::testing

/// Fails the test function, naming text and value, unless the text shows the value.
#define QVERIFY_SHOWS(what, text, value, unit)                \
  QVERIFY2(hloscope::testing::shows((text), (value), (unit)), \
           hloscope::testing::told((what), (text), (value)))
