#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "core/hlo/proto/errors.h"
#include "core/hlo/proto/instructions.h"
#include "core/hlo/proto/shapes.h"

namespace hloscope::hlo {

namespace {

using enum Opcode;
using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 4> kFftTypes = {"FFT", "IFFT", "RFFT", "IRFFT"};
constexpr std::array<std::string_view, 3> kDistributions = {"rng_invalid", "rng_uniform",
                                                            "rng_normal"};
constexpr std::array<std::string_view, 3> kRngAlgorithms = {"rng_default", "rng_three_fry",
                                                            "rng_philox"};
constexpr std::array<std::string_view, 4> kTransposes = {"", "NO_TRANSPOSE", "TRANSPOSE",
                                                         "ADJOINT"};

/// XLA prints the type of a comparison only when it is not the one that the operands suggest.
std::string_view default_comparison(PrimitiveType type) {
  if (is_floating(type) || is_complex(type)) return "FLOAT";
  return info(type).type_class == TypeClass::kSigned ? "SIGNED" : "UNSIGNED";
}

void add_comparison(const wire::Instruction& proto, const NewInstruction& instruction,
                    AttributeSink& sink) {
  sink.text(AttrKey::kDirection, proto.comparison_direction());
  if (instruction.operands.empty()) return;
  const ProgramBuilder& builder = sink.context().builder;
  const ShapeId shape = builder.instruction(instruction.operands.front()).shape;
  if (proto.comparison_type() != default_comparison(builder.shapes()[shape].element_type)) {
    sink.text(AttrKey::kType, proto.comparison_type());
  }
}

void add_slice(const wire::Instruction& proto, AttributeSink& sink) {
  std::vector<int64_t> values;
  for (const wire::SliceDimension& d : proto.slice_dimensions()) {
    values.insert(values.end(), {d.start(), d.limit(), d.stride()});
  }
  sink.pool(AttrKey::kSlice, AttrKind::kSlice, values);
}

void add_padding(const wire::Instruction& proto, AttributeSink& sink) {
  std::vector<int64_t> values;
  for (const wire::PaddingDimension& d : proto.padding_config().dimensions()) {
    values.insert(values.end(),
                  {d.edge_padding_low(), d.edge_padding_high(), d.interior_padding()});
  }
  sink.pool(AttrKey::kPadding, AttrKind::kPadding, values);
}

void add_gather(const wire::Instruction& proto, AttributeSink& sink) {
  const wire::GatherDimensionNumbers& d = proto.gather_dimension_numbers();
  sink.ints(AttrKey::kOffsetDims, d.offset_dims());
  sink.ints(AttrKey::kCollapsedSliceDims, d.collapsed_slice_dims());
  sink.ints(AttrKey::kStartIndexMap, d.start_index_map());
  sink.ints_if_any(AttrKey::kOperandBatchingDims, d.operand_batching_dims());
  sink.ints_if_any(AttrKey::kStartIndicesBatchingDims, d.start_indices_batching_dims());
  sink.integer(AttrKey::kIndexVectorDim, d.index_vector_dim());
  sink.ints(AttrKey::kSliceSizes, proto.gather_slice_sizes());
  sink.flag(AttrKey::kIndicesAreSorted, proto.indices_are_sorted());
}

void add_scatter(const wire::Instruction& proto, AttributeSink& sink) {
  const wire::ScatterDimensionNumbers& d = proto.scatter_dimension_numbers();
  sink.ints(AttrKey::kUpdateWindowDims, d.update_window_dims());
  sink.ints(AttrKey::kInsertedWindowDims, d.inserted_window_dims());
  sink.ints(AttrKey::kScatterDimsToOperandDims, d.scatter_dims_to_operand_dims());
  sink.ints_if_any(AttrKey::kInputBatchingDims, d.input_batching_dims());
  sink.ints_if_any(AttrKey::kScatterIndicesBatchingDims, d.scatter_indices_batching_dims());
  sink.integer(AttrKey::kIndexVectorDim, d.index_vector_dim());
  sink.flag(AttrKey::kIndicesAreSorted, proto.indices_are_sorted());
  sink.flag(AttrKey::kUniqueIndices, proto.unique_indices());
}

/// The value that is read back from XLA's print with 6 significant digits.
double as_printed(float value) {
  return std::strtod(fmt::format("{:g}", value).c_str(), nullptr);
}

Status add_outfeed(const wire::Instruction& proto, const NewInstruction& instruction,
                   AttributeSink& sink) {
  ProgramBuilder& builder = sink.context().builder;
  ShapeId shape;
  if (!proto.outfeed_shape().empty()) {
    HLOSCOPE_ASSIGN(shape, shape_from_wire(proto.outfeed_shape(), builder.shapes()));
  } else if (!instruction.operands.empty()) {
    shape = builder.instruction(instruction.operands.front()).shape;
  }
  if (shape.valid()) sink.shapes(AttrKey::kOutfeedShape, {shape});
  sink.text(AttrKey::kOutfeedConfig, proto.outfeed_config());
  return {};
}

Status add_scan(const wire::Instruction& proto, AttributeSink& sink) {
  sink.ints(AttrKey::kDimensions, proto.dimensions());
  sink.integer(AttrKey::kNumCarries, proto.num_carries());
  sink.flag(AttrKey::kIsReverse, proto.is_reverse());
  // Values of xla.TriState: unspecified, true, false.
  if (proto.is_associative() < 0 || proto.is_associative() > 2) {
    return bad(fmt::format("unknown value {} of is_associative", proto.is_associative()));
  }
  if (proto.is_associative() != 0) {
    sink.boolean(AttrKey::kIsAssociative, proto.is_associative() == 1);
  }
  return {};
}

Status add_fusion(const wire::Instruction& proto, AttributeSink& sink) {
  if (proto.fusion_kind() != "kLoop" && proto.fusion_kind() != "kInput" &&
      proto.fusion_kind() != "kOutput" && proto.fusion_kind() != "kCustom") {
    return bad(fmt::format("unknown fusion kind '{}'", proto.fusion_kind()));
  }
  sink.text(AttrKey::kKind, proto.fusion_kind());
  sink.raw(AttrKey::kOutputToOperandAliasing, aliasing_text(proto.output_operand_aliasing()));
  return {};
}

Status add_triangular_solve(const wire::Instruction& proto, AttributeSink& sink) {
  const wire::TriangularSolveOptions& o = proto.triangular_solve_options();
  sink.flag(AttrKey::kLeftSide, o.left_side());
  sink.flag(AttrKey::kLower, o.lower());
  sink.flag(AttrKey::kUnitDiagonal, o.unit_diagonal());
  return sink.word(AttrKey::kTransposeA, o.transpose_a(), kTransposes, "transpose_a");
}

Status add_single_dimension(const wire::Instruction& proto, AttrKey key, AttributeSink& sink) {
  if (proto.dimensions_size() != 1) {
    return bad(fmt::format("{} dimensions, 1 is needed", proto.dimensions_size()));
  }
  sink.integer(key, proto.dimensions(0));
  return {};
}

Status add_domain(const wire::Instruction& proto, AttributeSink& sink) {
  // The text calls the side of the users entry, the proto that of the operand.
  const Payloads payloads = sink.context().payloads;
  HLOSCOPE_ASSIGN(const std::string entry, sharding_text(proto.domain_exit_sharding(), payloads));
  HLOSCOPE_ASSIGN(const std::string exit, sharding_text(proto.domain_entry_sharding(), payloads));
  sink.raw(AttrKey::kDomain, fmt::format("{{kind=\"sharding\", entry={}, exit={}}}", entry, exit));
  return {};
}

Status add_random(const wire::Instruction& proto, Opcode opcode, AttributeSink& sink) {
  if (opcode == kRng) {
    return sink.word(AttrKey::kDistribution, proto.distribution(), kDistributions, "distribution");
  }
  return sink.word(AttrKey::kAlgorithm, proto.rng_algorithm(), kRngAlgorithms, "rng_algorithm");
}

Status add_more_attributes(const wire::Instruction& proto, const NewInstruction& instruction,
                           AttributeSink& sink) {
  switch (instruction.opcode) {
    case kFft:
      HLOSCOPE_TRY(sink.word(AttrKey::kFftType, proto.fft_type(), kFftTypes, "fft_type"));
      sink.ints(AttrKey::kFftLength, proto.fft_length());
      return {};
    case kBatchNormGrad:
    case kBatchNormInference:
    case kBatchNormTraining:
      sink.number(AttrKey::kEpsilon, as_printed(proto.epsilon()));
      sink.integer(AttrKey::kFeatureIndex, proto.feature_index());
      return {};
    case kRng:
    case kRngBitGenerator:
      return add_random(proto, instruction.opcode, sink);
    case kRngGetAndUpdateState:
      sink.integer(AttrKey::kDelta, proto.delta());
      return {};
    case kReducePrecision:
      sink.integer(AttrKey::kExponentBits, proto.exponent_bits());
      sink.integer(AttrKey::kMantissaBits, proto.mantissa_bits());
      return {};
    case kTopk:
      sink.integer(AttrKey::kK, proto.k());
      sink.boolean(AttrKey::kLargest, proto.largest());
      sink.flag(AttrKey::kIsStable, proto.is_stable());
      return {};
    case kTriangularSolve:
      return add_triangular_solve(proto, sink);
    case kCholesky:
      sink.flag(AttrKey::kLower, proto.cholesky_options().lower());
      return {};
    case kInfeed:
      sink.text(AttrKey::kInfeedConfig, proto.infeed_config());
      return {};
    case kOutfeed:
      return add_outfeed(proto, instruction, sink);
    case kFusion:
      return add_fusion(proto, sink);
    case kCall:
      sink.flag(AttrKey::kIsComposite, proto.is_composite());
      return {};
    case kCopyStart:
      if (proto.has_cross_program_prefetch_index()) {
        sink.integer(AttrKey::kCrossProgramPrefetchIndex, proto.cross_program_prefetch_index());
      }
      return {};
    case kAsyncStart:
      if (proto.async_execution_thread() != "main") {
        sink.text(AttrKey::kAsyncExecutionThread, proto.async_execution_thread());
      }
      sink.raw(AttrKey::kOutputToOperandAliasing, aliasing_text(proto.output_operand_aliasing()));
      return {};
    case kDomain:
      return add_domain(proto, sink);
    case kCustomCall:
      return add_custom_call_attributes(proto, sink);
    default:
      HLOSCOPE_TRY(add_collective_attributes(proto, instruction, sink));
      HLOSCOPE_TRY(add_dot_attributes(proto, instruction.opcode, sink));
      return add_convolution_attributes(proto, instruction.opcode, sink);
  }
}

}  // namespace

Status AttributeSink::word(AttrKey key, int32_t value, Words names, std::string_view field) {
  if (value < 0 || static_cast<size_t>(value) >= names.size()) {
    return bad(fmt::format("unknown value {} of {}", value, field));
  }
  text(key, names[static_cast<size_t>(value)]);
  return {};
}

Status add_own_attributes(const wire::Instruction& proto, const NewInstruction& instruction,
                          AttributeSink& sink) {
  switch (instruction.opcode) {
    case kBroadcast:
    case kConcatenate:
    case kMap:
    case kReduce:
    case kReverse:
    case kTranspose:
    case kGetDimensionSize:
    case kSetDimensionSize:
      sink.ints(AttrKey::kDimensions, proto.dimensions());
      return {};
    case kSort:
      sink.ints(AttrKey::kDimensions, proto.dimensions());
      sink.flag(AttrKey::kIsStable, proto.is_stable());
      return {};
    case kScan:
      return add_scan(proto, sink);
    case kIota:
      return add_single_dimension(proto, AttrKey::kIotaDimension, sink);
    case kReshape:
      if (proto.dimensions().empty()) return {};
      return add_single_dimension(proto, AttrKey::kInferredDimension, sink);
    case kCompare:
      add_comparison(proto, instruction, sink);
      return {};
    case kSlice:
      add_slice(proto, sink);
      return {};
    case kDynamicSlice:
      sink.ints(AttrKey::kDynamicSliceSizes, proto.dynamic_slice_sizes());
      return {};
    case kPad:
      add_padding(proto, sink);
      return {};
    case kGather:
      add_gather(proto, sink);
      return {};
    case kScatter:
      add_scatter(proto, sink);
      return {};
    default:
      return add_more_attributes(proto, instruction, sink);
  }
}

}  // namespace hloscope::hlo
