#include "core/hlo/attribute_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <vector>

namespace hloscope::hlo {

namespace {

struct Row {
  std::string_view opcodes;  // separated by blanks, as are the attributes
  std::string_view required;
  std::string_view optional;
};

constexpr std::string_view kEveryOpcode =
    "sharding frontend_attributes control-predecessors metadata backend_config statistics "
    "parameter_replication origin";

constexpr std::string_view kModule =
    "is_scheduled input_output_alias buffer_donor alias_passthrough_params "
    "entry_computation_layout allow_spmd_sharding_propagation_to_parameters "
    "allow_spmd_sharding_propagation_to_output replica_count num_partitions frontend_attributes "
    "origin_recovery_table debug_attributes";

constexpr Row kRows[] = {
    {"acos acosh asin asinh atanh cbrt cosine cosh erf exponential exponential-minus-one log "
     "log-plus-one logistic rsqrt sine sinh sqrt tan tanh",
     "", "result_accuracy"},
    {"all-gather all-gather-start", "dimensions",
     "channel_id constrain_layout replica_groups use_global_device_ids"},
    {"all-reduce all-reduce-start", "to_apply",
     "channel_id constrain_layout replica_groups use_global_device_ids mode"},
    {"all-to-all", "", "channel_id constrain_layout dimensions replica_groups"},
    {"async-done", "", "async_execution_thread calls"},
    {"async-start", "calls", "async_execution_thread output_to_operand_aliasing"},
    {"async-update", "", "async_execution_thread calls output_to_operand_aliasing"},
    {"batch-norm-grad batch-norm-inference batch-norm-training", "epsilon feature_index", ""},
    {"broadcast", "", "dimensions"},
    {"call", "to_apply", "is_composite"},
    {"cholesky", "", "lower"},
    {"collective-broadcast", "", "channel_id has_dynamic_root replica_groups"},
    {"collective-permute collective-permute-start", "source_target_pairs",
     "channel_id slice_sizes"},
    {"collective-reduce", "to_apply",
     "channel_id constrain_layout has_dynamic_root replica_groups use_global_device_ids"},
    {"compare", "direction", "type"},
    {"concatenate reverse transpose get-dimension-size set-dimension-size", "dimensions", ""},
    {"conditional", "", "true_computation false_computation branch_computations"},
    {"convolution", "dim_labels",
     "algorithm batch_group_count convolution_kind feature_group_count operand_precision "
     "sparsity_config window"},
    {"copy-start", "", "cross_program_prefetch_index"},
    {"custom-call", "custom_call_target",
     "api_version batch_group_count called_computations custom_call_has_side_effect dim_labels "
     "feature_group_count literal operand_layout_constraints operand_precision "
     "output_to_operand_aliasing padding_type schedule to_apply window"},
    {"domain", "domain", ""},
    {"dot scaled-dot", "",
     "algorithm lhs_batch_dims lhs_contracting_dims operand_precision rhs_batch_dims "
     "rhs_contracting_dims"},
    {"ragged-dot", "",
     "lhs_batch_dims lhs_contracting_dims lhs_ragged_dims operand_precision rhs_batch_dims "
     "rhs_contracting_dims rhs_group_dims"},
    {"dynamic-slice", "dynamic_slice_sizes", ""},
    {"fft", "fft_length fft_type", ""},
    {"fusion", "calls kind", "output_to_operand_aliasing"},
    {"gather", "collapsed_slice_dims index_vector_dim offset_dims slice_sizes start_index_map",
     "indices_are_sorted operand_batching_dims start_indices_batching_dims"},
    {"get-tuple-element", "index", ""},
    {"infeed", "", "infeed_config"},
    {"iota", "iota_dimension", ""},
    {"map", "to_apply", "dimensions"},
    {"outfeed", "", "outfeed_config outfeed_shape"},
    {"pad", "padding", ""},
    {"ragged-all-to-all", "", "channel_id dimensions replica_groups"},
    {"recv recv-done send send-done", "", "channel_id is_host_transfer"},
    {"reduce", "dimensions to_apply", ""},
    {"reduce-precision", "exponent_bits mantissa_bits", ""},
    {"reduce-scatter", "dimensions to_apply",
     "channel_id constrain_layout replica_groups use_global_device_ids mode"},
    {"reduce-window", "to_apply", "window"},
    {"reshape", "", "inferred_dimension"},
    {"rng", "distribution", ""},
    {"rng-bit-generator", "algorithm", ""},
    {"rng-get-and-update-state", "delta", ""},
    {"scan", "dimensions num_carries to_apply", "is_associative is_reverse"},
    {"scatter",
     "index_vector_dim inserted_window_dims scatter_dims_to_operand_dims to_apply "
     "update_window_dims",
     "indices_are_sorted input_batching_dims scatter_indices_batching_dims unique_indices"},
    {"select-and-scatter", "scatter select", "window"},
    {"slice", "slice", ""},
    {"sort", "dimensions to_apply", "is_stable"},
    {"topk", "k", "is_stable largest"},
    {"triangular-solve", "", "left_side lower transpose_a unit_diagonal"},
    {"while", "body condition", ""},
};

template <typename F>
void for_each_word(std::string_view words, F f) {
  while (!words.empty()) {
    const size_t blank = std::min(words.find(' '), words.size());
    f(words.substr(0, blank));
    words.remove_prefix(std::min(blank + 1, words.size()));
  }
}

AttrSet set_of(std::string_view words) {
  AttrSet set;
  for_each_word(words, [&set](std::string_view word) {
    const auto key = attribute_by_name(word);
    assert(key.has_value());
    set.add(*key);
  });
  return set;
}

std::array<AttributeRule, kOpcodeCount> make_rules() {
  std::array<AttributeRule, kOpcodeCount> rules;
  const AttrSet every = set_of(kEveryOpcode);
  for (AttributeRule& rule : rules) rule.allowed = every;
  for (const Row& row : kRows) {
    for_each_word(row.opcodes, [&](std::string_view word) {
      const auto opcode = opcode_by_name(word);
      assert(opcode.has_value());
      AttributeRule& rule = rules[static_cast<size_t>(*opcode)];
      rule.required = set_of(row.required);
      rule.allowed = rule.allowed | rule.required | set_of(row.optional);
    });
  }
  return rules;
}

}  // namespace

const AttributeRule& attribute_rule(Opcode opcode) {
  static const auto* const kRules = new std::array<AttributeRule, kOpcodeCount>(make_rules());
  return (*kRules)[static_cast<size_t>(opcode)];
}

const AttrSet& module_attribute_set() {
  static const auto* const kSet = new AttrSet(set_of(kModule));
  return *kSet;
}

std::string names_of(const AttrSet& set) {
  std::vector<std::string_view> names;
  set.for_each([&names](AttrKey key) { names.push_back(name(key)); });
  std::sort(names.begin(), names.end());
  return fmt::format("{}", fmt::join(names, ", "));
}

AttrKey renamed_attribute(std::string_view old) {
  constexpr std::pair<std::string_view, AttrKey> kRenamed[] = {
      {"original_value", AttrKey::kOrigin},
      {"conv_kind", AttrKey::kConvolutionKind},
      {"opaque", AttrKey::kBackendConfig},
      {"has_side_effect", AttrKey::kCustomCallHasSideEffect},
      {"output_window_dims", AttrKey::kOffsetDims},
      {"elided_window_dims", AttrKey::kCollapsedSliceDims},
      {"gather_dims_to_operand_dims", AttrKey::kStartIndexMap},
      {"window_bounds", AttrKey::kSliceSizes},
      {"all_reduce_id", AttrKey::kChannelId},
      {"async_thread_name", AttrKey::kAsyncExecutionThread},
      {"thread_name", AttrKey::kExecutionThread},
  };
  for (const auto& [name, key] : kRenamed) {
    if (name == old) return key;
  }
  return AttrKey::kUnknown;
}

}  // namespace hloscope::hlo
