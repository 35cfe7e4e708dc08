#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/sim/block_cost.h"
#include "core/sim/kernel_model.h"
#include "core/sim/rates.h"

namespace hloscope::sim {

/// Transfers of one tile: what is read for it, and what is written when it is done.
struct TileStep {
  BlockCost read;
  BlockCost write;
  bool ends_sums = true;  ///< The last tile of its sums: the result is complete.
  double repeats = 1;     ///< Equal tiles that follow each other.
};

/// Walks over the tiles of a kernel in the order of its loops. A block is read only when one of the
/// loops that it depends on has moved, and a result is written when its block is about to change.
/// Sizes along each dimension are worked out once per position of the loops it depends on; inner
/// tiles that differ in nothing are one step with `repeats`.
class TileWalk {
 public:
  /// `bounds` by LoopId. References are kept.
  TileWalk(const KernelModel& model, std::vector<int64_t> bounds, const Rates& rates);

  [[nodiscard]] double tile_count() const { return tile_count_; }

  /// Where the callback of run() finds the transfers of its step by stream; empty blocks do not
  /// move. Null: not wanted.
  void set_parts(std::vector<BlockCost>* by_stream) { parts_ = by_stream; }

  /// Every step, in order; `each_tile` gives all steps one by one, until the callback returns
  /// false.
  void run(bool each_tile, const std::function<bool(const TileStep&)>& callback);

 private:
  // Units of one dimension of a stream, by position of the loops that it depends on.
  struct SizeTable {
    std::vector<uint32_t> loops;   // Positions in the nest.
    std::vector<int64_t> strides;  // By entry of `loops`.
    std::vector<int64_t> units;
    std::vector<uint16_t> size_id;  // Equal sizes have equal numbers.
    uint16_t distinct = 0;
  };
  struct StreamPlan {
    const Stream* stream = nullptr;
    std::vector<SizeTable> tables;
    uint64_t nest_mask = 0;        // Positions in the nest that it depends on.
    std::vector<BlockCost> known;  // By mixed radix of size ids.
    std::vector<uint8_t> is_known;
  };
  struct Segment {
    int64_t index = 0;
    double repeats = 1;
  };

  SizeTable size_table(const BlockDim& dim) const;
  void fill(SizeTable& table, const BlockDim& dim) const;
  void plan_streams();
  void plan_segments();
  [[nodiscard]] bool equals_previous(uint32_t position, int64_t index) const;
  [[nodiscard]] const BlockCost& cost(StreamPlan& plan) const;
  [[nodiscard]] bool ends_sums() const;
  void add_changed(uint64_t changed, bool outputs, BlockCost& sum);
  void add_stream(size_t stream, BlockCost& sum);
  bool advance(bool each_tile, uint64_t& changed);
  void reset(bool each_tile);
  [[nodiscard]] double repeats() const;

  const KernelModel& model_;
  std::vector<int64_t> bounds_;  // By LoopId.
  const Rates& rates_;
  std::vector<int64_t> counts_;  // By position in the nest.
  std::vector<std::vector<Segment>> segments_;
  std::vector<size_t> at_;  // Current segment, or index, by position in the nest.
  std::vector<int64_t> index_;
  std::vector<int64_t> here_;
  std::vector<StreamPlan> plans_;
  double tile_count_ = 1;
  std::vector<BlockCost>* parts_ = nullptr;
};

}  // namespace hloscope::sim
