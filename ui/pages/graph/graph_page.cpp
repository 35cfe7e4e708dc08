#include "ui/pages/graph/graph_page.h"
#include "ui/pages/command_action.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/layout/fold.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/pages/graph/origin_note.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"
#include "ui/theme/panel.h"

namespace hloscope::ui {
namespace {

constexpr int kToolRowHeight = 40;
constexpr int kColourLetters = 12;
/// Of a path with two parts; longer ones share it, so that the last part has room.
constexpr int kWidestCrumb = 160;
/// The note beside the path is cut before the path is narrower than this.
constexpr int kNarrowestPath = 96;
/// From here on, names can be read.
constexpr double kReadableZoom = 0.9;
constexpr double kNamesZoom = 0.3;  // Below it nodes have no names.

}  // namespace

GraphPage::GraphPage(TaskRunner& tasks, QWidget* parent)
    : Page(parent),
      tasks_(tasks),
      note_(new ElidedLabel(this, Role::kTextMuted)),
      resume_(new LinkButton(tr("Continue"), this)),
      colour_(new QComboBox(this)),
      zoom_(new QToolButton(this)),
      view_(new GraphView(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  makeRow();
  layout->addWidget(view_, 1);
  setFocusProxy(view_);
  addActions();
  connect(view_, &GraphView::nodeSelected, this, &GraphPage::nodeSelected);
  connect(view_, &GraphView::nodeActivated, this, &GraphPage::nodeActivated);
  connect(view_, &GraphView::zoomChanged, this,
          [this](double zoom) { zoom_->setText(formatPercent(zoom, 0)); });
  connect(colour_, &QComboBox::currentIndexChanged, this, &GraphPage::applyColour);
  connect(resume_, &LinkButton::clicked, this, &GraphPage::startLayout);
  connect(&tasks_, &TaskRunner::cancelled, this, &GraphPage::layoutCancelled);
  setReport(nullptr);
}

void GraphPage::makeRow() {
  auto* row = new QWidget(this);
  row->setFixedHeight(kToolRowHeight);
  auto* path = new QWidget(row);
  path->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  path->setMinimumWidth(kNarrowestPath);
  note_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  note_->setFont(smallFont());
  crumbs_ = new QHBoxLayout(path);
  crumbs_->setContentsMargins(0, 0, 0, 0);
  crumbs_->setSpacing(6);
  for (int i = 0; i < kColourModeCount; ++i) colour_->addItem(name(static_cast<ColourMode>(i)));
  colour_->addItem(tr("Differs from the start"));
  colour_->setAccessibleName(tr("Colour by"));
  colour_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  colour_->setMinimumContentsLength(kColourLetters);
  makeZoomMenu();
  auto* fit = new QToolButton(row);
  fit->setIcon(icon(Icon::kFit));
  fit->setToolTip(tr("Fit the graph into the view (Space)"));
  fit->setAccessibleName(tr("Fit"));
  connect(fit, &QToolButton::clicked, view_, &GraphView::fit);
  resume_->setObjectName(QStringLiteral("resume"));
  resume_->hide();
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(12, 0, 12, 0);
  layout->setSpacing(8);
  layout->addWidget(path, 2);
  layout->addWidget(note_, 1);
  layout->addWidget(resume_);
  layout->addWidget(mutedLabel(tr("Colour by"), false));
  layout->addWidget(colour_);
  layout->addWidget(zoom_);
  layout->addWidget(fit);
  static_cast<QVBoxLayout*>(this->layout())->addWidget(row);
}

void GraphPage::makeZoomMenu() {
  zoom_->setAccessibleName(tr("Zoom"));
  zoom_->setPopupMode(QToolButton::InstantPopup);
  zoom_->setToolTip(tr("Zoom (Ctrl+wheel)"));
  auto* menu = new QMenu(zoom_);
  for (int percent : {25, 50, 100, 200}) {
    menu->addAction(formatPercent(percent / 100.0, 0), this,
                    [this, percent] { view_->setZoom(percent / 100.0); });
  }
  zoom_->setMenu(menu);
  zoom_->setText(formatPercent(1, 0));
}

void GraphPage::setNote(const QString& text) {
  note_->setWholeText(text);
  note_->setMaximumWidth(note_->fontMetrics().horizontalAdvance(text) + 1);
}

void GraphPage::addActions() {
  const auto add = [this](const char* id, const QString& text, const QKeySequence& keys,
                          auto&& slot) { addCommand(this, QLatin1String(id), text, keys, slot); };
  add("graph.zoom_in", tr("Zoom in"), QKeySequence(Qt::CTRL | Qt::Key_BracketRight),
      [this] { view_->setZoom(view_->zoom() * 1.25); });
  add("graph.zoom_out", tr("Zoom out"), QKeySequence(Qt::CTRL | Qt::Key_BracketLeft),
      [this] { view_->setZoom(view_->zoom() / 1.25); });
  add("graph.fit", tr("Fit the graph into the view"), {}, [this] { view_->fit(); });
  add("graph.actual_size", tr("Actual size"), QKeySequence(Qt::CTRL | Qt::Key_0),
      [this] { view_->actualSize(); });
  add("graph.up", tr("Go up to the calling computation"), QKeySequence(Qt::Key_Backspace),
      [this] { goUp(); });
}

void GraphPage::setReport(const ReportPtr& report) {
  if (report == report_ && report) return;
  const bool same_program = report && report_ && report->module.program == report_->module.program;
  report_ = report;
  if (!report) {
    wanted_ = shown_ = {};
    shown_report_ = nullptr;
    drawing_ = {};
    setNote({});
    view_->setEmpty(tr("No program is open. Open an HLO file (Ctrl+O), or drop one here."));
    updateCrumbs();
    return;
  }
  // A new machine changes times and colours, but not what is looked at.
  if (!same_program) wanted_ = {report->module.program->entry(), {}};
  updateColourChoices();
  updateCrumbs();
  startLayout();
}

void GraphPage::setSelection(const Selection& selection) {
  selection_ = selection;
  if (!report_) return;
  if (selection.kernel.valid() || selection.instruction.valid()) {
    showScope(scopeFor(*report_, selection.kernel, selection.instruction, wanted_));
  }
  applySelection();
}

void GraphPage::showScope(const GraphScope& scope) {
  if (!report_ || !scope.computation.valid() || scope == wanted_) return;
  wanted_ = scope;
  updateCrumbs();
  startLayout();
}

QString GraphPage::layoutLabel() const {
  return report_ ? tr("Layout of %1").arg(crumbsOf(*report_, wanted_).back().text) : QString();
}

Result<GraphPage::Drawing> GraphPage::draw(const ReportPtr& report, const GraphScope& scope,
                                           const Progress& progress) {
  progress.report(0, "collecting kernels");
  Drawing drawing;
  drawing.graph = scope.isBody() ? bodyGraph(report, scope.kernel)
                                 : computationGraph(report, scope.computation);
  if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
  const std::unique_ptr<const layout::Strategy> strategy = layout::standard_layout();
  HLOSCOPE_ASSIGN(layout::Placement placement,
                  strategy->place(drawing.graph.model->graph, progress));
  drawing.placement = std::make_shared<const layout::Placement>(std::move(placement));
  if (!drawing.graph.model->nodes.empty()) {
    drawing.scene = std::make_shared<const GraphScene>(drawing.graph.model, drawing.placement);
  }
  return drawing;
}

void GraphPage::startLayout() {
  if (!report_) return;
  resume_->hide();
  const GraphScope scope = wanted_;
  const ReportPtr report = report_;
  tasks_.run<Result<Drawing>>(
      {.label = layoutLabel(), .key = QStringLiteral("graph.layout")},
      [report, scope](const Progress& progress) { return draw(report, scope, progress); }, this,
      [this, report, scope](Result<Drawing> drawing) {
        showDrawing(scope, report, std::move(drawing));
      });
}

void GraphPage::layoutCancelled(const QString& label) {
  if (!report_ || label != layoutLabel()) return;
  setNote(tr("The layout was cancelled."));
  resume_->show();
}

void GraphPage::showError(const QString& reason) {
  view_->setEmpty(tr("The graph could not be drawn: %1").arg(reason));
  drawing_ = {};
  shown_report_ = nullptr;
}

void GraphPage::showDrawing(const GraphScope& scope, const ReportPtr& report,
                            Result<Drawing> drawing) {
  if (report != report_ || scope != wanted_) return;
  if (!drawing) return showError(QString::fromStdString(drawing.error().headline()));
  const bool same_place =
      scope == shown_ && shown_report_ && shown_report_->module.program == report->module.program;
  const Camera camera = view_->camera();
  drawing_ = std::move(*drawing);
  shown_ = scope;
  shown_report_ = report;
  const size_t count = drawing_.graph.model->nodes.size();
  if (count == 0) {
    view_->setEmpty(tr("Nothing in this computation takes time of its own."));
  } else {
    view_->setScene(drawing_.scene);
    if (same_place) view_->setCamera(camera);
  }
  const QString noun = scope.isBody() ? tr("instruction") : tr("node");
  const OriginNote note = originNote(report->origin, countOf(count, noun));
  setNote(note.text);
  note_->setToolTip(note.tool_tip);
  applyColour();
  restoreCamera();
  applySelection();
  if (std::exchange(center_when_drawn_, false)) centerSelection();
}

void GraphPage::updateCrumbs() {
  while (QLayoutItem* item = crumbs_->takeAt(0)) {
    if (item->widget() != nullptr) item->widget()->deleteLater();
    delete item;
  }
  if (!report_) return;
  const std::vector<Crumb> crumbs = crumbsOf(*report_, wanted_);
  for (size_t i = 0; i < crumbs.size(); ++i) {
    if (i > 0) crumbs_->addWidget(mutedLabel(QStringLiteral("›"), false));
    if (i + 1 == crumbs.size()) {
      auto* last = new ElidedLabel;
      last->setFont(boldFont());
      last->setWholeText(crumbs[i].text);
      crumbs_->addWidget(last, 1);
    } else {
      const int widest = kWidestCrumb / static_cast<int>(crumbs.size() - 1);
      auto* link =
          new LinkButton(fontMetrics().elidedText(crumbs[i].text, Qt::ElideMiddle, widest));
      link->setToolTip(crumbs[i].text);
      connect(link, &LinkButton::clicked, this,
              [this, scope = crumbs[i].scope] { showScope(scope); });
      crumbs_->addWidget(link);
    }
  }
}

layout::NodeId GraphPage::nodeOfSelection() const {
  if (!drawing_.graph.model || shown_report_ != report_) return {};
  if (selection_.instruction.valid()) {
    const layout::NodeId node = drawing_.graph.find(selection_.instruction);
    if (node.valid()) return node;
  }
  if (!selection_.kernel.valid() || shown_.isBody()) return {};
  return drawing_.graph.find(selection_.kernel);
}

void GraphPage::applySelection() {
  const layout::NodeId node = nodeOfSelection();
  if (node == view_->selected()) return;
  view_->select(node);
  // Chosen elsewhere: a mark of a few pixels in an overview would not show what it is.
  if (node.valid() && view_->zoom() < kNamesZoom) showReadable(node);
}

void GraphPage::showReadable(layout::NodeId node) {
  const layout::Rect& rect = drawing_.placement->boxes[layout::BoxId(node.value)].rect;
  Camera camera = view_->camera();
  camera.zoom = std::max(camera.zoom, kReadableZoom);
  camera.x = rect.center_x();
  camera.y = rect.center_y();
  view_->setCamera(camera);
}

void GraphPage::centerSelection() {
  const layout::NodeId node = nodeOfSelection();
  if (!node.valid()) {
    center_when_drawn_ = wanted_ != shown_ || shown_report_ != report_;
    return;
  }
  showReadable(node);
  view_->select(node);
  view_->setFocus();
}

void GraphPage::nodeSelected(layout::NodeId node) {
  Selection selection;
  if (node.valid()) {
    selection.instruction = drawing_.graph.instructions[node.value];
    selection.kernel = shown_.isBody() ? shown_.kernel : drawing_.graph.kernels[node.value];
  }
  selection_ = selection;
  emit selectionRequested(nullptr, selection);
}

void GraphPage::nodeActivated(layout::NodeId node) {
  if (!node.valid() || shown_.isBody()) return;
  const GraphScope inside = scopeInside(*report_, drawing_.graph.instructions[node.value]);
  if (inside.computation.valid()) showScope(inside);
}

void GraphPage::goUp() {
  if (!report_) return;
  const std::vector<Crumb> crumbs = crumbsOf(*report_, wanted_);
  if (crumbs.size() > 2) showScope(crumbs[crumbs.size() - 2].scope);
}

QVariantMap GraphPage::saveState() const {
  QVariantMap state{{QStringLiteral("colour"), colour_->currentIndex()}};
  if (!shown_report_) return state;
  const hlo::Program& program = *shown_report_->module.program;
  state[QStringLiteral("file")] = QString::fromStdString(shown_report_->file_path);
  state[QStringLiteral("module")] = shown_report_->module_number;
  state[QStringLiteral("computation")] = textOf(program[shown_.computation].name);
  state[QStringLiteral("kernel")] = shown_.isBody() ? static_cast<int>(shown_.kernel.value) : -1;
  state[QStringLiteral("zoom")] = view_->camera().zoom;
  state[QStringLiteral("x")] = view_->camera().x;
  state[QStringLiteral("y")] = view_->camera().y;
  return state;
}

void GraphPage::restoreState(const QVariantMap& state) {
  colour_->setCurrentIndex(
      std::clamp(state.value(QStringLiteral("colour")).toInt(), 0, kColourModeCount - 1));
  if (report_) updateColourChoices();
  saved_camera_ = state;
  restoreCamera();
}

void GraphPage::restoreCamera() {
  if (saved_camera_.value(QStringLiteral("zoom")).toDouble() <= 0 || !shown_report_) return;
  const hlo::Program& program = *shown_report_->module.program;
  const bool here =
      saved_camera_.value(QStringLiteral("file")).toString().toStdString() ==
          shown_report_->file_path &&
      saved_camera_.value(QStringLiteral("module")).toInt() == shown_report_->module_number;
  if (!here) return;
  const hlo::ComputationId computation = program.find_computation(
      saved_camera_.value(QStringLiteral("computation")).toString().toStdString());
  const int kernel = saved_camera_.value(QStringLiteral("kernel")).toInt();
  GraphScope scope{computation, {}};
  if (kernel >= 0 && static_cast<size_t>(kernel) < shown_report_->kernels.kernels.size()) {
    scope.kernel = graph::KernelId(kernel);
  }
  if (!computation.valid()) return saved_camera_.clear();
  if (scope != shown_) return showScope(scope);
  Camera camera = view_->camera();
  camera.zoom = saved_camera_.value(QStringLiteral("zoom")).toDouble();
  camera.x = saved_camera_.value(QStringLiteral("x")).toDouble();
  camera.y = saved_camera_.value(QStringLiteral("y")).toDouble();
  saved_camera_.clear();
  view_->setCamera(camera);
}

Page* createGraphPage(TaskRunner& tasks) {
  return new GraphPage(tasks);
}

}  // namespace hloscope::ui
