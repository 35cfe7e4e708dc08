// Frame times of the graph view on a synthetic graph of 50,000 nodes, and of layouts.
//   graph_bench [--square] [--pictures DIR] [--dark] [FILE.hlo...]
// Prints one line per zoom: median and largest CPU time of 30 panned frames of 1600 x 1000 pixels,
// with painting. With files, their entry computation is drawn instead. Run with
// QT_QPA_PLATFORM=offscreen.

#include <QApplication>
#include <QDir>
#include <algorithm>
#include <cstdio>
#include <ctime>

#include "core/hlo/read.h"
#include "core/layout/fold.h"
#include "tests/core/layout/synthetic.h"
#include "tests/ui/graph/synthetic_model.h"
#include "ui/graph/graph_view.h"
#include "ui/graph/kernel_graph.h"
#include "ui/theme/theme.h"

using namespace hloscope;

namespace {

struct Drawing {
  std::string name;
  ui::GraphModelPtr model;
  ui::PlacementPtr placement;
};

/// CPU time of this thread: comparable also while other programs run.
class Stopwatch {
 public:
  [[nodiscard]] double ms() const { return now() - start_; }

 private:
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
  }
  double start_ = now();
};

Drawing place(std::string name, ui::GraphModelPtr model) {
  const Stopwatch watch;
  auto placement = layout::standard_layout()->place(model->graph, Progress());
  if (!placement) qFatal("%s", placement.error().message.c_str());
  std::printf(
      "%s: %zu nodes, %zu edges, %zu boxes, %u layers, %u columns, %.0f x %.0f, %llu "
      "crossings, layout %.1f ms\n",
      name.c_str(), model->nodes.size(), model->graph.edges.size(), placement->boxes.size(),
      placement->layer_count, placement->columns, placement->bounds.width(),
      placement->bounds.height(), static_cast<unsigned long long>(placement->crossings),
      watch.ms());
  return {std::move(name), std::move(model),
          std::make_shared<const layout::Placement>(std::move(*placement))};
}

void frames(ui::GraphView& view, const Drawing& drawing) {
  view.setGraph(drawing.model, drawing.placement);
  view.viewport()->repaint();
  const double fit = view.zoom();
  const ui::Camera home = view.camera();
  for (double zoom = std::min(1.0, fit); zoom < 2.1;
       zoom = zoom < 1 ? std::min(1.0, 1.7 * zoom) : 2 * zoom) {
    std::vector<double> times;
    for (int i = 0; i < 30; ++i) {
      ui::Camera camera = home;
      camera.zoom = zoom;
      camera.x += 11 * i / zoom;
      camera.y += 7 * i / zoom;
      const Stopwatch watch;
      view.setCamera(camera);
      view.viewport()->repaint();
      times.push_back(watch.ms());
    }
    std::ranges::sort(times);
    std::printf("  zoom %.3f: median %.2f ms, max %.2f ms\n", zoom, times[15], times.back());
  }
}

void pictures(ui::GraphView& view, const Drawing& drawing, const QString& prefix) {
  view.setGraph(drawing.model, drawing.placement);
  view.grab().save(prefix + "-fit.png");
  const layout::Rect& first = drawing.placement->boxes[layout::BoxId(0)].rect;
  for (const double zoom : {0.06, 0.15, 0.35, 0.6, 1.0}) {
    if (zoom < view.zoom()) continue;
    ui::Camera camera{first.center_x() + 200.0, first.center_y() + 300 / zoom, zoom};
    view.setCamera(camera);
    view.grab().save(QStringLiteral("%1-%2.png").arg(prefix).arg(zoom));
  }
}

}  // namespace

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  QStringList arguments = app.arguments().mid(1);
  const bool dark = arguments.removeAll("--dark") > 0;
  const bool square = arguments.removeAll("--square") > 0;
  QString folder;
  if (const auto at = arguments.indexOf("--pictures"); at >= 0) {
    folder = arguments.value(at + 1);
    arguments.remove(at, 2);
    QDir().mkpath(folder);
  }
  ui::installTheme(dark ? ui::ThemeMode::kDark : ui::ThemeMode::kLight);

  std::vector<Drawing> drawings;
  for (const QString& path : arguments) {
    const auto file = hlo::read_file(path.toStdString());
    if (!file) qFatal("%s", file.error().format().c_str());
    const auto report =
        analysis::analyse(file->modules[0], path.toStdString(), 1, *sim::find_machine("tpu_v3"));
    if (!report) qFatal("%s", report.error().format().c_str());
    const hlo::ComputationId entry = file->modules[0].program->entry();
    drawings.push_back(place(QFileInfo(path).completeBaseName().toStdString(),
                             ui::computationGraph(*report, entry).model));
  }
  if (arguments.isEmpty()) {
    const layout::Graph graph =
        square ? testing::square(220, 228, 80000) : testing::transformer(50000, true);
    drawings.push_back(place("synthetic", testing::model_of(graph)));
  }
  ui::GraphView view;
  view.resize(1600, 1000);
  view.show();
  QApplication::processEvents();
  for (const Drawing& drawing : drawings) {
    frames(view, drawing);
    if (!folder.isEmpty()) {
      const QString theme = dark ? QStringLiteral("-dark") : QStringLiteral("-light");
      pictures(view, drawing, folder + "/" + QString::fromStdString(drawing.name) + theme);
    }
  }
  return 0;
}
