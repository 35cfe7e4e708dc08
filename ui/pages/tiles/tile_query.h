#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/predict/tile_ranking.h"
#include "ui/models/term_query.h"

namespace hloscope::ui {

/// By tile of the ranking what the filter looks words up in. For a worker: there may be thousands.
[[nodiscard]] std::vector<std::string> tileTexts(const predict::TileRanking& ranking);

/// The filter of tiles, parsed once:
///
///     iter<20 slow<10 -out=1
///
/// A TermQuery of the numbers iter, vmem (MiB), measured, simulated, analytical (µs), slow (%),
/// rank (of the source that the table is ranked by), and the word measured or a part of the tile,
/// as it is written on the command line or in the table.
class TileQuery {
 public:
  /// Error: kInvalidInput, with the column.
  [[nodiscard]] static Result<TileQuery> parse(std::string_view text);
  [[nodiscard]] bool is_empty() const { return query_.is_empty(); }
  /// `texts`: tileTexts() of the ranking.
  [[nodiscard]] bool matches(const predict::TileRanking& ranking,
                             const std::vector<std::string>& texts, analysis::TimeSource ranked_by,
                             uint32_t tile) const;
  /// For tool tips.
  [[nodiscard]] static std::string_view help();

 private:
  TermQuery query_;
};

}  // namespace hloscope::ui
