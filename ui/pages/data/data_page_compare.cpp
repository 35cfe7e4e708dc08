// From the evaluation of models to the times of single kernels.
#include <QDir>
#include <QFileInfo>

#include "ui/pages/data/data_page.h"
#include "ui/pages/data/data_sets_panel.h"

namespace hloscope::ui {
namespace {

using analysis::PairSource;

PairSource truthOf(const data::Target& target) {
  switch (target.kind) {
    case data::Target::Kind::kMeasured:
      return PairSource::kMeasured;
    case data::Target::Kind::kCompiler:
      return PairSource::kCompiler;
    case data::Target::Kind::kSimulated:
      break;
  }
  return PairSource::kSimulated;
}

/// Linear regressions and guesses exist in their evaluation only.
std::optional<PairSource> sourceOf(const db::EvaluatedModel& model) {
  if (model.kind == "learned") return PairSource::kPredicted;
  if (model.kind != "analytical") return std::nullopt;
  const bool is_scaled = model.name.find("scaled") != std::string::npos;
  return is_scaled ? PairSource::kScaled : PairSource::kAnalytical;
}

}  // namespace

QString DataPage::fileOf(const QString& program) const {
  if (!sets_->details()) return {};
  const QDir folder = QFileInfo(sets_->currentPath()).dir();
  for (const db::DataSetProgram& known : sets_->details()->programs) {
    if (QString::fromStdString(known.source.name) != program) continue;
    // As it was given when the data set was made; N of FILE#N stays.
    const QString given = QString::fromStdString(known.source.file_path);
    for (const QString& path : {QFileInfo(given).absoluteFilePath(), folder.filePath(given)}) {
      if (QFileInfo::exists(path.section('#', 0, 0))) return path;
    }
  }
  return {};
}

void DataPage::compareEvaluated(const EvaluationPanel::Place& place) {
  const db::DataSetSummary* set = sets_->current();
  if (place.model == nullptr || set == nullptr) return;
  const QString name = QString::fromStdString(place.model->name);
  const std::optional<PairSource> source = sourceOf(*place.model);
  if (!source) {
    emit messageRequested(tr("%1 was fitted for this evaluation only: click another").arg(name));
    return;
  }
  if (*source == PairSource::kPredicted && set->info.task != data::Task::kFusion) {
    emit messageRequested(tr("%1 ranks tiles and gives no times: see the page Tiles").arg(name));
    return;
  }
  const QString file = place.program.isEmpty() ? QString() : fileOf(place.program);
  if (!place.program.isEmpty() && file.isEmpty()) {
    emit messageRequested(
        tr("The file of %1 is not where it was: open it (Ctrl+O)").arg(place.program));
    return;
  }
  emit compareRequested(file, *source == PairSource::kPredicted ? name : QString(),
                        truthOf(set->info.target), *source);
}

}  // namespace hloscope::ui
