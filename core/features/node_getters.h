#pragma once

#include "core/features/node_table.h"

/// Getters of the feature table; each appends its numbers to `out`. What an instruction does not
/// have gives no numbers, so that it is filled.
namespace hloscope::features::get {

void is_root(const NodeView& n, Integers& out);
void always_zero(const NodeView& n, Integers& out);
void element_type(const NodeView& n, Integers& out);
void shape_dimensions(const NodeView& n, Integers& out);
void tuple_size(const NodeView& n, Integers& out);
void parameter_number(const NodeView& n, Integers& out);
void dimensions(const NodeView& n, Integers& out);
void is_stable(const NodeView& n, Integers& out);
void minor_to_major(const NodeView& n, Integers& out);

/// Number `Field` of each dimension of the window (see AttrKind::kWindow).
enum WindowField : size_t {
  kSize,
  kStride,
  kPadLow,
  kPadHigh,
  kBaseDilation,
  kWindowDilation,
  kReversal
};
template <size_t Field, hlo::AttrKey Key, size_t Step>
void every(const NodeView& n, Integers& out) {
  const std::span<const int64_t> values = n.program.ints(n.id, Key);
  for (size_t i = Field; i < values.size(); i += Step) out.push_back(values[i]);
}
template <WindowField Field>
void window(const NodeView& n, Integers& out) {
  every<Field, hlo::AttrKey::kWindow, hlo::kWindowInts>(n, out);
}
template <size_t Field>
void slice(const NodeView& n, Integers& out) {
  every<Field, hlo::AttrKey::kSlice, 3>(n, out);
}
template <size_t Field>
void padding(const NodeView& n, Integers& out) {
  every<Field, hlo::AttrKey::kPadding, 3>(n, out);
}
template <hlo::AttrKey Key>
void ints(const NodeView& n, Integers& out) {
  every<0, Key, 1>(n, out);
}

/// Part of dim_labels: of the input, the kernel or the output.
enum class Part { kInput, kKernel, kOutput };
void append_label(const NodeView& n, Part part, char label, Integers& out);
void append_spatial(const NodeView& n, Part part, Integers& out);
template <Part P, char Label>
void label(const NodeView& n, Integers& out) {
  append_label(n, P, Label, out);
}
template <Part P>
void spatial(const NodeView& n, Integers& out) {
  append_spatial(n, P, out);
}
void feature_groups(const NodeView& n, Integers& out);
void batch_groups(const NodeView& n, Integers& out);

double flops(const NodeView& n);
double bytes_read(const NodeView& n);
double bytes_written(const NodeView& n);
double special_functions(const NodeView& n);

void dimensions_mod_128(const NodeView& n, Integers& out);
void dimensions_div_128(const NodeView& n, Integers& out);
double padding_waste(const NodeView& n);

}  // namespace hloscope::features::get
