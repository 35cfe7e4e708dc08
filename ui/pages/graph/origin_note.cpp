#include "ui/pages/graph/origin_note.h"

#include <QCoreApplication>

namespace hloscope::ui {

namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("OriginNote", text);
}

}  // namespace

OriginNote originNote(analysis::KernelOrigin origin, const QString& counts) {
  const QString why =
      tr("The program has no fusions and no schedule, so it is not the output of "
         "an optimising compiler.");
  switch (origin) {
    case analysis::KernelOrigin::kOwnFusion:
      return {tr("own fusion, %1").arg(counts),
              why + ' ' + tr("The kernels are those of hloscope's own fusion.")};
    case analysis::KernelOrigin::kRaw:
      return {tr("raw: one instruction = one kernel"),
              why + ' ' + tr("It is drawn as it stands in the file: %1.").arg(counts)};
    case analysis::KernelOrigin::kCompiled:
      break;
  }
  return {counts, counts};
}

}  // namespace hloscope::ui
