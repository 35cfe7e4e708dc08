#include <cmath>
#include <iostream>
#include <memory>

#include "app/cli/bench.h"
#include "app/cli/commands.h"
#include "app/cli/load.h"
#include "core/base/hash.h"

namespace hloscope::cli {

namespace {

uint64_t picoseconds(double ns) {
  return static_cast<uint64_t>(std::llround(std::min(ns, 1e15) * 1000));
}

void add_report(Hasher& hasher, const analysis::ModuleReport& report) {
  const hlo::Program& program = *report.module.program;
  hasher.add(program.instruction_count()).add(report.kernels.kernels.size());
  const analysis::Cost& total = report.cost.total;
  for (double value :
       {total.flops, total.transcendentals, total.bytes_accessed, total.padded_bytes}) {
    hasher.add(static_cast<uint64_t>(std::llround(value)));
  }
  for (graph::KernelId id : report.kernels.distinct) {
    hasher.add(picoseconds(report.times.analytical[id].time_ns));
    hasher.add(picoseconds(report.times.simulated[id].time_ns));
  }
}

void run_bench_signature(const InputOptions& options, int& exit_code) {
  Hasher hasher;
  for (const ReportPtr& report : load_reports(options, exit_code)) add_report(hasher, *report);
  if (exit_code == 0) std::cout << hasher.digest().hex() << "\n";
}

}  // namespace

void add_bench_signature(CLI::App& bench, int& exit_code) {
  auto options = std::make_shared<InputOptions>();
  options->raw = true;
  CLI::App* signature =
      bench.add_subcommand("signature", "one hash over counts, costs and times of programs");
  signature->add_option("FILE", options->files, "programs, in this order")->required();
  add_machine_option(*signature, *options);
  signature->footer(
      "Times count in picoseconds, programs as they stand in the file, without own fusion. A "
      "change that means to change no behaviour leaves the hash the\n"
      "same, on every machine and in every build.");
  signature->callback([options, &exit_code] { run_bench_signature(*options, exit_code); });
}

}  // namespace hloscope::cli
