#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/bench.h"
#include "app/cli/commands.h"
#include "app/cli/json_text.h"
#include "app/cli/load.h"
#include "app/cli/text_table.h"
#include "core/analysis/kernel_times.h"
#include "core/sim/estimate.h"
#include "core/sim/tile_space.h"

namespace hloscope::cli {

namespace {

// One module, one thread. Mean and largest over its distinct kernels, at their default tiles.
struct Spent {
  std::string name;
  size_t kernels = 0;
  size_t distinct = 0;
  double whole_s = 0;  // All kernels by both models, tile choice included.
  double model_s = 0;  // The kernel model from the HLO; then the steps of one kernel.
  double choose_s = 0;
  double analytical_s = 0;
  double analytical_most_s = 0;
  double simulate_s = 0;
  double simulate_most_s = 0;
};

void time_kernel(const hlo::Program& program, hlo::InstructionId kernel, const sim::Rates& rates,
                 Spent& spent) {
  sim::KernelModel model;
  spent.model_s += seconds_of([&] { model = sim::kernel_model(program, kernel); });
  std::vector<int64_t> bounds;
  spent.choose_s += seconds_of([&] { bounds = sim::default_bounds(model, rates); });
  const double analytical_s = seconds_of([&] { (void)sim::estimate(model, bounds, rates); });
  const double simulate_s = seconds_of([&] { (void)sim::simulate(model, bounds, rates); });
  spent.analytical_s += analytical_s;
  spent.simulate_s += simulate_s;
  spent.analytical_most_s = std::max(spent.analytical_most_s, analytical_s);
  spent.simulate_most_s = std::max(spent.simulate_most_s, simulate_s);
}

Spent measure(const hlo::Module& module, const std::string& name, const sim::Machine& machine) {
  const hlo::Program& program = *module.program;
  const graph::KernelList kernels = graph::kernels(program);
  Spent spent;
  spent.name = name;
  spent.kernels = kernels.kernels.size();
  spent.distinct = kernels.distinct.size();
  spent.whole_s = seconds_of([&] { (void)analysis::kernel_times(program, kernels, machine); });
  const sim::Rates rates(machine);
  for (graph::KernelId id : kernels.distinct) {
    time_kernel(program, kernels.kernels[id].instruction, rates, spent);
  }
  const auto n = static_cast<double>(std::max<size_t>(spent.distinct, 1));
  for (double* sum : {&spent.model_s, &spent.choose_s, &spent.analytical_s, &spent.simulate_s}) {
    *sum /= n;
  }
  return spent;
}

nlohmann::ordered_json to_json(const Spent& s) {
  return {{"module", s.name},
          {"kernels", s.kernels},
          {"distinct_kernels", s.distinct},
          {"whole_ms", s.whole_s * 1e3},
          {"model_us", s.model_s * 1e6},
          {"choose_tile_us", s.choose_s * 1e6},
          {"analytical_us", s.analytical_s * 1e6},
          {"analytical_most_us", s.analytical_most_s * 1e6},
          {"simulate_us", s.simulate_s * 1e6},
          {"simulate_most_us", s.simulate_most_s * 1e6}};
}

void add_row(TextTable& table, const Spent& s) {
  const auto micros = [](double seconds) { return fmt::format("{:.1f}", seconds * 1e6); };
  table.add_row({s.name, fmt::format("{}", s.kernels), fmt::format("{}", s.distinct),
                 fmt::format("{:.1f}", s.whole_s * 1e3), micros(s.model_s), micros(s.choose_s),
                 micros(s.analytical_s), micros(s.analytical_most_s), micros(s.simulate_s),
                 micros(s.simulate_most_s)});
}

TextTable time_table() {
  using enum TextTable::Align;
  return TextTable({{"module", kLeft},
                    {"kernels"},
                    {"distinct"},
                    {"whole ms"},
                    {"model µs"},
                    {"tile µs"},
                    {"analytical µs"},
                    {"most"},
                    {"simulate µs"},
                    {"most"}});
}

void run_bench_time(const InputOptions& options, int& exit_code) {
  const auto machine = load_machine(options.machine, exit_code);
  if (!machine) return;
  auto list = nlohmann::ordered_json::array();
  TextTable table = time_table();
  for (const std::string& address : options.files) {
    const auto loaded = load(address);
    if (!loaded) {
      print_error(loaded.error());
      exit_code = kBadInput;
      continue;
    }
    for (const hlo::Module& module : loaded->file.modules) {
      const Spent spent = measure(module, std::string(module.program->name()), *machine);
      add_row(table, spent);
      list.push_back(to_json(spent));
    }
  }
  if (options.json) {
    std::cout << json_text(list) << "\n";
  } else if (table.rows() > 0) {
    std::cout << table.text();
  }
}

}  // namespace

void add_bench_time(CLI::App& bench, int& exit_code) {
  auto options = std::make_shared<InputOptions>();
  CLI::App* time = bench.add_subcommand("time", "speed of the timing models");
  time->add_option("FILE", options->files, "programs to time")->required();
  time->add_flag("--json", options->json, "write JSON");
  add_machine_option(*time, *options);
  time->footer(
      "One thread, every distinct kernel of the programs as they stand in the file once. whole: "
      "all kernels by both models, tile choice\n"
      "included; the other figures are means over the distinct kernels, and the largest.\n"
      "JSON: [{\"module\": \"m\", \"kernels\": 100, \"distinct_kernels\": 20, \"whole_ms\": 9.1,\n"
      "  \"model_us\": 20, \"choose_tile_us\": 300, \"analytical_us\": 1.5, "
      "\"analytical_most_us\": 4,\n  \"simulate_us\": 12, \"simulate_most_us\": 90}]");
  time->callback([options, &exit_code] { run_bench_time(*options, exit_code); });
}

}  // namespace hloscope::cli
