#include "core/sim/rates.h"

namespace hloscope::sim {

namespace {

constexpr double kNsPerSecond = 1e9;
constexpr double kRowsPerPush = 8;

}  // namespace

Rates::Rates(const Machine& m)
    : cycle_ns(1 / m["clock_ghz"]),
      launch_ns(m["launch_ns"]),
      latency_ns(m["dma_latency_ns"]),
      issue_ns(m["dma_issue_cycles"] * cycle_ns),
      bytes_per_ns(m["hbm_bytes_per_s"] * m["hbm_efficiency"] / kNsPerSecond),
      mixed_penalty(m["hbm_mixed_penalty"]),
      read_run_ns(m["dma_read_run_ns"]),
      write_run_ns(m["dma_write_run_ns"]),
      free_stride_bytes(m["dma_free_stride_bytes"]),
      free_run_bytes(m["dma_free_run_bytes"]),
      iteration_ns(m["iteration_cycles"] * cycle_ns),
      mxu_rows(m["mxu_rows"]),
      mxu_columns(m["mxu_columns"]),
      mxu_count(m["mxu_count"]),
      push_ns(kRowsPerPush / (m["mxu_rows_per_cycle"] * mxu_count) * cycle_ns),
      weight_load_ns(mxu_rows / kRowsPerPush * m["mxu_weight_load_cycles"] / mxu_count * cycle_ns),
      mxu_tail_ns(m["mxu_tail_cycles"] * cycle_ns),
      split_tail_ns(m["mxu_split_tail_cycles"] * cycle_ns),
      accumulate_ns(m["mxu_accumulate_cycles"] * cycle_ns),
      row_group_ns(m["mxu_row_group_cycles"] * cycle_ns),
      f32_passes_default(m["f32_passes_default"]),
      f32_passes_high(m["f32_passes_high"]),
      f32_passes_highest(m["f32_passes_highest"]),
      transpose_ns(m["transpose_cycles"] * cycle_ns),
      valu_ns(cycle_ns / m["valu_ops_per_cycle"]),
      eup_ns(cycle_ns / m["eup_vregs_per_cycle"]),
      load_ns(cycle_ns / m["vector_loads_per_cycle"]),
      store_ns(cycle_ns / m["vector_stores_per_cycle"]),
      reduction_row_ns(m["reduction_row_cycles"] * cycle_ns),
      reduction_tail_ns(m["reduction_tail_cycles"] * cycle_ns),
      vmem_bytes(m["vmem_bytes"] - m["vmem_reserved_bytes"]),
      link_bytes_per_ns(m["link_bytes_per_s"] / kNsPerSecond),
      link_latency_ns(m["link_latency_ns"]),
      host_bytes_per_ns(m["host_bytes_per_s"] / kNsPerSecond),
      host_latency_ns(m["host_latency_ns"]) {}

}  // namespace hloscope::sim
