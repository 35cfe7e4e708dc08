#pragma once

#include <QStringList>
#include <memory>

#include "ui/models/plain_table.h"
#include "ui/pages/runs/runs_content.h"

namespace hloscope::ui {

using ContentPtr = std::shared_ptr<const RunsContent>;

/// Columns of the table of runs.
enum class RunColumn {
  kRun,
  kName,
  kSource,
  kProgram,
  kMachine,
  kMachineFile,
  kModel,
  kFusion,
  kKernels,
  kTotal,
  kState,
  kStarted,
  kFile,
};

[[nodiscard]] PlainTable runTable(const ContentPtr& content);
[[nodiscard]] PlainTable programTable(const ContentPtr& content);
[[nodiscard]] PlainTable measuredTable(const ContentPtr& content);

/// "tpu_v3_fusion@7e28663d"; empty: the run has no learned model.
[[nodiscard]] std::string runModelText(const db::RunInfo& run);

/// "2026-01-31 23:59:59" of "2026-01-31T23:59:59Z".
[[nodiscard]] QString timeText(const std::string& utc);

}  // namespace hloscope::ui
