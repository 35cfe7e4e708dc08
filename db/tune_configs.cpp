#include <algorithm>
#include <limits>

#include "db/sqlite/connection.h"
#include "db/tune_rows.h"

namespace hloscope::db {
namespace {

using Changes = std::vector<tune::ConfigChange>;

/// Where the configuration of the first trial differs from another one.
Changes differences(const tune::Config& first, const tune::Config& against) {
  Changes out;
  for (uint32_t d = 0; d < first.size() && d < against.size(); ++d) {
    if (first[d] != against[d]) out.push_back({d, first[d]});
  }
  return out;
}

/// `own` is against the first trial, and that one differs from `against` by `offset`.
void rebase(const Changes& own, const Changes& offset, const tune::Config& against, Changes& out) {
  out.clear();
  auto first = offset.begin();
  for (const tune::ConfigChange& change : own) {
    while (first != offset.end() && first->dimension < change.dimension) out.push_back(*first++);
    if (first != offset.end() && first->dimension == change.dimension) ++first;
    const bool is_known = change.dimension < against.size();
    if (!is_known || against[change.dimension] != change.value) out.push_back(change);
  }
  out.insert(out.end(), first, offset.end());
}

}  // namespace

Result<tune::Config> TuneSessions::first_config(TuneSessionRow id) const {
  HLOSCOPE_ASSIGN(auto base, read_base(database_->connection(), id));
  return base ? std::move(*base) : tune::Config();
}

Status TuneSessions::each_change(
    TuneSessionRow id, uint64_t from, const tune::Config& against, size_t most,
    const std::function<bool(std::span<const tune::ConfigChange>, size_t)>& callback) const {
  HLOSCOPE_ASSIGN(const tune::Config first, first_config(id));
  const Changes offset = differences(first, against);
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(R"sql(
    SELECT config FROM tune_trials WHERE session_id = ?1 AND number >= ?2 ORDER BY number)sql"));
  select.bind(id, static_cast<int64_t>(from));
  Changes own;
  Changes rebased;
  const bool as_stored = offset.empty();
  const size_t most_own = as_stored ? most : std::numeric_limits<size_t>::max();
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return {};
    HLOSCOPE_ASSIGN(const size_t count, tune::decode_changes(select.blob(0), first, most_own, own));
    if (!as_stored) rebase(own, offset, against, rebased);
    const std::span<const tune::ConfigChange> all(as_stored ? own : rebased);
    const size_t shown = std::min(most, all.size());
    if (!callback(all.first(shown), as_stored ? count : all.size())) return {};
  }
}

}  // namespace hloscope::db
