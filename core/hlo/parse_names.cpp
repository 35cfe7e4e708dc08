#include <fmt/format.h>

#include "core/hlo/parse_instruction.h"

namespace hloscope::hlo {

namespace {

constexpr std::string_view kKeywords[] = {"HloModule",
                                          "ENTRY",
                                          "ROOT",
                                          "FileNames",
                                          "FunctionNames",
                                          "FileLocations",
                                          "StackFrames",
                                          "true",
                                          "false",
                                          "inf",
                                          "nan",
                                          "maximal",
                                          "replicated",
                                          "manual",
                                          "unknown",
                                          "unreduced",
                                          "last_tile_dim_replicate",
                                          "shard_as",
                                          "shard_like"};

}  // namespace

bool is_reserved(std::string_view word) {
  static const auto* const kReserved = [] {
    auto* table = new NameTable();
    for (const std::string_view keyword : kKeywords) table->insert(keyword, 0);
    for (int i = 1; i < kPrimitiveTypeCount; ++i) {
      const auto type = static_cast<PrimitiveType>(i);
      if (type_by_name(name(type))) table->insert(name(type), 0);
    }
    return table;
  }();
  return kReserved->find(word) != NameTable::kMissing;
}

bool parse_name(ParseContext& c, std::string_view& name, std::string_view what) {
  if (c.lex.peek() == '%') {
    const char* const begin = c.lex.position();
    if (!lex::is(begin[1], lex::kWordStart)) {
      return c.lex.fail(begin, fmt::format("expected {} behind '%'", what),
                        "names begin with a letter or '_'");
    }
    c.lex.move_to(begin + 1);
    name = c.lex.take_word();
    return true;
  }
  if (!c.lex.at_word()) return c.lex.fail_expected(what, "here");
  const char* const begin = c.lex.position();
  name = c.lex.take_word();
  // A word with ":" directly behind it is one token, and a name even if it is reserved otherwise.
  if (*c.lex.position() == ':') {
    c.lex.move_to(c.lex.position() + 1);
    return true;
  }
  if (is_reserved(name)) {
    return c.lex.fail(begin, fmt::format("\"{}\" is a reserved word, not {}", name, what));
  }
  if (*c.lex.position() == '=') {
    return c.lex.fail(begin, fmt::format("\"{}=\" is an attribute, not {}", name, what),
                      "write a blank before '=', or '%' before the name");
  }
  return true;
}

bool check_new_name(ParseContext& c, std::string_view name) {
  if (name.starts_with("__") && !name.starts_with("__xla_")) {
    return c.lex.fail(name.data(),
                      fmt::format("the name \"{}\" begins with \"__\", which XLA refuses", name));
  }
  constexpr size_t kLongestType = std::string_view("f8e4m3b11fnuz").size();
  if (name.size() <= kLongestType && is_reserved(name) && type_by_name(name)) {
    return c.lex.fail(name.data(), fmt::format("the name \"{}\" is an element type", name));
  }
  return true;
}

namespace {

// Why a name may not be known, from a look at the rest of the text.
std::string missing_name_hint(ParseContext& c, std::string_view name) {
  const std::string_view rest(name.data() + name.size(),
                              static_cast<size_t>(c.lex.end() - name.data()) - name.size());
  for (const std::string_view pattern : {"\n  {} = ", "\n  %{} = ", "\n  ROOT %{} = "}) {
    const std::string text = fmt::format(fmt::runtime(pattern), name);
    const size_t at = rest.find(text);
    if (at == std::string_view::npos) continue;
    return rest.substr(0, at).find("\n}") == std::string_view::npos
               ? "it is defined further down: operands come before their users"
               : "another computation has an instruction of that name";
  }
  return "it must be defined before, in the same computation";
}

}  // namespace

bool find_operand(ParseContext& c, std::string_view name, InstructionId& id) {
  const uint32_t found = c.scope().names.find(name);
  if (found == NameTable::kMissing) {
    return c.lex.fail(name.data(), fmt::format("instruction \"{}\" is not defined", name),
                      missing_name_hint(c, name));
  }
  id = InstructionId(found);
  return true;
}

}  // namespace hloscope::hlo
