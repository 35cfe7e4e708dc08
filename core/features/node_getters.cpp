#include "core/features/node_getters.h"

#include <algorithm>

#include "core/hlo/tpu_layout.h"

namespace hloscope::features::get {

namespace {

using hlo::AttrKey;
using hlo::Opcode;
using hlo::PrimitiveType;

// A TPU's vector registers and matrix unit have 128 lanes.
constexpr int64_t kLanes = 128;

// One part of dim_labels, e.g. "01io" of "b01f_01io->b01f"; empty without labels.
std::string_view labels(const NodeView& n, Part part) {
  const std::string_view text = n.program.text(n.id, AttrKey::kDimLabels);
  const size_t underscore = text.find('_');
  const size_t arrow = text.find("->");
  if (underscore == std::string_view::npos || arrow == std::string_view::npos) return {};
  if (arrow < underscore) return {};
  if (part == Part::kInput) return text.substr(0, underscore);
  if (part == Part::kOutput) return text.substr(arrow + 2);
  return text.substr(underscore + 1, arrow - underscore - 1);
}

// XLA's protos hold group counts for these opcodes only; 1 is not written in text.
void append_groups(const NodeView& n, AttrKey key, Integers& out) {
  const Opcode opcode = n.instruction.opcode;
  if (opcode != Opcode::kConvolution && opcode != Opcode::kCustomCall) return;
  out.push_back(n.program.integer(n.id, key).value_or(1));
}

// Custom-calls of unknown work count as -1 in XLA.
double known(double value) {
  return std::max(0.0, value);
}

}  // namespace

void is_root(const NodeView& n, Integers& out) {
  out.push_back(n.is_root ? 1 : 0);
}

void always_zero(const NodeView& /*n*/, Integers& out) {
  out.push_back(0);
}

void element_type(const NodeView& n, Integers& out) {
  using enum PrimitiveType;
  constexpr PrimitiveType kOrder[] = {kInvalid, kPred, kS8,    kS16,    kS32,  kS64, kU8,
                                      kU16,     kU32,  kU64,   kF16,    kF32,  kF64, kBf16,
                                      kC64,     kC128, kTuple, kOpaque, kToken};
  const auto found = std::find(std::begin(kOrder), std::end(kOrder), n.shape.element_type);
  // Younger types (f8, s4 ...) have no place among the 19.
  if (found != std::end(kOrder)) out.push_back(found - std::begin(kOrder));
}

void shape_dimensions(const NodeView& n, Integers& out) {
  for (const int64_t size : n.shape.dimensions) {
    out.push_back(size == hlo::kUnboundedSize ? 0 : size);
  }
}

void tuple_size(const NodeView& n, Integers& out) {
  if (n.shape.is_tuple()) out.push_back(static_cast<int64_t>(n.shape.elements.size()));
}

void parameter_number(const NodeView& n, Integers& out) {
  if (n.instruction.opcode == Opcode::kParameter) out.push_back(n.instruction.number);
}

// XLA's protos hold these three in one field.
void dimensions(const NodeView& n, Integers& out) {
  ints<AttrKey::kDimensions>(n, out);
  if (const auto iota = n.program.integer(n.id, AttrKey::kIotaDimension)) out.push_back(*iota);
  if (const auto inferred = n.program.integer(n.id, AttrKey::kInferredDimension)) {
    out.push_back(*inferred);
  }
}

void is_stable(const NodeView& n, Integers& out) {
  out.push_back(n.program.flag(n.id, AttrKey::kIsStable) ? 1 : 0);
}

void minor_to_major(const NodeView& n, Integers& out) {
  out.assign(n.shape.layout.minor_to_major.begin(), n.shape.layout.minor_to_major.end());
}

void append_label(const NodeView& n, Part part, char label, Integers& out) {
  const size_t found = labels(n, part).find(label);
  if (found != std::string_view::npos) out.push_back(static_cast<int64_t>(found));
}

void append_spatial(const NodeView& n, Part part, Integers& out) {
  const std::string_view text = labels(n, part);
  for (char label = '0'; label <= '9'; ++label) {
    const size_t found = text.find(label);
    if (found == std::string_view::npos) return;
    out.push_back(static_cast<int64_t>(found));
  }
}

void feature_groups(const NodeView& n, Integers& out) {
  append_groups(n, AttrKey::kFeatureGroupCount, out);
}

void batch_groups(const NodeView& n, Integers& out) {
  append_groups(n, AttrKey::kBatchGroupCount, out);
}

double flops(const NodeView& n) {
  return known(n.cost.flops);
}
double bytes_read(const NodeView& n) {
  return known(n.cost.bytes_read);
}
double bytes_written(const NodeView& n) {
  return known(n.cost.bytes_written);
}
double special_functions(const NodeView& n) {
  return known(n.cost.transcendentals);
}

void dimensions_mod_128(const NodeView& n, Integers& out) {
  shape_dimensions(n, out);
  for (int64_t& size : out) size %= kLanes;
}

void dimensions_div_128(const NodeView& n, Integers& out) {
  shape_dimensions(n, out);
  for (int64_t& size : out) size /= kLanes;
}

double padding_waste(const NodeView& n) {
  if (!n.shape.is_array()) return 0;
  const double bytes = static_cast<double>(n.program.shapes().byte_size(n.instruction.shape));
  const double padded = hlo::padded_bytes(n.shape);
  return padded > bytes && padded > 0 ? 1 - bytes / padded : 0;
}

}  // namespace hloscope::features::get
