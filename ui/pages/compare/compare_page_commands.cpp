// Keys of ComparePage, and how it divides its side.
#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QSplitter>
#include <QStandardItemModel>
#include <QTableView>
#include <algorithm>

#include "ui/charts/group_error_chart.h"
#include "ui/charts/scatter_chart.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/pages/command_action.h"
#include "ui/pages/compare/compare_models.h"
#include "ui/pages/compare/compare_page.h"

namespace hloscope::ui {
namespace {

constexpr int kPanelHead = 32;       ///< Title strip and frame.
constexpr int kErrorNameExtra = 34;  ///< Letter of the class and paddings beside a kernel's name.
constexpr int kShortestName = 96;
constexpr int kNarrowMetrics = 600;  ///< Below, names of sources make room for the figures.
constexpr int kNarrowSource = 98;

}  // namespace

void ComparePage::makeCommands() {
  const auto add = [this](const char* id, const QString& text, const QKeySequence& keys,
                          auto&& slot) { addCommand(this, QLatin1String(id), text, keys, slot); };
  using enum analysis::PairSource;
  int key = Qt::Key_1;
  for (const analysis::PairSource source : {kPredicted, kSimulated, kAnalytical}) {
    const QString name = textOf(analysis::info(source).name);
    add(("compare.show_" + name).toLatin1().constData(), tr("Points: %1 times").arg(name),
        QKeySequence(key++), [this, source] { showPointsOf(source); });
  }
  add("compare.next", tr("Next point"), {}, [this] { chart_->walk(1); });
  add("compare.previous", tr("Previous point"), {}, [this] { chart_->walk(-1); });
  add("compare.fit", tr("Show all points"), {}, [this] { chart_->fit(); });
  add("compare.clear", tr("Forget the range and the picked group"), {},
      [this] { clearRestrictions(); });
  add("compare.png", tr("Save chart as PNG…"), {}, [this] { savePicture(); });
  add("compare.csv", tr("Save points as CSV…"), QKeySequence(Qt::CTRL | Qt::Key_E),
      [this] { saveText(QStringLiteral("csv")); });
}

void ComparePage::showPointsOf(analysis::PairSource source) {
  const int index = y_->findData(static_cast<int>(source));
  const QString absence = absenceOf(source);
  if (absence.isEmpty()) return y_->setCurrentIndex(index);
  emit messageRequested(
      tr("No %1 times here: %2").arg(textOf(analysis::info(source).name), absence));
}

void ComparePage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  fitSide();
}

void ComparePage::fitSide() {
  // Where there is no room for it the tool tips tell the difference.
  const bool has_room = metrics_view_->width() >= kNarrowMetrics;
  metrics_view_->setColumnHidden(MetricsModel::kDelta, !has_room || !metrics_->hasBaseline());
  if (side_moved_ || side_->height() < 1) return;
  const int room = side_->height() - 2 * side_->handleWidth();
  const QHeaderView* rows = metrics_view_->verticalHeader();
  const int metrics = kPanelHead + metrics_view_->horizontalHeader()->height() +
                      metrics_->rowCount() * rows->defaultSectionSize();
  const int groups = kPanelHead + groups_->sizeHint().height();
  // The list of errors is never short: it takes what the others leave.
  const int first = std::min(metrics, room * 3 / 10);
  const int second = std::min(groups, room * 27 / 100);
  side_->setSizes({first, second, room - first - second});
  QHeaderView* columns = metrics_view_->horizontalHeader();
  const bool is_narrow = metrics_view_->width() < kNarrowMetrics;
  columns->setSectionResizeMode(MetricsModel::kSource,
                                is_narrow ? QHeaderView::Fixed : QHeaderView::ResizeToContents);
  if (is_narrow) columns->resizeSection(MetricsModel::kSource, kNarrowSource);
  fitErrorColumns();
}

void ComparePage::fitErrorColumns() {
  QHeaderView* header = errors_view_->horizontalHeader();
  int free = errors_view_->viewport()->width();
  for (int column = LargestErrorsModel::kX; column < LargestErrorsModel::kColumnCount; ++column) {
    free -= header->sectionSize(column);
  }
  const QAbstractItemView& view = *errors_view_;
  const int name = view.sizeHintForColumn(LargestErrorsModel::kKernel) + kErrorNameExtra;
  header->resizeSection(LargestErrorsModel::kKernel,
                        std::clamp(name, kShortestName, std::max(kShortestName, free * 6 / 10)));
}

}  // namespace hloscope::ui
