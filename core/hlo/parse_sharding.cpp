#include <fmt/format.h>

#include <algorithm>

#include "core/hlo/parse_shape.h"
#include "core/hlo/parse_values.h"

namespace hloscope::hlo {

namespace {

struct Sharding {
  bool replicated = false;
  bool manual = false;
  bool unknown = false;
  bool unreduced = false;
  bool maximal = false;
  bool iota = false;
  size_t subgroup_dims = 0;
  std::vector<int64_t> dims;
  std::vector<int64_t> devices;
};

bool parse_devices(ParseContext& c, Sharding& s) {
  if (!parse_bracketed(c, s.dims, "around the tile dimensions")) return false;
  if (c.lex.eat("<=")) {
    s.iota = true;
    return skip_iota_devices(c, product_of_sizes(s.dims));
  }
  do {
    int64_t id = 0;
    if (!c.lex.integer(id, "a device number")) return false;
    s.devices.push_back(id);
  } while (c.lex.eat(','));
  return true;
}

bool parse_last_tile_dims(ParseContext& c, Sharding& s) {
  if (!c.lex.expect('{', "before the kinds of the last tile dimensions")) return false;
  if (c.lex.eat('}')) return true;
  do {
    const std::string_view word = c.lex.peek_word();
    if (word != "manual" && word != "replicated" && word != "maximal" && word != "unreduced") {
      return c.lex.fail_expected("manual, replicated, maximal or unreduced", "here");
    }
    if (!c.lex.eat_word(word)) return false;
    ++s.subgroup_dims;
  } while (c.lex.eat(','));
  return c.lex.expect('}', "after the kinds of the last tile dimensions");
}

bool skip_sharding_metadata(ParseContext& c) {
  c.lex.skip();
  if (*c.lex.token_behind(c.lex.position() + 1) != '{') return skip_metadata(c);
  if (!c.lex.expect('{', "before a list of metadata")) return false;
  do {
    if (!skip_metadata(c)) return false;
  } while (c.lex.eat(','));
  return c.lex.expect('}', "after a list of metadata");
}

bool parse_sharding_attribute(ParseContext& c, Sharding& s) {
  if (c.lex.eat_attribute("devices")) return parse_devices(c, s);
  if (c.lex.eat_attribute("device")) {
    int64_t id = 0;
    if (!c.lex.integer(id, "a device number")) return false;
    s.devices.assign(1, id);
    return true;
  }
  if (c.lex.eat_attribute("last_tile_dims")) return parse_last_tile_dims(c, s);
  if (c.lex.eat_attribute("metadata")) return skip_sharding_metadata(c);
  return c.lex.fail_expected("a part of a sharding", "here");
}

bool parse_sharding_word(ParseContext& c, Sharding& s) {
  const std::string_view word = c.lex.peek_word();
  if (word.empty()) return c.lex.fail_expected("a part of a sharding", "here");
  if (word.data()[word.size()] == '=') return parse_sharding_attribute(c, s);
  if (word == "shard_as" || word == "shard_like") {
    int64_t group = 0;
    return c.lex.eat_word(word) && c.lex.integer(group, "a group number");
  }
  const std::pair<std::string_view, bool*> flags[] = {{"replicated", &s.replicated},
                                                      {"manual", &s.manual},
                                                      {"unknown", &s.unknown},
                                                      {"unreduced", &s.unreduced},
                                                      {"maximal", &s.maximal}};
  for (const auto& [name, flag] : flags) {
    if (name == word) {
      *flag = true;
      return c.lex.eat_word(word);
    }
  }
  if (word == "last_tile_dim_replicate") {
    ++s.subgroup_dims;
    return c.lex.eat_word(word);
  }
  // Dumps until 2018-08 start with a tile shape.
  ShapeId tile;
  if (at_shape(c)) return parse_shape(c, tile);
  return c.lex.fail_here(fmt::format("\"{}\" is no part of a sharding", word));
}

bool check_sharding(ParseContext& c, const Sharding& s, const char* begin) {
  const bool any_devices = !s.devices.empty() || s.iota;
  if (s.replicated || (!s.maximal && (s.manual || s.unknown || s.unreduced))) {
    return !any_devices ||
           c.lex.fail(begin, "replicated, manual, unknown and unreduced shardings name no devices");
  }
  if (s.maximal) {
    return (s.devices.size() == 1 && !s.iota) ||
           c.lex.fail(begin, "a maximal sharding names exactly one device");
  }
  if (s.dims.empty()) return c.lex.fail(begin, "this sharding has no tile dimensions");
  if (s.subgroup_dims > s.dims.size()) {
    return c.lex.fail(begin, "more subgroup kinds than tile dimensions");
  }
  if (s.iota) return true;
  if (s.devices.size() < 2) {
    return c.lex.fail(begin, "a tiled sharding names more than one device");
  }
  return product_of_sizes(s.dims) == static_cast<int64_t>(s.devices.size()) ||
         c.lex.fail(begin, fmt::format("{} devices for {} tiles", s.devices.size(),
                                       product_of_sizes(s.dims)));
}

bool at_mesh(ParseContext& c) {
  const std::string_view word = c.lex.peek_word();
  return word == "mesh" || word == "maximal_mesh";
}

bool skip_dimension_axes(ParseContext& c) {
  if (!c.lex.expect('[', "before the dimensions of a sharding")) return false;
  if (c.lex.eat(']')) return true;
  do {
    if (!skip_axes(c)) return false;
  } while (c.lex.eat(','));
  return c.lex.expect(']', "after the dimensions of a sharding");
}

// unreduced=sum{'x'}: the kind of the reduction may be left out.
bool skip_unreduced(ParseContext& c) {
  const std::string_view kind = c.lex.peek_word();
  if (!kind.empty()) {
    if (kind != "sum" && kind != "max" && kind != "min") {
      return c.lex.fail_expected("sum, max or min", "here");
    }
    if (!c.lex.eat_word(kind)) return false;
  }
  return skip_axes(c);
}

bool skip_named_part(ParseContext& c) {
  if (c.lex.eat_attribute("replicated") || c.lex.eat_attribute("manual")) return skip_axes(c);
  if (c.lex.eat_attribute("unreduced")) return skip_unreduced(c);
  if (c.lex.eat_attribute("metadata")) return skip_sharding_metadata(c);
  return c.lex.fail_expected("replicated=, unreduced=, manual= or metadata=", "here");
}

bool skip_named_sharding(ParseContext& c) {
  if (!skip_mesh(c)) return false;
  (void)c.lex.eat(',');
  if (c.lex.peek() == '[') {
    if (!skip_dimension_axes(c)) return false;
  } else if (c.lex.peek() != '}') {
    const bool word =
        c.lex.eat_word("replicated") || c.lex.eat_word("manual") || c.lex.eat_word("unreduced");
    if (!word && !skip_named_part(c)) return false;
  }
  while (c.lex.eat(',')) {
    if (!skip_named_part(c)) return false;
  }
  return true;
}

// Behind the opening brace, up to and with the closing one.
bool skip_one_sharding(ParseContext& c, const char* begin) {
  if (at_mesh(c)) return skip_named_sharding(c) && c.lex.expect('}', "after a sharding");
  Sharding sharding;
  while (!c.lex.eat('}')) {
    if (!parse_sharding_word(c, sharding)) return false;
  }
  return check_sharding(c, sharding, begin);
}

}  // namespace

bool skip_sharding(ParseContext& c) {
  c.lex.skip();
  const char* begin = c.lex.position();
  if (!c.lex.expect('{', "before a sharding")) return false;
  if (c.lex.eat('}')) return true;
  if (c.lex.peek() != '{') return skip_one_sharding(c, begin);
  do {
    c.lex.skip();
    begin = c.lex.position();
    if (!c.lex.expect('{', "before a sharding") || !skip_one_sharding(c, begin)) return false;
  } while (c.lex.eat(','));
  return c.lex.expect('}', "after the shardings of a tuple");
}

bool skip_domain(ParseContext& c) {
  if (!c.lex.expect('{', "before a domain")) return false;
  unsigned seen = 0;
  while (!c.lex.eat('}')) {
    c.lex.skip();
    const char* const begin = c.lex.position();
    unsigned part = 0;
    if (c.lex.eat_attribute("kind")) {
      part = 1;
      std::string_view kind;
      if (!c.lex.quoted(kind, c.builder.arena())) return false;
      if (kind != "sharding") return c.lex.fail(begin, "the kind of a domain is \"sharding\"");
    } else if (c.lex.eat_attribute("entry") || c.lex.eat_attribute("exit")) {
      part = begin[1] == 'n' ? 2 : 4;
      if (!skip_sharding(c)) return false;
    } else {
      return c.lex.fail_expected("kind=, entry= or exit=", "here");
    }
    if ((seen & part) != 0) return c.lex.fail(begin, "this part of the domain is given twice");
    seen |= part;
    (void)c.lex.eat(',');
  }
  return seen == 7 || c.lex.fail_here("a domain needs kind, entry and exit");
}

}  // namespace hloscope::hlo
