#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "app/cli/baseline_options.h"
#include "app/cli/commands.h"
#include "app/cli/html_report.h"
#include "app/cli/load.h"
#include "app/cli/whole_number.h"
#include "core/base/write_file.h"

namespace hloscope::cli {

namespace {

struct ReportOptions : InputOptions {
  std::string out;
  std::optional<double> from_us;
  std::optional<double> to_us;
  BaselineOptions baseline;
};

std::vector<std::string> pictures_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".png") names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void run_report(const ReportOptions& options, int& exit_code) {
  const std::vector<ReportPtr> reports = load_reports(options, exit_code);
  if (reports.empty()) return;
  const auto baseline =
      load_baseline(options.baseline, options, reports, options.baseline.db, exit_code);
  if (!baseline) return;
  const std::filesystem::path folder(options.out);
  std::error_code ignored;
  const bool was_there = std::filesystem::exists(folder, ignored);
  if (const Status made = make_folder(options.out); !made) {
    print_error(made.error());
    exit_code = kBadInput;
    return;
  }
  const std::filesystem::path page = folder / "index.html";
  HtmlOptions shown{pictures_in(folder), std::nullopt, std::nullopt, *baseline};
  if (options.from_us) shown.window_from_ns = *options.from_us * 1000;
  if (options.to_us) shown.window_to_ns = *options.to_us * 1000;
  ThreadPool pool;
  if (const Status written = write_file(page.string(), html_report(reports, shown, pool));
      !written) {
    if (!was_there) std::filesystem::remove(folder, ignored);  // As long as nothing is in it.
    print_error(written.error());
    exit_code = kBadInput;
    return;
  }
  std::cout << page.string() << "\n";
}

}  // namespace

void add_report_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ReportOptions>();
  options->predictor.emplace();
  CLI::App* command =
      app.add_subcommand("report", "an HTML page with the kernels, charts and accuracy");
  command->add_option("FILE", options->files, "HLO text or proto; FILE#N is its Nth module")
      ->required();
  command->add_option("--out", options->out, "folder to write index.html into")->required();
  command->add_option("--from", options->from_us, "start of the unit lanes on the time axis, µs")
      ->check(zero_or_above());
  command->add_option("--to", options->to_us, "end of the unit lanes, µs")->check(above_zero());
  add_machine_option(*command, *options);
  add_raw_option(*command, *options);
  add_baseline_options(*command, options->baseline);
  command->footer("Example: hloscope-cli report samples/mobilenet_v2.hlo --out report");
  command->callback([options, &exit_code] { run_report(*options, exit_code); });
}

}  // namespace hloscope::cli
