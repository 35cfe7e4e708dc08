#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/json_text.h"
#include "app/cli/load.h"
#include "app/cli/text_table.h"
#include "core/base/file_bytes.h"
#include "core/base/write_file.h"
#include "core/fuse/apply.h"
#include "core/fuse/clean_up.h"
#include "core/fuse/default_fusion.h"
#include "core/fuse/traffic.h"
#include "core/graph/kernels.h"
#include "core/hlo/print.h"

namespace hloscope::cli {

namespace {

using nlohmann::ordered_json;

struct FuseOptions {
  std::vector<std::string> files;
  std::string output;
  std::string config;
  std::optional<uint64_t> seed;
  std::string against;
  bool json = false;
};

/// One module, before and after.
struct Fused {
  std::string file;
  int number = 1;
  hlo::ProgramPtr program;
  hlo::ProgramPtr result;
  fuse::FusionConfig config;
  fuse::Traffic before;
  fuse::Traffic after;
  std::optional<fuse::Traffic> against;
  bool is_compiled = false;  ///< Some compiler has chosen its kernels.

  /// Empty without bytes before.
  std::optional<double> ratio() const {
    if (before.bytes <= 0) return std::nullopt;
    return after.bytes / before.bytes;
  }
};

Result<fuse::FusionConfig> wanted_config(const fuse::FusionSpace& space,
                                         const FuseOptions& options) {
  if (!options.config.empty()) {
    HLOSCOPE_ASSIGN(const std::string text, read_file_bytes(options.config));
    return fuse::parse_config(space, text);
  }
  if (options.seed) {
    Rng rng(*options.seed);
    return space.random(rng);
  }
  return fuse::default_config(space);
}

Status fuse_program(const FuseOptions& options, Fused& fused) {
  fused.is_compiled = graph::is_optimized(*fused.program);
  HLOSCOPE_ASSIGN(hlo::ProgramPtr clean, fuse::clean_up(*fused.program));
  const fuse::FusionSpace space(std::move(clean));
  HLOSCOPE_ASSIGN(const fuse::FusionConfig wanted, wanted_config(space, options));
  fuse::FusionState state(space);
  state.take(wanted);
  fused.config = state.config();
  HLOSCOPE_ASSIGN(fused.result, fuse::apply(state));
  fused.before = fuse::traffic(*fused.program);
  fused.after = fuse::traffic(*fused.result);
  return {};
}

Result<fuse::Traffic> traffic_of_file(const std::string& address) {
  HLOSCOPE_ASSIGN(const LoadedFile loaded, load(address));
  return fuse::traffic(*loaded.file.modules.front().program);
}

Status fuse_file(const FuseOptions& options, const std::string& address, std::vector<Fused>& out) {
  HLOSCOPE_ASSIGN(const LoadedFile loaded, load(address));
  for (size_t i = 0; i < loaded.file.modules.size(); ++i) {
    Fused fused;
    fused.file = loaded.file.path;
    fused.number = loaded.first + static_cast<int>(i);
    fused.program = loaded.file.modules[i].program;
    HLOSCOPE_TRY(fuse_program(options, fused));
    if (!options.against.empty()) {
      HLOSCOPE_ASSIGN(fused.against, traffic_of_file(options.against));
    }
    out.push_back(std::move(fused));
  }
  return {};
}

std::string mean_text(const std::vector<Fused>& list) {
  double sum = 0;
  int count = 0;
  for (const Fused& fused : list) {
    const double ratio = fused.ratio().value_or(0);
    if (ratio <= 0) continue;
    sum += std::log(ratio);
    ++count;
  }
  if (count < 2) return {};
  return fmt::format("geometric mean of the ratios of {} modules: {:.3f}\n", count,
                     std::exp(sum / count));
}

ordered_json to_json(const fuse::Traffic& traffic) {
  ordered_json classes;
  for (int i = 0; i < hlo::kOpClassCount; ++i) {
    const fuse::Traffic::ByClass& one = traffic.by_class[i];
    if (one.kernels == 0) continue;
    classes[std::string(hlo::name(static_cast<hlo::OpClass>(i)))] = {{"kernels", one.kernels},
                                                                     {"bytes", one.bytes}};
  }
  return {{"kernels", traffic.kernels},
          {"launches", traffic.executions},
          {"bytes", traffic.bytes},
          {"by_class", classes}};
}

ordered_json to_json(const Fused& fused) {
  ordered_json out = {{"file", fused.file},
                      {"module_number", fused.number},
                      {"name", fused.program->name()},
                      {"is_compiled", fused.is_compiled},
                      {"edges", fused.config.size()},
                      {"edges_set", std::count(fused.config.begin(), fused.config.end(), 1)},
                      {"before", to_json(fused.before)},
                      {"after", to_json(fused.after)},
                      {"ratio", or_null(fused.ratio())}};
  if (fused.against) {
    out["against"] = to_json(*fused.against);
    out["against_ratio"] =
        fused.ratio() ? ordered_json(fused.against->bytes / fused.before.bytes) : ordered_json();
  }
  out["config"] = fuse::config_text(fused.config);
  return out;
}

std::string ratio_text(double after, double before) {
  return before > 0 ? fmt::format("{:.3f}", after / before) : "-";
}

std::string nothing_fusable_text(const Fused& fused) {
  if (!fused.config.empty()) return {};
  return fused.is_compiled ? "  the program is compiled: its kernels are fused already; give it as "
                             "it is before optimisation\n"
                           : "  nothing can be fused in the program\n";
}

void print_text(const Fused& fused) {
  using enum TextTable::Align;
  std::cout << fmt::format("{}#{}  {}\n  {} of {} fusable edges set\n", fused.file, fused.number,
                           fused.program->name(),
                           grouped(std::count(fused.config.begin(), fused.config.end(), 1)),
                           grouped(fused.config.size()));
  std::cout << nothing_fusable_text(fused);
  TextTable table(
      {{"class", kLeft}, {"kernels before"}, {"after"}, {"bytes before"}, {"after"}, {"ratio"}});
  const auto add = [&](std::string_view name, size_t kernels, size_t kernels_after, double bytes,
                       double bytes_after) {
    table.add_row({std::string(name), grouped(kernels), grouped(kernels_after),
                   with_prefix(bytes) + "B", with_prefix(bytes_after) + "B",
                   ratio_text(bytes_after, bytes)});
  };
  for (int i = 0; i < hlo::kOpClassCount; ++i) {
    const fuse::Traffic::ByClass& before = fused.before.by_class[i];
    const fuse::Traffic::ByClass& after = fused.after.by_class[i];
    if (before.kernels == 0 && after.kernels == 0) continue;
    add(hlo::name(static_cast<hlo::OpClass>(i)), before.kernels, after.kernels, before.bytes,
        after.bytes);
  }
  add("all", fused.before.kernels, fused.after.kernels, fused.before.bytes, fused.after.bytes);
  if (fused.against) {
    add("the other file", fused.before.kernels, fused.against->kernels, fused.before.bytes,
        fused.against->bytes);
  }
  std::cout << table.text();
}

Status write_output(const FuseOptions& options, const std::vector<Fused>& list) {
  if (options.output.empty()) return {};
  if (list.size() != 1) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{} modules cannot go to one file", list.size()),
                "name one module as FILE#N");
  }
  HLOSCOPE_TRY(check_output(options.output, options.files));
  return write_file(options.output, hlo::print(*list[0].result));
}

