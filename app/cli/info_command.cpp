#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/json_text.h"
#include "app/cli/load.h"
#include "app/cli/text_table.h"
#include "core/analysis/kernel_table.h"

namespace hloscope::cli {

namespace {

/// What stands in the file, whether the kernels are those of own fusion or not.
struct FileFacts {
  graph::KernelList kernels;
  analysis::ProgramCost cost;
};

FileFacts facts_of(const analysis::ModuleReport& report) {
  if (report.original == report.module.program) return {report.kernels, report.cost};
  FileFacts facts{graph::kernels(*report.original), {}};
  facts.cost = analysis::cost(*report.original, facts.kernels);
  return facts;
}

int64_t runs_without_time(const analysis::ModuleReport& report) {
  return std::ranges::count_if(report.module.runs, [](const hlo::MeasuredRun& run) {
    return run.failed || run.time_ns <= 0;
  });
}

std::map<std::string, int64_t> opcode_counts(const hlo::Program& program) {
  std::map<std::string, int64_t> counts;
  for (hlo::InstructionId id : program.instructions()) {
    ++counts[std::string(hlo::name(program[id].opcode))];
  }
  return counts;
}

nlohmann::ordered_json to_json(const analysis::ModuleReport& report) {
  const hlo::Program& program = *report.original;
  const FileFacts facts = facts_of(report);
  return {{"file", report.file_path},
          {"module_number", report.module_number},
          {"name", program.name()},
          {"content_hash", report.module.content_hash.hex()},
          {"computations", program.computation_count()},
          {"instructions", program.instruction_count()},
          {"is_scheduled", program.is_scheduled()},
          {"is_optimized", report.origin == analysis::KernelOrigin::kCompiled},
          {"kernels_from", analysis::name(report.origin)},
          {"kernels", report.kernels.kernels.size()},
          {"distinct_kernels", report.kernels.distinct.size()},
          {"loops", facts.kernels.loops.size()},
          {"flops", facts.cost.total.flops},
          {"bytes_accessed", facts.cost.total.bytes_accessed},
          {"transcendentals", facts.cost.total.transcendentals},
          {"machine", report.machine.id},
          {"simulated_total_ns", report.simulated_total_ns},
          {"analytical_total_ns", report.analytical_total_ns},
          {"rule_share", report.rule_share},
          {"measured_runs", report.module.runs.size()},
          {"measured_runs_without_time", runs_without_time(report)},
          {"shown",
           {{"instructions", report.module.program->instruction_count()},
            {"computations", report.module.program->computation_count()},
            {"flops", report.cost.weighted.flops},
            {"bytes_accessed", report.cost.weighted.bytes_accessed}}},
          {"opcodes", opcode_counts(program)}};
}

std::string opcodes_text(const hlo::Program& program) {
  constexpr size_t kShown = 8;
  const auto counts = opcode_counts(program);
  std::vector<std::pair<std::string, int64_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> items;
  for (size_t i = 0; i < std::min(kShown, sorted.size()); ++i) {
    items.push_back(fmt::format("{} {}", sorted[i].first, sorted[i].second));
  }
  if (sorted.size() > kShown) items.push_back(fmt::format("{} more", sorted.size() - kShown));
  return list_text("  opcodes       ", items, 17);
}

std::string describe(const analysis::ModuleReport& report) {
  const hlo::Program& program = *report.original;
  const graph::KernelList& kernels = report.kernels;
  const FileFacts facts = facts_of(report);
  std::string out = fmt::format("{}\n", display_name(report));
  out += fmt::format("  module         {}\n", program.name());
  out += fmt::format("  instructions   {} in {} computations{}\n",
                     grouped(static_cast<double>(program.instruction_count())),
                     program.computation_count(), program.is_scheduled() ? ", scheduled" : "");
  out += fmt::format("  kernels        {}, {} distinct\n                 {}\n",
                     kernels.kernels.size(), kernels.distinct.size(), origin_text(report.origin));
  const auto& loops = facts.kernels.loops;
  const auto unknown = std::count_if(loops.begin(), loops.end(),
                                     [](const graph::Loop& loop) { return !loop.known; });
  if (!loops.empty()) {
    out += fmt::format("  loops          {}, {} of unknown trip count\n", loops.size(), unknown);
  }
  out +=
      fmt::format("  work           {}FLOP, {}B accessed, {}transcendentals (loop bodies once)\n",
                  with_prefix(facts.cost.total.flops), with_prefix(facts.cost.total.bytes_accessed),
                  with_prefix(facts.cost.total.transcendentals));
  out +=
      fmt::format("  with loops     {}FLOP, {}B accessed\n", with_prefix(facts.cost.weighted.flops),
                  with_prefix(facts.cost.weighted.bytes_accessed));
  if (report.original != report.module.program) {
    out += fmt::format(
        "  own fusion     {} instructions in {} computations, {}FLOP, {}B accessed\n",
        grouped(report.module.program->instruction_count()),
        report.module.program->computation_count(), with_prefix(report.cost.weighted.flops),
        with_prefix(report.cost.weighted.bytes_accessed));
  }
  out += fmt::format("  simulated      {} µs on {} (not measured); {}\n",
                     microseconds(report.simulated_total_ns), report.machine.title,
                     analysis::rule_share_text(report.rule_share));
  out += fmt::format("  analytical     {} µs on {} (not measured)\n",
                     microseconds(report.analytical_total_ns), report.machine.title);
  if (!report.module.runs.empty()) {
    const int64_t without = runs_without_time(report);
    out += fmt::format("  measured runs  {}{}\n", report.module.runs.size(),
                       without > 0 ? fmt::format(", {} without a time", without) : "");
  }
  return out + opcodes_text(program);
}

TextTable to_table(const std::vector<ReportPtr>& reports) {
  using enum TextTable::Align;
  TextTable table({{"file", kLeft},
                   {"module_number"},
                   {"name", kLeft},
                   {"computations"},
                   {"instructions"},
                   {"kernels"},
                   {"distinct_kernels"},
                   {"flops"},
                   {"bytes_accessed"},
                   {"transcendentals"},
                   {"simulated_total_ns"},
                   {"analytical_total_ns"},
                   {"rule_share"},
                   {"measured_runs"},
                   {"kernels_from", kLeft}});
  for (const ReportPtr& report : reports) {
    const hlo::Program& program = *report->original;
    const analysis::Cost total = facts_of(*report).cost.total;
    table.add_row(
        {report->file_path, fmt::format("{}", report->module_number), std::string(program.name()),
         fmt::format("{}", program.computation_count()),
         fmt::format("{}", program.instruction_count()),
         fmt::format("{}", report->kernels.kernels.size()),
         fmt::format("{}", report->kernels.distinct.size()), fmt::format("{:.0f}", total.flops),
         fmt::format("{:.0f}", total.bytes_accessed), fmt::format("{:.0f}", total.transcendentals),
         fmt::format("{}", report->simulated_total_ns),
         fmt::format("{}", report->analytical_total_ns), fmt::format("{}", report->rule_share),
         fmt::format("{}", report->module.runs.size()),
         std::string(analysis::name(report->origin))});
  }
  return table;
}

void run_info(const InputOptions& options, int& exit_code) {
  const std::vector<ReportPtr> reports = load_reports(options, exit_code);
  if (options.json) {
    auto out = nlohmann::ordered_json::array();
    for (const ReportPtr& report : reports) out.push_back(to_json(*report));
    std::cout << json_text(out) << "\n";
  } else if (options.csv) {
    std::cout << to_table(reports).csv();
  } else {
    for (const ReportPtr& report : reports) std::cout << describe(*report);
  }
}

}  // namespace

void add_info_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<InputOptions>();
  CLI::App* command = app.add_subcommand("info", "what is in a program: counts, work, opcodes");
  add_file_options(*command, *options);
  add_machine_option(*command, *options);
  add_raw_option(*command, *options);
  command->footer(
      "Example: hloscope-cli info samples/mobilenet_v2.hlo --json\n"
      "  [{\"file\": \"...\", \"module_number\": 1, \"name\": \"...\", \"content_hash\": \"...\", "
      "\"computations\": 134,\n    \"instructions\": 3924, \"is_scheduled\": false, "
      "\"is_optimized\": "
      "false, \"kernels_from\": \"own_fusion\", \"kernels\": 500,\n    \"distinct_kernels\": 300, "
      "\"loops\": 0, \"flops\": 6.1e8, "
      "\"bytes_accessed\": 2.0e8,\n    \"transcendentals\": 1000, \"machine\": \"tpu_v3\", "
      "\"simulated_total_ns\": 1.0e6,\n    \"analytical_total_ns\": 1.0e6, \"rule_share\": 1.0, "
      "\"measured_runs\": 0, \"measured_runs_without_time\": 0, \"shown\": {\"instructions\": "
      "4700, "
      "\"computations\": 360,\n    \"flops\": 6.1e8, \"bytes_accessed\": 1.1e8}, \"opcodes\": "
      "{\"add\": 100}}]\n"
      "Kernels and times are those of own fusion where the program is not optimised (--raw: of "
      "its\n"
      "instructions), shown is the program that they stand in, loops by their trips; all else is "
      "of the program as it stands in the file.");
  command->callback([options, &exit_code] { run_info(*options, exit_code); });
}

}  // namespace hloscope::cli
