#include <algorithm>
#include <cmath>

#include "core/sim/free_kernel.h"
#include "core/sim/kernel_builder.h"
#include "core/sim/op_work.h"
#include "core/sim/physical.h"

namespace hloscope::sim {

namespace {

using hlo::AttrKey;
using hlo::Opcode;

constexpr double kSublaneRotations = 3;     // log2 of 8 sublanes: a rotation and an addition each.
constexpr double kLaneReductionOps = 22;    // VALU-equivalents per 8 rows: fitted to TPU v4 norms.
constexpr double kSelectAndScatterOps = 3;  // Compare, select, add per window position.
constexpr double kCompareExchangeOps = 4;   // Two rotations, compare, select per step of a sort.

// Along which of its own dimensions the values of a node differ, by logical dimension. What does
// not differ within a register and from register to register is computed once (a scalar).
class Variation {
 public:
  explicit Variation(const KernelBuilder& builder) : builder_(builder) {
    by_node_.resize(builder.body.nodes.size());
    for (uint32_t i = 0; i < builder.body.nodes.size(); ++i) by_node_[i] = find(FlatId(i));
  }
  const std::vector<bool>& operator[](FlatId id) const { return by_node_[id.value]; }

 private:
  // Of a broadcast: where the operand's dimensions lie; of an iota: the one that it counts along.
  std::vector<int64_t> varying_dimensions(hlo::InstructionId id, Opcode opcode) const {
    if (opcode == Opcode::kIota) {
      return {builder_.program.integer(id, AttrKey::kIotaDimension).value_or(0)};
    }
    const auto dimensions = builder_.program.ints(id, AttrKey::kDimensions);
    return {dimensions.begin(), dimensions.end()};
  }

  std::vector<bool> find(FlatId id) const {
    const FlatNode& node = builder_.body.nodes[id];
    const size_t rank = builder_.state.shape(id).rank();
    std::vector<bool> varies(rank, true);
    if (node.is_leaf) return varies;
    const Opcode opcode = builder_.state.opcode(id);
    if (opcode == Opcode::kIota || opcode == Opcode::kBroadcast) {
      const std::vector<int64_t> dimensions = varying_dimensions(node.instruction, opcode);
      varies.assign(rank, false);
      for (size_t i = 0; i < dimensions.size(); ++i) {
        const auto d = static_cast<size_t>(dimensions[i]);
        if (d >= rank) continue;
        varies[d] = opcode == Opcode::kIota || by_node_[node.operands[0].value][i];
      }
    } else if (hlo::info(opcode).op_class == hlo::OpClass::kElementwise && opcode != Opcode::kRng &&
               opcode != Opcode::kRngBitGenerator) {
      varies.assign(rank, false);
      for (FlatId operand : node.operands) {
        const std::vector<bool>& other = by_node_[operand.value];
        for (size_t d = 0; d < rank && other.size() == rank; ++d) varies[d] = varies[d] || other[d];
      }
    }
    return varies;
  }

  const KernelBuilder& builder_;
  std::vector<std::vector<bool>> by_node_;
};

class VectorWorkBuilder {
 public:
  explicit VectorWorkBuilder(KernelBuilder& builder)
      : b_(builder), variation_(builder), by_rows_(builder.body.nodes.size(), false) {}

  void run() {
    for (size_t i = b_.body.nodes.size(); i-- > 0;) {
      const FlatId node(i);
      for (const Visit& visit : b_.state.visits[i]) {
        if (!b_.body.nodes[node].is_leaf) add_node(visit);
      }
    }
    add_loads();
    add_stores();
    add_reduction_rows();
  }

 private:
  void push(const Visit& visit, RegisterDims registers, UnitWork work, std::string_view what) {
    const double any =
        work.valu + work.eup + work.xlu + work.load + work.store + work.unpack + work.pack;
    if (registers.empty() || any == 0) return;
    b_.model.vector_work.push_back({std::move(registers), work, visit.feeds_matrix, what});
  }

  std::string_view opcode_name(FlatId id) const { return hlo::name(b_.state.opcode(id)); }

