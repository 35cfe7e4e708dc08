#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/json_text.h"
#include "app/cli/load.h"
#include "core/hlo/read.h"

namespace hloscope::cli {

namespace {

struct CheckOptions {
  std::vector<std::string> files;
  bool json = false;
  bool strict = false;
};

size_t instructions_in(const hlo::File& file) {
  size_t count = 0;
  for (const hlo::Module& module : file.modules) count += module.program->instruction_count();
  return count;
}

nlohmann::ordered_json to_json(const std::string& path, const Result<hlo::File>& file) {
  if (file) {
    auto warnings = nlohmann::ordered_json::array();
    for (const Error& warning : file->warnings) warnings.push_back(warning.headline());
    return {{"file", path},
            {"ok", true},
            {"kind", hlo::name(file->kind)},
            {"modules", file->modules.size()},
            {"instructions", instructions_in(*file)},
            {"warnings", warnings}};
  }
  const Error& error = file.error();
  return {{"file", path},
          {"ok", false},
          {"line", error.line},
          {"column", error.column},
          {"message", error.message},
          {"hint", error.hint}};
}

// One line per file on standard output; the source line, caret and hint go to standard error.
void print_line(const std::string& path, const Result<hlo::File>& file) {
  if (file) {
    std::cout << fmt::format(
        "{}: ok, {}, {} module{}, {} instructions{}\n", path, hlo::name(file->kind),
        file->modules.size(), file->modules.size() == 1 ? "" : "s", instructions_in(*file),
        file->warnings.empty() ? "" : fmt::format(", {} warning(s)", file->warnings.size()));
    std::cout.flush();
    for (const Error& warning : file->warnings) {
      std::cerr << "  warning: " << warning.format() << "\n";
    }
    return;
  }
  std::cout << file.error().headline() << std::endl;
  const std::string whole = file.error().format();
  const size_t details = whole.find('\n');
  if (details != std::string::npos) std::cerr << whole.substr(details + 1) << "\n";
}

void run_check(const CheckOptions& options, int& exit_code) {
  auto list = nlohmann::ordered_json::array();
  for (const std::string& path : options.files) {
    const Result<hlo::File> file = hlo::read_file(path, {.strict = options.strict});
    if (!file) exit_code = kBadInput;
    if (options.json) {
      list.push_back(to_json(path, file));
    } else {
      print_line(path, file);
    }
  }
  if (options.json) std::cout << json_text(list) << "\n";
}

}  // namespace

void add_check_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "say of each file whether it can be read");
  command->add_option("FILE", options->files, "HLO text or proto files")->required();
  command->add_flag("--json", options->json, "write JSON");
  command->add_flag("--strict", options->strict, "refuse attributes that XLA does not know");
  command->footer(
      "One line per file on standard output, details of errors on standard error; exit code 1 if "
      "any is "
      "bad.\nExample: hloscope-cli check samples/*.hlo --json\n"
      "  [{\"file\": \"a.hlo\", \"ok\": true, \"kind\": \"HLO text\", \"modules\": 1, "
      "\"instructions\": 12, \"warnings\": []},\n"
      "   {\"file\": \"b.hlo\", \"ok\": false, \"line\": 3, \"column\": 7, \"message\": \"...\", "
      "\"hint\": \"...\"}]");
  command->callback([options, &exit_code] { run_check(*options, exit_code); });
}

}  // namespace hloscope::cli
