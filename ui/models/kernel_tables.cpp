#include "ui/models/kernel_tables.h"

#include <algorithm>
#include <vector>

namespace hloscope::ui {

std::shared_ptr<const analysis::KernelTable> kernelTable(
    const std::shared_ptr<const analysis::ModuleReport>& report,
    const analysis::BaselinePtr& baseline) {
  static std::vector<std::weak_ptr<const analysis::KernelTable>> made;
  if (!report) return nullptr;
  std::erase_if(made, [](const auto& table) { return table.expired(); });
  for (const auto& known : made) {
    auto table = known.lock();
    if (table && &table->report() == report.get() && table->baseline() == baseline) return table;
  }
  auto table = std::make_shared<const analysis::KernelTable>(report, baseline);
  made.emplace_back(table);
  return table;
}

}  // namespace hloscope::ui