  // Registers of a result, without the dimensions along which its values do not differ; none when
  // a register holds one value throughout.
  RegisterDims differing(const Visit& visit) const {
    const std::vector<bool>& varies = variation_[visit.node];
    const PhysicalLayout layout = physical_layout(b_.state.shape(visit.node));
    const RegisterDims all = register_dims(b_, visit.node, visit.dims);
    RegisterDims out;
    bool in_register = false;
    for (size_t i = 0; i < layout.rank(); ++i) {
      if (!varies[layout.order[i]]) continue;
      out.push_back(all[i]);
      in_register = in_register || all[i].elements > 1;
    }
    return in_register ? out : RegisterDims{};
  }

  void add_node(const Visit& visit) {
    const Opcode opcode = b_.state.opcode(visit.node);
    if (opcode == Opcode::kReduce) return add_reduce(visit);
    if (opcode == Opcode::kReduceWindow || opcode == Opcode::kSelectAndScatter) {
      return add_window(visit);
    }
    if (opcode == Opcode::kSort || opcode == Opcode::kTopk) return add_sort(visit);
    if (opcode == Opcode::kCustomCall && !is_mark(b_.program, instruction(visit))) {
      return add_sort(visit);  // TopK; the others have no work here.
    }
    if (hlo::info(opcode).op_class == hlo::OpClass::kElementwise || opcode == Opcode::kMap) {
      const auto type = b_.state.shape(visit.node).element_type;
      UnitWork work = elementwise_work(opcode, type);
      if (opcode == Opcode::kMap) work.valu = reducer_operations(b_.program, instruction(visit));
      if (divides_by_row(visit)) work = {.valu = 1};
      if (converts_float16(visit)) work = {};
      return push(visit, differing(visit), work, opcode_name(visit.node));
    }
    if (moves(opcode)) add_relayout(visit);
  }

  // Counted where the value is loaded or stored.
  bool converts_float16(const Visit& visit) const {
    const std::vector<FlatId>& operands = b_.body.nodes[visit.node].operands;
    return b_.state.opcode(visit.node) == Opcode::kConvert && operands.size() == 1 &&
           (is_float16(operands[0]) || is_float16(visit.node));
  }

  // A divisor that is the same along the lanes: its reciprocal is taken once per row. Seen in the
  // TPU v4 norms.
  bool divides_by_row(const Visit& visit) const {
    const std::vector<FlatId>& operands = b_.body.nodes[visit.node].operands;
    const PhysicalLayout layout = physical_layout(b_.state.shape(visit.node));
    if (b_.state.opcode(visit.node) != Opcode::kDivide || operands.size() != 2) return false;
    if (layout.rank() == 0 || b_.state.shape(operands[1]).rank() != layout.rank()) return false;
    return !variation_[operands[1]][layout.order.back()];
  }

  hlo::InstructionId instruction(const Visit& visit) const {
    return b_.state.instruction(visit.node);
  }

  static bool moves(Opcode opcode) {
    return opcode == Opcode::kCopy || opcode == Opcode::kTranspose || opcode == Opcode::kReshape ||
           opcode == Opcode::kBroadcast || opcode == Opcode::kGather ||
           opcode == Opcode::kConcatenate;
  }

  // Positions in the two dimensions of a register, minor first; invalid where the rank has none.
  struct MinorPair {
    ExtentId lane;
    ExtentId sublane;
  };
  MinorPair minor_pair(FlatId node, const std::vector<ExtentId>& dims) const {
    const PhysicalLayout layout = physical_layout(b_.state.shape(node));
    MinorPair pair;
    if (layout.rank() >= 1) pair.lane = dims[layout.order[layout.rank() - 1]];
    if (layout.rank() >= 2) pair.sublane = dims[layout.order[layout.rank() - 2]];
    return pair;
  }

  bool differs(ExtentId a, ExtentId b) const {
    if (a == b) return false;
    return !a.valid() || !b.valid() || b_.model.extents.size(a) > 1 || b_.model.extents.size(b) > 1;
  }

