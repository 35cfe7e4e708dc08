#pragma once

#include <QString>
#include <vector>

#include "ui/pages/page.h"
#include "ui/shell/commands.h"

namespace hloscope::ui {

/// One line of the quick open list. Exactly one of `action` and `report` is set.
struct QuickHit {
  QString title;
  QString detail;
  QString shortcut;
  QAction* action = nullptr;
  ReportPtr report;
  Selection selection;
};

/// Where a needle stands in a name; smaller is better, -1 is no match. Case is ignored.
[[nodiscard]] int matchRank(QStringView name, QStringView needle);

/// Commands whose "group: text" has every word of `needle`, best first; those that can't be run
/// now are left out.
[[nodiscard]] std::vector<QuickHit> findCommands(const Commands& commands, const QString& needle);

/// Modules of the open files, kernels, then instructions of the current module whose name matches.
/// At most `limit` hits, best first.
[[nodiscard]] std::vector<QuickHit> findPlaces(const std::vector<ReportPtr>& reports,
                                               const ReportPtr& current, const QString& needle,
                                               size_t limit);

}  // namespace hloscope::ui
