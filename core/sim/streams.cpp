#include <algorithm>

#include "core/hlo/tpu_layout.h"
#include "core/sim/kernel_builder.h"
#include "core/sim/physical.h"

namespace hloscope::sim {

namespace {

// Vectors (biases, row maxima) and results of reductions up to here stay in VMEM: one transfer,
// hidden. Measured: none of the TPU v3 kernels shows a cost of them.
constexpr double kResidentBytes = 65536;
// The costs of a block are counted in arrays of this many dimensions.
constexpr size_t kMaxStreamDims = kMaxLoops;
constexpr int64_t kHbm = 0;
constexpr int64_t kHost = 5;

bool is_resident(const KernelBuilder& builder, const hlo::Shape& shape) {
  if (shape.rank() > 1) return false;
  const bool is_vector_kernel = builder.state.shape(builder.state.hero).rank() <= 1;
  return shape.rank() == 0 || (!is_vector_kernel && hlo::padded_bytes(shape) <= kResidentBytes);
}

// Of the array in `layout_of`, for the positions `dims` of a value of `node`.
Stream stream_of(const KernelBuilder& builder, const hlo::Shape& layout_of,
                 const std::vector<ExtentId>& dims) {
  Stream stream;
  const PhysicalLayout layout = physical_layout(layout_of);
  stream.unit_bytes = layout.unit_bytes;
  for (size_t i = 0; i < layout.rank(); ++i) {
    const ExtentId extent = dims[layout.order[i]];
    if (layout.rank() - i > kMaxStreamDims) {
      // Major dimensions beyond that many are moved whole.
      stream.unit_bytes *= static_cast<double>(layout.full_units[i]);
    } else {
      stream.dims.push_back({extent, layout.unit[i], layout.full_units[i]});
    }
    stream.loops |= builder.model.extents.loops(extent);
  }
  return stream;
}

// Single rows of a tiled array: the second minor dimension counts in rows.
void scatter_rows(Stream& stream) {
  stream.is_scattered = true;
  if (stream.dims.size() < 2) return;
  BlockDim& rows = stream.dims[stream.dims.size() - 2];
  stream.unit_bytes /= static_cast<double>(rows.unit);
  rows.full_units *= rows.unit;
  rows.unit = 1;
}

bool is_moved(const hlo::Shape& shape) {
  const int64_t space = shape.layout.memory_space;
  return space == kHbm || space == kHost;
}

// Operands of which some user takes rows by index.
std::vector<bool> gathered_operands(const KernelBuilder& builder) {
  std::vector<bool> gathered(builder.body.nodes.size(), false);
  for (uint32_t i = 0; i < builder.body.nodes.size(); ++i) {
    const FlatNode& node = builder.body.nodes[FlatId(i)];
    if (node.is_leaf || node.operands.empty()) continue;
    if (builder.program[node.instruction].opcode != hlo::Opcode::kGather) continue;
    gathered[node.operands[0].value] = true;
  }
  return gathered;
}

void add_operands(KernelBuilder& builder) {
  const std::vector<bool> gathered = gathered_operands(builder);
  for (uint32_t i = 0; i < builder.body.nodes.size(); ++i) {
    const FlatId node(i);
    if (!builder.body.nodes[node].is_leaf) continue;
    const hlo::Shape& shape = builder.state.shape(node);
    for (const Visit& visit : builder.state.visits[i]) {
      if (!shape.is_array() || !is_moved(shape)) continue;
      if (is_resident(builder, shape)) {
        builder.model.resident_bytes += hlo::padded_bytes(shape);
        continue;
      }
      Stream stream = stream_of(builder, shape, visit.dims);
      stream.name = builder.program[builder.body.nodes[node].instruction].name;
      if (gathered[i]) scatter_rows(stream);
      builder.model.streams.push_back(std::move(stream));
    }
  }
}

// The result of a reduction stays in VMEM while it is small.
bool stays(const KernelBuilder& builder, const OutputPlan& output, const hlo::Shape& shape) {
  if (shape.rank() > 1 || hlo::padded_bytes(shape) > kResidentBytes) return false;
  return output.written != builder.state.hero;
}

void add_outputs(KernelBuilder& builder) {
  size_t number = 0;
  for (const OutputPlan& output : builder.plan.outputs) {
    const std::string name = number == 0 ? "result" : "result " + std::to_string(number);
    ++number;
    const hlo::Shape& written = builder.state.shape(output.written);
    const hlo::Shape& target = builder.state.shape(output.node);
    if (!target.is_array() || !is_moved(target)) continue;
    if (stays(builder, output, target)) {
      builder.model.resident_bytes += hlo::padded_bytes(target);
      continue;
    }
    // An update in place of the same rank lies in the big array.
    const bool in_target = written.rank() == target.rank() && !output.is_scattered;
    Stream stream = stream_of(builder, in_target ? target : written, output.dims);
    if (output.is_scattered) {
      scatter_rows(stream);
      stream.name = "rows before the update";
      builder.model.streams.push_back(stream);
    }
    stream.is_output = true;
    stream.name = name;
    builder.model.streams.push_back(std::move(stream));
  }
}

}  // namespace

void add_streams(KernelBuilder& builder) {
  add_operands(builder);
  add_outputs(builder);
}

}  // namespace hloscope::sim
