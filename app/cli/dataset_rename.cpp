#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <string>

#include "app/cli/dataset.h"
#include "app/cli/json_text.h"
#include "app/cli/printable.h"
#include "core/hlo/quote.h"
#include "db/open_data_set.h"

namespace hloscope::cli {

namespace {

struct DataSetRenameOptions {
  std::string file;
  std::string name;
  bool json = false;
};

/// As one word of a shell. What a terminal would obey is not shown as it is: in $'...' it is
/// escaped.
std::string quoted(const std::string& text) {
  if (printable(text) != text) return "$'" + hlo::escaped(text) + "'";
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += "'\\'";
    out += c;
  }
  return out + "'";
}

Status rename_data_set(const DataSetRenameOptions& options) {
  HLOSCOPE_ASSIGN(db::Database database,
                  db::open_data_set(options.file, db::OpenMode::kReadWrite, true));
  HLOSCOPE_ASSIGN(const std::string before, db::DataSets(database).rename(options.name));
  if (options.json) {
    std::cout << json_text(
                     {{"file", options.file}, {"name", options.name}, {"name_before", before}})
              << "\n";
  } else {
    const bool like_option = options.file.starts_with('-') || before.starts_with('-');
    std::cout << fmt::format(
        "{0}: {1} is called {2} now\nback again: hloscope-cli dataset rename {3}{4} {5}\n",
        options.file, printable(before), options.name, like_option ? "-- " : "",
        quoted(options.file), quoted(before));
  }
  return {};
}

}  // namespace

void add_dataset_rename(CLI::App& dataset, int& exit_code) {
  const auto options = std::make_shared<DataSetRenameOptions>();
  CLI::App& command = *dataset.add_subcommand("rename", "gives a data set another name");
  command.add_option("FILE", options->file, "data set; the file keeps its own name")->required();
  command.add_option("NAME", options->name, "the new one")->required();
  command.add_flag("--json", options->json, "write JSON");
  command.footer(
      "Prints the name before, and the command that gives it back.\n"
      "Example: hloscope-cli dataset rename kernels.hloscope \"kernels, August\" --json\n"
      "  {\"file\": \"kernels.hloscope\", \"name\": \"kernels, August\", \"name_before\": "
      "\"kernels\"}");
  command.callback([options, &exit_code] { settle(rename_data_set(*options), exit_code); });
}

}  // namespace hloscope::cli
