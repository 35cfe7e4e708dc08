#include <fmt/format.h>

#include <array>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/dataset.h"
#include "app/cli/json_text.h"
#include "app/cli/terminal.h"
#include "app/cli/text_table.h"
#include "db/open_data_set.h"
#include "db/split_data_set.h"

namespace hloscope::cli {

namespace {

using data::Part;
using nlohmann::ordered_json;

struct SplitOptions {
  std::string file;
  std::string by;
  std::string name;
  data::RandomSplitOptions random;
  bool list = false;
  bool json = false;
};

// How many programs and graphs each part has.
struct PartSize {
  int64_t programs = 0;
  int64_t graphs = 0;
};
std::array<PartSize, data::kPartCount> part_sizes(const data::Split& split) {
  std::array<PartSize, data::kPartCount> out;
  for (const Part part : split.programs) ++out[static_cast<size_t>(part)].programs;
  for (const Part part : split.graphs) ++out[static_cast<size_t>(part)].graphs;
  return out;
}

// What the graphs of a data set are called.
Result<std::string> noun(db::Database& database) {
  HLOSCOPE_ASSIGN(const data::DataSetInfo info, db::DataSets(database).info());
  return graph_noun(info.task);
}

void print_parts(const db::SplitReport& report, const std::string& graph) {
  using enum TextTable::Align;
  TextTable table({{"part", kLeft}, {"programs"}, {graph + "s"}, {"samples"}, {"taken out"}});
  const auto sizes = part_sizes(report.split);
  const std::array<int64_t, data::kPartCount> taken_out{
      report.graphs.train_to_valid + report.graphs.train_to_test, report.graphs.valid_to_test, 0};
  for (size_t i = 0; i < data::kPartCount; ++i) {
    table.add_row({std::string(data::name(static_cast<Part>(i))), grouped(sizes[i].programs),
                   grouped(sizes[i].graphs), grouped(report.samples[i]), grouped(taken_out[i])});
  }
  std::cout << table.text()
            << fmt::format(
                   "taken out: {}s that programs of a later part have too ({} of train to "
                   "valid, {} of train to\ntest, {} of valid to test)\n",
                   graph, grouped(report.graphs.train_to_valid),
                   grouped(report.graphs.train_to_test), grouped(report.graphs.valid_to_test));
}

void print_held_out(const db::SplitReport& report) {
  using enum TextTable::Align;
  TextTable table({{"part", kLeft},
                   {"held out", kLeft},
                   {"family", kLeft},
                   {"similarity"},
                   {"nearest of train", kLeft}});
  for (const Part part : {Part::kTest, Part::kValid}) {
    for (size_t i = 0; i < report.programs.size(); ++i) {
      if (report.split.programs[i] != part) continue;
      const data::SourceProgram& program = report.programs[i];
      std::string similarity = "-";
      std::string nearest = "-";
      if (!report.nearest.empty() && report.nearest[i]) {
        similarity = fmt::format("{:.3f}", report.nearest[i]->similarity);
        nearest = report.programs[report.nearest[i]->program].name;
      }
      table.add_row(
          {std::string(data::name(part)), program.name, program.family, similarity, nearest});
    }
  }
  if (table.rows() > 0) std::cout << "\n" << table.text();
}

ordered_json held_out_json(const db::SplitReport& report) {
  auto rows = ordered_json::array();
  for (size_t i = 0; i < report.programs.size(); ++i) {
    if (report.split.programs[i] == Part::kTrain) continue;
    ordered_json row = {{"program", report.programs[i].name},
                        {"family", report.programs[i].family},
                        {"part", data::name(report.split.programs[i])},
                        {"nearest_training", nullptr},
                        {"similarity", nullptr}};
    if (!report.nearest.empty() && report.nearest[i]) {
      row["nearest_training"] = report.programs[report.nearest[i]->program].name;
      row["similarity"] = report.nearest[i]->similarity;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

ordered_json settings_json(const std::string& settings) {
  return ordered_json::parse(settings, nullptr, false);
}

ordered_json to_json(const SplitOptions& options, const db::SplitReport& report) {
  const auto sizes = part_sizes(report.split);
  auto parts = ordered_json::array();
  for (size_t i = 0; i < data::kPartCount; ++i) {
    parts.push_back({{"part", data::name(static_cast<Part>(i))},
                     {"programs", sizes[i].programs},
                     {"graphs", sizes[i].graphs},
                     {"samples", report.samples[i]}});
  }
  return {{"file", options.file},
          {"name", report.split.name},
          {"settings", settings_json(report.split.settings)},
          {"parts", parts},
          {"held_out", held_out_json(report)}};
}

// "method random, valid 0.1, test 0.1, seed 1, families false".
std::string settings_text(const std::string& settings) {
  const ordered_json parsed = settings_json(settings);
  if (!parsed.is_object()) return settings;
  std::string out;
  for (const auto& [key, value] : parsed.items()) {
    if (value.is_structured()) continue;
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", key,
                       value.is_string() ? value.get<std::string>() : value.dump());
  }
  return out;
}

Status list_splits(const SplitOptions& options) {
  HLOSCOPE_ASSIGN(db::Database database, db::open_data_set(options.file, db::OpenMode::kReadOnly));
  HLOSCOPE_ASSIGN(const std::string graph, noun(database));
  const db::DataSets data_sets(database);
  HLOSCOPE_ASSIGN(const std::vector<std::string> names, data_sets.split_names());
  using enum TextTable::Align;
  TextTable table(
      {{"name", kLeft}, {"programs", kLeft}, {graph + "s", kLeft}, {"settings", kLeft}});
  auto rows = ordered_json::array();
  for (const std::string& name : names) {
    HLOSCOPE_ASSIGN(const data::Split split, data_sets.split(name));
    const auto sizes = part_sizes(split);
    const auto three = [&sizes](int64_t PartSize::*member) {
      return fmt::format("{} / {} / {}", grouped(sizes[0].*member), grouped(sizes[1].*member),
                         grouped(sizes[2].*member));
    };
    table.add_row({name, three(&PartSize::programs), three(&PartSize::graphs),
                   settings_text(split.settings)});
    ordered_json row = {{"name", name}, {"settings", settings_json(split.settings)}};
    for (size_t i = 0; i < data::kPartCount; ++i) {
      row[fmt::format("{}_programs", data::name(static_cast<Part>(i)))] = sizes[i].programs;
      row[fmt::format("{}_graphs", data::name(static_cast<Part>(i)))] = sizes[i].graphs;
    }
    rows.push_back(std::move(row));
  }
  if (options.json) {
    std::cout << json_text(rows) << "\n";
  } else if (names.empty()) {
    std::cout << "no splits: dataset split FILE --by random makes one\n";
  } else {
    std::cout << table.text() << "counts: train / valid / test\n";
  }
  return {};
}

Status split(const SplitOptions& options) {
  if (options.list) return list_splits(options);
  const Interrupt interrupt;
  const Progress progress = terminal_progress(interrupt.token());
  HLOSCOPE_ASSIGN(db::Database database, db::open_data_set(options.file, db::OpenMode::kReadWrite));
  HLOSCOPE_ASSIGN(const std::string graph, noun(database));
  const auto method =
      options.by == "manual" ? db::SplitOrder::Method::kManual : db::SplitOrder::Method::kRandom;
  const db::SplitOrder order{method, options.name.empty() ? options.by : options.name,
                             options.random};
  HLOSCOPE_ASSIGN(const db::SplitReport report, db::split_data_set(database, order, progress));
  progress.report(1, "");
  if (options.json) {
    std::cout << json_text(to_json(options, report)) << "\n";
    return {};
  }
  std::cout << fmt::format("split '{}' of {}: no program and no {} is in two parts\n",
                           report.split.name, options.file, graph);
  print_parts(report, graph);
  if (method == db::SplitOrder::Method::kManual) print_held_out(report);
  return {};
}

void add_options(CLI::App& command, SplitOptions& options) {
  command.add_option("FILE", options.file, "a data set")->required();
  CLI::Option* by =
      command
          .add_option("--by", options.by,
                      "random: by chance; manual: the programs least similar to all others")
          ->check(CLI::IsMember({"random", "manual"}));
  command.add_option("--name", options.name,
                     "of the split [random or manual]; one of that name is replaced");
  command.add_option("--valid", options.random.held_out.valid, "share of the programs for valid")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command.add_option("--test", options.random.held_out.test, "share of the programs for test")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command.add_option("--seed", options.random.seed, "of the random split")->capture_default_str();
  command.add_flag("--families", options.random.keep_families,
                   "keep variants of a model together (the manual split always does)");
  command.add_flag("--list", options.list, "only show the splits of the file")->excludes(by);
  command.add_flag("--json", options.json, "JSON instead of text");
}

// CLI11 cannot say that one of the two is needed.
void check_options(const SplitOptions& options) {
  if (options.by.empty() && !options.list) throw CLI::RequiredError("--by or --list");
}

}  // namespace

void add_dataset_split(CLI::App& dataset, int& exit_code) {
  const auto options = std::make_shared<SplitOptions>();
  CLI::App& command = *dataset.add_subcommand(
      "split", "divides the programs of a data set, and their kernels, in train, valid and test");
  add_options(command, *options);
  command.footer(
      "Programs are divided, never samples. A kernel that programs of several parts have goes to "
      "test before\nvalid before train. The manual split clusters the programs by what their "
      "kernels are (cosine of\nlogarithmic counts of op classes, opcodes and labels, rare ones "
      "weigh more; single linkage) and holds\nout those whose highest similarity to a program "
      "that stays is lowest.\n"
      "Example: hloscope-cli dataset split kernels.hloscope --by manual --json\n"
      "  {\"file\": \"kernels.hloscope\", \"name\": \"manual\", \"settings\": {\"method\": "
      "\"manual\", \"valid\": 0.1, ...},\n   \"parts\": [{\"part\": \"train\", \"programs\": 84, "
      "\"graphs\": 9000, \"samples\": 9000}, ...],\n   \"held_out\": [{\"program\": \"...\", "
      "\"family\": \"...\", \"part\": \"test\", \"nearest_training\": \"...\",\n   "
      "\"similarity\": 0.31}]}");
  command.callback([options, &exit_code] {
    check_options(*options);
    settle(split(*options), exit_code);
  });
}

}  // namespace hloscope::cli
