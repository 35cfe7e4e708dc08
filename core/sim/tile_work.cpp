#include "core/sim/tile_work.h"

#include <algorithm>
#include <cmath>

namespace hloscope::sim {

namespace {

class WorkCounter {
 public:
  WorkCounter(const KernelModel& model, std::span<const int64_t> bounds, const Rates& rates)
      : model_(model), bounds_(bounds), rates_(rates), ranges_(first_ranges(model, bounds)) {}

  TileWork run() {
    work_.fixed_ns = rates_.iteration_ns;
    for (const VectorWork& v : model_.vector_work) add_vector(v);
    if (model_.matrix) add_matrix(*model_.matrix);
    if (model_.reduction_rows) {
      const double rows_ns = registers(*model_.reduction_rows) * rates_.reduction_row_ns;
      work_.fixed_ns += rates_.reduction_tail_ns + rows_ns;
    }
    UnitTimes end = work_.busy_ns;
    for (size_t u = 0; u < kUnitCount; ++u) end[u] += work_.end_busy_ns[u];
    work_.compute_ns = work_.fixed_ns + longest(work_.busy_ns, work_.convert_ns);
    work_.end_compute_ns = work_.fixed_ns + longest(end, work_.convert_ns + work_.end_convert_ns);
    at(work_.busy_ns, Unit::kValu) += work_.convert_ns;
    at(work_.end_busy_ns, Unit::kValu) += work_.end_convert_ns;
    return work_;
  }

 private:
  double size(ExtentId id) const {
    return static_cast<double>(std::max<int64_t>(model_.extents.evaluate(id, ranges_).size(), 1));
  }
  double product(const std::vector<ExtentId>& ids) const {
    double value = 1;
    for (ExtentId id : ids) value *= size(id);
    return value;
  }
  double registers(const RegisterDims& dims) const {
    double value = 1;
    for (const RegisterDim& dim : dims) {
      value *= std::ceil(size(dim.extent) / static_cast<double>(dim.elements));
    }
    return value;
  }

  // Conversions run on the vector ALU, and the matrix unit waits for them.
  static double longest(const UnitTimes& times, double convert_ns) {
    const auto of = [&times](Unit unit) { return times[static_cast<size_t>(unit)]; };
    double most = convert_ns + std::max(of(Unit::kMxu), of(Unit::kValu));
    for (Unit unit : {Unit::kXlu, Unit::kEup, Unit::kLoad, Unit::kStore}) {
      most = std::max(most, of(unit));
    }
    return most;
  }

  void add_vector(const VectorWork& v) {
    const double count = registers(v.registers);
    const bool at_end = model_.matrix.has_value() && !v.feeds_matrix;
    UnitTimes& times = at_end ? work_.end_busy_ns : work_.busy_ns;
    at(times, Unit::kValu) += count * v.per_register.valu * rates_.valu_ns;
    at(times, Unit::kEup) += count * v.per_register.eup * rates_.eup_ns;
    at(times, Unit::kXlu) += count * v.per_register.xlu * rates_.transpose_ns;
    at(times, Unit::kLoad) += count * v.per_register.load * rates_.load_ns;
    at(times, Unit::kStore) += count * v.per_register.store * rates_.store_ns;
    (at_end ? work_.end_convert_ns : work_.convert_ns) +=
        count * (v.per_register.unpack * rates_.unpack_ns + v.per_register.pack * rates_.pack_ns);
  }

  double passes(const MatrixModel& m) const {
    const double products = m.is_complex ? 4 : 1;
    if (!m.is_float32) return products;
    const auto says = [&](std::string_view precision, std::string_view algorithm) {
      return m.precision.find(precision) != std::string_view::npos ||
             m.precision.ends_with(algorithm);
    };
    if (says("highest", "_x6")) return products * rates_.f32_passes_highest;
    if (says("high", "_x3")) return products * rates_.f32_passes_high;
    return products * rates_.f32_passes_default;
  }

  // Window positions of few features share a weight tile: assumed. Positions are packed only when
  // the whole depth of the kernel leaves room.
  double weight_tiles(const MatrixModel& m) const {
    const double depth = product(m.depth) * m.groups_per_tile;
    const double positions = product(m.positions);
    const double full_depth = static_cast<double>(m.full_depth) * m.groups_per_tile;
    const double shared = std::max(1.0, std::floor(rates_.mxu_rows / full_depth));
    const double columns = product(m.columns);
    return product(m.batch) * std::ceil(positions / shared) * std::ceil(depth / rates_.mxu_rows) *
           std::ceil(columns / rates_.mxu_columns);
  }

  void add_matrix(const MatrixModel& m) {
    const double pushes = registers(m.rows) * m.pushes_per_register;
    const double groups = product(m.row_groups);
    const double stream_ns = pushes * rates_.push_ns + groups * rates_.row_group_ns;
    at(work_.busy_ns, Unit::kMxu) +=
        passes(m) * weight_tiles(m) * std::max(stream_ns, rates_.weight_load_ns);
    for (const RegisterDims& dims : m.transposed) {
      at(work_.busy_ns, Unit::kXlu) += registers(dims) * rates_.transpose_ns;
    }
    work_.fixed_ns += rates_.mxu_tail_ns;
    if (!splits_sums()) return;
    work_.fixed_ns += rates_.split_tail_ns + registers(m.result) * rates_.accumulate_ns;
  }

  bool splits_sums() const {
    for (size_t l = 0; l < model_.loops.size(); ++l) {
      if (model_.loops[l].is_contracted && bounds_[l] < model_.loops[l].units()) return true;
    }
    return false;
  }

  const KernelModel& model_;
  std::span<const int64_t> bounds_;
  const Rates& rates_;
  std::vector<Range> ranges_;
  TileWork work_;
};

}  // namespace

std::string_view name(Unit unit) {
  static constexpr std::array<std::string_view, kUnitCount> kNames = {
      "DMA in", "DMA out", "scalar", "MXU", "XLU", "VALU", "EUP", "load", "store", "link"};
  return kNames[static_cast<size_t>(unit)];
}

TileWork tile_work(const KernelModel& model, std::span<const int64_t> bounds, const Rates& rates) {
  return WorkCounter(model, bounds, rates).run();
}

}  // namespace hloscope::sim
