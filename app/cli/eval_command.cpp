#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/json_text.h"
#include "app/cli/load.h"
#include "app/cli/whole_number.h"
#include "core/base/file_bytes.h"
#include "core/eval/evaluate.h"
#include "core/eval/json_values.h"

namespace hloscope::cli {

namespace {

using Json = nlohmann::ordered_json;

struct EvalOptions {
  std::string file;
  std::string arguments;
  uint64_t seed = 1;
  size_t values = 8;
  int64_t max_operations = eval::Options().max_operations;
  bool json = false;
};

// An array of the result, and where it stands in nested tuples: "1.0", or "" for the whole.
struct Leaf {
  std::string path;
  eval::Value value;
};

void add_leaves(const eval::Value& value, const std::string& path, std::vector<Leaf>& out) {
  if (!value.is_tuple()) {
    out.push_back({path, value});
    return;
  }
  for (size_t i = 0; i < value.elements().size(); ++i) {
    add_leaves(value.elements()[i], fmt::format("{}{}{}", path, path.empty() ? "" : ".", i), out);
  }
}

std::vector<std::string> first_values(const eval::Value& value, size_t most) {
  std::vector<std::string> out;
  if (!value.is_array()) return out;
  const eval::Array& array = value.array();
  const size_t count = std::min(most, array.elements.size());
  for (size_t i = 0; i < count; ++i) {
    out.push_back(eval::element_text(array.type, array.elements[i]));
  }
  return out;
}

// Texts keep every digit, infinities and NaN, which JSON numbers do not.
Json to_json(const std::string& file, const EvalOptions& options, const eval::Value& result) {
  auto results = Json::array();
  std::vector<Leaf> leaves;
  add_leaves(result, "", leaves);
  for (const Leaf& leaf : leaves) {
    results.push_back({{"element", leaf.path},
                       {"shape", eval::shape_text(leaf.value)},
                       {"values", first_values(leaf.value, options.values)},
                       {"checksum", eval::checksum(leaf.value)}});
  }
  Json seed;
  if (options.arguments.empty()) seed = options.seed;
  return {{"file", file},
          {"seed", seed},
          {"shape", eval::shape_text(result)},
          {"checksum", eval::checksum(result)},
          {"results", results}};
}

void print_text(const std::string& file, const EvalOptions& options, const eval::Value& result) {
  std::vector<Leaf> leaves;
  add_leaves(result, "", leaves);
  std::cout << fmt::format("{}: {}, checksum {}\n", file,
                           options.arguments.empty()
                               ? fmt::format("random arguments of seed {}", options.seed)
                               : "arguments of " + options.arguments,
                           eval::checksum(result));
  for (const Leaf& leaf : leaves) {
    const std::vector<std::string> values = first_values(leaf.value, options.values);
    const bool all = static_cast<int64_t>(values.size()) == leaf.value.element_count();
    std::cout << fmt::format("{}{}{}  checksum {}\n  {}{}\n", leaf.path,
                             leaf.path.empty() ? "" : "  ", eval::shape_text(leaf.value),
                             eval::checksum(leaf.value), fmt::join(values, " "), all ? "" : " ...");
  }
}

Result<std::vector<eval::Value>> arguments_of(const hlo::Program& program,
                                              const EvalOptions& options) {
  if (options.arguments.empty()) {
    Rng rng(options.seed);
    return eval::random_arguments(program, rng);
  }
  HLOSCOPE_ASSIGN(const std::string text, read_file_bytes(options.arguments));
  auto arguments = eval::arguments_from_json(program, text);
  if (!arguments) arguments.error().file = options.arguments;
  return arguments;
}

Result<eval::Value> evaluate(const hlo::Program& program, const EvalOptions& options) {
  HLOSCOPE_ASSIGN(const std::vector<eval::Value> arguments, arguments_of(program, options));
  eval::Options limits;
  limits.max_operations = options.max_operations;
  return eval::evaluate(program, arguments, limits);
}

void run_eval(const EvalOptions& options, int& exit_code) {
  const Result<LoadedFile> loaded = load(options.file);
  if (!loaded) {
    print_error(loaded.error());
    exit_code = kBadInput;
    return;
  }
  auto list = Json::array();
  for (size_t i = 0; i < loaded->file.modules.size(); ++i) {
    const size_t number = static_cast<size_t>(loaded->first) + i;
    const std::string name =
        number == 1 ? loaded->file.path : fmt::format("{}#{}", loaded->file.path, number);
    Result<eval::Value> result = evaluate(*loaded->file.modules[i].program, options);
    if (!result) {
      if (result.error().file.empty()) result.error().file = name;
      print_error(result.error());
      exit_code = kBadInput;
    } else if (options.json) {
      list.push_back(to_json(name, options, *result));
    } else {
      print_text(name, options, *result);
    }
  }
  if (options.json) std::cout << json_text(list) << "\n";
}

}  // namespace

void add_eval_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<EvalOptions>();
  CLI::App* command =
      app.add_subcommand("eval", "run a small program on the host and show its results");
  command->add_option("FILE", options->file, "HLO text or proto; FILE#N is its Nth module")
      ->required();
  auto* arguments = command->add_option("--arguments", options->arguments,
                                        "JSON file: a list with one entry per parameter");
  command->add_option("--seed", options->seed, "of the random arguments")
      ->capture_default_str()
      ->excludes(arguments);
  command->add_option("--values", options->values, "how many values of each array to show")
      ->capture_default_str();
  command
      ->add_option("--max-operations", options->max_operations, "stop with an error after so many")
      ->capture_default_str()
      ->check(above_zero());
  command->add_flag("--json", options->json, "write JSON");
  command->footer(
      "A reference, not a measure of time: one operation after the other, in double precision,\n"
      "rounded to the type of every result. Arrays in --arguments are nested or flat lists.\n"
      "Example: hloscope-cli eval program.hlo --seed 7 --json\n"
      "  [{\"file\": \"program.hlo\", \"seed\": 7, \"shape\": \"(f32[2,3], s32[])\", "
      "\"checksum\": \"...\",\n    \"results\": [{\"element\": \"0\", \"shape\": \"f32[2,3]\", "
      "\"values\": [\"1.5\", ...], \"checksum\": \"...\"}]}]");
  command->callback([options, &exit_code] { run_eval(*options, exit_code); });
}

}  // namespace hloscope::cli
