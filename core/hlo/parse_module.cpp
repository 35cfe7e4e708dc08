#include "core/hlo/parse_module.h"

#include <fmt/format.h>

#include "core/hlo/parse_computation.h"
#include "core/hlo/parse_instruction.h"
#include "core/hlo/parse_shape.h"

namespace hloscope::hlo {

namespace {

bool parse_computations(ParseContext& c) {
  ComputationId entry;
  ComputationId last;
  while (!c.lex.at_end() && c.lex.peek_word() != "HloModule") {
    const char* const begin = c.lex.position();
    bool is_entry = false;
    if (!parse_computation(c, is_entry, last)) return false;
    if (!is_entry) continue;
    if (entry.valid()) return c.lex.fail(begin, "this module has an ENTRY already");
    entry = last;
  }
  if (!last.valid()) {
    return c.lex.fail_expected("a computation", "in the module");
  }
  c.builder.set_entry(entry.valid() ? entry : last);
  return true;
}

// A lone instruction, or a list of them: the body of an entry without braces.
bool parse_bare_instructions(ParseContext& c) {
  const ComputationId id = c.builder.begin_computation("entry");
  c.builder.set_entry(id);
  c.computations.insert("entry", id.value);
  c.single_form = true;
  c.enter_scope(id);
  if (at_shape(c)) {
    const RhsLease rhs(c, c.lex.position());
    InstructionId root;
    if (!parse_rhs(c, *rhs, true) || !add_instruction(c, *rhs, {}, root)) return false;
    c.scope().unnamed.emplace_back(root, rhs->opcode_text);
  } else {
    while (!c.lex.at_end() && c.lex.peek_word() != "HloModule") {
      if (!parse_instruction(c)) return false;
    }
  }
  finish_scope(c);
  c.leave_scope();
  return c.lex.at_end() || c.lex.fail_expected("the end of the text", "after the instruction");
}

// A computation begins with ENTRY, or with a name that "{" or a signature follows.
bool at_headless(ParseContext& c) {
  if (c.lex.peek_word() == "ENTRY") return true;
  const char* p = c.lex.position();
  if (*p == '%') ++p;
  if (!lex::is(*p, lex::kWordStart)) return false;
  while (lex::is(*p, lex::kWord)) ++p;
  if (*p == ':') ++p;
  p = c.lex.token_behind(p);
  return *p == '{' || *p == '(';
}

}  // namespace

bool parse_module(ParseContext& c, std::string_view fallback_name) {
  if (c.lex.peek_word() == "HloModule") {
    if (!parse_module_header(c) || !parse_frame_tables(c) || !parse_computations(c)) return false;
  } else {
    c.builder.set_name(c.builder.arena().copy(fallback_name));
    if (!(at_headless(c) ? parse_computations(c) : parse_bare_instructions(c))) return false;
  }
  if (c.lex.failed()) return false;
  if (!check_aliases(c)) return false;
  name_made_computations(c);
  return true;
}

}  // namespace hloscope::hlo
