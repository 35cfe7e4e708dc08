#include "core/hlo/proto/module_index.h"

#include <fmt/format.h>

#include "core/hlo/proto/wire.h"

namespace hloscope::hlo {

namespace {

tl::unexpected<Error> damaged(std::string what) {
  return fail(ErrorCode::kInvalidInput, fmt::format("{} is cut or damaged", what));
}

Result<WireInstruction> index_instruction(std::string_view bytes) {
  WireInstruction out;
  out.bytes = bytes;
  WireReader reader(bytes);
  while (reader.next()) {
    if (reader.field().is_bytes(1)) out.name = reader.field().bytes;
    if (reader.field().is_varint(35)) out.id = static_cast<int64_t>(reader.field().value);
  }
  if (!reader.ok()) return damaged(fmt::format("instruction '{}'", out.name));
  return out;
}

Result<WireComputation> index_computation(std::string_view bytes) {
  WireComputation out;
  out.bytes = bytes;
  WireReader reader(bytes);
  while (reader.next()) {
    const WireField& field = reader.field();
    if (field.is_bytes(1)) out.name = field.bytes;
    if (field.is_varint(5)) out.id = static_cast<int64_t>(field.value);
    if (field.is_varint(6)) out.root_id = static_cast<int64_t>(field.value);
    if (field.is_bytes(8)) out.execution_thread = field.bytes;
    if (!field.is_bytes(2)) continue;
    auto instruction = index_instruction(field.bytes);
    if (!instruction) {
      return fail(ErrorCode::kInvalidInput,
                  fmt::format("computation '{}': {}", out.name, instruction.error().message));
    }
    out.instructions.push_back(*instruction);
  }
  if (!reader.ok()) return damaged(fmt::format("computation '{}'", out.name));
  return out;
}

/// map<int64, InstructionSequence>: key = 1, value = 2; InstructionSequence.instruction_ids = 1.
Status add_sequence(std::string_view entry, WireModule& module) {
  int64_t id = 0;
  std::vector<int64_t> sequence;
  WireReader reader(entry);
  while (reader.next()) {
    if (reader.field().is_varint(1)) id = static_cast<int64_t>(reader.field().value);
    if (!reader.field().is_bytes(2)) continue;
    WireReader ids(reader.field().bytes);
    while (ids.next()) {
      if (ids.field().number == 1 && !append_varints(ids.field(), sequence)) {
        return damaged("HloScheduleProto");
      }
    }
    if (!ids.ok()) return damaged("HloScheduleProto");
  }
  if (!reader.ok()) return damaged("HloScheduleProto");
  module.schedule[id] = std::move(sequence);
  return {};
}

Status add_schedule(std::string_view bytes, WireModule& module) {
  WireReader reader(bytes);
  while (reader.next()) {
    if (reader.field().is_bytes(1)) HLOSCOPE_TRY(add_sequence(reader.field().bytes, module));
  }
  if (!reader.ok()) return damaged("HloScheduleProto");
  module.is_scheduled = !module.schedule.empty();
  return {};
}

Status add_bytes_field(const WireField& field, WireModule& module) {
  switch (field.number) {
    case 1:
      module.name = field.bytes;
      break;
    case 2:
      module.entry_name = field.bytes;
      break;
    case 3: {
      HLOSCOPE_ASSIGN(auto computation, index_computation(field.bytes));
      module.computations.push_back(std::move(computation));
      break;
    }
    case 4:
      module.program_shape = field.bytes;
      break;
    case 7:
      return add_schedule(field.bytes, module);
    case 8:
      module.input_output_alias = field.bytes;
      break;
    case 17:
      module.stack_frames = field.bytes;
      break;
    case 18:
      module.buffer_donor = field.bytes;
      break;
    case 19:
      module.frontend_attributes = field.bytes;
      break;
    case 20:
      module.recovery_table = field.bytes;
      break;
    case 22:
      module.payloads.push_back(field.bytes);
      break;
    case 24:
      module.debug_attributes.push_back(field.bytes);
      break;
    default:
      break;
  }
  return {};
}

}  // namespace

Result<WireModule> index_module(std::string_view bytes) {
  WireModule module;
  WireReader reader(bytes);
  while (reader.next()) {
    const WireField& field = reader.field();
    if (field.is_varint(6)) module.entry_id = static_cast<int64_t>(field.value);
    if (field.type == WireField::Type::kBytes) HLOSCOPE_TRY(add_bytes_field(field, module));
  }
  if (!reader.ok()) return damaged(fmt::format("module '{}'", module.name));
  return module;
}

}  // namespace hloscope::hlo
