#pragma once

#include <QtGlobal>
#include <string>
#include <utility>
#include <vector>

#include "core/hlo/read.h"
#include "core/sim/kernel_model.h"
#include "core/sim/rates.h"

namespace hloscope::testing {

/// A program whose entry's root is the kernel at test.
struct OneKernel {
  hlo::ProgramPtr program;
  sim::KernelModel model;
};

/// Parses `text`; text that is not a program ends the test run.
inline OneKernel one_kernel(const std::string& text) {
  auto program = hlo::parse_program(text);
  if (!program) qFatal("%s\n%s", program.error().format().c_str(), text.c_str());
  const hlo::Program& p = **program;
  return {*program, sim::kernel_model(p, p[p.entry()].root)};
}

inline sim::Machine machine(const char* id) {
  auto found = sim::find_machine(id);
  if (!found) qFatal("%s", found.error().format().c_str());
  return *std::move(found);
}

/// The machine with other values of some constants; every name must be one of the machine's.
inline sim::Machine with_constants(sim::Machine machine,
                                   const std::vector<std::pair<const char*, double>>& values) {
  for (const auto& [name, value] : values) {
    if (!machine.constants.contains(name)) qFatal("no constant %s", name);
    machine.constants.at(name).value = value;
  }
  return machine;
}

/// TPU v3 with the rounded constants of the model fit, so that a
/// later calibration of the machine file does not move the tests of the model.
inline sim::Machine fitted_v3() {
  return with_constants(machine("tpu_v3"), {{"clock_ghz", 0.94},
                                            {"hbm_bytes_per_s", 436e9},
                                            {"hbm_efficiency", 1},
                                            {"hbm_mixed_penalty", 1.6},
                                            {"dma_read_run_ns", 3.1},
                                            {"dma_write_run_ns", 6.6},
                                            {"dma_latency_ns", 90},
                                            {"dma_issue_cycles", 7.5},
                                            {"dma_free_stride_bytes", 8192},
                                            {"dma_free_run_bytes", 4096},
                                            {"launch_ns", 200},
                                            {"iteration_cycles", 62},
                                            {"mxu_count", 2},
                                            {"mxu_rows_per_cycle", 1},
                                            {"mxu_weight_load_cycles", 8},
                                            {"mxu_tail_cycles", 190},
                                            {"mxu_split_tail_cycles", 165},
                                            {"mxu_accumulate_cycles", 0.28},
                                            {"mxu_row_group_cycles", 0.39},
                                            {"valu_ops_per_cycle", 2},
                                            {"vector_loads_per_cycle", 1},
                                            {"vector_stores_per_cycle", 1},
                                            {"eup_vregs_per_cycle", 1},
                                            {"transpose_cycles", 4.75},
                                            {"reduction_row_cycles", 6},
                                            {"reduction_tail_cycles", 105},
                                            {"vmem_bytes", 16777216},
                                            {"vmem_reserved_bytes", 524288},
                                            {"vector_tile_bytes", 16777216},
                                            {"tile_choice_cycles", 0}});
}

/// The eight kernels of samples/tpu_v3_tiles.pb with their measured tiles.
inline const hlo::File& measured_sample() {
  static const auto file = hlo::read_file(HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb");
  if (!file) qFatal("%s", file.error().format().c_str());
  return *file;
}

inline sim::KernelModel sample_kernel(std::string_view name) {
  for (const hlo::Module& module : measured_sample().modules) {
    const hlo::Program& p = *module.program;
    if (p.name() == name) return sim::kernel_model(p, p[p.entry()].root);
  }
  qFatal("no sample kernel %s", std::string(name).c_str());
  return {};
}

}  // namespace hloscope::testing
