#include "ui/pages/page.h"

#include <QAction>

namespace hloscope::ui {

void ReportView::setReports(const std::vector<ReportPtr>& /*reports*/) {}

void ReportView::setBaseline(const analysis::BaselinePtr& /*baseline*/) {}

QVariantMap ReportView::saveState() const {
  return {};
}

void ReportView::restoreState(const QVariantMap& /*state*/) {}

void Page::centerSelection() {}

QList<QAction*> Page::commands() const {
  return actions();
}

}  // namespace hloscope::ui
