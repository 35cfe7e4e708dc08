#include "ui/models/kernel_cell_text.h"

#include <cmath>

#include "ui/theme/format.h"

namespace hloscope::ui {
namespace {

using analysis::ColumnKind;

QString signedNumber(double value, int decimals) {
  const QString text = formatNumber(value, decimals);
  return std::isfinite(value) && value >= 0 ? '+' + text : text;
}

QString timeHelp(analysis::TimeSource source) {
  const QString name = textOf(analysis::info(source).name);
  switch (source) {
    case analysis::TimeSource::kMeasured:
      return QStringLiteral("Time of one execution in µs, %1").arg(name);
    case analysis::TimeSource::kPredicted:
      return QStringLiteral(
          "Time of one execution in µs as a learned model predicts it, not measured");
    case analysis::TimeSource::kCompiler:
      return QStringLiteral(
          "XLA's own estimate of one execution in µs, not measured: the cycles that the compiler "
          "wrote into the program, at the clock of the machine");
    default:
      return QStringLiteral("Time of one execution in µs, %1, not measured").arg(name);
  }
}

}  // namespace

QString textOf(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString countOf(size_t count, const QString& noun) {
  const QString number = formatCount(static_cast<int64_t>(count));
  return QStringLiteral("%1 %2").arg(number, count == 1 ? noun : noun + 's');
}

QString cellText(const analysis::KernelColumn& column, double value) {
  if (std::isnan(value)) return noValue();
  switch (column.kind) {
    case ColumnKind::kCount:
      return formatNumber(value, value == std::floor(value) ? 0 : 2);
    case ColumnKind::kTime:
      return formatTimeUs(value);
    case ColumnKind::kError:
    case ColumnKind::kDelta:
      return signedNumber(value * 100, 1);
    case ColumnKind::kSpread:
      return QStringLiteral("± ") + formatNumber(value * 100, 1);
    case ColumnKind::kShare:
      return formatNumber(value * 100, 1);
    case ColumnKind::kFlops:
      return formatFlops(value);
    case ColumnKind::kBytes:
    case ColumnKind::kVmem:
      return formatBytes(value);
    case ColumnKind::kFlag:
      return value > 0 ? QStringLiteral("yes") : QStringLiteral("no");
    case ColumnKind::kIntensity:
      return formatNumber(value, value >= 100 ? 0 : value >= 10 ? 1 : 2);
    default:
      return {};
  }
}

QString columnHelp(const analysis::KernelColumn& column, analysis::TimeSource share_source) {
  const QString source = textOf(analysis::info(column.source).name);
  switch (column.kind) {
    case ColumnKind::kName:
      return QStringLiteral("Class, name and what the kernel does");
    case ColumnKind::kClass:
      return QStringLiteral("Class of the operation that decides the work");
    case ColumnKind::kBound:
      return QStringLiteral("What limits the kernel in the simulator");
    case ColumnKind::kCount:
      return column.key == "executions"
                 ? QStringLiteral("How often the kernel runs when the program runs once")
                 : QStringLiteral("Instructions inside, parameters not counted");
    case ColumnKind::kTime:
      return timeHelp(column.source);
    case ColumnKind::kError:
      return QStringLiteral("(%1 − measured) / measured").arg(source);
    case ColumnKind::kDelta:
      return QStringLiteral(
                 "Change of the %1 time against the pinned baseline, (now − baseline) / baseline: "
                 "positive where it takes longer now")
          .arg(source);
    case ColumnKind::kShare:
      return QStringLiteral("Time × executions, share of the program; counted in %1 time")
          .arg(textOf(analysis::info(share_source).name));
    case ColumnKind::kFlops:
      return QStringLiteral("Floating-point operations of one execution, counted as XLA does");
    case ColumnKind::kBytes:
      return QStringLiteral("Bytes read and written by one execution, without padding");
    case ColumnKind::kIntensity:
      return QStringLiteral("FLOPs per byte");
    case ColumnKind::kTile:
      return QStringLiteral("The tile that the simulated and analytical times hold for");
    case ColumnKind::kVmem:
      return QStringLiteral("VMEM that the tile takes");
    case ColumnKind::kSpread:
      return QStringLiteral(
          "Two thirds of the true times should lie within so much of the predicted one");
    case ColumnKind::kFlag:
      if (column.source == analysis::TimeSource::kPredicted) {
        return QStringLiteral(
            "Unlike the kernels that the model learned from: how good its time is, nobody has "
            "tried");
      }
      return QStringLiteral("An opcode without a rule of its own takes part");
  }
  return {};
}

QString predictedText(const analysis::PredictedTimes& times, const analysis::PredictedTime& time) {
  QString text = formatTimeUs(time.time_ns);
  if (times.by.has_spread) {
    text += QStringLiteral(" ± ") + formatTimeUs(time.spread() * time.time_ns);
  }
  return text + QStringLiteral(" µs");
}

QString modelText(const analysis::PredictedBy& by) {
  return QStringLiteral("%1, %2").arg(QString::fromStdString(by.label()),
                                      countOf(by.members, QStringLiteral("model")));
}

}  // namespace hloscope::ui
