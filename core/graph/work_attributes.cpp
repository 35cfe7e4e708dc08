#include "core/graph/work_attributes.h"

#include <algorithm>
#include <charconv>

namespace hloscope::graph {

using hlo::Attribute;
using hlo::AttrKey;
using hlo::AttrKind;
using hlo::Opcode;

namespace {

/// Attributes that name, place, order or explain, but leave the work as it is.
bool is_annotation(AttrKey key, Opcode opcode) {
  switch (key) {
    case AttrKey::kMetadata:
    case AttrKey::kFrontendAttributes:
    case AttrKey::kSharding:
    case AttrKey::kControlPredecessors:
    case AttrKey::kStatistics:
    case AttrKey::kParameterReplication:
    case AttrKey::kOrigin:
    case AttrKey::kChannelId:
    case AttrKey::kExecutionThread:
    case AttrKey::kAsyncExecutionThread:
    case AttrKey::kCrossProgramPrefetchIndex:
    case AttrKey::kInferredDimension:
    case AttrKey::kLiteral:
    case AttrKey::kCustomCallHasSideEffect:
    case AttrKey::kSchedule:
    case AttrKey::kIsComposite:
    case AttrKey::kMode:
      return true;
    case AttrKey::kType:  // Total or partial order of a compare: follows from the operands.
      return opcode == Opcode::kCompare;
    case AttrKey::kBackendConfig:  // Of a custom-call it can be the code of the kernel.
      return opcode != Opcode::kCustomCall;
    default:
      return false;
  }
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// `{default,default}`
bool is_default_precision(std::string_view text) {
  auto at = text.begin();
  while ((at = std::find_if(at, text.end(), is_letter)) != text.end()) {
    const auto end = std::find_if_not(at, text.end(), is_letter);
    const std::string_view word(at, end);
    if (word != "default" && word != "DEFAULT") return false;
    at = end;
  }
  return true;
}

bool is_default_text(AttrKey key, std::string_view text) {
  if (text.empty() || text == "{}") return true;
  switch (key) {
    case AttrKey::kOperandPrecision:
      return is_default_precision(text);
    case AttrKey::kAlgorithm:
    case AttrKey::kConvolutionKind:
      return text.ends_with("unset") || text.ends_with("UNSET");
    case AttrKey::kApiVersion:
      return text == "API_VERSION_ORIGINAL";
    case AttrKey::kPaddingType:
      return text == "PADDING_INVALID";
    case AttrKey::kTransposeA:
      return text == "TRANSPOSE_INVALID";
    default:
      return false;
  }
}

/// What a flag means where it is left out.
bool default_flag(AttrKey key, Opcode opcode) {
  return opcode == Opcode::kTopk && (key == AttrKey::kLargest || key == AttrKey::kIsStable);
}

bool is_default_value(const Attribute& attribute, Opcode opcode) {
  switch (attribute.kind()) {
    case AttrKind::kBool:
      return attribute.boolean() == default_flag(attribute.key(), opcode);
    case AttrKind::kInt:
      return attribute.integer() == 1 && (attribute.key() == AttrKey::kFeatureGroupCount ||
                                          attribute.key() == AttrKey::kBatchGroupCount);
    case AttrKind::kText:
    case AttrKind::kRaw:
      return is_default_text(attribute.key(), attribute.text());
    case AttrKind::kDouble:
    case AttrKind::kLiteral:
      return false;
    default:
      return attribute.pool_count() == 0;
  }
}

std::optional<int64_t> number(std::string_view text) {
  int64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc()) return std::nullopt;
  return value;
}

}  // namespace

bool changes_work(const Attribute& attribute, Opcode opcode) {
  return !is_annotation(attribute.key(), opcode) && !is_default_value(attribute, opcode);
}

std::optional<std::pair<int64_t, int64_t>> replica_group_sizes(std::string_view text) {
  if (text.starts_with("[")) {
    const size_t comma = text.find(',');
    const size_t end = text.find(']');
    if (comma == std::string_view::npos || comma > end) return std::nullopt;
    const auto groups = number(text.substr(1));
    const auto size = number(text.substr(comma + 1));
    if (!groups || !size) return std::nullopt;
    return std::pair(*groups, *size);
  }
  if (!text.starts_with("{{")) return std::nullopt;
  const std::string_view first = text.substr(0, text.find('}'));
  const auto size = std::count(first.begin(), first.end(), ',') + 1;
  return std::pair<int64_t, int64_t>(std::count(text.begin(), text.end(), '{') - 1, size);
}

}  // namespace hloscope::graph
