#pragma once

#include <optional>
#include <string_view>

#include "core/base/hash.h"
#include "core/sim/tile.h"
#include "db/database.h"

namespace hloscope::db {

/// Table chosen_tiles: the tile that the user chose for a kernel on a machine. Errors as in
/// Programs.
class ChosenTiles {
 public:
  explicit ChosenTiles(Database& database) : database_(&database) {}

  /// Empty: the compiler's choice holds.
  [[nodiscard]] Result<std::optional<sim::Tile>> find(const Hash128& kernel,
                                                      std::string_view machine_id) const;
  /// In the place of an earlier choice; empty takes that back.
  [[nodiscard]] Status choose(const Hash128& kernel, std::string_view machine_id,
                              const std::optional<sim::Tile>& tile);

 private:
  Database* database_;
};

}  // namespace hloscope::db
