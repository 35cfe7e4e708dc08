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

std::string ComparePage::svg() const {
  analysis::ScatterStyle style;
  style.title = (meaningTitle() + ", " + setText()).toStdString();
  style.ink = theme().role(Role::kText).name().toStdString();
  style.muted = theme().role(Role::kTextMuted).name().toStdString();
  style.grid = theme().role(Role::kGrid).name().toStdString();
  style.accent = theme().role(Role::kAccent).name().toStdString();
  style.point = theme().series(seriesOf(axes().y)).name().toStdString();
  style.paper = theme().role(Role::kBase).name().toStdString();
  return analysis::scatter_svg(chartPoints(), axes(), style);
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
  const std::string text =
      suffix == QStringLiteral("svg")
          ? svg()
          : analysis::export_points(chartPoints(), analysis::TableFormat::kCsv);
  QSaveFile file(path);
  const auto size = static_cast<qint64>(text.size());
  const bool done =
      file.open(QIODevice::WriteOnly) && file.write(text.data(), size) == size && file.commit();
  emit messageRequested(done ? tr("Saved %1").arg(path)
                             : tr("%1 could not be written: %2").arg(path, file.errorString()));
}

}  // namespace hloscope::ui
