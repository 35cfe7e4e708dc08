#include "core/sim/block_cost.h"

#include <array>

namespace hloscope::sim {

namespace {

struct Level {
  double count = 1;
  double stride = 1;  // Units.
};

// Strided levels of a block, inner to outer; `run` is the length of a contiguous run in units.
struct Levels {
  std::array<Level, kMaxLoops> level;
  size_t count = 0;
  double run = 1;
};

Levels levels_of(const Stream& stream, std::span<const int64_t> units) {
  Levels out;
  double stride = 1;
  for (size_t i = units.size(); i-- > 0;) {
    const auto size = static_cast<double>(units[i]);
    if (units[i] != 1) {
      const bool continues = out.count > 0 && stride == out.level[out.count - 1].count *
                                                            out.level[out.count - 1].stride;
      if (continues) {
        out.level[out.count - 1].count *= size;
      } else if (out.count < out.level.size()) {
        out.level[out.count++] = {size, stride};
      }
    }
    stride *= static_cast<double>(stream.dims[i].full_units);
  }
  if (out.count == 0 || out.level[0].stride != 1) return out;
  out.run = out.level[0].count;
  for (size_t i = 1; i < out.count; ++i) out.level[i - 1] = out.level[i];
  --out.count;
  return out;
}

}  // namespace

BlockCost block_cost(const Stream& stream, std::span<const int64_t> units, const Rates& rates) {
  BlockCost cost;
  double count = 1;
  for (int64_t size : units) count *= static_cast<double>(size);
  if (count == 0) return cost;
  cost.bytes = count * stream.unit_bytes;
  cost.runs = 1;
  cost.descriptors = 1;
  if (stream.is_scattered) {
    cost.runs = units.empty() ? 1 : count / static_cast<double>(units.back());
    cost.descriptors = cost.runs;
  } else {
    const Levels levels = levels_of(stream, units);
    const double run_bytes = levels.run * stream.unit_bytes;
    for (size_t i = 0; i < levels.count; ++i) {
      const bool follows = run_bytes >= rates.free_run_bytes &&
                           levels.level[i].stride * stream.unit_bytes <= rates.free_stride_bytes;
      if (!follows) cost.runs *= levels.level[i].count;
      if (i > 0) cost.descriptors *= levels.level[i].count;
    }
  }
  const double run_ns = stream.is_output ? rates.write_run_ns : rates.read_run_ns;
  cost.time_ns = cost.bytes / rates.bytes_per_ns + cost.runs * run_ns;
  return cost;
}

}  // namespace hloscope::sim
