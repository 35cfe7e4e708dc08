#include "ui/pages/tiles/tile_text.h"

#include <QCoreApplication>
#include <QStringList>

#include "core/base/units.h"
#include "ui/theme/format.h"

namespace hloscope::ui {

QString boundsText(std::span<const int64_t> bounds) {
  if (bounds.empty()) return {};
  QStringList parts;
  for (const int64_t bound : bounds) parts << QString::number(bound);
  return '[' + parts.join(',') + ']';
}

QString tileText(const sim::Tile& tile) {
  QString text = boundsText(tile.output);
  if (!tile.kernel.empty()) {
    text += QCoreApplication::translate("Tiles", " kernel ") + boundsText(tile.kernel);
  }
  return text.isEmpty() ? QCoreApplication::translate("Tiles", "whole") : text;
}

QString mebibytes(double bytes) {
  const double value = bytes / kBytesPerMib;
  return formatNumber(value, value < 0.095 ? 2 : 1);
}

std::vector<TileDimension> tileDimensions(const sim::KernelModel& model) {
  std::vector<TileDimension> out;
  const auto add = [&](const std::vector<sim::LoopId>& loops, const QString& part) {
    for (size_t i = 0; i < loops.size(); ++i) {
      if (!loops[i].valid() || model.loops[loops[i].value].units() <= 1) continue;
      out.push_back({loops[i], QStringLiteral("%1 %2").arg(part).arg(i + 1)});
    }
  };
  add(model.output_loops, QCoreApplication::translate("Tiles", "out"));
  add(model.kernel_loops, QCoreApplication::translate("Tiles", "kernel"));
  return out;
}

}  // namespace hloscope::ui
