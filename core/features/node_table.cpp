#include "core/features/node_table.h"

#include <array>

#include "core/features/node_getters.h"

namespace hloscope::features {

namespace {

using enum Form;
using get::Part;
using hlo::AttrKey;
using std::string_view;

constexpr std::array<string_view, 19> kTypes = {
    "invalid_type", "pred", "s8",  "s16",  "s32", "s64",  "u8",    "u16",    "u32",  "u64",
    "f16",          "f32",  "f64", "bf16", "c64", "c128", "tuple", "opaque", "token"};

// Lists of a rank, of spatial dimensions, and of what is sliced or padded.
constexpr int kShapeRank = 6;
constexpr int kSpatial = 4;
constexpr int kSliced = 2;
constexpr int64_t kAbsent = -1;

constexpr Feature node(string_view name, Form form = kNumber, int places = 1) {
  return {Group::kNode, name, form, places};
}
constexpr Feature window(string_view name) {
  return node(name, kListSumProduct, kShapeRank);
}
constexpr Feature sliced(string_view name) {
  return node(name, kListSumProduct, kSliced);
}
constexpr Feature real(Group group, string_view name) {
  return {group, name, kReal};
}
constexpr Feature extra(string_view name, int places, int64_t fill) {
  return {Group::kExtra, name, kList, places, fill};
}

// Names, order and counts of group kNode: README of google-research-datasets/tpu_graphs.
constexpr NodeFeature kNodeTable[] = {
    {node("is_root"), get::is_root},
    {node("element_size_in_bits"), get::always_zero},  // Out of use in TpuGraphs: always 0.
    {{Group::kNode, "shape_element_type_is", kOneHot, 19, 0, 1, kTypes}, get::element_type},
    {node("shape_dimensions", kListSumProduct, kShapeRank), get::shape_dimensions},
    {node("shape_tuple_shapes_size"), get::tuple_size},
    {node("parameter_number"), get::parameter_number},
    {node("dimensions", kList, kShapeRank), get::dimensions},
    {window("window_size"), get::window<get::kSize>},
    {window("window_stride"), get::window<get::kStride>},
    {window("window_padding_low"), get::window<get::kPadLow>},
    {window("window_padding_high"), get::window<get::kPadHigh>},
    {window("window_window_dilation"), get::window<get::kWindowDilation>},
    {window("window_base_dilation"), get::window<get::kBaseDilation>},
    {node("window_window_reversal", kFlags, kShapeRank), get::window<get::kReversal>},
    {node("convolution_dim_numbers_input_batch_dim"), get::label<Part::kInput, 'b'>},
    {node("convolution_dim_numbers_input_feature_dim"), get::label<Part::kInput, 'f'>},
    {node("convolution_dim_numbers_input_spatial_dims", kList, kSpatial),
     get::spatial<Part::kInput>},
    {node("convolution_dim_numbers_kernel_input_feature_dim"), get::label<Part::kKernel, 'i'>},
    {node("convolution_dim_numbers_kernel_output_feature_dim"), get::label<Part::kKernel, 'o'>},
    {node("convolution_dim_numbers_kernel_spatial_dims", kList, kSpatial),
     get::spatial<Part::kKernel>},
    {node("convolution_dim_numbers_output_batch_dim"), get::label<Part::kOutput, 'b'>},
    {node("convolution_dim_numbers_output_feature_dim"), get::label<Part::kOutput, 'f'>},
    {node("feature_group_count"), get::feature_groups},
    {node("batch_group_count"), get::batch_groups},
    {sliced("slice_dims_start"), get::slice<0>},
    {sliced("slice_dims_stride"), get::slice<2>},
    {sliced("slice_dims_limit"), get::slice<1>},
    {sliced("dynamic_slice_sizes"), get::ints<AttrKey::kDynamicSliceSizes>},
    {sliced("padding_config_edge_padding_low"), get::padding<0>},
    {sliced("padding_config_edge_padding_high"), get::padding<1>},
    {node("is_stable"), get::is_stable},
    {node("layout_minor_to_major", kList, kShapeRank), get::minor_to_major},

    // "A Learned Performance Model for Tensor Processing Units" (MLSys 2021): static performance
    // features, here as XLA's HloCostAnalysis counts.
    {real(Group::kStatic, "flops"), nullptr, get::flops},
    {real(Group::kStatic, "bytes_read"), nullptr, get::bytes_read},
    {real(Group::kStatic, "bytes_written"), nullptr, get::bytes_written},
    {real(Group::kStatic, "special_functions"), nullptr, get::special_functions},

    {extra("shape_dimensions_mod_128", kShapeRank, kAbsent), get::dimensions_mod_128},
    {extra("shape_dimensions_div_128", kShapeRank, kAbsent), get::dimensions_div_128},
    {extra("layout_minor_to_major_or_absent", kShapeRank, kAbsent), get::minor_to_major},
    {extra("dot_lhs_contracting_dims", kSliced, kAbsent), get::ints<AttrKey::kLhsContractingDims>},
    {extra("dot_rhs_contracting_dims", kSliced, kAbsent), get::ints<AttrKey::kRhsContractingDims>},
    {extra("dot_lhs_batch_dims", kSliced, kAbsent), get::ints<AttrKey::kLhsBatchDims>},
    {extra("dot_rhs_batch_dims", kSliced, kAbsent), get::ints<AttrKey::kRhsBatchDims>},
    {real(Group::kExtra, "padding_waste"), nullptr, get::padding_waste},
};

}  // namespace

std::span<const NodeFeature> node_table() {
  return kNodeTable;
}

}  // namespace hloscope::features
