#include <fmt/format.h>

#include <array>

#include "core/hlo/parse_module.h"

namespace hloscope::hlo {

namespace {

bool parse_names(ParseContext& c, std::vector<std::string_view>& names) {
  while (c.lex.at_integer()) {
    int64_t number = 0;
    std::string_view name;
    if (!c.lex.integer(number) || !c.lex.quoted(name, c.builder.arena())) return false;
    names.push_back(name);
  }
  return true;
}

struct Field {
  std::string_view name;
  int32_t* value;
};

// `{ name=INT ... }`: all fields, in any order, commas optional.
bool parse_fields(ParseContext& c, std::span<const Field> fields) {
  unsigned seen = 0;
  c.lex.skip();
  const char* const begin = c.lex.position();
  if (!c.lex.expect('{', "before a table entry")) return false;
  while (!c.lex.eat('}')) {
    std::string_view word;
    int64_t value = 0;
    if (!c.lex.attribute_name(word, "a field")) return false;
    size_t i = 0;
    while (i < fields.size() && fields[i].name != word) ++i;
    if (i == fields.size() || (seen >> i & 1) != 0) {
      return c.lex.fail(word.data(), fmt::format("field \"{}\" is unknown or given twice", word));
    }
    seen |= 1U << i;
    if (!c.lex.integer_in(value, INT32_MIN, INT32_MAX, "a field")) return false;
    *fields[i].value = static_cast<int32_t>(value);
    (void)c.lex.eat(',');
  }
  return seen == (1U << fields.size()) - 1 || c.lex.fail(begin, "this entry misses a field");
}

bool parse_locations(ParseContext& c) {
  while (c.lex.at_integer()) {
    int64_t number = 0;
    StackFrameIndex::Location l{};
    const std::array<Field, 6> fields = {{{"file_name_id", &l.file_name_id},
                                          {"function_name_id", &l.function_name_id},
                                          {"line", &l.line},
                                          {"end_line", &l.end_line},
                                          {"column", &l.column},
                                          {"end_column", &l.end_column}}};
    if (!c.lex.integer(number) || !parse_fields(c, fields)) return false;
    c.builder.stack_frames().locations.push_back(l);
  }
  return true;
}

bool parse_frames(ParseContext& c) {
  while (c.lex.at_integer()) {
    int64_t number = 0;
    StackFrameIndex::Frame frame{};
    const std::array<Field, 2> fields = {{{"file_location_id", &frame.file_location_id},
                                          {"parent_frame_id", &frame.parent_frame_id}}};
    if (!c.lex.integer(number) || !parse_fields(c, fields)) return false;
    // Text writes the parent plus one, so that 1 means none.
    frame.parent_frame_id = frame.parent_frame_id > 0 ? frame.parent_frame_id - 1 : 0;
    c.builder.stack_frames().frames.push_back(frame);
  }
  return true;
}

}  // namespace

bool parse_frame_tables(ParseContext& c) {
  if (!c.lex.eat_word("FileNames")) return true;
  StackFrameIndex& tables = c.builder.stack_frames();
  return parse_names(c, tables.file_names) &&
         (c.lex.eat_word("FunctionNames") || c.lex.fail_expected("FunctionNames", "here")) &&
         parse_names(c, tables.function_names) &&
         (c.lex.eat_word("FileLocations") || c.lex.fail_expected("FileLocations", "here")) &&
         parse_locations(c) &&
         (c.lex.eat_word("StackFrames") || c.lex.fail_expected("StackFrames", "here")) &&
         parse_frames(c);
}

}  // namespace hloscope::hlo
