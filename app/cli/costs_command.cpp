#include <fmt/format.h>

#include <array>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/json_text.h"
#include "app/cli/load.h"
#include "app/cli/text_table.h"

namespace hloscope::cli {

namespace {

struct CostsOptions : InputOptions {
  bool instructions = false;
};

nlohmann::ordered_json to_json(const analysis::Cost& cost) {
  return {{"flops", cost.flops},
          {"transcendentals", cost.transcendentals},
          {"bytes_accessed", cost.bytes_accessed},
          {"padded_bytes", cost.padded_bytes}};
}

std::array<analysis::Cost, hlo::kOpClassCount> by_class(const analysis::ModuleReport& report) {
  std::array<analysis::Cost, hlo::kOpClassCount> sums{};
  for (uint32_t k = 0; k < report.kernels.kernels.size(); ++k) {
    const graph::Kernel& kernel = report.kernels.kernels[graph::KernelId(k)];
    const analysis::Cost& one = report.cost.kernels[graph::KernelId(k)];
    analysis::Cost& sum = sums[static_cast<size_t>(kernel.op_class)];
    // A custom-call of unknown work counts as -1 FLOP in XLA; sums leave it out.
    sum.flops += std::max(0.0, one.flops) * kernel.executions;
    sum.transcendentals += std::max(0.0, one.transcendentals) * kernel.executions;
    sum.bytes_accessed += std::max(0.0, one.bytes_accessed) * kernel.executions;
    sum.padded_bytes += std::max(0.0, one.padded_bytes) * kernel.executions;
  }
  return sums;
}

nlohmann::ordered_json to_json(const analysis::ModuleReport& report, bool instructions) {
  nlohmann::ordered_json classes;
  const auto sums = by_class(report);
  for (size_t i = 0; i < sums.size(); ++i) {
    classes[std::string(hlo::name(static_cast<hlo::OpClass>(i)))] = to_json(sums[i]);
  }
  nlohmann::ordered_json out = {{"file", report.file_path},
                                {"module_number", report.module_number},
                                {"name", report.module.program->name()},
                                {"total", to_json(report.cost.total)},
                                {"weighted", to_json(report.cost.weighted)},
                                {"by_class", classes}};
  if (!instructions) return out;
  auto list = nlohmann::ordered_json::array();
  const hlo::Program& program = *report.module.program;
  for (hlo::InstructionId id : program.instructions()) {
    nlohmann::ordered_json entry = {{"computation", program[program[id].computation].name},
                                    {"name", program[id].name},
                                    {"opcode", hlo::name(program[id].opcode)}};
    entry.update(to_json(report.cost.instructions[id]));
    list.push_back(std::move(entry));
  }
  out["instructions"] = std::move(list);
  return out;
}

TextTable instruction_table() {
  using enum TextTable::Align;
  return TextTable({{"file", kElided},
                    {"module_number"},
                    {"computation", kElided},
                    {"name", kElided},
                    {"opcode", kLeft},
                    {"flops"},
                    {"transcendentals"},
                    {"bytes_accessed"},
                    {"padded_bytes"}});
}

void add_instructions(TextTable& table, const analysis::ModuleReport& report) {
  const hlo::Program& program = *report.module.program;
  for (hlo::InstructionId id : program.instructions()) {
    const analysis::Cost& cost = report.cost.instructions[id];
    table.add_row({report.file_path, fmt::format("{}", report.module_number),
                   std::string(program[program[id].computation].name),
                   std::string(program[id].name), std::string(hlo::name(program[id].opcode)),
                   fmt::format("{:.0f}", cost.flops), fmt::format("{:.0f}", cost.transcendentals),
                   fmt::format("{:.0f}", cost.bytes_accessed),
                   fmt::format("{:.0f}", cost.padded_bytes)});
  }
}

TextTable total_table() {
  using enum TextTable::Align;
  return TextTable({{"file", kElided},
                    {"count", kLeft},
                    {"flops"},
                    {"transcendentals"},
                    {"bytes_accessed"},
                    {"padded_bytes"}});
}

void add_totals(TextTable& table, const analysis::ModuleReport& report, bool exact) {
  const auto number = [exact](double value) {
    return exact ? fmt::format("{:.0f}", value) : grouped(value);
  };
  const auto add = [&](const std::string& name, const analysis::Cost& cost) {
    table.add_row({display_name(report), name, number(cost.flops), number(cost.transcendentals),
                   number(cost.bytes_accessed), number(cost.padded_bytes)});
  };
  add("as XLA counts", report.cost.total);
  add("with loops", report.cost.weighted);
  const auto sums = by_class(report);
  for (size_t i = 0; i < sums.size(); ++i) {
    if (sums[i].bytes_accessed <= 0 && sums[i].flops <= 0) continue;
    add(fmt::format("  {}", hlo::name(static_cast<hlo::OpClass>(i))), sums[i]);
  }
}

void run_costs(const CostsOptions& options, int& exit_code) {
  auto list = nlohmann::ordered_json::array();
  TextTable table = options.instructions ? instruction_table() : total_table();
  for (const ReportPtr& report : load_reports(options, exit_code)) {
    if (options.json) {
      list.push_back(to_json(*report, options.instructions));
    } else if (options.instructions) {
      add_instructions(table, *report);
    } else {
      add_totals(table, *report, options.csv);
    }
  }
  if (options.json) {
    std::cout << json_text(list) << "\n";
  } else if (table.rows() > 0) {
    std::cout << (options.csv ? table.csv() : table.text());
  }
}

}  // namespace

void add_costs_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CostsOptions>();
  options->raw = true;  // XLA's cost analysis counts the program as it is in the file.
  CLI::App* command =
      app.add_subcommand("costs", "FLOPs, transcendentals and bytes as XLA counts them");
  add_file_options(*command, *options);
  add_machine_option(*command, *options);
  command->add_flag("--instructions", options->instructions, "a row per instruction");
  command->footer(
      "total: each loop body once, as XLA's HloCostAnalysis counts; weighted: kernels times "
      "executions.\n"
      "The program counts as it stands in the file, without own fusion.\n"
      "padded_bytes: with dimensions padded to TPU tiles. flops of a custom-call is -1 (unknown).\n"
      "Example: hloscope-cli costs samples/mobilenet_v2.hlo --json\n"
      "  [{\"file\": \"...\", \"module_number\": 1, \"name\": \"...\", \"total\": {\"flops\": 1e9, "
      "\"transcendentals\": 1000,\n    \"bytes_accessed\": 1e8, \"padded_bytes\": 2e8}, "
      "\"weighted\": "
      "{...}, \"by_class\": {\"matmul/conv\": {...}}}]");
  command->callback([options, &exit_code] { run_costs(*options, exit_code); });
}

}  // namespace hloscope::cli