void run_fuse(const FuseOptions& options, int& exit_code) {
  std::vector<Fused> list;
  const auto report = [&exit_code](const Status& status) {
    if (status) return;
    print_error(status.error());
    exit_code = kBadInput;
  };
  for (const std::string& file : options.files) report(fuse_file(options, file, list));
  if (list.empty()) return;
  report(write_output(options, list));
  if (options.json) {
    auto rows = ordered_json::array();
    for (const Fused& fused : list) rows.push_back(to_json(fused));
    std::cout << json_text(rows) << "\n";
    return;
  }
  for (const Fused& fused : list) print_text(fused);
  std::cout << mean_text(list);
}

}  // namespace

void add_fuse_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<FuseOptions>();
  CLI::App* command = app.add_subcommand(
      "fuse", "fuses a program before optimisation, counts kernels and bytes between them");
  command->add_option("FILE", options->files, "files, or FILE#N for a module of one")->required();
  command->add_option("-o,--output", options->output, "writes the fused program as HLO text");
  auto* config = command->add_option("--config", options->config,
                                     "file with a 0 or 1 per fusable edge; without it and --random "
                                     "the default heuristic decides");
  command->add_option("--random", options->seed, "a random configuration with this seed")
      ->excludes(config);
  command->add_option("--against", options->against,
                      "another version of the program, as another compiler fused it: its bytes are "
                      "shown too");
  command->add_flag("--json", options->json, "JSON instead of text");
  command->footer(
      "Calls are inlined, dead code and needless tuples dropped, cheap producers duplicated "
      "first.\n"
      "bytes: every kernel reads each operand once and writes each result once; of slices and "
      "updates in place\ntheir part; times executions, loops of unknown trip count once. Edges of "
      "a configuration that are not\nvalid with those before them are left out.\n"
      "Example: hloscope-cli fuse samples/mobilenet_v2.hlo -o fused.hlo --json\n"
      "  [{\"file\": \"...\", \"module_number\": 1, \"name\": \"...\", \"is_compiled\": false, "
      "\"edges\": 210, "
      "\"edges_set\": 180,\n    \"before\": {\"kernels\": 300, \"launches\": 300, \"bytes\": 1e8, "
      "\"by_class\": {\"matmul/conv\": {\"kernels\": 53, \"bytes\": 5e7}}},\n    \"after\": {...}, "
      "\"ratio\": 0.4, \"config\": \"0110...\"}]");
  command->callback([options, &exit_code] { run_fuse(*options, exit_code); });
}

}  // namespace hloscope::cli
