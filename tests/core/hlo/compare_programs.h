#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/hlo/literal_text.h"
#include "core/hlo/print_attributes.h"
#include "core/hlo/program.h"

namespace hloscope::testing {

using namespace hloscope::hlo;

inline std::string joined(const std::vector<std::string>& items) {
  return fmt::format("{}", fmt::join(items, ""));
}

inline std::string wrapped_facts(const Program& p, ComputationId wrapper);

inline std::vector<std::string> attribute_texts(const Program& p, std::span<const Attribute> list) {
  std::vector<std::string> out;
  for (const Attribute& a : list) {
    append_attribute(out.emplace_back(), p, a, {});
    if (a.key() != AttrKey::kCalls) continue;
    const ComputationId callee(static_cast<uint32_t>(p.ints(a).front()));
    if (p[callee].is_async_wrapper) out.back() = wrapped_facts(p, callee);
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// The computation of an "op-start" without its names, which the text does not hold.
inline std::string wrapped_facts(const Program& p, ComputationId wrapper) {
  std::string out = fmt::format(", calls={{{}", p[wrapper].execution_thread);
  for (const InstructionId id : p[wrapper].instructions) {
    out += fmt::format("; {} {} {}{}", p.shapes().text(p[id].shape), name(p[id].opcode),
                       p[id].number, joined(attribute_texts(p, p.attributes(id))));
  }
  return out + "}";
}

/// Everything of an instruction but its place and its value, in one text.
inline std::string facts(const Program& p, InstructionId id) {
  const Instruction& i = p[id];
  std::vector<std::string> operands;
  for (const InstructionId operand : p.operands(id)) operands.emplace_back(p[operand].name);
  return fmt::format("{} = {} {}({}){}{}", i.name, p.shapes().text(i.shape), name(i.opcode),
                     fmt::join(operands, ","), i.number,
                     joined(attribute_texts(p, p.attributes(id))));
}

/// What a comparison leaves out.
struct Ignored {
  std::initializer_list<AttrKey> in_header;
  bool elided_values = false;
};

inline std::string value(const Program& p, InstructionId id) {
  return p[id].opcode == Opcode::kConstant ? literal_text(p, p[id].literal) : std::string();
}

inline std::string instruction_difference(const Program& a, InstructionId left, const Program& b,
                                          InstructionId right, const Ignored& ignored) {
  if (facts(a, left) != facts(b, right)) return facts(a, left) + "\n" + facts(b, right);
  const std::string value_a = value(a, left);
  const std::string value_b = value(b, right);
  const bool elided = value_a == "{...}" || value_b == "{...}";
  if (value_a == value_b || (elided && ignored.elided_values)) return {};
  return fmt::format("{}: {} / {}", a[left].name, value_a, value_b);
}

inline std::string header(const Program& p, const Ignored& ignored) {
  std::vector<Attribute> list(p.module_attributes().begin(), p.module_attributes().end());
  std::erase_if(list, [&](const Attribute& attribute) {
    return std::find(ignored.in_header.begin(), ignored.in_header.end(), attribute.key()) !=
           ignored.in_header.end();
  });
  return joined(attribute_texts(p, list));
}

inline std::string computation_difference(const Program& a, const Computation& left,
                                          const Program& b, const Computation& right,
                                          const Ignored& ignored) {
  if (left.instructions.size() != right.instructions.size()) {
    return fmt::format("{} / {} instructions", left.instructions.size(), right.instructions.size());
  }
  if (left.execution_thread != right.execution_thread) return "another thread";
  for (size_t i = 0; i < left.instructions.size(); ++i) {
    const std::string text =
        instruction_difference(a, left.instructions[i], b, right.instructions[i], ignored);
    if (!text.empty()) return text;
  }
  return a[left.root].name == b[right.root].name ? "" : "another root";
}

/// The first difference between two programs; empty when they are equal. Computations are found by
/// name; instructions must have the same order. Insides of "op-start" are compared where it stands.
inline std::string difference(const Program& a, const Program& b, const Ignored& ignored = {}) {
  if (a.name() != b.name()) return fmt::format("module {} / {}", a.name(), b.name());
  if (a.computation_count() != b.computation_count()) {
    return fmt::format("{} / {} computations", a.computation_count(), b.computation_count());
  }
  if (header(a, ignored) != header(b, ignored)) {
    return "header:\n" + header(a, ignored) + "\n" + header(b, ignored);
  }
  if (a[a.entry()].name != b[b.entry()].name) return "another entry";
  for (const ComputationId id : a.computations()) {
    if (a[id].is_async_wrapper) continue;
    const ComputationId other = b.find_computation(a[id].name);
    if (!other.valid()) return fmt::format("no computation {}", a[id].name);
    const std::string text = computation_difference(a, a[id], b, b[other], ignored);
    if (!text.empty()) return fmt::format("{}: {}", a[id].name, text);
  }
  return {};
}

}  // namespace hloscope::testing
