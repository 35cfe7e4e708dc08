#include <fmt/format.h>

#include "core/hlo/proto/errors.h"
#include "core/hlo/proto/instructions.h"

namespace hloscope::hlo {

namespace {

using enum Opcode;

Result<std::vector<ComputationId>> called_computations(const wire::Instruction& proto,
                                                       const WireContext& context) {
  std::vector<ComputationId> ids;
  for (const int64_t id : proto.called_computation_ids()) {
    const auto found = context.computations.find(id);
    if (found == context.computations.end()) {
      return bad(fmt::format("called computation {} does not exist", id));
    }
    ids.push_back(found->second);
  }
  return ids;
}

Status add_named(AttrKey key, size_t index, std::span<const ComputationId> ids,
                 AttributeSink& sink) {
  if (index >= ids.size()) {
    return bad(fmt::format("no called computation for {}", name(key)));
  }
  sink.computations(key, ids.subspan(index, 1));
  return {};
}

Status add_pair(AttrKey first, AttrKey second, std::span<const ComputationId> ids,
                AttributeSink& sink) {
  HLOSCOPE_TRY(add_named(first, 0, ids, sink));
  return add_named(second, 1, ids, sink);
}

bool selects_by_pred(const NewInstruction& instruction, const ProgramBuilder& builder) {
  if (instruction.operands.empty()) return false;
  const ShapeId shape = builder.instruction(instruction.operands.front()).shape;
  return builder.shapes()[shape].element_type == PrimitiveType::kPred;
}

Status add_result_accuracy(const wire::ResultAccuracy& accuracy, AttributeSink& sink) {
  if (accuracy.has_tolerance()) {
    const wire::Tolerance& t = accuracy.tolerance();
    sink.raw(AttrKey::kResultAccuracy, fmt::format("{{tolerance={{atol={:g},rtol={:g},ulps={}}}}}",
                                                   t.atol(), t.rtol(), t.ulps()));
    return {};
  }
  // Values of xla.ResultAccuracy.Mode: default, highest.
  if (accuracy.mode() < 0 || accuracy.mode() > 1) {
    return bad(fmt::format("unknown value {} of ResultAccuracy.mode", accuracy.mode()));
  }
  if (accuracy.mode() == 1) sink.raw(AttrKey::kResultAccuracy, "{mode=highest}");
  return {};
}

Status add_control_predecessors(const wire::Instruction& proto, AttributeSink& sink) {
  if (proto.control_predecessor_ids().empty()) return {};
  std::vector<InstructionId> ids;
  for (const int64_t id : proto.control_predecessor_ids()) {
    const auto found = sink.context().instructions.find(id);
    if (found == sink.context().instructions.end()) {
      return bad(fmt::format("control predecessor {} does not exist in its computation", id));
    }
    ids.push_back(found->second);
  }
  sink.instructions(AttrKey::kControlPredecessors, ids);
  return {};
}

}  // namespace

Status add_called_computations(const wire::Instruction& proto, const NewInstruction& instruction,
                               AttributeSink& sink) {
  // Files of before 2024 repeat the computation on async-update and async-done.
  if (proto.called_computation_ids().empty() || instruction.opcode == kAsyncUpdate ||
      instruction.opcode == kAsyncDone) {
    return {};
  }
  HLOSCOPE_ASSIGN(const auto ids, called_computations(proto, sink.context()));
  switch (instruction.opcode) {
    case kWhile:
      HLOSCOPE_TRY(add_named(AttrKey::kCondition, 1, ids, sink));
      return add_named(AttrKey::kBody, 0, ids, sink);
    case kConditional:
      if (selects_by_pred(instruction, sink.context().builder)) {
        return add_pair(AttrKey::kTrueComputation, AttrKey::kFalseComputation, ids, sink);
      }
      sink.computations(AttrKey::kBranchComputations, ids);
      return {};
    case kSelectAndScatter:
      return add_pair(AttrKey::kSelect, AttrKey::kScatter, ids, sink);
    case kFusion:
    case kAsyncStart:
      return add_named(AttrKey::kCalls, 0, ids, sink);
    case kCustomCall:
      sink.computations(AttrKey::kCalledComputations, ids);
      return {};
    default:
      return add_named(AttrKey::kToApply, 0, ids, sink);
  }
}

Status add_common_attributes(const wire::Instruction& proto, const NewInstruction& instruction,
                             AttributeSink& sink) {
  const WireContext& context = sink.context();
  if (proto.has_parameter_replication() && instruction.opcode == kParameter &&
      !proto.parameter_replication().replicated_at_leaf_buffers().empty()) {
    sink.raw(AttrKey::kParameterReplication,
             parameter_replication_text(proto.parameter_replication()));
  }
  if (proto.has_sharding()) {
    HLOSCOPE_ASSIGN(const std::string text, sharding_text(proto.sharding(), context.payloads));
    sink.raw(AttrKey::kSharding, text);
  }
  sink.raw(AttrKey::kFrontendAttributes, frontend_attributes_text(proto.frontend_attributes()));
  HLOSCOPE_TRY(add_control_predecessors(proto, sink));
  sink.raw(AttrKey::kStatistics, statistics_text(proto.statistics_viz()));
  HLOSCOPE_TRY(add_result_accuracy(proto.result_accuracy(), sink));
  if (proto.has_original_value()) {
    sink.raw(AttrKey::kOrigin,
             origin_text(proto.original_value(), instruction.shape, context.builder.shapes()));
  }
  sink.raw(AttrKey::kMetadata, metadata_text(proto.metadata(), context.payloads));
  sink.text(AttrKey::kBackendConfig,
            proto.backend_config().empty()
                ? payload_value(proto.backend_config_payload(), context.payloads)
                : std::string_view(proto.backend_config()));
  return {};
}

Status add_attributes(const wire::Instruction& proto, const NewInstruction& instruction,
                      AttributeSink& sink) {
  HLOSCOPE_TRY(add_own_attributes(proto, instruction, sink));
  HLOSCOPE_TRY(add_called_computations(proto, instruction, sink));
  return add_common_attributes(proto, instruction, sink);
}

}  // namespace hloscope::hlo
