#include "db/chosen_tiles.h"

#include "db/sqlite/connection.h"

namespace hloscope::db {

Result<std::optional<sim::Tile>> ChosenTiles::find(const Hash128& kernel,
                                                   std::string_view machine_id) const {
  HLOSCOPE_ASSIGN(Statement select,
                  database_->connection().prepare(
                      "SELECT tile FROM chosen_tiles WHERE kernel_hash = ?1 AND machine_id = ?2"));
  select.bind(kernel, machine_id);
  HLOSCOPE_ASSIGN(const bool found, select.step());
  if (!found) return std::nullopt;
  HLOSCOPE_ASSIGN(sim::Tile tile, sim::parse_tile(select.text(0)));
  return tile;
}

Status ChosenTiles::choose(const Hash128& kernel, std::string_view machine_id,
                           const std::optional<sim::Tile>& tile) {
  HLOSCOPE_TRY(database_->writable());
  Connection& connection = database_->connection();
  if (!tile) {
    HLOSCOPE_ASSIGN(
        Statement remove,
        connection.prepare("DELETE FROM chosen_tiles WHERE kernel_hash = ?1 AND machine_id = ?2"));
    return remove.run(kernel, machine_id);
  }
  HLOSCOPE_ASSIGN(Statement insert, connection.prepare(R"sql(
    INSERT INTO chosen_tiles (kernel_hash, machine_id, tile) VALUES (?1, ?2, ?3)
    ON CONFLICT (kernel_hash, machine_id) DO UPDATE SET tile = excluded.tile)sql"));
  return insert.run(kernel, machine_id, sim::tile_text(*tile));
}

}  // namespace hloscope::db
