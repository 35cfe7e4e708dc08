#include "ui/pages/tiles/tile_query.h"

#include <limits>

#include "core/base/units.h"
#include "ui/pages/tiles/tile_text.h"

namespace hloscope::ui {
namespace {

using analysis::TimeSource;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

enum Number : size_t { kIterations, kVmem, kMeasured, kSimulated, kAnalytical, kSlowdown, kRank };
constexpr std::string_view kNumbers[] = {"iter",       "vmem", "measured", "simulated",
                                         "analytical", "slow", "rank"};
constexpr std::string_view kWords[] = {"measured"};

double valueOf(const predict::TileRanking& ranking, TimeSource source, uint32_t tile) {
  const predict::TileColumn& column = ranking.column(source);
  return column.is_empty() ? kNone : column.values[tile];
}

double number(size_t key, const predict::TileRanking& ranking, TimeSource ranked_by,
              uint32_t tile) {
  switch (key) {
    case kIterations:
      return ranking.iterations[tile];
    case kVmem:
      return ranking.footprint_bytes[tile] / kBytesPerMib;
    case kMeasured:
      return valueOf(ranking, TimeSource::kMeasured, tile) / 1e3;
    case kSimulated:
      return valueOf(ranking, TimeSource::kSimulated, tile) / 1e3;
    case kAnalytical:
      return valueOf(ranking, TimeSource::kAnalytical, tile) / 1e3;
    case kSlowdown:
      return ranking.slowdown.empty() ? kNone : ranking.slowdown[tile] * 100;
    default: {
      const std::vector<uint32_t>& ranks = ranking.column(ranked_by).ranks;
      return ranks.empty() || ranks[tile] == 0 ? kNone : ranks[tile];
    }
  }
}

}  // namespace

std::vector<std::string> tileTexts(const predict::TileRanking& ranking) {
  std::vector<std::string> out;
  out.reserve(ranking.size());
  for (uint32_t i = 0; i < ranking.size(); ++i) {
    const sim::Tile tile = ranking.tile(i);
    // No word has a blank: none is found across the parts.
    const QString cells = boundsText(tile.output) + ' ' + boundsText(tile.kernel);
    out.push_back(sim::tile_text(tile) + ' ' + cells.toStdString());
  }
  return out;
}

std::string_view TileQuery::help() {
  return "Numbers: iter, vmem (MiB), measured, simulated, analytical (µs), slow (%), rank with "
         "< > <= >= =; words: measured, or a part of the tile such as out=6x or [6,12. A minus in "
         "front excludes.";
}

Result<TileQuery> TileQuery::parse(std::string_view text) {
  TileQuery out;
  HLOSCOPE_ASSIGN(out.query_, TermQuery::parse(text, {kNumbers, kWords, help()}));
  return out;
}

bool TileQuery::matches(const predict::TileRanking& ranking, const std::vector<std::string>& texts,
                        TimeSource ranked_by, uint32_t tile) const {
  return query_.matches(
      [&](size_t key) { return number(key, ranking, ranked_by, tile); },
      [&](size_t) { return tile < ranking.list.measured; },
      [&](const std::string& part) { return texts[tile].find(part) != std::string::npos; });
}

}  // namespace hloscope::ui
