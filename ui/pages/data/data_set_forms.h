#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>
#include <optional>

#include "db/generation_order.h"
#include "db/import_data_set.h"
#include "db/split_data_set.h"

namespace hloscope::ui {

struct GenerateAnswer {
  db::GenerationOrder order;
};
struct ImportAnswer {
  db::ImportOrder order;
  QString output;
};
struct MergeAnswer {
  QStringList shards;
  QString output;
};
struct SplitAnswer {
  db::SplitOrder order;
};

/// Ask for what is to be done; empty when the user changes their mind.
[[nodiscard]] std::optional<GenerateAnswer> askGenerate(QWidget* parent);
[[nodiscard]] std::optional<ImportAnswer> askImport(QWidget* parent);
/// With these files filled in.
[[nodiscard]] std::optional<ImportAnswer> askImportOf(QWidget* parent, const QStringList& given);
[[nodiscard]] std::optional<MergeAnswer> askMerge(QWidget* parent);
[[nodiscard]] std::optional<SplitAnswer> askSplit(QWidget* parent);

}  // namespace hloscope::ui
