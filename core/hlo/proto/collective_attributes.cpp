#include <fmt/format.h>

#include "core/hlo/proto/instructions.h"

namespace hloscope::hlo {

namespace {

using enum Opcode;

void add_channel(const wire::Instruction& proto, AttributeSink& sink) {
  // all_reduce_id is the name of before 2019-06.
  const int64_t channel = proto.channel_id() > 0 ? proto.channel_id() : proto.all_reduce_id();
  if (channel > 0) sink.integer(AttrKey::kChannelId, channel);
}

Status add_replica_groups(const wire::Instruction& proto, AttributeSink& sink) {
  std::string text;
  if (proto.has_iota_collective_device_list()) {
    text = replica_groups_text(proto.iota_collective_device_list());
  } else if (proto.has_mesh_axes_replica_group_list()) {
    HLOSCOPE_ASSIGN(text, replica_groups_text(proto.mesh_axes_replica_group_list()));
  } else if (proto.has_collective_device_list()) {
    text = replica_groups_text(proto.collective_device_list().replica_groups());
  } else {
    text = replica_groups_text(proto.replica_groups());
  }
  sink.raw(AttrKey::kReplicaGroups, text);
  return {};
}

/// `{{1,4},{2,4}}`: the sizes follow one another on the wire, as many per slice as the offsets
/// have.
Status add_slice_sizes(const wire::Instruction& proto, const Shape* input, AttributeSink& sink) {
  if (proto.dynamic_slice_sizes().empty()) return {};
  const auto count = static_cast<size_t>(proto.dynamic_slice_sizes_size());
  const size_t rank = input == nullptr ? 0 : input->rank();
  if (rank == 0 || count % rank != 0) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{} slice sizes for {} dimensions", count, rank));
  }
  std::string out;
  for (size_t i = 0; i < count; i += rank) {
    const auto begin = proto.dynamic_slice_sizes().begin() + static_cast<std::ptrdiff_t>(i);
    out += fmt::format("{}{{{}}}", out.empty() ? "" : ",",
                       fmt::join(begin, begin + static_cast<std::ptrdiff_t>(rank), ","));
  }
  sink.raw(AttrKey::kSliceSizes, "{" + out + "}");
  return {};
}

Status add_permute(const wire::Instruction& proto, const NewInstruction& instruction,
                   AttributeSink& sink) {
  add_channel(proto, sink);
  std::vector<int64_t> pairs;
  for (const wire::SourceTarget& pair : proto.source_target_pairs()) {
    pairs.insert(pairs.end(), {pair.source(), pair.target()});
  }
  sink.pool(AttrKey::kSourceTargetPairs, AttrKind::kIntPairs, pairs);
  const ProgramBuilder& builder = sink.context().builder;
  const Shape* input = nullptr;
  if (!instruction.operands.empty()) {
    input = &builder.shapes()[builder.instruction(instruction.operands.front()).shape];
  }
  return add_slice_sizes(proto, input, sink);
}

Status add_grouped(const wire::Instruction& proto, Opcode opcode, AttributeSink& sink) {
  add_channel(proto, sink);
  HLOSCOPE_TRY(add_replica_groups(proto, sink));
  sink.flag(AttrKey::kConstrainLayout, proto.constrain_layout());
  const bool gathers = opcode == kAllGather || opcode == kAllGatherStart;
  if (gathers) sink.ints(AttrKey::kDimensions, proto.dimensions());
  sink.flag(AttrKey::kUseGlobalDeviceIds, proto.use_global_device_ids());
  if (opcode == kReduceScatter) sink.ints(AttrKey::kDimensions, proto.dimensions());
  if (opcode == kAllToAll) sink.ints_if_any(AttrKey::kDimensions, proto.dimensions());
  sink.flag(AttrKey::kHasDynamicRoot, proto.has_dynamic_root());
  return {};
}

}  // namespace

Status add_collective_attributes(const wire::Instruction& proto, const NewInstruction& instruction,
                                 AttributeSink& sink) {
  switch (instruction.opcode) {
    case kAllGather:
    case kAllGatherStart:
    case kAllReduce:
    case kAllReduceStart:
    case kReduceScatter:
    case kAllToAll:
    case kRaggedAllToAll:
    case kCollectiveBroadcast:
    case kCollectiveReduce:
      return add_grouped(proto, instruction.opcode, sink);
    case kCollectivePermute:
    case kCollectivePermuteStart:
      return add_permute(proto, instruction, sink);
    case kSend:
    case kSendDone:
    case kRecv:
    case kRecvDone:
      add_channel(proto, sink);
      sink.flag(AttrKey::kIsHostTransfer, proto.is_host_transfer());
      return {};
    default:
      return {};
  }
}

}  // namespace hloscope::hlo
