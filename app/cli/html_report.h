#pragma once

#include <string>
#include <vector>

#include "app/cli/load.h"
#include "core/analysis/baseline.h"
#include "core/base/thread_pool.h"

namespace hloscope::cli {

/// What a page shows besides its programs.
struct HtmlOptions {
  std::vector<std::string> pictures;     ///< Names of PNG files that lie beside the page.
  std::optional<double> window_from_ns;  ///< Of the unit lanes; empty: default_window().
  std::optional<double> window_to_ns;
  analysis::BaselinePtr baseline = nullptr;  ///< Tables show changes against it.
};

/// A self-contained page (no network, no library; works as a file): for each module what it is, its
/// totals by source, all kernels in a table to filter and sort, roofline, where the time goes, the
/// simulated run on a time axis, and ranked tiles where the file measured some; then estimates
/// against measured times. The same for the same input.
[[nodiscard]] std::string html_report(const std::vector<ReportPtr>& reports,
                                      const HtmlOptions& options, ThreadPool& pool);

}  // namespace hloscope::cli