  // Data that changes its place within registers: lanes through the transpose unit, rows one by
  // one.
  void add_relayout(const Visit& visit) {
    const std::vector<FlatId>& operands = b_.body.nodes[visit.node].operands;
    if (operands.empty()) return;
    const Visit* source = visit_of(operands[0], visit);
    if (source == nullptr || source->dims.empty()) return;
    const MinorPair to = minor_pair(visit.node, visit.dims);
    const MinorPair from = minor_pair(operands[0], source->dims);
    const bool is_broadcast = b_.state.opcode(visit.node) == Opcode::kBroadcast;
    RegisterDims registers = register_dims(b_, visit.node, visit.dims);
    if (is_broadcast) return add_broadcast(visit, *source, from, to);
    if (differs(to.lane, from.lane)) {
      push(visit, registers, {.xlu = 1}, opcode_name(visit.node));
    } else if (differs(to.sublane, from.sublane)) {
      by_rows_[operands[0].value] = true;
      by_rows_[visit.node.value] = true;
      if (registers.size() >= 2) registers[registers.size() - 2].elements = 1;
      push(visit, registers, {.valu = kRowMoveOps, .load = 1, .store = 1}, opcode_name(visit.node));
    }
  }

  // Spreading is free along rows and registers; only values that lie along lanes and must lie
  // along rows go through the cross-lane unit.
  void add_broadcast(const Visit& visit, const Visit& source, MinorPair from, MinorPair to) {
    if (from.lane.valid() && from.lane == to.sublane && differs(from.lane, to.lane)) {
      push(visit, register_dims(b_, source.node, source.dims), {.xlu = 1}, "broadcast");
    }
  }

  // The visit of an operand that belongs to a visit of its user: the one with the same role.
  const Visit* visit_of(FlatId operand, const Visit& user) const {
    const std::vector<Visit>& visits = b_.state.visits[operand.value];
    for (const Visit& visit : visits) {
      if (visit.feeds_matrix == user.feeds_matrix) return &visit;
    }
    return visits.empty() ? nullptr : &visits.front();
  }

  void add_reduce(const Visit& visit) {
    const FlatNode& node = b_.body.nodes[visit.node];
    if (node.operands.empty()) return;
    const Visit* input = visit_of(node.operands[0], visit);
    if (input == nullptr || input->dims.empty()) return;
    const hlo::Shape& shape = b_.state.shape(node.operands[0]);
    const PhysicalLayout layout = physical_layout(shape);
    const auto reduced = b_.program.ints(node.instruction, AttrKey::kDimensions);
    const auto is_reduced = [&](size_t position) {
      return position < layout.rank() &&
             std::find(reduced.begin(), reduced.end(),
                       static_cast<int64_t>(layout.order[position])) != reduced.end();
    };
    const double operations = reducer_operations(b_.program, node.instruction);
    const RegisterDims all = register_dims(b_, node.operands[0], input->dims);
    push(visit, all, {.valu = operations}, "reduce");
    const size_t lanes = layout.rank() - 1;
    if (is_reduced(lanes)) {
      push(visit, kept(all, is_reduced, lanes, layout.rank()), {.valu = kLaneReductionOps},
           "reduce");
    } else if (layout.rank() >= 2 && is_reduced(lanes - 1) && visit.node != b_.plan.reduction) {
      push(visit, kept(all, is_reduced, lanes - 1, layout.rank()),
           {.valu = 2 * kSublaneRotations * operations}, "reduce");
    }
  }

  // Registers that are left of a block after reducing: without the reduced dimensions.
  template <typename IsReduced>
  RegisterDims kept(const RegisterDims& all, IsReduced is_reduced, size_t minor,
                    size_t rank) const {
    RegisterDims out;
    for (size_t i = 0; i < rank; ++i) {
      if (i != minor && !is_reduced(i)) out.push_back(all[i]);
    }
    if (out.empty()) out.push_back({all[minor].extent, kMaxExtent});
    return out;
  }

  // Long windows are running sums: XLA cuts them in two levels of 128 positions
  // (reduce_window_rewriter.cc).
  static double window_taps(double size) {
    constexpr double kBase = 128;
    return size <= kBase ? size : kBase + std::ceil(size / kBase);
  }

  void add_window(const Visit& visit) {
    const auto window = b_.program.ints(instruction(visit), AttrKey::kWindow);
    double taps = 1;
    for (size_t i = 0; i < window.size(); i += hlo::kWindowInts) {
      taps *= window_taps(static_cast<double>(std::max<int64_t>(window[i], 1)));
    }
    const bool scatters = b_.state.opcode(visit.node) == Opcode::kSelectAndScatter;
    const double operations =
        scatters ? kSelectAndScatterOps : reducer_operations(b_.program, instruction(visit));
    const FlatId operand = b_.body.nodes[visit.node].operands.front();
    const double touched = taps * registers_per_tap(visit, window);
    const bool converts = is_float16(operand);
    push(visit, register_dims(b_, visit.node, visit.dims),
         {.valu = taps * operations, .load = touched, .unpack = converts ? touched : 0},
         opcode_name(visit.node));
    if (!converts) return;
    // The operand is laid out anew once, as float16 again.
    const Visit* input = visit_of(operand, visit);
    if (input != nullptr)
      push(visit, register_dims(b_, operand, input->dims), {.pack = 1}, "relayout");
  }

