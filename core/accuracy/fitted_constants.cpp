#include "core/accuracy/fitted_constants.h"

#include <array>
#include <cassert>
#include <string>

namespace hloscope::accuracy {

namespace {

constexpr std::array<FittedConstant, 15> kConstants = {{
    // 412.5 of the 450 GB/s of a TPU v3 core: what JAX takes for its bandwidth (tpu_info.py).
    {"hbm_efficiency", 0.9167},
    {"hbm_mixed_penalty", 1.3},
    {"dma_read_run_ns", 2},
    {"dma_write_run_ns", 4},
    {"dma_latency_ns", 100},
    {"launch_ns", 200},
    {"iteration_cycles", 50},
    {"dma_issue_cycles", 8},
    // Filling and draining an array of 128 x 128.
    {"mxu_tail_cycles", 256},
    {"mxu_split_tail_cycles", 128},
    {"mxu_accumulate_cycles", 0.25},
    {"mxu_row_group_cycles", 0.5},
    // A register takes 8 cycles, two are under way.
    {"transpose_cycles", 4},
    {"reduction_row_cycles", 4},
    {"reduction_tail_cycles", 64},
}};

}  // namespace

std::span<const FittedConstant> fitted_constants() {
  return kConstants;
}

sim::Machine with_values(const sim::Machine& machine, std::span<const double> values) {
  assert(values.size() == kConstants.size());
  sim::Machine out = machine;
  for (size_t i = 0; i < values.size(); ++i) {
    out.constants[std::string(kConstants[i].name)].value = values[i];
  }
  return out;
}

}  // namespace hloscope::accuracy
