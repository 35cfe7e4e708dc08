#include "core/hlo/opcode.h"

#include <array>
#include <unordered_map>

namespace hloscope::hlo {

namespace {

using enum OpClass;
using enum FlopRule;

constexpr std::array<OpcodeInfo, kOpcodeCount> kTable = {{
#define HLOSCOPE_OPCODE(id, name, arity, tpugraphs, cls, flops, infer) \
  {name, arity, tpugraphs, cls, flops, infer},
#include "core/hlo/opcodes.def"
#undef HLOSCOPE_OPCODE
}};

}  // namespace

const OpcodeInfo& info(Opcode opcode) {
  return kTable[static_cast<size_t>(opcode)];
}

std::optional<Opcode> opcode_by_name(std::string_view name) {
  static const auto* const kByName = [] {
    auto* map = new std::unordered_map<std::string_view, Opcode>();
    for (size_t i = 0; i < kTable.size(); ++i) map->emplace(kTable[i].name, static_cast<Opcode>(i));
    return map;
  }();
  const auto found = kByName->find(name);
  if (found == kByName->end()) return std::nullopt;
  return found->second;
}

std::optional<Opcode> opcode_by_tpugraphs_id(int id) {
  if (id <= 0) return std::nullopt;
  for (size_t i = 0; i < kTable.size(); ++i) {
    if (kTable[i].tpugraphs_id == id) return static_cast<Opcode>(i);
  }
  return std::nullopt;
}

std::string_view name(OpClass op_class) {
  constexpr std::array<std::string_view, kOpClassCount> kNames = {
      "matmul/conv",  "elementwise", "reduction",         "data movement",
      "control flow", "collective",  "parameter/constant"};
  return kNames[static_cast<size_t>(op_class)];
}

}  // namespace hloscope::hlo
