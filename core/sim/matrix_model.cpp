#include <algorithm>

#include "core/hlo/convolution.h"
#include "core/sim/kernel_builder.h"
#include "core/sim/op_work.h"
#include "core/sim/physical.h"

namespace hloscope::sim {

namespace {

using hlo::AttrKey;
using Dims = std::vector<ExtentId>;

constexpr int64_t kRowsPerRegister = 8;
constexpr int64_t kLanes = 128;

// The dimensions of a product by their role, as logical positions.
struct Roles {
  std::vector<size_t> output_columns;
  std::vector<size_t> output_batch;
  std::vector<size_t> left_depth;
  std::vector<size_t> right_depth;
  std::vector<size_t> right_positions;
};

bool is_among(const std::vector<size_t>& values, size_t value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

void add(std::vector<size_t>& to, int position) {
  if (position >= 0) to.push_back(static_cast<size_t>(position));
}

Roles convolution_roles(const hlo::Convolution& c) {
  Roles roles;
  add(roles.output_columns, c.output_dims.second);
  add(roles.left_depth, c.input_dims.second);
  add(roles.right_depth, c.kernel_dims.first);
  for (size_t i = 0; i < c.spatial_count; ++i) add(roles.right_positions, c.spatial[i].kernel_dim);
  return roles;
}

std::vector<size_t> positions(std::span<const int64_t> values) {
  return {values.begin(), values.end()};
}

Roles dot_roles(const hlo::Program& program, hlo::InstructionId id, size_t left_rank,
                size_t right_rank) {
  Roles roles;
  const std::vector<size_t> left_batch = positions(program.ints(id, AttrKey::kLhsBatchDims));
  const std::vector<size_t> right_batch = positions(program.ints(id, AttrKey::kRhsBatchDims));
  roles.left_depth = positions(program.ints(id, AttrKey::kLhsContractingDims));
  roles.right_depth = positions(program.ints(id, AttrKey::kRhsContractingDims));
  size_t next = 0;
  for (size_t i = 0; i < left_batch.size(); ++i) roles.output_batch.push_back(next++);
  next += left_rank - std::min(left_rank, left_batch.size() + roles.left_depth.size());
  for (size_t d = 0; d < right_rank; ++d) {
    if (is_among(right_batch, d) || is_among(roles.right_depth, d)) continue;
    roles.output_columns.push_back(next++);
  }
  return roles;
}

class MatrixBuilder {
 public:
  explicit MatrixBuilder(KernelBuilder& builder) : b_(builder), node_(builder.state.matrix) {}

  void run() {
    const std::vector<FlatId>& operands = b_.body.nodes[node_].operands;
    const std::vector<Visit>& visits = b_.state.visits[node_.value];
    if (operands.size() < 2 || visits.empty()) return;
    out_ = visits.front().dims;
    left_ = operands[0];
    right_ = operands[1];
    const hlo::InstructionId id = b_.state.instruction(node_);
    if (b_.state.opcode(node_) == hlo::Opcode::kConvolution) {
      const auto c = hlo::convolution(b_.program, id);
      if (!c) return;
      roles_ = convolution_roles(*c);
      share_groups(*c);
    } else {
      roles_ =
          dot_roles(b_.program, id, b_.state.shape(left_).rank(), b_.state.shape(right_).rank());
    }
    fill_weights();
    if (b_.state.opcode(node_) != hlo::Opcode::kConvolution && is_vector_product()) {
      return add_vector_product();
    }
    fill_rows();
    fill_transposes();
    fill_precision(id);
    b_.model.matrix = std::move(m_);
  }

 private:
  // One row or one column: XLA multiplies and reduces instead (dot strength reduction,
  // algebraic_simplifier.cc).
  bool is_vector_product() const {
    double rows = 1;
    double columns = 1;
    for (size_t d = 0; d < out_.size(); ++d) {
      const auto size = static_cast<double>(std::max<int64_t>(b_.model.extents.size(out_[d]), 1));
      if (is_among(roles_.output_columns, d)) {
        columns *= size;
      } else if (!is_among(roles_.output_batch, d)) {
        rows *= size;
      }
    }
    return rows == 1 || columns == 1;
  }

  void add_vector_product() {
    const auto elements = [this](FlatId id) { return b_.state.shape(id).element_count(); };
    const bool left = elements(left_) >= elements(right_);
    b_.model.vector_work.push_back(
        {register_dims(b_, left ? left_ : right_, left ? left_dims_ : right_dims_),
         {.valu = 2, .load = 1},
         false,
         "dot"});
  }

  // Groups that fit lie on the diagonal of one weight tile: assumed.
  void share_groups(const hlo::Convolution& c) {
    if (c.feature_groups <= 1) return;
    const int64_t widest = std::max(
        {c.input_feature / c.feature_groups, c.output_feature / c.feature_groups, int64_t{1}});
    m_.groups_per_tile =
        static_cast<double>(std::clamp<int64_t>(128 / widest, 1, c.feature_groups));
  }

  // The need of an operand that belongs to this node.
  Dims operand_dims(FlatId operand) const {
    for (const Visit& visit : b_.state.visits[operand.value]) {
      if (visit.feeds_matrix) return visit.dims;
    }
    const std::vector<Visit>& visits = b_.state.visits[operand.value];
    return visits.empty() ? Dims() : visits.front().dims;
  }

  void fill_weights() {
    right_dims_ = operand_dims(right_);
    left_dims_ = operand_dims(left_);
    for (size_t d : roles_.right_depth) {
      if (d < right_dims_.size()) m_.depth.push_back(right_dims_[d]);
    }
    for (size_t d : roles_.right_positions) {
      if (d < right_dims_.size()) m_.positions.push_back(right_dims_[d]);
    }
    for (size_t d : roles_.output_columns) {
      if (d < out_.size()) m_.columns.push_back(out_[d]);
    }
    for (size_t d : roles_.output_batch) {
      if (d < out_.size()) m_.batch.push_back(out_[d]);
    }
    for (ExtentId id : m_.depth) {
      m_.full_depth = std::min(
          times(m_.full_depth, std::max<int64_t>(b_.model.extents.size(id), 1)), kMaxExtent);
    }
    m_.result = register_dims(b_, node_, out_);
  }

  // Rows stream in registers of 8: the rows along sublanes of the result, else along its lanes,
  // else those of the minor-most row dimension, whose results move to their place one by one.
  void fill_rows() {
    const PhysicalLayout layout = physical_layout(b_.state.shape(node_));
    bool packed = false;
    for (size_t i : row_positions(layout)) {
      const ExtentId extent = out_[layout.order[i]];
      if (packed) {
        m_.rows.push_back({extent, 1});
        m_.row_groups.push_back(extent);
        continue;
      }
      packed = true;
      const bool in_lanes = i + 1 == layout.rank();
      m_.rows.push_back({extent, in_lanes ? kLanes : kRowsPerRegister});
      if (in_lanes) m_.pushes_per_register = static_cast<double>(kLanes / kRowsPerRegister);
      if (i + 2 < layout.rank()) move_result_rows();
    }
  }

  void move_result_rows() {
    const double rows = static_cast<double>(kRowsPerRegister);
    b_.model.vector_work.push_back(
        {m_.result, {.valu = kRowMoveOps * rows, .load = rows, .store = rows}, false, "row moves"});
  }

  // Physical positions of the streamed rows, minor ones first.
  std::vector<size_t> row_positions(const PhysicalLayout& layout) const {
    std::vector<size_t> out;
    const auto is_row = [&](size_t i) {
      return !is_among(roles_.output_columns, layout.order[i]) &&
             !is_among(roles_.output_batch, layout.order[i]);
    };
    if (layout.rank() >= 2 && is_row(layout.rank() - 2)) out.push_back(layout.rank() - 2);
    for (size_t i = layout.rank(); i-- > 0;) {
      if (is_row(i) && !(i + 2 == layout.rank())) out.push_back(i);
    }
    return out;
  }

  bool lanes_in(FlatId node, const std::vector<size_t>& roles) const {
    const PhysicalLayout layout = physical_layout(b_.state.shape(node));
    if (layout.rank() == 0 || roles.empty()) return true;
    const uint32_t lanes = layout.order.back();
    return is_among(roles, lanes) || b_.state.shape(node).dimensions[lanes] <= 1;
  }

  // Lanes must be the summed dimension on the left, and the columns in the result. Weights are
  // turned as they are loaded, at no cost (JAX's Pallas notebook on matrix products, TPU v5e: a
  // transposed right side runs at the same speed).
  void fill_transposes() {
    if (!lanes_in(left_, roles_.left_depth)) {
      m_.transposed.push_back(register_dims(b_, left_, left_dims_));
    }
    if (!lanes_in(node_, roles_.output_columns)) m_.transposed.push_back(m_.result);
  }

  void fill_precision(hlo::InstructionId id) {
    const hlo::PrimitiveType type = b_.state.shape(left_).element_type;
    m_.is_complex = hlo::is_complex(type);
    m_.is_float32 = m_.is_complex || (hlo::is_floating(type) && hlo::info(type).bits > 16);
    const std::string_view algorithm = b_.program.text(id, AttrKey::kAlgorithm);
    m_.precision = algorithm.empty() ? b_.program.text(id, AttrKey::kOperandPrecision) : algorithm;
  }

  KernelBuilder& b_;
  FlatId node_;
  FlatId left_;
  FlatId right_;
  Dims out_;
  Dims left_dims_;
  Dims right_dims_;
  Roles roles_;
  MatrixModel m_;
};

}  // namespace

void add_matrix(KernelBuilder& builder) {
  if (builder.state.matrix.valid()) MatrixBuilder(builder).run();
}

}  // namespace hloscope::sim
