#include "core/hlo/parse_computation.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/hlo/parse_instruction.h"
#include "core/hlo/parse_shape.h"

namespace hloscope::hlo {

namespace {

// The names and parameter shapes of a signature are not compared with anything, as in XLA.
bool parse_signature_parameters(ParseContext& c) {
  if (c.lex.eat(')')) return true;
  do {
    std::string_view name;
    ShapeId shape;
    if (!parse_name(c, name, "the name of a parameter")) return false;
    if (!parse_shape(c, shape)) return false;
  } while (c.lex.eat(','));
  return c.lex.expect(')', "after the parameters of a computation");
}

bool parse_signature(ParseContext& c, ShapeId& result) {
  if (!c.lex.eat('(')) return true;
  return parse_signature_parameters(c) &&
         c.lex.expect("->", "before the result of a computation") && parse_shape(c, result);
}

// `{ instruction+ }` in a scope of its own.
bool parse_body(ParseContext& c, ComputationId id, ShapeId result, const char* result_place) {
  if (!c.lex.expect('{', "before the instructions of a computation")) return false;
  c.enter_scope(id);
  const size_t first = c.builder.instruction_count();
  c.lex.skip();
  const char* const begin = c.lex.position();
  while (!c.lex.eat('}')) {
    if (c.lex.at_end()) {
      return c.lex.fail_expected("'}'", "after the instructions of a computation");
    }
    if (!parse_instruction(c) || !c.keep_on()) return false;
  }
  if (!c.scope().last.valid()) return c.lex.fail(begin, "this computation has no instructions");
  finish_scope(c);
  c.leave_scope();
  // For parameter_shapes(); instructions of inline bodies lie in between.
  c.builder.computation(id).instructions = {static_cast<uint32_t>(first),
                                            static_cast<uint32_t>(c.builder.instruction_count())};
  if (!result.valid()) return true;
  const ShapeTable& shapes = c.builder.shapes();
  const InstructionId root = c.builder.computation(id).root;
  const ShapeId actual = c.builder.instruction(root).shape;
  return shapes.compatible(result, actual) ||
         c.lex.fail(result_place,
                    fmt::format("the signature gives {}, but the root \"{}\" is {}",
                                shapes.text(result, false), c.builder.instruction(root).name,
                                shapes.text(actual, false)));
}

bool parse_thread(ParseContext& c, ComputationId id) {
  if (!c.lex.eat(',')) return true;
  if (!c.lex.eat_attribute("execution_thread") && !c.lex.eat_attribute("thread_name")) {
    return c.lex.fail_expected("execution_thread=", "behind a computation");
  }
  return c.lex.quoted(c.builder.computation(id).execution_thread, c.builder.arena());
}

// Gives each the name `base`, or `base.1` and so on, whatever is free in `taken`.
template <typename Id, typename SetName>
void give_names(ParseContext& c, NameTable& taken,
                std::span<const std::pair<Id, std::string_view>> unnamed, SetName set_name) {
  std::unordered_map<std::string_view, int> next_number;
  for (const auto& [id, base] : unnamed) {
    int& number = next_number[base];
    const auto candidate = [&c, &number, base = base] {
      return number == 0 ? base : c.builder.arena().copy(fmt::format("{}.{}", base, number));
    };
    std::string_view name = candidate();
    for (++number; !taken.insert(name, id.value); ++number) name = candidate();
    set_name(id, name);
  }
}

}  // namespace

void finish_scope(ParseContext& c) {
  Scope& scope = c.scope();
  give_names<InstructionId>(
      c, scope.names, scope.unnamed,
      [&c](InstructionId id, std::string_view name) { c.builder.instruction(id).name = name; });
  c.builder.computation(scope.computation).root = scope.root.valid() ? scope.root : scope.last;
}

std::vector<ShapeId> parameter_shapes(const ParseContext& c, ComputationId id) {
  std::vector<ShapeId> shapes;
  for (const InstructionId i : c.builder.computation(id).instructions) {
    const Instruction& instruction = c.builder.instruction(i);
    if (instruction.computation != id || instruction.opcode != Opcode::kParameter) continue;
    const auto number = static_cast<size_t>(instruction.number);
    if (number >= c.builder.computation(id).instructions.size()) continue;
    if (number >= shapes.size()) shapes.resize(number + 1, instruction.shape);
    shapes[number] = instruction.shape;
  }
  return shapes;
}

void name_made_computations(ParseContext& c) {
  give_names<ComputationId>(
      c, c.computations, c.unnamed_computations,
      [&c](ComputationId id, std::string_view name) { c.builder.computation(id).name = name; });
}

bool parse_computation(ParseContext& c, bool& is_entry, ComputationId& id) {
  c.lex.skip();
  const char* const begin = c.lex.position();
  const uint32_t line = c.lex.line_of(begin);
  is_entry = c.lex.eat_word("ENTRY");
  std::string_view name;
  if (!parse_name(c, name, "the name of a computation")) return false;
  ShapeId result;
  c.lex.skip();
  const char* const signature = c.lex.position();
  if (!parse_signature(c, result)) return false;
  if (c.computations.find(name) != NameTable::kMissing) {
    return c.lex.fail(name.data(), fmt::format("computation \"{}\" is defined twice", name));
  }
  id = c.builder.begin_computation(name);
  if (!parse_body(c, id, result, signature)) return false;
  c.computations.insert(name, id.value);
  c.builder.computation(id).span = {c.lex.offset(begin),
                                    static_cast<uint32_t>(c.lex.position() - begin), line};
  return parse_thread(c, id);
}

bool parse_computation_reference(ParseContext& c, ComputationId& id) {
  if (c.lex.peek() == '{') {
    const DepthGuard guard(c, 8);
    if (!guard.ok()) return false;
    const char* const begin = c.lex.position();
    id = c.builder.begin_computation({});
    c.unnamed_computations.emplace_back(id, "_");
    if (!parse_body(c, id, {}, begin)) return false;
    c.builder.computation(id).span = {
        c.lex.offset(begin), static_cast<uint32_t>(c.lex.position() - begin), c.lex.line_of(begin)};
    return true;
  }
  std::string_view name;
  if (!parse_name(c, name, "the name of a computation")) return false;
  const uint32_t found = c.computations.find(name);
  if (found == NameTable::kMissing) {
    return c.lex.fail(name.data(), fmt::format("computation \"{}\" is not defined", name),
                      "computations come before the instructions that call them");
  }
  id = ComputationId(found);
  return true;
}

}  // namespace hloscope::hlo
