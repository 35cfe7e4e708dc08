#include "core/hlo/proto/modules.h"

#include <fmt/format.h>

#include <unordered_set>

#include "core/hlo/proto/async_wrappers.h"
#include "core/hlo/proto/errors.h"
#include "core/hlo/proto/header.h"
#include "core/hlo/proto/instructions.h"
#include "core/hlo/proto/literals.h"
#include "core/hlo/proto/module_index.h"
#include "core/hlo/proto/shapes.h"
#include "core/hlo/proto/wire.h"
#include "core/hlo/shape.h"

namespace hloscope::hlo {

namespace {

/// A name that HLO text can hold, by XLA's own rules for loading protos: other characters become
/// "_", and reserved names get one appended or put in front.
std::string readable_name(std::string_view name) {
  std::string out(name);
  for (char& c : out) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || c == '.' || c == '-';
    if (!good) c = '_';
  }
  if (out.empty()) return "_";
  const char first = out.front();
  if (first == '.' || first == '-' || (first >= '0' && first <= '9')) out.insert(0, "_");
  if (type_by_name(out)) out += '_';
  if (out.starts_with("__") && !out.starts_with("__xla_")) out.front() = 'a';
  return out;
}

/// Names that are unique among those given to one of these.
class UniqueNames {
 public:
  explicit UniqueNames(StringArena& arena) : arena_(arena) {}

  std::string_view take(std::string_view wanted) {
    std::string name = readable_name(wanted);
    for (int i = 1; used_.contains(name); ++i) name = fmt::format("{}.{}", wanted, i);
    const std::string_view stored = arena_.copy(name);
    used_.insert(stored);
    return stored;
  }

 private:
  StringArena& arena_;
  std::unordered_set<std::string_view> used_;
};

class ModuleReader {
 public:
  explicit ModuleReader(const WireModule& module)
      : module_(module), context_{builder_, computations_, instructions_, module.payloads} {}

  Result<ProgramPtr> read(const Progress& progress) {
    builder_.set_name(builder_.arena().copy(readable_name(module_.name)));
    HLOSCOPE_TRY(begin_computations());
    HLOSCOPE_TRY(find_entry());
    HLOSCOPE_TRY(add_module_header(module_, builder_));
    for (const WireComputation& computation : module_.computations) {
      if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "reading was cancelled");
      auto status = add_computation(computation);
      if (!status)
        return bad(fmt::format("computation '{}': {}", computation.name, status.error().message));
    }
    mark_async_wrappers(builder_);
    return builder_.finish();
  }

 private:
  Status begin_computations();
  Status find_entry();
  Status add_computation(const WireComputation& computation);
  Status add_instruction(const WireInstruction& instruction, UniqueNames& names);
  Status fill(NewInstruction& out);
  Result<std::vector<InstructionId>> operands() const;

  const WireModule& module_;
  ProgramBuilder builder_;
  std::unordered_map<int64_t, ComputationId> computations_;
  std::unordered_map<int64_t, InstructionId> instructions_;
  WireContext context_;
  ComputationId current_;
  // Reused from one instruction to the next.
  wire::Instruction proto_;
  std::vector<Attribute> attributes_;
};

Status ModuleReader::begin_computations() {
  UniqueNames names(builder_.arena());
  size_t count = 0;
  for (const WireComputation& wire : module_.computations) {
    const ComputationId id = builder_.begin_computation(names.take(wire.name));
    if (!wire.execution_thread.empty()) {
      builder_.computation(id).execution_thread = builder_.arena().copy(wire.execution_thread);
    }
    if (!computations_.emplace(wire.id, id).second) {
      return bad(fmt::format("computation '{}' has the id {} of another one", wire.name, wire.id));
    }
    count += wire.instructions.size();
  }
  builder_.reserve(count);
  return {};
}

Status ModuleReader::find_entry() {
  const auto by_id = computations_.find(module_.entry_id);
  if (by_id != computations_.end()) {
    builder_.set_entry(by_id->second);
    return {};
  }
  for (const WireComputation& computation : module_.computations) {
    if (computation.name != module_.entry_name) continue;
    builder_.set_entry(computations_.at(computation.id));
    return {};
  }
  return bad(fmt::format("the entry computation {} '{}' does not exist", module_.entry_id,
                         module_.entry_name));
}

