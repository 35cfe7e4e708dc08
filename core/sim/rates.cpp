#include "core/sim/rates.h"

#include <algorithm>

namespace hloscope::sim {

namespace {

constexpr double kNsPerSecond = 1e9;
constexpr double kRowsPerPush = 8;

}  // namespace

Rates::Rates(const Machine& m, double cores)
    : cycle_ns(1 / m["clock_ghz"]),
      launch_ns(m["launch_ns"]),
      latency_ns(m["dma_latency_ns"]),
      issue_ns(m["dma_issue_cycles"] * cycle_ns),
      bytes_per_ns(cores * m["hbm_bytes_per_s"] * m["hbm_efficiency"] / kNsPerSecond),
      mixed_penalty(m["hbm_mixed_penalty"]),
      read_run_ns(m["dma_read_run_ns"]),
      write_run_ns(m["dma_write_run_ns"]),
      free_stride_bytes(m["dma_free_stride_bytes"]),
      free_run_bytes(m["dma_free_run_bytes"]),
      iteration_ns(m["iteration_cycles"] * cycle_ns),
      mxu_rows(m["mxu_rows"]),
      mxu_columns(m["mxu_columns"]),
      mxu_count(cores * m["mxu_count"]),
      push_ns(kRowsPerPush / (m["mxu_rows_per_cycle"] * mxu_count) * cycle_ns),
      weight_load_ns(mxu_rows / kRowsPerPush * m["mxu_weight_load_cycles"] / mxu_count * cycle_ns),
      mxu_tail_ns(m["mxu_tail_cycles"] * cycle_ns),
      split_tail_ns(m["mxu_split_tail_cycles"] * cycle_ns),
      accumulate_ns(m["mxu_accumulate_cycles"] * cycle_ns / cores),
      row_group_ns(m["mxu_row_group_cycles"] * cycle_ns / cores),
      f32_passes_default(m["f32_passes_default"]),
      f32_passes_high(m["f32_passes_high"]),
      f32_passes_highest(m["f32_passes_highest"]),
      transpose_ns(m["transpose_cycles"] * cycle_ns / cores),
      valu_ns(cycle_ns / m["valu_ops_per_cycle"] / cores),
      eup_ns(cycle_ns / m["eup_vregs_per_cycle"] / cores),
      load_ns(cycle_ns / m["vector_loads_per_cycle"] / cores),
      store_ns(cycle_ns / m["vector_stores_per_cycle"] / cores),
      reduction_row_ns(m["reduction_row_cycles"] * cycle_ns / cores),
      reduction_tail_ns(m["reduction_tail_cycles"] * cycle_ns),
      vmem_bytes(cores * (m["vmem_bytes"] - m["vmem_reserved_bytes"])),
      vector_vmem_bytes(std::min(vmem_bytes, cores * m["vector_tile_bytes"])),
      unpack_ns(m["f16_unpack_cycles"] * cycle_ns / cores),
      pack_ns(m["f16_pack_cycles"] * cycle_ns / cores),
      tile_choice_ns(m["tile_choice_cycles"] * cycle_ns),
      link_bytes_per_ns(m["link_bytes_per_s"] / kNsPerSecond),
      link_latency_ns(m["link_latency_ns"]),
      host_bytes_per_ns(m["host_bytes_per_s"] / kNsPerSecond),
      host_latency_ns(m["host_latency_ns"]) {}

Rates Rates::compiler_view() const {
  Rates view = *this;
  view.unpack_ns = 0;
  view.pack_ns = 0;
  return view;
}

}  // namespace hloscope::sim
