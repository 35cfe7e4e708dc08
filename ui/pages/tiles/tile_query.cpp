#include "ui/pages/tiles/tile_query.h"

#include <array>
#include <charconv>
#include <limits>

#include "ui/pages/tiles/tile_text.h"

namespace hloscope::ui {
namespace {

using analysis::TimeSource;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kMib = 1048576;

tl::unexpected<Error> wrong(const std::string& message, size_t column) {
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = message;
  error.column = static_cast<int>(column) + 1;
  error.hint = std::string(TileQuery::help());
  return fail(std::move(error));
}

double valueOf(const predict::TileRanking& ranking, TimeSource source, uint32_t tile) {
  const predict::TileColumn& column = ranking.column(source);
  return column.is_empty() ? kNone : column.values[tile];
}

}  // namespace

std::string_view TileQuery::help() {
  return "Numbers: iter, vmem (MiB), measured, simulated, analytical (µs), slow (%), rank with "
         "< > <= >= =; words: measured, or a part of the tile such as out=6x or [6,12. A minus in "
         "front excludes.";
}

Result<TileQuery> TileQuery::parse(std::string_view text) {
  TileQuery query;
  size_t at = 0;
  while (at < text.size()) {
    if (text[at] == ' ') {
      ++at;
      continue;
    }
    const size_t end = std::min(text.find(' ', at), text.size());
    HLOSCOPE_ASSIGN(Term term, parse_term(text.substr(at, end - at), at));
    query.terms_.push_back(std::move(term));
    at = end;
  }
  return query;
}

Result<TileQuery::Term> TileQuery::parse_term(std::string_view word, size_t column) {
  Term term;
  if (word.size() > 1 && word.front() == '-') {
    term.negated = true;
    word.remove_prefix(1);
  }
  if (word == "measured") return term.field = Field::kIsMeasured, term;
  static constexpr std::array<std::pair<std::string_view, Field>, 7> keys = {{
      {"iter", Field::kIterations},
      {"vmem", Field::kVmem},
      {"measured", Field::kMeasured},
      {"simulated", Field::kSimulated},
      {"analytical", Field::kAnalytical},
      {"slow", Field::kSlowdown},
      {"rank", Field::kRank},
  }};
  const size_t sign = word.find_first_of("<>=");
  const std::string_view key = word.substr(0, sign);
  for (const auto& [name, field] : keys) {
    if (sign != std::string_view::npos && key == name) term.field = field;
  }
  if (term.field == Field::kText) {
    // A tile holds "=" itself.
    if (word.find_first_of("<>") != std::string_view::npos) {
      return wrong("there is no number named " + std::string(key), column);
    }
    return term.text = std::string(word), term;
  }
  std::string_view value = word.substr(sign);
  const bool or_equal = value.size() > 1 && value[1] == '=';
  term.relation = value[0] == '<'   ? (or_equal ? Relation::kLessEqual : Relation::kLess)
                  : value[0] == '>' ? (or_equal ? Relation::kGreaterEqual : Relation::kGreater)
                                    : Relation::kEqual;
  value.remove_prefix(or_equal ? 2 : 1);
  const auto parsed = std::from_chars(value.data(), value.data() + value.size(), term.value);
  if (parsed.ec != std::errc() || parsed.ptr != value.data() + value.size()) {
    return wrong(
        std::string(key) + " is compared with a number, not with \"" + std::string(value) + "\"",
        column);
  }
  return term;
}

bool TileQuery::matches(const predict::TileRanking& ranking, TimeSource ranked_by,
                        uint32_t tile) const {
  for (const Term& term : terms_) {
    if (holds(term, ranking, ranked_by, tile) == term.negated) return false;
  }
  return true;
}

double TileQuery::number(Field field, const predict::TileRanking& ranking, TimeSource ranked_by,
                         uint32_t tile) {
  switch (field) {
    case Field::kIterations:
      return ranking.iterations[tile];
    case Field::kVmem:
      return ranking.footprint_bytes[tile] / kMib;
    case Field::kMeasured:
      return valueOf(ranking, TimeSource::kMeasured, tile) / 1e3;
    case Field::kSimulated:
      return valueOf(ranking, TimeSource::kSimulated, tile) / 1e3;
    case Field::kAnalytical:
      return valueOf(ranking, TimeSource::kAnalytical, tile) / 1e3;
    case Field::kSlowdown:
      return ranking.slowdown.empty() ? kNone : ranking.slowdown[tile] * 100;
    case Field::kRank: {
      const std::vector<uint32_t>& ranks = ranking.column(ranked_by).ranks;
      return ranks.empty() || ranks[tile] == 0 ? kNone : ranks[tile];
    }
    case Field::kText:
    case Field::kIsMeasured:
      break;
  }
  return kNone;
}

bool TileQuery::holds(const Term& term, const predict::TileRanking& ranking, TimeSource ranked_by,
                      uint32_t tile) {
  if (term.field == Field::kText) {
    const sim::Tile one = ranking.tile(tile);
    return sim::tile_text(one).find(term.text) != std::string::npos ||
           (boundsText(one.output) + ' ' + boundsText(one.kernel)).toStdString().find(term.text) !=
               std::string::npos;
  }
  if (term.field == Field::kIsMeasured) return tile < ranking.list.measured;
  const double value = number(term.field, ranking, ranked_by, tile);
  switch (term.relation) {
    case Relation::kGreater:
      return value > term.value;
    case Relation::kLess:
      return value < term.value;
    case Relation::kGreaterEqual:
      return value >= term.value;
    case Relation::kLessEqual:
      return value <= term.value;
    case Relation::kEqual:
      return value == term.value;
  }
  return false;
}

}  // namespace hloscope::ui
