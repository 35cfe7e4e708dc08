#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/predict/tile_ranking.h"

namespace hloscope::ui {

/// The filter of tiles, parsed once:
///
///     iter<20 slow<10 -out=1
///
/// Terms are separated by blanks and must all hold; "-" in front negates one. Number keys (> < >=
/// <= =): iter, vmem (MiB), measured, simulated, analytical (µs), slow (%), rank (of the source
/// that the table is ranked by). A missing value satisfies no comparison. Words: measured, or a
/// part of the tile, as it is written on the command line or in the table.
class TileQuery {
 public:
  /// Error: kInvalidInput, with the column.
  [[nodiscard]] static Result<TileQuery> parse(std::string_view text);
  [[nodiscard]] bool is_empty() const { return terms_.empty(); }
  [[nodiscard]] bool matches(const predict::TileRanking& ranking, analysis::TimeSource ranked_by,
                             uint32_t tile) const;
  /// For tool tips.
  [[nodiscard]] static std::string_view help();

 private:
  enum class Field : uint8_t {
    kText,
    kIsMeasured,
    kIterations,
    kVmem,
    kMeasured,
    kSimulated,
    kAnalytical,
    kSlowdown,
    kRank,
  };
  enum class Relation : uint8_t { kGreater, kLess, kGreaterEqual, kLessEqual, kEqual };
  struct Term {
    Field field = Field::kText;
    Relation relation = Relation::kEqual;
    bool negated = false;
    double value = 0;
    std::string text;
  };
  [[nodiscard]] static Result<Term> parse_term(std::string_view word, size_t column);
  [[nodiscard]] static double number(Field field, const predict::TileRanking& ranking,
                                     analysis::TimeSource ranked_by, uint32_t tile);
  [[nodiscard]] static bool holds(const Term& term, const predict::TileRanking& ranking,
                                  analysis::TimeSource ranked_by, uint32_t tile);

  std::vector<Term> terms_;
};

}  // namespace hloscope::ui
