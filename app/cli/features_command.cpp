#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/json_rows.h"
#include "app/cli/json_text.h"
#include "app/cli/kernel_choice.h"
#include "app/cli/load.h"
#include "app/cli/text_table.h"
#include "core/features/configuration.h"
#include "core/features/graph.h"

namespace hloscope::cli {

namespace {

using features::Group;
using Json = nlohmann::ordered_json;

struct FeaturesOptions : InputOptions {
  std::string kernel;
  bool names = false;
  std::vector<std::string> groups = {"node"};
};

// One graph with where it comes from and the tiles that were measured of it.
struct FeatureSource {
  std::string file;
  int module_number = 1;
  std::string kernel;                                                 ///< Empty: the whole module.
  analysis::KernelOrigin origin = analysis::KernelOrigin::kCompiled;  ///< Of a kernel.
  features::Graph graph;
  std::vector<hlo::MeasuredRun> tile_runs;
};

std::vector<Group> groups_of(const FeaturesOptions& options) {
  std::vector<Group> out;
  for (const std::string& wanted : options.groups) {
    for (const Group group : {Group::kNode, Group::kStatic, Group::kExtra}) {
      if (features::name(group) == wanted) out.push_back(group);
    }
  }
  return out;
}

std::vector<hlo::MeasuredRun> tile_runs(const hlo::Module& module) {
  std::vector<hlo::MeasuredRun> out;
  for (const hlo::MeasuredRun& run : module.runs) {
    if (!run.failed && run.layout_hash == 0 && run.time_ns > 0) out.push_back(run);
  }
  return out;
}

std::vector<FeatureSource> kernel_subjects(const FeaturesOptions& options, int& exit_code) {
  std::vector<FeatureSource> out;
  for (const ChosenKernel& chosen : choose_kernels(options, options.kernel, exit_code)) {
    auto graph = features::kernel_graph(*chosen.module.program, chosen.kernel.instruction);
    if (!graph) {
      print_error(chosen.located(std::move(graph).error()));
      exit_code = kBadInput;
      continue;
    }
    out.push_back(
        {chosen.file_path, chosen.module_number, chosen.name(), chosen.origin, std::move(*graph),
         chosen.is_only_kernel ? tile_runs(chosen.module) : std::vector<hlo::MeasuredRun>()});
  }
  return out;
}

std::vector<FeatureSource> module_subjects(const FeaturesOptions& options, int& exit_code) {
  std::vector<FeatureSource> out;
  for (const std::string& address : options.files) {
    const Result<LoadedFile> loaded = load(address);
    if (!loaded) {
      print_error(loaded.error());
      exit_code = kBadInput;
      continue;
    }
    int number = loaded->first;
    for (const hlo::Module& module : loaded->file.modules) {
      out.push_back({loaded->file.path, number++, "", analysis::KernelOrigin::kRaw,
                     features::module_graph(module.program), tile_runs(module)});
    }
  }
  return out;
}

// The rows of a subject; features[i] belongs to names[i].
struct Rows {
  const FeatureSource& subject;
  std::vector<std::string> names;
  std::vector<uint8_t> opcodes;
  features::NodeMatrix matrix;

  Rows(const FeatureSource& from, const std::vector<Group>& groups)
      : subject(from),
        names(features::names(groups)),
        opcodes(features::opcodes(from.graph)),
        matrix(features::node_features(from.graph, groups)) {}