Status ModuleReader::add_computation(const WireComputation& computation) {
  current_ = computations_.at(computation.id);
  instructions_.clear();
  const auto schedule = module_.schedule.find(computation.id);
  HLOSCOPE_ASSIGN(
      const auto order,
      instruction_order(computation,
                        schedule == module_.schedule.end() ? nullptr : &schedule->second));
  UniqueNames names(builder_.arena());
  for (const uint32_t position : order) {
    const WireInstruction& instruction = computation.instructions[position];
    const auto status = add_instruction(instruction, names);
    if (!status) {
      return bad(fmt::format("instruction '{}': {}", instruction.name, status.error().message));
    }
  }
  const auto root = instructions_.find(computation.root_id);
  if (root == instructions_.end()) {
    return bad(fmt::format("the root {} does not exist", computation.root_id));
  }
  builder_.computation(current_).root = root->second;
  return {};
}

Result<std::vector<InstructionId>> ModuleReader::operands() const {
  std::vector<InstructionId> ids;
  ids.reserve(static_cast<size_t>(proto_.operand_ids_size()));
  for (const int64_t id : proto_.operand_ids()) {
    const auto found = instructions_.find(id);
    if (found == instructions_.end()) return bad(fmt::format("operand {} does not exist", id));
    ids.push_back(found->second);
  }
  return ids;
}

Status ModuleReader::fill(NewInstruction& out) {
  const auto opcode = opcode_by_name(proto_.opcode());
  if (!opcode) return bad(fmt::format("unknown opcode '{}'", proto_.opcode()));
  out.opcode = *opcode;
  HLOSCOPE_ASSIGN(out.shape, shape_from_wire(proto_.shape(), builder_.shapes()));
  if (out.opcode == Opcode::kParameter) out.number = proto_.parameter_number();
  if (out.opcode == Opcode::kGetTupleElement) out.number = proto_.tuple_index();
  if (out.opcode != Opcode::kConstant) return {};
  if (proto_.literal().empty()) {
    Literal elided;
    elided.shape = out.shape;
    out.literal = builder_.add_literal(std::move(elided));
    return {};
  }
  HLOSCOPE_ASSIGN(out.literal, literal_from_wire(proto_.literal(), builder_));
  if (!builder_.shapes().compatible(builder_.literals()[out.literal].shape, out.shape)) {
    return bad("the literal has another shape than the constant");
  }
  return {};
}

Status ModuleReader::add_instruction(const WireInstruction& instruction, UniqueNames& names) {
  const std::string_view bytes = instruction.bytes;
  if (bytes.size() > INT32_MAX ||
      !proto_.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return bad("a field is damaged, or sharding is nested too deeply");
  }
  NewInstruction out;
  out.computation = current_;
  out.name = names.take(instruction.name);
  HLOSCOPE_ASSIGN(const std::vector<InstructionId> operand_ids, operands());
  out.operands = operand_ids;
  HLOSCOPE_TRY(fill(out));
  attributes_.clear();
  AttributeSink sink(context_, attributes_);
  HLOSCOPE_TRY(add_attributes(proto_, out, sink));
  out.attributes = attributes_;
  instructions_.emplace(instruction.id, builder_.add(out));
  return {};
}

bool has_opcode(std::string_view instruction) {
  WireReader reader(instruction);
  while (reader.next()) {
    if (reader.field().is_bytes(2)) return opcode_by_name(reader.field().bytes).has_value();
  }
  return false;
}

bool has_instruction(std::string_view computation) {
  WireReader reader(computation);
  while (reader.next()) {
    if (reader.field().is_bytes(2) && has_opcode(reader.field().bytes)) return true;
  }
  return false;
}

}  // namespace

bool looks_like_module(std::string_view bytes) {
  WireReader reader(bytes);
  while (reader.next()) {
    if (reader.field().is_bytes(3) && has_instruction(reader.field().bytes)) return true;
  }
  return false;
}

Result<ProgramPtr> module_from_wire(std::string_view bytes, const Progress& progress) {
  HLOSCOPE_ASSIGN(const WireModule module, index_module(bytes));
  auto program = ModuleReader(module).read(progress);
  if (program || program.error().code != ErrorCode::kInvalidInput) return program;
  Error error = std::move(program).error();
  error.message = fmt::format("module '{}': {}", module.name, error.message);
  return fail(std::move(error));
}

Result<ProgramPtr> recovery_module_from_wire(std::string_view bytes) {
  HLOSCOPE_ASSIGN(WireModule module, index_module(bytes));
  module.recovery_table = {};
  return ModuleReader(module).read(Progress());
}

}  // namespace hloscope::hlo
