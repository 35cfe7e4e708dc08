// The Tiles page.
#include "ui/pages/tiles/tiles_page.h"
#include "ui/shell/main_window.h"

namespace hloscope::ui {

Page* MainWindow::makeTilesPage() {
  TilesPage* page = createTilesPage(tasks_, workspace_.store().path());
  // The selected kernel is that of every page: the form is filled with it.
  connect(page, &TilesPage::tuneRequested, this, [this] { showPage(QStringLiteral("autotune")); });
  return page;
}

}  // namespace hloscope::ui