  [[nodiscard]] std::span<const float> row(size_t node) const {
    return std::span(matrix.values).subspan(node * matrix.width, matrix.width);
  }
  [[nodiscard]] const hlo::Instruction& instruction(size_t node) const {
    return (*subject.graph.program)[subject.graph.nodes[node].instruction];
  }
};

Json configurations_json(const std::vector<hlo::MeasuredRun>& runs) {
  auto out = Json::array();
  for (const hlo::MeasuredRun& run : runs) {
    out.push_back({{"run_index", run.run_index},
                   {"is_default", run.is_default},
                   {"measured_ns", run.time_ns},
                   {"features",
                    features::configuration_features(
                        Group::kTile, {run.kernel_bounds, run.output_bounds, run.input_bounds})}});
  }
  return out;
}

Json to_json(const Rows& rows, const FeaturesOptions& options) {
  auto nodes = Json::array();
  for (size_t i = 0; i < rows.opcodes.size(); ++i) {
    nodes.push_back({{"node", i},
                     {"name", rows.instruction(i).name},
                     {"opcode", hlo::name(rows.instruction(i).opcode)},
                     {"opcode_id", rows.opcodes[i]},
                     {"features", rows.row(i)}});
  }
  auto edges = Json::array();
  for (const features::Edge& edge : rows.subject.graph.edges) {
    edges.push_back({edge.consumer, edge.producer});
  }
  return {{"file", rows.subject.file},
          {"module_number", rows.subject.module_number},
          {"name", rows.subject.graph.program->name()},
          {"kernel", rows.subject.kernel.empty() ? Json() : Json(rows.subject.kernel)},
          {"kernels_from",
           rows.subject.kernel.empty() ? Json() : Json(analysis::name(rows.subject.origin))},
          {"groups", options.groups},
          {"table_hash", features::table_hash().hex()},
          {"feature_names", rows.names},
          {"nodes", std::move(nodes)},
          {"edges", std::move(edges)},
          {"splits", rows.subject.graph.splits},
          {"tile_configurations", configurations_json(rows.subject.tile_runs)}};
}

std::string number(float value) {
  return fmt::format("{}", value);
}

TextTable csv_table(const std::vector<Group>& groups) {
  std::vector<TextTable::Column> columns = {{"file"}, {"module_number"}, {"node"},
                                            {"name"}, {"opcode"},        {"opcode_id"}};
  for (const std::string& name : features::names(groups)) columns.push_back({name});
  return TextTable(std::move(columns));
}

void add_csv(TextTable& table, const Rows& rows) {
  for (size_t i = 0; i < rows.opcodes.size(); ++i) {
    std::vector<std::string> cells = {rows.subject.file,
                                      fmt::format("{}", rows.subject.module_number),
                                      fmt::format("{}", i),
                                      std::string(rows.instruction(i).name),
                                      std::string(hlo::name(rows.instruction(i).opcode)),
                                      fmt::format("{}", rows.opcodes[i])};
    for (const float value : rows.row(i)) cells.push_back(number(value));
    table.add_row(std::move(cells));
  }
}

std::string text_of(const Rows& rows) {
  using enum TextTable::Align;
  TextTable table(
      {{"node"}, {"name", kLeft}, {"opcode", kLeft}, {"id"}, {"features that are not 0", kLeft}});
  for (size_t i = 0; i < rows.opcodes.size(); ++i) {
    std::vector<std::string> set;
    for (size_t f = 0; f < rows.matrix.width; ++f) {
      const float value = rows.row(i)[f];
      if (value != 0) set.push_back(fmt::format("{}={}", rows.names[f], value));
    }
    table.add_row({fmt::format("{}", i), std::string(rows.instruction(i).name),
                   std::string(hlo::name(rows.instruction(i).opcode)),
                   fmt::format("{}", rows.opcodes[i]), fmt::format("{}", fmt::join(set, " "))});
  }
  const FeatureSource& subject = rows.subject;
  return fmt::format("{}#{} {}: {} nodes, {} edges, {} features, {} measured runs of tiles\n{}",
                     subject.file, subject.module_number,
                     subject.kernel.empty() ? "whole module"
                                            : fmt::format("kernel {} ({})", subject.kernel,
                                                          analysis::title(subject.origin)),
                     rows.opcodes.size(), subject.graph.edges.size(), rows.matrix.width,
                     subject.tile_runs.size(), table.text());
}

Json names_json() {
  auto out = Json::array();
  for (int i = 0; i < features::kGroupCount; ++i) {
    const auto group = static_cast<Group>(i);
    size_t index = 0;
    for (const std::string& name : features::names(group)) {
      out.push_back({{"group", features::name(group)}, {"index", index++}, {"name", name}});
    }
  }
  return out;
}

void print_names(const FeaturesOptions& options) {
  const Json rows = names_json();
  if (options.json) {
    std::cout << json_text(rows) << "\n";
    return;
  }
  if (options.csv) {
    std::cout << json_rows_csv(rows, /*with_header=*/true);
    return;
  }
  using enum TextTable::Align;
  TextTable table({{"group", kLeft}, {"index"}, {"name", kLeft}});
  for (const Json& row : rows) {
    table.add_row({row["group"].get<std::string>(), fmt::format("{}", row["index"].get<size_t>()),
                   row["name"].get<std::string>()});
  }
  std::cout << table.text();
}

void run_features(const FeaturesOptions& options, int& exit_code) {
  if (options.names) {
    print_names(options);
    return;
  }
  if (options.files.empty()) {
    std::cerr << "error: FILE is missing\n  hint: --names works without one\n";
    exit_code = kUsage;
    return;
  }
  const std::vector<FeatureSource> subjects = options.kernel.empty()
                                                  ? module_subjects(options, exit_code)
                                                  : kernel_subjects(options, exit_code);
  const std::vector<Group> groups = groups_of(options);
  auto list = Json::array();
  TextTable csv = csv_table(groups);
  for (const FeatureSource& subject : subjects) {
    const Rows rows(subject, groups);
    if (options.json) {
      list.push_back(to_json(rows, options));
    } else if (options.csv) {
      add_csv(csv, rows);
    } else {
      std::cout << text_of(rows);
    }
  }
  if (options.json) std::cout << json_text(list, -1) << "\n";
  if (options.csv && csv.rows() > 0) std::cout << csv.csv();
}

constexpr auto kFeaturesFooter =
    "Groups: node (the 140 of TpuGraphs), static (work and bytes as XLA counts), extra (dimensions "
    "by 128,\ndot dimensions, padding); tile, layout, dot and fusion describe configurations.\n"
    "The whole module has all computations, with edges to operands and to the roots of called\n"
    "computations, as it stands in the file; --kernel has the fused computation with the fusions "
    "inside opened.\n"
    "Example: hloscope-cli features samples/tpu_v3_tiles.pb#5 --json\n"
    "  [{\"file\": \"...\", \"module_number\": 5, \"name\": \"copy.24\", \"kernel\": null, "
    "\"kernels_from\": null, "
    "\"groups\": [\"node\"],\n    \"table_hash\": \"...\", \"feature_names\": [\"is_root\", ...], "
    "\"nodes\": [{\"node\": 0, \"name\": \"param\",\n    \"opcode\": \"parameter\", \"opcode_id\": "
    "63, \"features\": [0.0, ...]}], \"edges\": [[1, 0]], \"splits\": [0, 2],\n    "
    "\"tile_configurations\": [{\"run_index\": 0, \"is_default\": true, \"measured_ns\": 3967, "
    "\"features\": [0.0, ...]}]}]\n"
    "An edge is [consumer, producer]. opcode_id 0: TpuGraphs has no such opcode.\n"
    "Example: hloscope-cli features --names --json\n"
    "  [{\"group\": \"node\", \"index\": 0, \"name\": \"is_root\"}, ...]";

}  // namespace

void add_features_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<FeaturesOptions>();
  CLI::App* command = app.add_subcommand(
      "features", "features of instructions and tiles, as learned models take them");
  add_file_options(*command, *options);
  command->get_option("FILE")->required(false);
  command->add_option("--kernel", options->kernel, "only this kernel: NAME or COMPUTATION/NAME");
  add_raw_option(*command, *options);
  command->add_option("--groups", options->groups, "node, static, extra; separated by commas")
      ->delimiter(',')
      ->check(CLI::IsMember({"node", "static", "extra"}))
      ->capture_default_str();
  command->add_flag("--names", options->names, "the names of all features, by group");
  command->footer(kFeaturesFooter);
  command->callback([options, &exit_code] { run_features(*options, exit_code); });
}

}  // namespace hloscope::cli
