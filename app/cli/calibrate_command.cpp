#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "app/cli/accuracy.h"
#include "app/cli/commands.h"
#include "app/cli/json_text.h"
#include "app/cli/load.h"
#include "app/cli/terminal.h"
#include "core/accuracy/calibrate.h"
#include "core/accuracy/machine_file.h"
#include "core/base/file_bytes.h"
#include "core/base/write_file.h"

namespace hloscope::cli {

namespace {

using accuracy::CalibratedConstant;
using accuracy::Calibration;
using accuracy::ConstantShift;
using accuracy::TileSamples;

// Shifts that change less than this are not worth a line.
constexpr double kShownEffect = 0.01;
constexpr size_t kSampleHashDigits = 16;

struct CalibrateOptions {
  std::string data;
  std::string modules;
  std::string machine;
  std::string out;
  bool json = false;
};

std::string source_text(const Calibration& result, const std::string& data,
                        const std::string& hash) {
  std::string text = fmt::format("fitted to measured runs: {} ({})",
                                 std::filesystem::path(data).filename().string(), hash);
  if (!result.left_out) return text;
  return text + fmt::format(", leave-one-kernel-out MAPE {}", percent(result.left_out->mape));
}

Status write_machine(const CalibrateOptions& options, const Calibration& result,
                     const std::string& source) {
  HLOSCOPE_ASSIGN(const std::string text, accuracy::machine_text(options.machine));
  std::vector<accuracy::NewConstant> constants;
  for (const CalibratedConstant& constant : result.constants) {
    if (constant.is_determined) constants.push_back({constant.name, constant.value});
  }
  HLOSCOPE_ASSIGN(const std::string file, accuracy::with_new_constants(text, constants, source));
  return write_file(options.out, file);
}

nlohmann::ordered_json constants_json(const Calibration& result, const TileSamples& samples) {
  auto list = nlohmann::ordered_json::array();
  for (const CalibratedConstant& c : result.constants) {
    nlohmann::ordered_json entry = {
        {"name", c.name},         {"unit", result.machine.constants.at(std::string(c.name)).unit},
        {"a_priori", c.a_priori}, {"old", c.old_value},
        {"value", c.value},       {"determined", c.is_determined}};
    if (c.is_determined) {
      entry["main_kernel"] = samples.kernels[c.main_kernel].module_name;
      entry["main_share"] = c.main_share;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

nlohmann::ordered_json shifts_json(const Calibration& result, const TileSamples& samples) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (size_t k = 0; k < result.shifts.size(); ++k) {
    auto list = nlohmann::ordered_json::array();
    for (const ConstantShift& shift : result.shifts[k]) {
      list.push_back({{"name", result.constants[shift.constant].name},
                      {"value", shift.value},
                      {"effect", shift.effect}});
    }
    out[samples.kernels[k].module_name] = std::move(list);
  }
  return out;
}

void print_json(const Calibration& result, const TileSamples& samples, const sim::Machine& machine,
                const std::string& source) {
  nlohmann::ordered_json out = {{"machine", machine.id},
                                {"machine_hash", machine.hash.hex()},
                                {"source", source},
                                {"constants", constants_json(result, samples)},
                                {"before", tile_accuracy_json(result.before)},
                                {"in_sample", tile_accuracy_json(result.in_sample)},
                                {"leave_one_kernel_out", nullptr},
                                {"constants_without", shifts_json(result, samples)},
                                {"rows_without_bounds", samples.rows_without_bounds},
                                {"rows_invalid", samples.invalid.size()}};
  if (result.left_out) out["leave_one_kernel_out"] = tile_accuracy_json(*result.left_out);
  std::cout << json_text(out) << "\n";
}

TextTable constant_table(const Calibration& result, const TileSamples& samples) {
  using enum TextTable::Align;
  TextTable table({{"constant", kLeft},
                   {"old"},
                   {"fitted"},
                   {"a priori"},
                   {"unit", kLeft},
                   {"told most by", kLeft},
                   {"share"}});
  for (const CalibratedConstant& c : result.constants) {
    const auto number = [](double value) { return fmt::format("{:.4g}", value); };
    table.add_row({std::string(c.name), number(c.old_value),
                   c.is_determined ? number(c.value) : "kept", number(c.a_priori),
                   result.machine.constants.at(std::string(c.name)).unit,
                   c.is_determined ? samples.kernels[c.main_kernel].module_name : "no row",
                   c.is_determined ? fmt::format("{:.0f} %", c.main_share * 100) : ""});
  }
  return table;
}

TextTable shift_table(const Calibration& result, const TileSamples& samples) {
  using enum TextTable::Align;
  TextTable table(
      {{"without", kLeft}, {"constant", kLeft}, {"fitted"}, {"without it"}, {"effect on it"}});
  for (size_t k = 0; k < result.shifts.size(); ++k) {
    for (const ConstantShift& shift : result.shifts[k]) {
      if (shift.effect < kShownEffect) break;
      const CalibratedConstant& c = result.constants[shift.constant];
      table.add_row({samples.kernels[k].module_name, std::string(c.name),
                     fmt::format("{:.4g}", c.value), fmt::format("{:.4g}", shift.value),
                     percent(shift.effect)});
    }
  }
  return table;
}

void print_text(const Calibration& result, const TileSamples& samples) {
  std::cout << constant_table(result, samples).text() << "\nold constants\n"
            << kernel_table(result.before).text() << "\nfitted to all these rows (in sample)\n"
            << kernel_table(result.in_sample).text();
  if (!result.left_out) {
    std::cout << "\nOne kernel only: how well the constants carry over to others is not known.\n";
    return;
  }
  std::cout << "\nevery kernel with constants fitted without it: expect this of new kernels\n"
            << kernel_table(*result.left_out).text();
  const TextTable shifts = shift_table(result, samples);
  if (shifts.rows() > 0) {
    std::cout << "\nconstants that come out otherwise without a kernel\n" << shifts.text();
  }
}

Status run_calibrate(const CalibrateOptions& options, const sim::Machine& machine) {
  HLOSCOPE_ASSIGN(const TileSamples samples, load_tile_samples(options.data, options.modules));
  HLOSCOPE_ASSIGN(const std::string data, read_file_bytes(options.data));
  HLOSCOPE_ASSIGN(const Calibration result,
                  accuracy::calibrate(samples, machine, terminal_progress()));
  const std::string hash = hash128(data).hex().substr(0, kSampleHashDigits);
  const std::string source = source_text(result, options.data, hash);
  if (!options.out.empty()) HLOSCOPE_TRY(write_machine(options, result, source));
  if (options.json) {
    print_json(result, samples, machine, source);
  } else {
    print_text(result, samples);
  }
  return {};
}

void run_calibrate(const CalibrateOptions& options, int& exit_code) {
  const auto machine = load_machine(options.machine, exit_code);
  if (!machine) return;
  const std::vector<std::string> inputs = {options.data, options.modules};
  Status status = check_output(options.out, inputs);
  if (status) status = run_calibrate(options, *machine);
  if (!status) {
    print_error(status.error());
    exit_code = kBadInput;
  }
}

}  // namespace

void add_calibrate_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CalibrateOptions>();
  CLI::App* command =
      app.add_subcommand("calibrate", "fits a machine's constants to measured tiles");
  command->add_option("--machine", options->machine, "machine id (tpu_v2 .. tpu_v6e) or file")
      ->required();
  command->add_option("--data", options->data, "CSV of measured tiles, as for accuracy")
      ->required();
  command->add_option("--modules", options->modules, "their programs (HLO, tuning file)")
      ->required();
  command->add_option("--out", options->out, "write the machine file with the fitted constants");
  command->add_flag("--json", options->json, "write JSON");
  command->footer(
      "The fit starts at the same guesses for every machine and is pulled to them where no row "
      "tells; constants\nthat no row depends on keep their value. Errors of each kernel are given "
      "with the constants fitted to all,\nand with constants fitted without it.\n"
      "Example: hloscope-cli calibrate --machine tpu_v3 --data tiles.csv --modules tiles.pb --out "
      "mine.json --json\n"
      "  {\"machine\": \"tpu_v3\", \"constants\": [{\"name\": \"launch_ns\", \"unit\": \"ns\", "
      "\"a_priori\": 200,\n    \"old\": 200, \"value\": 210, \"determined\": true, "
      "\"main_kernel\": \"fusion.181\", \"main_share\": 0.5}],\n   \"before\": {\"kernels\": "
      "[...], \"total\": {...}}, \"in_sample\": {...}, \"leave_one_kernel_out\": {...}}");
  command->callback([options, &exit_code] { run_calibrate(*options, exit_code); });
}

}  // namespace hloscope::cli
