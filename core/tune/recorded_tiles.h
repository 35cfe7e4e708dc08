#pragma once

#include "core/tune/problem.h"
#include "core/tune/tile_configs.h"

namespace hloscope::tune {

/// The tiles of a kernel that were measured, and no others.
class RecordedTiles final : public TileConfigs {
 public:
  struct Entry {
    Config config;
    std::optional<double> time_ns;  ///< The least of its runs; empty: all failed.
    bool is_default = false;
  };
  /// Each tile once, ascending. Runs whose tile the kernel does not have are left out.
  static std::vector<Entry> entries_of(const TileConfigs& tiles, const Recorded& recorded);
  /// At least one entry.
  RecordedTiles(TileKernelPtr kernel, std::vector<Entry> entries);

  /// Null: not recorded.
  [[nodiscard]] const Entry* find(const Config& config) const;

  [[nodiscard]] std::optional<double> count() const override;
  /// The one that the file marks; else the nearest to TileConfigs::default_config().
  [[nodiscard]] Config default_config() const override;
  [[nodiscard]] Config random(Rng& rng) const override;
  /// Of each loop the next larger and smaller bound that differs in this loop only, and the four
  /// tiles nearest to it.
  [[nodiscard]] std::optional<Config> neighbour(const Config& from, Rng& rng) const override;
  [[nodiscard]] Config cross(const Config& a, const Config& b, Rng& rng) const override;
  [[nodiscard]] Config toward(const Config& a, const Config& b, double share,
                              Rng& rng) const override;
  [[nodiscard]] std::optional<Config> after(const Config* last) const override;
  [[nodiscard]] Result<Config> parse(std::string_view text) const override;

 private:
  [[nodiscard]] size_t position(const Config& config) const;
  [[nodiscard]] std::vector<size_t> nearest(const Config& config, size_t count) const;
  [[nodiscard]] std::vector<size_t> find_neighbours(size_t from) const;

  std::vector<Entry> entries_;
  std::vector<std::vector<size_t>> neighbours_;  ///< By entry.
};

}  // namespace hloscope::tune
