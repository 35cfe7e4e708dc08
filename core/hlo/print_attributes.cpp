#include "core/hlo/print_attributes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "core/hlo/literal_text.h"
#include "core/hlo/parse_instruction.h"
#include "core/hlo/quote.h"

namespace hloscope::hlo {

namespace {

using enum AttrKey;

// XLA prints each opcode's own attributes, then called computations, then the rest; this order
// holds for all opcodes but reduce-scatter.
constexpr AttrKey kOrder[] = {kChannelId,
                              kReplicaGroups,
                              kConstrainLayout,
                              kSourceTargetPairs,
                              kIsHostTransfer,
                              kAsyncExecutionThread,
                              kIotaDimension,
                              kK,
                              kLargest,
                              kWindow,
                              kDimLabels,
                              kFeatureGroupCount,
                              kBatchGroupCount,
                              kConvolutionKind,
                              kLhsBatchDims,
                              kLhsContractingDims,
                              kRhsBatchDims,
                              kRhsContractingDims,
                              kLhsRaggedDims,
                              kRhsGroupDims,
                              kOperandPrecision,
                              kDistribution,
                              kAlgorithm,
                              kSparsityConfig,
                              kPaddingType,
                              kCustomCallTarget,
                              kOperandLayoutConstraints,
                              kCustomCallHasSideEffect,
                              kLiteral,
                              kDirection,
                              kType,
                              kKind,
                              kOutputToOperandAliasing,
                              kSchedule,
                              kApiVersion,
                              kDimensions,
                              kUseGlobalDeviceIds,
                              kMode,
                              kHasDynamicRoot,
                              kNumCarries,
                              kIsReverse,
                              kIsAssociative,
                              kIsStable,
                              kSlice,
                              kDynamicSliceSizes,
                              kPadding,
                              kOffsetDims,
                              kCollapsedSliceDims,
                              kStartIndexMap,
                              kOperandBatchingDims,
                              kStartIndicesBatchingDims,
                              kUpdateWindowDims,
                              kInsertedWindowDims,
                              kScatterDimsToOperandDims,
                              kInputBatchingDims,
                              kScatterIndicesBatchingDims,
                              kIndexVectorDim,
                              kSliceSizes,
                              kIndicesAreSorted,
                              kUniqueIndices,
                              kFftType,
                              kFftLength,
                              kLeftSide,
                              kLower,
                              kUnitDiagonal,
                              kTransposeA,
                              kEpsilon,
                              kFeatureIndex,
                              kInfeedConfig,
                              kOutfeedShape,
                              kOutfeedConfig,
                              kDelta,
                              kExponentBits,
                              kMantissaBits,
                              kInferredDimension,
                              kCrossProgramPrefetchIndex,
                              kDomain,
                              kCondition,
                              kBody,
                              kSelect,
                              kScatter,
                              kTrueComputation,
                              kFalseComputation,
                              kBranchComputations,
                              kToApply,
                              kCalls,
                              kCalledComputations,
                              kIsComposite,
                              kParameterReplication,
                              kUnknown,
                              kSharding,
                              kFrontendAttributes,
                              kControlPredecessors,
                              kStatistics,
                              kResultAccuracy,
                              kOrigin,
                              kMetadata,
                              kBackendConfig};

constexpr AttrKey kHeaderOrder[] = {kIsScheduled,
                                    kInputOutputAlias,
                                    kBufferDonor,
                                    kAliasPassthroughParams,
                                    kEntryComputationLayout,
                                    kAllowSpmdShardingPropagationToParameters,
                                    kAllowSpmdShardingPropagationToOutput,
                                    kReplicaCount,
                                    kNumPartitions,
                                    kFrontendAttributes,
                                    kOriginRecoveryTable,
                                    kDebugAttributes,
                                    kUnknown};

template <size_t n>
constexpr std::array<uint8_t, 256> ranks_of(const AttrKey (&order)[n]) {
  std::array<uint8_t, 256> ranks{};
  for (size_t i = 0; i < n; ++i) ranks[static_cast<size_t>(order[i])] = static_cast<uint8_t>(i);
  return ranks;
}

template <typename Rank>
std::vector<Attribute> sorted(std::span<const Attribute> attributes, Rank rank) {
  std::vector<Attribute> out(attributes.begin(), attributes.end());
  std::stable_sort(out.begin(), out.end(), [rank](const Attribute& a, const Attribute& b) {
    return rank(a.key()) < rank(b.key());
  });
  return out;
}

bool is_quoted(AttrKey key) {
  return key == kExecutionThread || key == kAsyncExecutionThread || key == kCustomCallTarget ||
         key == kInfeedConfig || key == kOutfeedConfig;
}

bool is_list(AttrKey key) {
  return key == kBranchComputations || key == kCalledComputations || key == kControlPredecessors ||
         key == kOperandLayoutConstraints;
}

std::string text_value(const Attribute& attribute) {
  if (attribute.key() == kBackendConfig) return quote_or_brace(attribute.text());
  if (is_quoted(attribute.key())) return quote(attribute.text());
  return std::string(attribute.text());
}

/// Six significant digits as XLA prints, or as many as it takes to read the same value back.
std::string number_value(double value) {
  std::string out = fmt::format("{:g}", value);
  return std::strtod(out.c_str(), nullptr) == value ? out : fmt::format("{}", value);
}

/// The `part`-th of each group of kWindowInts numbers of a window, as `3x3`.
std::string window_part(std::span<const int64_t> values, size_t part) {
  std::string out;
  for (size_t i = part; i < values.size(); i += kWindowInts) {
    out += fmt::format("{}{}", out.empty() ? "" : "x", values[i]);
  }
  return out;
}

bool any_differs(std::span<const int64_t> values, size_t part, size_t step, int64_t usual) {
  for (size_t i = part; i < values.size(); i += step) {
    if (values[i] != usual) return true;
  }
  return false;
}

std::string window_value(std::span<const int64_t> v) {
  std::string out = "{size=" + window_part(v, 0);
  if (any_differs(v, 1, kWindowInts, 1)) out += " stride=" + window_part(v, 1);
  if (any_differs(v, 2, kWindowInts, 0) || any_differs(v, 3, 7, 0)) {
    std::string pads;
    for (size_t i = 0; i < v.size(); i += kWindowInts) {
      pads += fmt::format("{}{}_{}", pads.empty() ? "" : "x", v[i + 2], v[i + 3]);
    }
    out += " pad=" + pads;
  }
  if (any_differs(v, 4, kWindowInts, 1)) out += " lhs_dilate=" + window_part(v, 4);
  if (any_differs(v, 5, kWindowInts, 1)) out += " rhs_dilate=" + window_part(v, 5);
  if (any_differs(v, 6, kWindowInts, 0)) out += " rhs_reversal=" + window_part(v, 6);
  return out + "}";
}

std::string padding_value(std::span<const int64_t> v) {
  const bool interior = any_differs(v, 2, 3, 0);
  std::string out;
  for (size_t i = 0; i < v.size(); i += 3) {
    out += fmt::format("{}{}_{}", i == 0 ? "" : "x", v[i], v[i + 1]);
    if (interior) out += fmt::format("_{}", v[i + 2]);
  }
  return out;
}

std::string slice_value(std::span<const int64_t> v) {
  const bool strided = any_differs(v, 2, 3, 1);
  std::string out = "{";
  for (size_t i = 0; i < v.size(); i += 3) {
    out += fmt::format("{}[{}:{}", i == 0 ? "" : ", ", v[i], v[i + 1]);
    out += strided ? fmt::format(":{}]", v[i + 2]) : "]";
  }
  return out + "}";
}

std::string pairs_value(std::span<const int64_t> v) {
  std::string out = "{";
  for (size_t i = 0; i < v.size(); i += 2) {
    out += fmt::format("{}{{{},{}}}", i == 0 ? "" : ",", v[i], v[i + 1]);
  }
  return out + "}";
}

std::string reference(const Program& program, const Attribute& attribute, int64_t id,
                      const PrintOptions& options) {
  const auto index = static_cast<uint32_t>(id);
  std::string out;
  if (attribute.kind() == AttrKind::kShapes) return program.shapes().text(ShapeId(index));
  append_name(out,
              attribute.kind() == AttrKind::kComputations ? program[ComputationId(index)].name
                                                          : program[InstructionId(index)].name,
              options);
  return out;
}

std::string references_value(const Program& program, const Attribute& attribute,
                             const PrintOptions& options) {
  std::string out;
  for (const int64_t id : program.ints(attribute)) {
    out += (out.empty() ? "" : ", ") + reference(program, attribute, id, options);
  }
  return is_list(attribute.key()) ? "{" + out + "}" : out;
}

std::string value_text(const Program& program, const Attribute& attribute,
                       const PrintOptions& options) {
  switch (attribute.kind()) {
    case AttrKind::kBool:
      return attribute.boolean() ? "true" : "false";
    case AttrKind::kInt:
      return fmt::format("{}", attribute.integer());
    case AttrKind::kDouble:
      return number_value(attribute.number());
    case AttrKind::kInts:
      return fmt::format("{{{}}}", fmt::join(program.ints(attribute), ","));
    case AttrKind::kIntPairs:
      return pairs_value(program.ints(attribute));
    case AttrKind::kWindow:
      return window_value(program.ints(attribute));
    case AttrKind::kPadding:
      return padding_value(program.ints(attribute));
    case AttrKind::kSlice:
      return slice_value(program.ints(attribute));
    case AttrKind::kText:
      return text_value(attribute);
    case AttrKind::kRaw:
      return std::string(attribute.text());
    case AttrKind::kComputations:
    case AttrKind::kInstructions:
    case AttrKind::kShapes:
      return references_value(program, attribute, options);
    case AttrKind::kLiteral:
      return shaped_literal_text(program, static_cast<uint32_t>(attribute.integer()));
  }
  return {};
}

}  // namespace

void append_name(std::string& out, std::string_view name, const PrintOptions& options) {
  if (options.percent || is_reserved(name)) out += '%';
  out += name;
}

void append_attribute(std::string& out, const Program& program, const Attribute& attribute,
                      const PrintOptions& options) {
  out += ", ";
  // The text of an unknown attribute has the name in it.
  if (attribute.key() != kUnknown) {
    out += name(attribute.key());
    out += '=';
  }
  out += value_text(program, attribute, options);
}

std::vector<Attribute> in_print_order(std::span<const Attribute> attributes, Opcode opcode) {
  static constexpr std::array<uint8_t, 256> kRanks = ranks_of(kOrder);
  return sorted(attributes, [opcode](AttrKey key) {
    const int rank = kRanks[static_cast<size_t>(key)];
    if (opcode != Opcode::kReduceScatter || key != kUseGlobalDeviceIds) return rank;
    return kRanks[static_cast<size_t>(kDimensions)] - 1;
  });
}

std::vector<Attribute> in_header_order(std::span<const Attribute> attributes) {
  static constexpr std::array<uint8_t, 256> kRanks = ranks_of(kHeaderOrder);
  return sorted(attributes, [](AttrKey key) { return kRanks[static_cast<size_t>(key)]; });
}

}  // namespace hloscope::hlo
