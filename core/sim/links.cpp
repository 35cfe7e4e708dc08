#include "core/sim/links.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "core/hlo/tpu_layout.h"

namespace hloscope::sim {

namespace {

using hlo::AttrKey;
using hlo::Opcode;

double bytes_of(const hlo::Program& program, hlo::ShapeId id) {
  const hlo::Shape& shape = program.shape(id);
  if (!shape.is_tuple()) return hlo::padded_bytes(shape);
  double sum = 0;
  for (hlo::ShapeId element : shape.elements) sum += bytes_of(program, element);
  return sum;
}

double operand_bytes(const hlo::Program& program, hlo::InstructionId id) {
  double sum = 0;
  for (hlo::InstructionId operand : program.operands(id)) {
    sum += bytes_of(program, program[operand].shape);
  }
  return sum;
}

std::optional<double> leading_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  return value;
}

// Members of one group: `{{0,1},{2,3}}` has 2, `[4,8]<=[32]` has 8.
double group_size(std::string_view groups) {
  if (groups.starts_with('[')) {
    const size_t comma = groups.find(',');
    const auto size = leading_number(comma == std::string_view::npos ? std::string_view()
                                                                     : groups.substr(comma + 1));
    return size.value_or(0);
  }
  const size_t begin = groups.find_first_of("0123456789");
  if (begin == std::string_view::npos) return 0;
  const size_t end = groups.find('}', begin);
  const std::string_view first = groups.substr(begin, end - begin);
  return 1 + static_cast<double>(std::count(first.begin(), first.end(), ','));
}

// Of a program that names neither groups nor counts.
constexpr double kUnknownParticipants = 8;

double participants(const hlo::Program& program, hlo::InstructionId id) {
  const hlo::Attribute* groups = program.find(id, AttrKey::kReplicaGroups);
  double size = groups == nullptr ? 0 : group_size(groups->text());
  if (size > 0) return size;
  size = 1;
  bool is_known = false;
  for (AttrKey key : {AttrKey::kReplicaCount, AttrKey::kNumPartitions}) {
    const hlo::Attribute* count = program.find_module(key);
    if (count == nullptr) continue;
    is_known = true;
    size *= static_cast<double>(std::max<int64_t>(count->integer(), 1));
  }
  return is_known ? size : kUnknownParticipants;
}

// The collective itself, inside an async wrapper too.
hlo::InstructionId unwrapped(const hlo::Program& program, hlo::InstructionId id) {
  while (program[id].opcode == Opcode::kAsyncStart && program.called(id).size() == 1) {
    const hlo::InstructionId inner = program[program.called(id)[0]].root;
    if (inner == id) break;
    id = inner;
  }
  return id;
}

KernelModel ring(const hlo::Program& program, hlo::InstructionId id, double trips) {
  KernelModel model;
  model.kind = KernelKind::kCollective;
  const double n = std::max(participants(program, id), 1.0);
  model.link_bytes = std::max(operand_bytes(program, id), bytes_of(program, program[id].shape));
  model.link_steps = trips * (n - 1);
  model.link_share = trips * (n - 1) / n;
  return model;
}

KernelModel one_trip(const hlo::Program& program, hlo::InstructionId id, KernelKind kind) {
  KernelModel model;
  model.kind = kind;
  model.link_bytes = std::max(operand_bytes(program, id), bytes_of(program, program[id].shape));
  model.link_steps = 1;
  return model;
}

bool in_hbm(const hlo::Shape& shape) {
  return shape.layout.memory_space == 0;
}

// From or to HBM, or both; what lies in VMEM moves at no cost of its own.
KernelModel copy_model(const hlo::Program& program, hlo::InstructionId id) {
  KernelModel model;
  model.kind = KernelKind::kDma;
  if (program.operands(id).empty()) return model;
  const hlo::Shape& source = program.shape(program.operands(id)[0]);
  const hlo::Shape& result = program.shape(id);
  const hlo::Shape& target =
      result.is_tuple() && !result.elements.empty() ? program.shape(result.elements[0]) : result;
  if (in_hbm(source)) model.link_bytes += hlo::padded_bytes(source);
  if (in_hbm(target)) model.link_bytes += hlo::padded_bytes(target);
  return model;
}

}  // namespace

std::optional<KernelModel> link_model(const hlo::Program& program, hlo::InstructionId kernel) {
  const hlo::InstructionId id = unwrapped(program, kernel);
  switch (program[id].opcode) {
    case Opcode::kAllReduce:
    case Opcode::kAllReduceStart:
    case Opcode::kCollectiveReduce:
      return ring(program, id, 2);
    case Opcode::kAllGather:
    case Opcode::kAllGatherStart:
    case Opcode::kReduceScatter:
    case Opcode::kAllToAll:
    case Opcode::kRaggedAllToAll:
    case Opcode::kCollectiveBroadcast:
      return ring(program, id, 1);
    case Opcode::kCollectivePermute:
    case Opcode::kCollectivePermuteStart:
      return one_trip(program, id, KernelKind::kCollective);
    case Opcode::kSend:
    case Opcode::kRecv:
      return one_trip(
          program, id,
          program.flag(id, AttrKey::kIsHostTransfer) ? KernelKind::kHost : KernelKind::kCollective);
    case Opcode::kCopyStart:
      return copy_model(program, id);
    case Opcode::kInfeed:
    case Opcode::kOutfeed:
      return one_trip(program, id, KernelKind::kHost);
    default:
      return std::nullopt;
  }
}

KernelModel opaque_model(const hlo::Program& program, hlo::InstructionId kernel) {
  KernelModel model;
  model.kind = KernelKind::kOpaque;
  model.fallbacks = {program[kernel].opcode};
  model.link_bytes = operand_bytes(program, kernel) + bytes_of(program, program[kernel].shape);
  return model;
}

}  // namespace hloscope::sim
