#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/report.h"
#include "core/base/result.h"
#include "core/hlo/read.h"
#include "core/predict/program_times.h"

namespace hloscope::cli {

/// What most commands take.
struct InputOptions {
  std::vector<std::string> files;  ///< FILE or FILE#N.
  std::string machine = "tpu_v3";
  bool json = false;
  bool csv = false;
  bool raw = false;  ///< The kernels of programs that are not optimised: no own fusion.
  /// Reports of load_reports() have predicted times where a model is there for the machine.
  std::optional<predict::TimePredictor> predictor = std::nullopt;

  [[nodiscard]] analysis::KernelChoice kernel_choice() const {
    return raw ? analysis::KernelChoice::kRaw : analysis::KernelChoice::kOwnFusion;
  }
};

void add_file_options(CLI::App& command, InputOptions& options);
void add_machine_option(CLI::App& command, InputOptions& options);
void add_raw_option(CLI::App& command, InputOptions& options);

/// Reads FILE or FILE#N and writes its warnings to standard error. Error also for a module that the
/// file does not have. `modules` of the result holds the chosen ones, `first` is N of the first.
struct LoadedFile {
  hlo::File file;
  int first = 1;
};
[[nodiscard]] Result<LoadedFile> load(const std::string& address);

using ReportPtr = std::shared_ptr<const analysis::ModuleReport>;
/// Reads and analyses every module of every file. Errors go to standard error and make `exit_code`
/// kBadInput; what could be read is returned.
[[nodiscard]] std::vector<ReportPtr> load_reports(const InputOptions& options, int& exit_code);

/// analysis::shown_module(); a program that cannot be fused is told on standard error.
[[nodiscard]] analysis::ShownModule show_module(const LoadedFile& file, size_t index,
                                                analysis::KernelChoice choice);
/// "kernels: own fusion" and what that means.
[[nodiscard]] std::string origin_text(analysis::KernelOrigin origin);

/// "file.hlo" or "file.hlo#2" when the file holds several modules.
[[nodiscard]] std::string display_name(const analysis::ModuleReport& report);

/// The machine of the options. Null after an error, which is printed and sets `exit_code`.
[[nodiscard]] std::optional<sim::Machine> load_machine(const std::string& id_or_path,
                                                       int& exit_code);

void print_error(const Error& error);

}  // namespace hloscope::cli
