#include "core/hlo/program.h"

#include <algorithm>

namespace hloscope::hlo {

namespace {

const Attribute* find_in(std::span<const Attribute> attributes, AttrKey key) {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [key](const Attribute& a) { return a.key() == key; });
  return found == attributes.end() ? nullptr : &*found;
}

}  // namespace

const Attribute* Program::find(InstructionId id, AttrKey key) const {
  return find_in(attributes(id), key);
}

const Attribute* Program::find_module(AttrKey key) const {
  return find_in(d_.module_attributes, key);
}

std::span<const int64_t> Program::ints(const Attribute& attribute) const {
  return std::span(d_.pool).subspan(attribute.pool_begin(), attribute.pool_count());
}

std::span<const int64_t> Program::ints(InstructionId id, AttrKey key) const {
  const Attribute* attribute = find(id, key);
  return attribute == nullptr ? std::span<const int64_t>() : ints(*attribute);
}

std::optional<int64_t> Program::integer(InstructionId id, AttrKey key) const {
  const Attribute* attribute = find(id, key);
  if (attribute == nullptr) return std::nullopt;
  return attribute->integer();
}

bool Program::flag(InstructionId id, AttrKey key, bool absent) const {
  const Attribute* attribute = find(id, key);
  return attribute == nullptr ? absent : attribute->boolean();
}

std::string_view Program::text(InstructionId id, AttrKey key) const {
  const Attribute* attribute = find(id, key);
  return attribute == nullptr ? std::string_view() : attribute->text();
}

ComputationId Program::computation(InstructionId id, AttrKey key) const {
  const std::span<const int64_t> ids = ints(id, key);
  return ids.empty() ? ComputationId() : ComputationId(static_cast<uint32_t>(ids.front()));
}

bool Program::is_scheduled() const {
  const Attribute* attribute = find_module(AttrKey::kIsScheduled);
  return attribute != nullptr && attribute->boolean();
}

InstructionId Program::find_instruction(std::string_view name) const {
  for (InstructionId id : instructions()) {
    if (d_.instructions[id].name == name) return id;
  }
  return {};
}

ComputationId Program::find_computation(std::string_view name) const {
  for (ComputationId id : computations()) {
    if (d_.computations[id].name == name) return id;
  }
  return {};
}

}  // namespace hloscope::hlo
