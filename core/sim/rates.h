#pragma once

#include "core/sim/machine.h"

namespace hloscope::sim {

/// The constants of a machine as the timing models use them, all in ns and bytes. For names and
/// sources of the constants see resources/machines.
struct Rates {
  explicit Rates(const Machine& machine) : Rates(machine, 1) {}
  /// All cores of a chip that shares its work among them (megacore), as one: `cores_per_chip` times
  /// the units, the memory and its bandwidth.
  static Rates chip(const Machine& machine) { return Rates(machine, machine["cores_per_chip"]); }
  /// As the compiler sees the machine when it chooses a tile: it does not know what float16 costs.
  [[nodiscard]] Rates compiler_view() const;

  double cycle_ns;
  double launch_ns;      ///< Start and end of a kernel.
  double latency_ns;     ///< Of a transfer that is waited for.
  double issue_ns;       ///< Of one DMA descriptor, by the core.
  double bytes_per_ns;   ///< HBM, one direction.
  double mixed_penalty;  ///< Of the shorter of two opposite transfers at once.
  double read_run_ns;    ///< Per contiguous run.
  double write_run_ns;
  double free_stride_bytes;  ///< Runs that follow at most so far apart cost nothing ...
  double free_run_bytes;     ///< ... if they are at least so long.
  double iteration_ns;       ///< Of the loop over tiles, by the core.
  double mxu_rows;           ///< Of a weight tile.
  double mxu_columns;
  double mxu_count;
  double push_ns;         ///< 8 rows through one weight tile, all units together.
  double weight_load_ns;  ///< One weight tile, all units together.
  double mxu_tail_ns;     ///< Fill and drain, per tile.
  double split_tail_ns;   ///< More when the sums are split over tiles.
  double accumulate_ns;   ///< Per register of split sums.
  double row_group_ns;    ///< Per group of rows and weight tile.
  double f32_passes_default;
  double f32_passes_high;
  double f32_passes_highest;
  double transpose_ns;  ///< Per register.
  double valu_ns;       ///< Per operation.
  double eup_ns;        ///< Per register.
  double load_ns;
  double store_ns;
  double reduction_row_ns;   ///< Per row of registers of a reduced block.
  double reduction_tail_ns;  ///< Per tile of a reduction.
  double vmem_bytes;         ///< What tiles may use of it.
  double vector_vmem_bytes;  ///< The same of a kernel without dot or convolution.
  double unpack_ns;          ///< A float16 operand, per register of 32 bits.
  double pack_ns;            ///< A float16 result.
  double tile_choice_ns;     ///< That the compiler counts per further tile.
  double link_bytes_per_ns;  ///< Of collectives.
  double link_latency_ns;    ///< Per trip.
  double host_bytes_per_ns;  ///< Of infeed, outfeed and host transfers.
  double host_latency_ns;

 private:
  Rates(const Machine& machine, double cores);
};

}  // namespace hloscope::sim
