#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <initializer_list>

#include "core/hlo/parse_values.h"

namespace hloscope::hlo {

namespace {

struct Choices {
  AttrKey key;
  bool any_case;
  std::initializer_list<std::string_view> words;
};

// Source: hlo_attributes of openxla/xla 2026-08 (xla/hlo/parser/hlo_parser.cc, xla_data.proto).
const Choices kChoices[] = {
    {AttrKey::kMode,
     false,
     {"cross_replica", "cross_partition", "cross_replica_and_partition", "flattened_id"}},
    {AttrKey::kConvolutionKind, false, {"fprop", "wgrad", "dgrad", "unset"}},
    {AttrKey::kFftType, false, {"FFT", "IFFT", "RFFT", "IRFFT"}},
    {AttrKey::kTransposeA, false, {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}},
    {AttrKey::kDirection, false, {"EQ", "NE", "GE", "GT", "LE", "LT"}},
    {AttrKey::kType, false, {"FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"}},
    {AttrKey::kKind, false, {"kLoop", "kInput", "kOutput", "kCustom"}},
    {AttrKey::kDistribution, true, {"rng_uniform", "rng_normal"}},
    {AttrKey::kPaddingType, false, {"PADDING_VALID", "PADDING_SAME", "PADDING_INVALID"}},
    {AttrKey::kSchedule, true, {"SCHEDULE_NONE", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST"}},
    {AttrKey::kApiVersion,
     true,
     {"API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING",
      "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"}},
    {AttrKey::kAlgorithm,
     true,
     {"unset", "dot_any_f8_any_f8_f32", "dot_any_f8_any_f8_f32_fast_accum", "dot_f16_f16_f16",
      "dot_f16_f16_f32", "dot_bf16_bf16_bf16", "dot_bf16_bf16_f32", "dot_bf16_bf16_f32_x3",
      "dot_bf16_bf16_f32_x6", "dot_bf16_bf16_f32_x9", "dot_tf32_tf32_f32", "dot_tf32_tf32_f32_x3",
      "dot_f32_f32_f32", "dot_f64_f64_f64"}},
};
const Choices kRngAlgorithms = {
    AttrKey::kAlgorithm, true, {"rng_default", "rng_three_fry", "rng_philox"}};
const Choices kPrecisions = {AttrKey::kOperandPrecision, true, {"default", "high", "highest"}};

bool same_word(std::string_view a, std::string_view b, bool any_case) {
  if (a.size() != b.size()) return false;
  return any_case ? strncasecmp(a.data(), b.data(), a.size()) == 0 : a == b;
}

bool parse_choice(ParseContext& c, const Choices& choices, std::string_view& out) {
  const std::string_view word = c.lex.peek_word();
  for (const std::string_view choice : choices.words) {
    if (!same_word(word, choice, choices.any_case)) continue;
    c.lex.move_to(c.lex.position() + word.size());
    out = choice;
    return true;
  }
  return c.lex.fail_here(word.empty() ? fmt::format("expected a value of {}", name(choices.key))
                                      : fmt::format("\"{}\" is no {}", word, name(choices.key)),
                         fmt::format("one of {}", fmt::join(choices.words, ", ")));
}

bool parse_precisions(ParseContext& c, std::string_view& out) {
  c.lex.skip();
  const char* const begin = c.lex.position();
  if (!c.lex.expect('{', "before a list of precisions")) return false;
  if (!c.lex.eat('}')) {
    do {
      std::string_view word;
      if (!parse_choice(c, kPrecisions, word)) return false;
    } while (c.lex.eat(','));
    if (!c.lex.expect('}', "after a list of precisions")) return false;
  }
  out = c.lex.since(begin);
  return true;
}

// One group of dim_labels: letters once each, spatial digits once each, '?' any number of times.
bool check_label_group(std::string_view group, std::string_view letters, size_t& spatial) {
  const auto count = [group](char c) { return std::count(group.begin(), group.end(), c); };
  spatial = group.size() - 2;
  if (group.size() < 2 || count(letters[0]) > 1 || count(letters[1]) > 1) return false;
  return std::all_of(group.begin(), group.end(), [&](char label) {
    if (label == '?' || label == letters[0] || label == letters[1]) return true;
    return lex::is(label, lex::kDigit) && count(label) == 1 &&
           static_cast<size_t>(label - '0') < group.size();
  });
}

bool parse_dim_labels(ParseContext& c, std::string_view& out) {
  c.lex.skip();
  const char* const begin = c.lex.position();
  const char* p = begin;
  while (lex::is(*p, lex::kWord) || *p == '?' || *p == '>') ++p;
  c.lex.move_to(p);
  out = c.lex.since(begin);
  const size_t underscore = out.find('_');
  const size_t arrow = out.find("->");
  size_t lhs = 0;
  size_t rhs = 0;
  size_t output = 0;
  const bool good =
      underscore != std::string_view::npos && arrow != std::string_view::npos &&
      underscore < arrow && check_label_group(out.substr(0, underscore), "bf", lhs) &&
      check_label_group(out.substr(underscore + 1, arrow - underscore - 1), "io", rhs) &&
      check_label_group(out.substr(arrow + 2), "bf", output) && lhs == rhs && lhs == output;
  return good || c.lex.fail(begin, fmt::format("\"{}\" is no dim_labels", out),
                            "for example b01f_01io->b01f");
}

bool parse_string_or_json(ParseContext& c, std::string_view& out) {
  if (c.lex.peek() == '{') return c.lex.json_dict(out);
  return c.lex.quoted(out, c.builder.arena(), "a quoted string or a JSON object");
}

}  // namespace

bool parse_text_value(ParseContext& c, Opcode opcode, AttrKey key, Attribute& out) {
  std::string_view text;
  bool parsed = false;
  const auto choices = std::find_if(std::begin(kChoices), std::end(kChoices),
                                    [key](const Choices& x) { return x.key == key; });
  if (key == AttrKey::kAlgorithm && opcode == Opcode::kRngBitGenerator) {
    parsed = parse_choice(c, kRngAlgorithms, text);
  } else if (choices != std::end(kChoices)) {
    parsed = parse_choice(c, *choices, text);
  } else if (key == AttrKey::kBackendConfig) {
    parsed = parse_string_or_json(c, text);
  } else if (key == AttrKey::kDimLabels) {
    parsed = parse_dim_labels(c, text);
  } else if (key == AttrKey::kOperandPrecision) {
    parsed = parse_precisions(c, text);
  } else {
    parsed = c.lex.quoted(text, c.builder.arena());
  }
  if (parsed) out = Attribute::of_text(key, AttrKind::kText, text);
  return parsed;
}

}  // namespace hloscope::hlo
