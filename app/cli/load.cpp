#include "app/cli/load.h"

#include <fmt/format.h>

#include <cstdio>

#include "app/cli/commands.h"
#include "app/cli/printable.h"
#include "core/hlo/address.h"

namespace hloscope::cli {

void add_file_options(CLI::App& command, InputOptions& options) {
  command.add_option("FILE", options.files, "HLO text or proto; FILE#N is its Nth module")
      ->required();
  auto* json = command.add_flag("--json", options.json, "write JSON");
  command.add_flag("--csv", options.csv, "write CSV")->excludes(json);
}

void add_machine_option(CLI::App& command, InputOptions& options) {
  command
      .add_option("--machine", options.machine, "machine id (tpu_v2 .. tpu_v6e) or machine file")
      ->capture_default_str();
}

void add_raw_option(CLI::App& command, InputOptions& options) {
  command.add_flag("--raw", options.raw,
                   "of a program that is not optimised every instruction as a kernel, without "
                   "hloscope's own fusion");
}

static void print_warning(const Error& warning) {
  std::fprintf(stderr, "warning: %s\n", printable_lines(warning.format()).c_str());
}

Result<LoadedFile> load(const std::string& address_text) {
  const hlo::FileAddress address = hlo::parse_address(address_text);
  HLOSCOPE_ASSIGN(hlo::File file, hlo::read_file(address.path));
  for (const Error& warning : file.warnings) {
    print_warning(warning);
  }
  LoadedFile loaded{std::move(file), 1};
  if (!address.module) return loaded;
  HLOSCOPE_TRY(hlo::check_address(address, loaded.file.modules.size()));
  loaded.first = static_cast<int>(*address.module);
  loaded.file.modules = {loaded.file.modules[*address.module - 1]};
  return loaded;
}

std::optional<sim::Machine> load_machine(const std::string& id_or_path, int& exit_code) {
  Result<sim::Machine> machine = sim::find_machine(id_or_path);
  if (machine) return std::move(*machine);
  print_error(machine.error());
  exit_code = machine.error().code == ErrorCode::kNotFound ? kUsage : kBadInput;
  return std::nullopt;
}

/// A report of one module, with what the options ask for.
static Result<ReportPtr> load_report(const LoadedFile& file, size_t index,
                                     const sim::Machine& machine, const InputOptions& options,
                                     ThreadPool& pool) {
  HLOSCOPE_ASSIGN(ReportPtr report,
                  analysis::analyse(show_module(file, index, options.kernel_choice()),
                                    file.file.path, file.first + static_cast<int>(index), machine));
  if (!options.predictor) return report;
  return options.predictor->add(std::move(report), pool);
}

std::vector<ReportPtr> load_reports(const InputOptions& options, int& exit_code) {
  std::vector<ReportPtr> reports;
  const auto machine = load_machine(options.machine, exit_code);
  if (!machine) return reports;
  ThreadPool pool(options.predictor ? 0 : 1);
  for (const std::string& address : options.files) {
    Result<LoadedFile> loaded = load(address);
    if (!loaded) {
      print_error(loaded.error());
      exit_code = kBadInput;
      continue;
    }
    for (size_t i = 0; i < loaded->file.modules.size(); ++i) {
      auto report = load_report(*loaded, i, *machine, options, pool);
      if (report) {
        reports.push_back(std::move(*report));
      } else {
        print_error(report.error());
        exit_code = kBadInput;
      }
    }
  }
  return reports;
}

analysis::ShownModule show_module(const LoadedFile& file, size_t index,
                                  analysis::KernelChoice choice) {
  // Fails only when cancelled.
  analysis::ShownModule shown =
      analysis::shown_module(file.file.modules[index], choice).value_or(analysis::ShownModule());
  if (shown.fusion_error) {
    Error warning = *shown.fusion_error;
    warning.message =
        fmt::format("module {} of {} is shown raw, own fusion failed: {}",
                    file.first + static_cast<int>(index), file.file.path, warning.message);
    print_warning(warning);
  }
  return shown;
}

std::string origin_text(analysis::KernelOrigin origin) {
  const std::string text = fmt::format("kernels: {}", analysis::title(origin));
  switch (origin) {
    case analysis::KernelOrigin::kCompiled:
      return text;
    case analysis::KernelOrigin::kOwnFusion:
      return text + " (not optimised; --raw shows the program as it stands)";
    case analysis::KernelOrigin::kRaw:
      return text + " (not optimised: one instruction counts as one kernel)";
  }
  return text;
}

std::string display_name(const analysis::ModuleReport& report) {
  if (report.module_number == 1) return report.file_path;
  return fmt::format("{}#{}", report.file_path, report.module_number);
}

void print_error(const Error& error) {
  std::fflush(stdout);
  std::fprintf(stderr, "error: %s\n", printable_lines(error.format()).c_str());
}

}  // namespace hloscope::cli
