#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hloscope::hlo {

enum class Opcode : uint8_t {
#define HLOSCOPE_OPCODE(id, name, arity, tpugraphs, cls, flops, infer) id,
#include "core/hlo/opcodes.def"
#undef HLOSCOPE_OPCODE
};

inline constexpr int kOpcodeCount = 0
#define HLOSCOPE_OPCODE(id, name, arity, tpugraphs, cls, flops, infer) +1
#include "core/hlo/opcodes.def"
#undef HLOSCOPE_OPCODE
    ;

/// The classes that graphs, tables and error statistics group by.
enum class OpClass : uint8_t {
  kMatmulConv,
  kElementwise,
  kReduction,
  kDataMovement,
  kControlFlow,
  kCollective,
  kParameterConstant,
};
inline constexpr int kOpClassCount = 7;

/// How XLA's HloCostAnalysis counts the work of an opcode.
enum class FlopRule : uint8_t {
  kPerElement,      ///< One FLOP per output element.
  kTranscendental,  ///< One transcendental (and no FLOP) per output element.
  kSpecial,         ///< By a function of core/analysis, or none at all.
};

struct OpcodeInfo {
  std::string_view name;
  int arity;         ///< Number of operands, -1 when it varies.
  int tpugraphs_id;  ///< 0: the public data sets have no such opcode.
  OpClass op_class;
  FlopRule flop_rule;
  bool shape_may_be_omitted;
};

[[nodiscard]] const OpcodeInfo& info(Opcode opcode);
[[nodiscard]] inline std::string_view name(Opcode opcode) {
  return info(opcode).name;
}
[[nodiscard]] std::optional<Opcode> opcode_by_name(std::string_view name);
[[nodiscard]] std::optional<Opcode> opcode_by_tpugraphs_id(int id);
/// "matmul/conv", "elementwise", ...
[[nodiscard]] std::string_view name(OpClass op_class);

}  // namespace hloscope::hlo
