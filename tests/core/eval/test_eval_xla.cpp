#include <QFile>
#include <QTest>
#include <optional>
#include <set>

#include "core/eval/compare.h"
#include "core/eval/evaluate.h"
#include "core/hlo/read.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using eval::Array;
using eval::Scalar;
using eval::Value;

namespace {

// One program of xla_cpu_golden.txt.
struct Case {
  QString name;
  std::optional<double> relative;
  std::optional<double> absolute;
  std::string module;
  std::vector<Value> arguments;
  std::vector<Value> results;  ///< The leaves.
};

std::optional<double> number_or_default(const QString& text) {
  return text == QStringLiteral("-") ? std::nullopt : std::optional(text.toDouble());
}

Scalar element(hlo::PrimitiveType type, const QStringList& words, qsizetype& at) {
  const QString& word = words.at(at++);
  switch (eval::domain(type)) {
    case eval::Domain::kFloat:
      return Scalar::of(eval::rounded(type, word.toDouble()));
    case eval::Domain::kComplex: {
      const double im = words.at(at++).toDouble();
      return Scalar::of(
          std::complex<double>(eval::rounded(type, word.toDouble()), eval::rounded(type, im)));
    }
    case eval::Domain::kInteger:
      break;
  }
  if (word.startsWith('-')) return Scalar::of(static_cast<int64_t>(word.toLongLong()));
  return Scalar::of(static_cast<int64_t>(word.toULongLong()));
}

// "f32[2,3]" and its numbers.
Value leaf(const QString& shape, const QStringList& words) {
  const qsizetype bracket = shape.indexOf('[');
  Array array;
  array.type = *hlo::type_by_name(shape.left(bracket).toStdString());
  const QString dims = shape.mid(bracket + 1, shape.size() - bracket - 2);
  for (const QString& size : dims.split(',', Qt::SkipEmptyParts)) {
    array.dimensions.push_back(size.toLongLong());
  }
  qsizetype at = 0;
  for (int64_t i = 0; i < eval::element_count(array.dimensions); ++i) {
    array.elements.push_back(element(array.type, words, at));
  }
  if (at != words.size()) qFatal("%s: other values than the shape has", qPrintable(shape));
  return Value(std::move(array));
}

Case read_case(const QString& block) {
  const QStringList parts = block.split(QStringLiteral("\n--- "));
  const qsizetype line_end = parts[0].indexOf('\n');
  const QStringList head = parts[0].left(line_end).split(QStringLiteral(" | "));
  if (head.size() != 3) qFatal("a case without tolerances: %s", qPrintable(head[0]));
  Case out{head[0],
           number_or_default(head[1]),
           number_or_default(head[2]),
           parts[0].mid(line_end + 1).toStdString(),
           {},
           {}};
  for (const QString& part : parts.mid(1)) {
    const qsizetype end = part.indexOf('\n');
    const QStringList kind = part.left(end).split(' ');
    const QStringList words = part.mid(end).simplified().split(' ', Qt::SkipEmptyParts);
    (kind[0] == QStringLiteral("argument") ? out.arguments : out.results)
        .push_back(leaf(kind[1], words));
  }
  return out;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    QFile file(QStringLiteral(HLOSCOPE_SOURCE_DIR "/tests/core/eval/xla_cpu_golden.txt"));
    if (!file.open(QIODevice::ReadOnly)) qFatal("%s", qPrintable(file.errorString()));
    std::vector<Case> out;
    const QStringList blocks = QString::fromUtf8(file.readAll()).split(QStringLiteral("\n=== "));
    for (const QString& block : blocks.mid(1)) out.push_back(read_case(block));
    return out;
  }();
  return all;
}

// A unit or two in the last place of the type; nothing for results that are exact.
eval::Tolerance tolerance_of(const Case& test, hlo::PrimitiveType type) {
  const int bits = hlo::info(type).bits;
  double relative = 3e-7;
  if (type == hlo::PrimitiveType::kF64) relative = 1e-15;
  if (type == hlo::PrimitiveType::kF16) relative = 1e-3;
  if (type == hlo::PrimitiveType::kBf16) relative = 8e-3;
  if (bits == 8) relative = 0;
  return {test.absolute.value_or(0), test.relative.value_or(relative)};
}

void add_leaves(const Value& value, std::vector<Value>& out) {
  if (!value.is_tuple()) out.push_back(value);
  for (const Value& inner : value.elements()) add_leaves(inner, out);
}

}  // namespace

class TestEvalXla : public QObject {
  Q_OBJECT
 private slots:
  void same_as_xla_cpu_data() {
    QTest::addColumn<size_t>("index");
    for (size_t i = 0; i < cases().size(); ++i) {
      QTest::newRow(qPrintable(cases()[i].name)) << i;
    }
  }
  void same_as_xla_cpu() {
    QFETCH(size_t, index);
    const Case& test = cases()[index];
    const auto program = hlo::parse_program(test.module);
    QVERIFY2(program.has_value(), program ? "" : program.error().format().c_str());
    const auto result = eval::evaluate(**program, test.arguments);
    QVERIFY2(result.has_value(), result ? "" : result.error().format().c_str());
    std::vector<Value> leaves;
    add_leaves(*result, leaves);
    QCOMPARE(leaves.size(), test.results.size());
    for (size_t i = 0; i < leaves.size(); ++i) {
      const auto type = test.results[i].array().type;
      const auto difference = eval::compare(leaves[i], test.results[i], tolerance_of(test, type));
      QVERIFY2(
          difference.none(),
          qPrintable(
              QStringLiteral("result %1 %2").arg(i).arg(QString::fromStdString(difference.first))));
    }
  }

  // The golden programs together use what the evaluator knows, but for the few listed here: XLA:CPU
  // does not keep them, or they need more than one program gives.
  void every_opcode_is_compared() {
    std::set<hlo::Opcode> seen;
    for (const Case& test : cases()) {
      const auto program = hlo::parse_program(test.module);
      QVERIFY(program.has_value());
      for (const hlo::InstructionId id : (*program)->instructions()) {
        seen.insert((**program)[id].opcode);
      }
    }
    const std::set<std::string_view> elsewhere = {"add-dependency", "after-all", "domain",
                                                  "partition-id", "replica-id"};
    for (int i = 0; i < hlo::kOpcodeCount; ++i) {
      const auto opcode = static_cast<hlo::Opcode>(i);
      if (!eval::is_supported(opcode) || elsewhere.contains(name(opcode))) continue;
      QVERIFY2(seen.contains(opcode), std::string(name(opcode)).c_str());
    }
  }
};

HLOSCOPE_TEST(TestEvalXla);

#include "test_eval_xla.moc"
