#include <fmt/format.h>

#include "core/hlo/parse_values.h"

namespace hloscope::hlo {

namespace {

// The axes of a mesh are quoted since 2026-03.
bool skip_axis_name(ParseContext& c) {
  const char first = c.lex.peek();
  if (first == '"' || first == '\'') return c.lex.skip_quoted();
  if (c.lex.at_word()) {
    const char* p = c.lex.position();
    while (lex::is(*p, lex::kWord)) ++p;
    c.lex.move_to(p);
    return true;
  }
  return c.lex.fail_expected("the name of a mesh axis", "here");
}

bool skip_integers(ParseContext& c, char close) {
  do {
    int64_t value = 0;
    if (!c.lex.integer(value)) return false;
  } while (c.lex.eat(','));
  return c.lex.expect(std::string_view(&close, 1), "after a list of integers");
}

// (1,0,3,2) or ([2,2]T(1,0)).
bool skip_device_ids(ParseContext& c) {
  if (!c.lex.expect('(', "before the device ids of a mesh")) return false;
  if (!c.lex.eat('[')) return skip_integers(c, ')');
  if (!skip_integers(c, ']')) return false;
  if (c.lex.eat_word("T") &&
      (!c.lex.expect('(', "before a permutation") || !skip_integers(c, ')'))) {
    return false;
  }
  return c.lex.expect(')', "after the device ids of a mesh");
}

bool skip_mesh_axes(ParseContext& c) {
  if (!c.lex.expect('[', "before the axes of a mesh")) return false;
  if (c.lex.eat(']')) return true;
  do {
    int64_t size = 0;
    if (!skip_axis_name(c) || !c.lex.expect('=', "after the name of a mesh axis") ||
        !c.lex.integer_in(size, 1, INT64_MAX, "the size of a mesh axis")) {
      return false;
    }
  } while (c.lex.eat(','));
  return c.lex.expect(']', "after the axes of a mesh");
}

// Looks beyond a comma for device_ids=, which belongs to the mesh.
bool eat_device_ids(ParseContext& c) {
  const char* const begin = c.lex.position();
  if (c.lex.eat(',') && c.lex.eat_attribute("device_ids")) return true;
  c.lex.move_to(begin);
  return false;
}

bool skip_axis(ParseContext& c) {
  if (!skip_axis_name(c)) return false;
  if (!c.lex.eat(':')) return true;
  int64_t value = 0;
  return c.lex.expect('(', "before the sizes left of a sub-axis") &&
         c.lex.integer_in(value, 1, INT64_MAX, "the size left of a sub-axis") &&
         c.lex.expect(')', "after the sizes left of a sub-axis") &&
         c.lex.integer_in(value, 2, INT64_MAX, "the size of a sub-axis");
}

}  // namespace

bool skip_mesh(ParseContext& c) {
  if (c.lex.eat_word("maximal_mesh")) {
    int64_t device = 0;
    return c.lex.expect('[', "before device_id") &&
           (c.lex.eat_attribute("device_id") || c.lex.fail_expected("device_id=", "here")) &&
           c.lex.integer(device) && c.lex.expect(']', "after device_id");
  }
  if (!c.lex.eat_word("mesh")) return c.lex.fail_expected("a mesh", "here");
  return skip_mesh_axes(c) && (!eat_device_ids(c) || skip_device_ids(c));
}

bool skip_axes(ParseContext& c) {
  if (!c.lex.expect('{', "before a list of axes")) return false;
  if (c.lex.eat('}')) return true;
  do {
    if (c.lex.eat('?')) break;
    if (!skip_axis(c)) return false;
    if (c.lex.eat('?')) break;
  } while (c.lex.eat(','));
  return c.lex.expect('}', "after a list of axes");
}

bool skip_replica_groups(ParseContext& c) {
  const char first = c.lex.peek();
  if (first == '{') return skip_list_of_lists(c);
  if (first == 'm') {
    if (!skip_mesh(c)) return false;
    (void)c.lex.eat(',');
    return skip_axes(c);
  }
  if (first != '[') return c.lex.fail_expected("replica groups", "here");
  const char* const begin = c.lex.position();
  std::vector<int64_t> dims;
  if (!parse_bracketed(c, dims, "around the dimensions of replica groups")) return false;
  if (dims.size() != 2) return c.lex.fail(begin, "replica groups have two dimensions, [G,D]");
  return c.lex.expect("<=", "after the dimensions of replica groups") &&
         skip_iota_devices(c, product_of_sizes(dims));
}

bool skip_sparsity_config(ParseContext& c) {
  if (!c.lex.expect('{', "before a sparsity configuration")) return false;
  while (!c.lex.eat('}')) {
    if (!c.lex.eat_attribute("lhs") && !c.lex.eat_attribute("rhs")) {
      return c.lex.fail_expected("lhs= or rhs=", "here");
    }
    if (!c.lex.expect('{', "before the sparsity of one side")) return false;
    while (!c.lex.eat('}')) {
      std::string_view part;
      c.lex.skip();
      const char* const begin = c.lex.position();
      if (!c.lex.attribute_name(part, "sparsity=, dimension= or stride=")) return false;
      if (part != "sparsity" && part != "dimension" && part != "stride" && part != "idx") {
        return c.lex.fail(begin, fmt::format("unknown part \"{}\" of a sparsity", part));
      }
      const char* p = c.lex.position();
      while (lex::is(*p, lex::kDigit) || (part == "sparsity" && *p == 'x')) ++p;
      if (p == c.lex.position()) return c.lex.fail_expected("a number", "here");
      c.lex.move_to(p);
    }
  }
  return true;
}

}  // namespace hloscope::hlo