  // Registers of the operand that one tap of one result register lies in: two along a register's
  // dimension that the window moves in. Fitted to TPU v4 pools.
  double registers_per_tap(const Visit& visit, std::span<const int64_t> window) const {
    const PhysicalLayout layout = physical_layout(b_.state.shape(visit.node));
    double registers = 1;
    for (size_t i = 0; i < layout.rank(); ++i) {
      const size_t at = hlo::kWindowInts * layout.order[i];
      const bool in_register = register_elements(i, layout.rank()) > 1;
      if (in_register && at < window.size() && window[at] > 1) registers *= 2;
    }
    return registers;
  }

  // A bitonic sort: log2(n) (log2(n) + 1) / 2 steps over all registers. Assumed.
  void add_sort(const Visit& visit) {
    const auto dimensions = b_.program.ints(instruction(visit), AttrKey::kDimensions);
    const hlo::Shape& shape = b_.state.shape(visit.node);
    const size_t along = dimensions.empty() ? shape.rank() - 1 : static_cast<size_t>(dimensions[0]);
    const std::vector<FlatId>& operands = b_.body.nodes[visit.node].operands;
    if (operands.empty() || along >= b_.state.shape(operands[0]).rank()) return;
    double log2 = 0;
    while ((int64_t{1} << static_cast<int>(log2)) < b_.state.shape(operands[0]).dimensions[along] &&
           log2 < 40) {
      log2 += 1;
    }
    const Visit* input = visit_of(operands[0], visit);
    if (input == nullptr) return;
    push(visit, register_dims(b_, operands[0], input->dims),
         {.valu =
              kCompareExchangeOps * static_cast<double>(operands.size()) * log2 * (log2 + 1) / 2},
         "sort");
  }

  bool is_float16(FlatId node) const {
    return b_.state.shape(node).element_type == hlo::PrimitiveType::kF16;
  }

  void add_loads() {
    for (uint32_t i = 0; i < b_.body.nodes.size(); ++i) {
      const FlatId node(i);
      if (!b_.body.nodes[node].is_leaf || b_.state.shape(node).rank() == 0) continue;
      for (const Visit& visit : b_.state.visits[i]) {
        const bool loads = !visit.feeds_matrix && !by_rows_[i];
        push(visit, register_dims(b_, node, visit.dims),
             {.load = loads ? 1.0 : 0.0, .unpack = is_float16(node) ? 1.0 : 0.0}, "load");
      }
    }
  }

  void add_stores() {
    for (const OutputPlan& output : b_.plan.outputs) {
      if (b_.plan.reduction.valid()) continue;
      const Visit visit{output.written, output.dims, false};
      push(visit, register_dims(b_, output.written, output.dims),
           {.store = by_rows_[output.written.value] ? 0.0 : 1.0,
            .pack = is_float16(output.written) ? 1.0 : 0.0},
           "store");
    }
  }

  void add_reduction_rows() {
    if (!b_.plan.reduction.valid() || b_.state.matrix.valid()) return;
    RegisterDims rows = register_dims(b_, b_.state.hero, b_.state.hero_dims);
    if (!rows.empty()) rows.pop_back();
    b_.model.reduction_rows = std::move(rows);
  }

  KernelBuilder& b_;
  Variation variation_;
  std::vector<bool> by_rows_;  // Loaded or stored row by row by a relayout.
};

}  // namespace

RegisterDims register_dims(const KernelBuilder& builder, FlatId node,
                           const std::vector<ExtentId>& dims) {
  const PhysicalLayout layout = physical_layout(builder.state.shape(node));
  RegisterDims out;
  for (size_t i = 0; i < layout.rank(); ++i) {
    out.push_back({dims[layout.order[i]], register_elements(i, layout.rank())});
  }
  return out;
}

void add_vector_work(KernelBuilder& builder) {
  VectorWorkBuilder(builder).run();
}

}  // namespace hloscope::sim
