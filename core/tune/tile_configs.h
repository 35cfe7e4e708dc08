#pragma once

#include <string>
#include <vector>

#include "core/sim/tile_space.h"
#include "core/tune/settings.h"
#include "core/tune/space.h"
#include "core/tune/tile_kernel.h"

namespace hloscope::tune {

/// The tiles of one kernel that fit in VMEM. A dimension is a loop, its value the bound less one.
class TileConfigs : public Space {
 public:
  explicit TileConfigs(TileKernelPtr kernel, DefaultTiles default_tiles = {});

  [[nodiscard]] const TileKernel& kernel() const { return *kernel_; }
  [[nodiscard]] Bounds bounds(const Config& config) const;
  [[nodiscard]] Config config(const Bounds& bounds) const;
  /// count(), given up after so many boxes; see sim::TileSpace::count().
  [[nodiscard]] std::optional<double> count_within(uint64_t most_boxes) const;

  [[nodiscard]] size_t dimensions() const override { return kernel_->model.loops.size(); }
  [[nodiscard]] uint32_t choices(size_t dimension) const override;
  [[nodiscard]] std::string dimension_name(size_t dimension) const override;
  [[nodiscard]] std::optional<double> count() const override;
  [[nodiscard]] Config default_config() const override { return config(default_); }
  [[nodiscard]] Config random(Rng& rng) const override;
  [[nodiscard]] std::optional<Config> neighbour(const Config& from, Rng& rng) const override;
  [[nodiscard]] Config cross(const Config& a, const Config& b, Rng& rng) const override;
  [[nodiscard]] Config toward(const Config& a, const Config& b, double share,
                              Rng& rng) const override;
  [[nodiscard]] std::optional<Config> after(const Config* last) const override;
  /// As sim::tile_text(); `loops=...`, by LoopId, where a tile has no bound for one of the loops.
  [[nodiscard]] std::string text(const Config& config) const override;
  [[nodiscard]] Result<Config> parse(std::string_view text) const override;
  /// See with_tiles().
  [[nodiscard]] Result<hlo::ProgramPtr> program(const Config& config) const override;

 protected:
  /// Of each loop the bound of one of two, drawn evenly.
  static Config mixed(const Config& a, const Config& b, Rng& rng);

 private:
  bool first_from(size_t loop, Bounds& bounds) const;
  bool next_in(size_t loop, Bounds& bounds) const;

  TileKernelPtr kernel_;
  sim::TileSpace space_;
  Bounds default_;
  mutable std::optional<double> count_;
};

/// As sim::tile_text() or `loops=...`; see TileConfigs::text().
[[nodiscard]] std::string bounds_text(const sim::KernelModel& model, const Bounds& bounds);

}  // namespace hloscope::tune
