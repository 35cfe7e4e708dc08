// What ComparePage copies and saves.
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QSaveFile>

#include "core/analysis/compare_svg.h"
#include "ui/charts/scatter_chart.h"
#include "ui/charts/series_style.h"
#include "ui/pages/compare/compare_page.h"

namespace hloscope::ui {

analysis::ScatterStyle ComparePage::svgStyle() const {
  analysis::ScatterStyle style;
  style.title = (meaningTitle() + ", " + setText()).toStdString();
  style.ink = theme().role(Role::kText).name().toStdString();
  style.muted = theme().role(Role::kTextMuted).name().toStdString();
  style.grid = theme().role(Role::kGrid).name().toStdString();
  style.accent = theme().role(Role::kAccent).name().toStdString();
  style.point = theme().series(seriesOf(axes().y)).name().toStdString();
  style.paper = theme().role(Role::kBase).name().toStdString();
  return style;
}

std::string ComparePage::svg() const {
  return analysis::scatter_svg(chartPoints(), axes(), svgStyle());
}

void ComparePage::copyPicture() {
  QApplication::clipboard()->setPixmap(chart_->grab());
  emit messageRequested(tr("Chart copied as a picture"));
}

void ComparePage::savePicture() {
  const QString path = QFileDialog::getSaveFileName(
      this, tr("Save chart"), QStringLiteral("compare.png"), tr("PNG (*.png)"));
  if (path.isEmpty()) return;
  emit messageRequested(chart_->grab().save(path, "PNG") ? tr("Saved %1").arg(path)
                                                         : tr("%1 could not be written").arg(path));
}

void ComparePage::saveText(const QString& suffix) {
  const QString path =
      QFileDialog::getSaveFileName(this, tr("Save chart"), QStringLiteral("compare.") + suffix,
                                   QStringLiteral("%1 (*.%2)").arg(suffix.toUpper(), suffix));
  if (path.isEmpty()) return;
  const bool is_svg = suffix == QStringLiteral("svg");
  tasks_.run<QString>(
      {.label = tr("Saving %1").arg(path), .cancellable = false},
      [path, is_svg, points = chartPoints(), pair = axes(), style = svgStyle()](const Progress&) {
        const std::string text = is_svg
                                     ? analysis::scatter_svg(points, pair, style)
                                     : analysis::export_points(points, analysis::TableFormat::kCsv);
        QSaveFile file(path);
        const auto size = static_cast<qint64>(text.size());
        const bool done = file.open(QIODevice::WriteOnly) &&
                          file.write(text.data(), size) == size && file.commit();
        return done ? tr("Saved %1").arg(path)
                    : tr("%1 could not be written: %2").arg(path, file.errorString());
      },
      this, [this](const QString& message) { emit messageRequested(message); });
}

}  // namespace hloscope::ui
