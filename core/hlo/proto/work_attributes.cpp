#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/hlo/proto/errors.h"
#include "core/hlo/proto/instructions.h"
#include "core/hlo/proto/literals.h"
#include "core/hlo/proto/shapes.h"

namespace hloscope::hlo {

namespace {

using enum Opcode;

constexpr std::array<std::string_view, 3> kPrecisions = {"default", "high", "highest"};
constexpr std::array<std::string_view, 14> kAlgorithms = {"",
                                                          "dot_any_f8_any_f8_f32",
                                                          "dot_any_f8_any_f8_f32_fast_accum",
                                                          "dot_f16_f16_f16",
                                                          "dot_f16_f16_f32",
                                                          "dot_bf16_bf16_bf16",
                                                          "dot_bf16_bf16_f32",
                                                          "dot_bf16_bf16_f32_x3",
                                                          "dot_bf16_bf16_f32_x6",
                                                          "dot_tf32_tf32_f32",
                                                          "dot_tf32_tf32_f32_x3",
                                                          "dot_f32_f32_f32",
                                                          "dot_f64_f64_f64",
                                                          "dot_bf16_bf16_f32_x9"};
constexpr std::array<std::string_view, 4> kConvolutionKinds = {"", "fprop", "dgrad", "wgrad"};
constexpr std::array<std::string_view, 3> kPaddingTypes = {"", "PADDING_VALID", "PADDING_SAME"};
constexpr std::array<std::string_view, 3> kSchedules = {"", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST"};
// Unspecified and original are what the text leaves out.
constexpr std::array<std::string_view, 5> kApiVersions = {"", "", "API_VERSION_STATUS_RETURNING",
                                                          "API_VERSION_STATUS_RETURNING_UNIFIED",
                                                          "API_VERSION_TYPED_FFI"};

Status add_precision(const wire::PrecisionConfig& config, AttributeSink& sink) {
  std::string names;
  bool any = false;
  for (const int32_t value : config.operand_precision()) {
    if (value < 0 || value >= static_cast<int32_t>(kPrecisions.size())) {
      return bad(fmt::format("unknown value {} of operand_precision", value));
    }
    any = any || value != 0;
    names += (names.empty() ? "" : ",") + std::string(kPrecisions[static_cast<size_t>(value)]);
  }
  if (any) sink.text(AttrKey::kOperandPrecision, fmt::format("{{{}}}", names));
  return {};
}

Status add_precision_and_algorithm(const wire::PrecisionConfig& config, AttributeSink& sink) {
  HLOSCOPE_TRY(add_precision(config, sink));
  return sink.word(AttrKey::kAlgorithm, config.algorithm(), kAlgorithms, "algorithm");
}

void add_window(const wire::Window& window, AttributeSink& sink) {
  if (window.dimensions().empty()) return;
  std::vector<int64_t> values;
  for (const wire::WindowDimension& d : window.dimensions()) {
    // Absent dilations and strides are 0 on the wire and 1 in meaning.
    values.insert(values.end(),
                  {d.size(), std::max<int64_t>(d.stride(), 1), d.padding_low(), d.padding_high(),
                   std::max<int64_t>(d.base_dilation(), 1),
                   std::max<int64_t>(d.window_dilation(), 1), d.window_reversal() ? 1 : 0});
  }
  sink.pool(AttrKey::kWindow, AttrKind::kWindow, values);
}

/// One group of dim_labels, e.g. `b01f`: the label of each dimension in its place.
template <typename List>
Result<std::string> label_group(char first, int64_t first_at, char second, int64_t second_at,
                                const List& spatial) {
  const size_t rank = static_cast<size_t>(spatial.size()) + 2;
  std::string labels(rank, '?');
  const auto put = [&labels](int64_t at, char label) {
    if (at < 0 || static_cast<size_t>(at) >= labels.size()) return false;
    if (labels[static_cast<size_t>(at)] != '?') return false;
    labels[static_cast<size_t>(at)] = label;
    return true;
  };
  bool good = put(first_at, first) && put(second_at, second) && spatial.size() < 10;
  for (int i = 0; good && i < spatial.size(); ++i) {
    good = put(spatial.Get(i), static_cast<char>('0' + i));
  }
  if (!good) return bad("the dimensions of ConvolutionDimensionNumbers are no order of a shape");
  return labels;
}

Status add_dim_labels(const wire::ConvolutionDimensionNumbers& d, AttributeSink& sink) {
  HLOSCOPE_ASSIGN(const std::string input,
                  label_group('b', d.input_batch_dimension(), 'f', d.input_feature_dimension(),
                              d.input_spatial_dimensions()));
  HLOSCOPE_ASSIGN(const std::string kernel,
                  label_group('i', d.kernel_input_feature_dimension(), 'o',
                              d.kernel_output_feature_dimension(), d.kernel_spatial_dimensions()));
  HLOSCOPE_ASSIGN(const std::string output,
                  label_group('b', d.output_batch_dimension(), 'f', d.output_feature_dimension(),
                              d.output_spatial_dimensions()));
  sink.text(AttrKey::kDimLabels, fmt::format("{}_{}->{}", input, kernel, output));
  return {};
}

void add_group_counts(const wire::Instruction& proto, AttributeSink& sink) {
  if (proto.feature_group_count() > 1) {
    sink.integer(AttrKey::kFeatureGroupCount, proto.feature_group_count());
  }
  if (proto.batch_group_count() > 1) {
    sink.integer(AttrKey::kBatchGroupCount, proto.batch_group_count());
  }
}

std::string sparsity_side(std::string_view side, const wire::TensorSparsity& s) {
  return fmt::format("{}={{sparsity={}x{} dimension={} stride={}}}", side, s.num_non_zero(),
                     s.block_size(), s.dimension(), s.stride());
}

void add_sparsity(const wire::SparsityConfig& config, AttributeSink& sink) {
  std::string out;
  if (config.has_lhs()) out = sparsity_side("lhs", config.lhs());
  if (config.has_rhs()) out += (out.empty() ? "" : " ") + sparsity_side("rhs", config.rhs());
  if (!out.empty()) sink.raw(AttrKey::kSparsityConfig, fmt::format("{{{}}}", out));
}

Status add_layout_constraints(const wire::Instruction& proto, AttributeSink& sink) {
  if (!proto.constrain_layout()) return {};
  std::vector<ShapeId> shapes;
  for (const std::string& bytes : proto.operand_shapes_with_layout()) {
    HLOSCOPE_ASSIGN(const ShapeId id, shape_from_wire(bytes, sink.context().builder.shapes()));
    shapes.push_back(id);
  }
  sink.shapes(AttrKey::kOperandLayoutConstraints, shapes);
  return {};
}

}  // namespace

Status add_dot_attributes(const wire::Instruction& proto, Opcode opcode, AttributeSink& sink) {
  if (opcode != kDot && opcode != kRaggedDot && opcode != kScaledDot) return {};
  const wire::RaggedDotDimensionNumbers& ragged = proto.ragged_dot_dimension_numbers();
  const wire::DotDimensionNumbers& d =
      opcode == kRaggedDot ? ragged.dot_dimension_numbers() : proto.dot_dimension_numbers();
  sink.ints_if_any(AttrKey::kLhsBatchDims, d.lhs_batch_dimensions());
  sink.ints(AttrKey::kLhsContractingDims, d.lhs_contracting_dimensions());
  sink.ints_if_any(AttrKey::kRhsBatchDims, d.rhs_batch_dimensions());
  sink.ints(AttrKey::kRhsContractingDims, d.rhs_contracting_dimensions());
  sink.ints_if_any(AttrKey::kLhsRaggedDims, ragged.lhs_ragged_dimensions());
  sink.ints_if_any(AttrKey::kRhsGroupDims, ragged.rhs_group_dimensions());
  return add_precision_and_algorithm(proto.precision_config(), sink);
}

Status add_convolution_attributes(const wire::Instruction& proto, Opcode opcode,
                                  AttributeSink& sink) {
  if (opcode == kReduceWindow || opcode == kSelectAndScatter) add_window(proto.window(), sink);
  if (opcode != kConvolution) return {};
  add_window(proto.window(), sink);
  HLOSCOPE_TRY(add_dim_labels(proto.convolution_dimension_numbers(), sink));
  add_group_counts(proto, sink);
  HLOSCOPE_TRY(
      sink.word(AttrKey::kConvolutionKind, proto.conv_kind(), kConvolutionKinds, "conv_kind"));
  HLOSCOPE_TRY(add_precision_and_algorithm(proto.precision_config(), sink));
  add_sparsity(proto.sparsity_config(), sink);
  return {};
}

Status add_custom_call_attributes(const wire::Instruction& proto, AttributeSink& sink) {
  add_window(proto.window(), sink);
  if (proto.has_convolution_dimension_numbers()) {
    HLOSCOPE_TRY(add_dim_labels(proto.convolution_dimension_numbers(), sink));
  }
  add_group_counts(proto, sink);
  HLOSCOPE_TRY(add_precision(proto.precision_config(), sink));
  HLOSCOPE_TRY(
      sink.word(AttrKey::kPaddingType, proto.padding_type(), kPaddingTypes, "padding_type"));
  sink.text(AttrKey::kCustomCallTarget, proto.custom_call_target());
  HLOSCOPE_TRY(add_layout_constraints(proto, sink));
  sink.flag(AttrKey::kCustomCallHasSideEffect, proto.custom_call_has_side_effect());
  if (!proto.literal().empty()) {
    HLOSCOPE_ASSIGN(const uint32_t literal,
                    literal_from_wire(proto.literal(), sink.context().builder));
    sink.literal(AttrKey::kLiteral, literal);
  }
  sink.raw(AttrKey::kOutputToOperandAliasing, aliasing_text(proto.output_operand_aliasing()));
  HLOSCOPE_TRY(sink.word(AttrKey::kSchedule, proto.custom_call_schedule(), kSchedules,
                         "custom_call_schedule"));
  return sink.word(AttrKey::kApiVersion, proto.custom_call_api_version(), kApiVersions,
                   "custom_call_api_version");
}

}  // namespace hloscope::hlo
