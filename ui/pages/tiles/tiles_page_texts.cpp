// What TilesPage says about its tiles.
#include <QComboBox>
#include <QLabel>
#include <QStackedWidget>
#include <QToolButton>

#include "ui/charts/tile_curve_chart.h"
#include "ui/charts/tile_heat_map.h"
#include "ui/charts/tile_pipeline_chart.h"
#include "ui/charts/unit_style.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/pages/tiles/tile_legend.h"
#include "ui/pages/tiles/tile_text.h"
#include "ui/pages/tiles/tiles_page.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/format.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {

using analysis::TimeSource;

QString TilesPage::countText() const {
  const predict::TileList& list = ranking_->list;
  const auto count = [](size_t n) { return formatCount(static_cast<int64_t>(n)); };
  QStringList parts;
  if (list.measured > 0) parts << tr("%1 measured").arg(count(list.measured));
  const size_t others = list.bounds.size() - list.measured;
  if (others > 0 && list.is_drawn) {
    parts << tr("%1 drawn at random of those that fit").arg(count(others));
  } else if (others > 0) {
    parts << (list.measured > 0 ? tr("%1 others that fit").arg(count(others))
                                : tr("%1, all that fit").arg(count(others)));
  }
  const auto shown = static_cast<size_t>(model_->rowCount());
  if (shown < ranking_->size()) parts.prepend(tr("%1 shown").arg(count(shown)));
  return parts.join(QStringLiteral(", "));
}

void TilesPage::refreshTexts() {
  showEmpty();
  for (QToolButton* button : {tune_, graph_, more_, export_}) {
    button->setEnabled(ranking_ != nullptr || (button == graph_ && shown_));
  }
  if (!ranking_) {
    table_panel_->setContext({});
    bounds_->setWholeText({});
    legend_->setEntries({});
    limit_->clear();
    return;
  }
  const bool is_score = ranking_->column(source()).is_score;
  table_panel_->setContext(tr("%1 · by %2 %3 · grey: rank")
                               .arg(countText(), textOf(analysis::info(source()).name),
                                    is_score ? tr("score") : tr("time")));
  bounds_->setWholeText(tr("whole %1").arg(tileText(sim::whole_tile(ranking_->model))));
  std::vector<TileLegend::Entry> entries;
  if (ranking_->list.measured > 0) {
    entries.push_back({{QStringLiteral("best")}, tr("best measured")});
  }
  entries.push_back({{QStringLiteral("use")},
                     picks_.is_chosen && !picks_.in_use
                         ? tr("in use: %1, not among these").arg(tileText(*chosen_))
                     : picks_.is_chosen              ? tr("in use (your choice)")
                     : ranking_->default_is_recorded ? tr("in use (XLA default)")
                                                     : tr("in use (model's default)")});
  if (picks_.pinned) entries.push_back({{QStringLiteral("pin")}, tr("pinned, Δ against it")});
  TileLegend::Entry models{{}, tr("first choice of a model")};
  for (const TimeSource source :
       {TimeSource::kPredicted, TimeSource::kSimulated, TimeSource::kAnalytical}) {
    if (!ranking_->column(source).is_empty()) models.glyphs << textOf(analysis::info(source).id);
  }
  entries.push_back(models);
  legend_->setEntries(std::move(entries));
  limit_->setText(tr("limit %1 MiB of VMEM").arg(mebibytes(ranking_->vmem_bytes)));
}

QString TilesPage::emptyText() const {
  if (!report_) {
    return tr(
        "No program is open.\nOpen a file with measured tiles, e.g. the sample \"Eight TPU v3 "
        "kernels\" on the Start page, or any HLO program.");
  }
  if (loading_) return tr("Ranking the tiles…");
  if (!failure_.isEmpty()) return tr("%1.\nChoose another kernel above.").arg(failure_);
  if (entries_.empty()) {
    return tr("No kernel of this file is cut in tiles.\nOpen another program.");
  }
  return tr("No kernel is selected.\nChoose one above.");
}

void TilesPage::showEmpty() {
  const QString empty = ranking_ ? QString() : emptyText();
  QString table = empty;
  if (ranking_ && model_->rowCount() == 0) {
    table = tr("No tile matches the filter.\nEsc in the filter shows all again.");
  }
  empty_->setText(table);
  table_stack_->setCurrentIndex(table.isEmpty() ? 0 : 1);
  QString chart = empty;
  if (ranking_ && ranking_->size() == 1) {
    chart =
        tr("This kernel has one tile only: it is done in one iteration.\nChoose a larger kernel "
           "above.");
  } else if (ranking_ && curve_order_.empty()) {
    chart = tr("No tile matches the filter.");
  }
  curve_->setEmptyText(chart);
  map_->setEmptyText(chart);
  if (!ranking_) pipeline_->setEmptyText(empty);
}

QString TilesPage::pipelineFooter(const sim::TilePipeline& pipeline) const {
  const sim::Simulation& total = pipeline.total;
  const QString unit = unitTitle(total.bottleneck);
  QStringList parts;
  if (!pipeline.is_complete) {
    parts << tr("first %1 tiles").arg(formatCount(static_cast<int64_t>(pipeline.tiles.size())));
  }
  parts << tr("%1 busy %2").arg(unit, formatPercent(pipeline.busy_share(), 0));
  parts << tr("exposed: read %1, write %2")
               .arg(formatTime(total.first_read_ns), formatTime(total.last_write_ns));
  parts << tr("VMEM %1 MiB").arg(mebibytes(total.footprint_bytes));
  parts << tr("dashed: block kept");
  return parts.join(QStringLiteral("  ·  "));
}

}  // namespace hloscope::ui
