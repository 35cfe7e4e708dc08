#pragma once

#include <memory>
#include <vector>

#include "core/tune/tile_configs.h"

namespace hloscope::tune {

/// The tiles of all distinct kernels of a program, side by side; equal kernels run with the same
/// tile. A move changes one kernel.
class ProgramTiles final : public Space {
 public:
  using Parts = std::vector<std::unique_ptr<const TileConfigs>>;

  /// Kernels with a choice of tiles, at least one.
  explicit ProgramTiles(Parts parts);

  [[nodiscard]] size_t kernels() const { return parts_.size(); }
  [[nodiscard]] const TileConfigs& part(size_t kernel) const { return *parts_[kernel]; }
  /// The tile of one kernel.
  [[nodiscard]] Config part_of(const Config& config, size_t kernel) const;

  [[nodiscard]] size_t dimensions() const override { return begins_.back(); }
  [[nodiscard]] uint32_t choices(size_t dimension) const override;
  [[nodiscard]] std::string dimension_name(size_t dimension) const override;
  [[nodiscard]] std::optional<double> count() const override;
  [[nodiscard]] Config default_config() const override;
  [[nodiscard]] Config random(Rng& rng) const override;
  [[nodiscard]] std::optional<Config> neighbour(const Config& from, Rng& rng) const override;
  [[nodiscard]] Config cross(const Config& a, const Config& b, Rng& rng) const override;
  [[nodiscard]] Config toward(const Config& a, const Config& b, double share,
                              Rng& rng) const override;
  [[nodiscard]] std::optional<Config> after(const Config* last) const override;
  /// `fusion.1:out=2x3;fusion.2:out=...`.
  [[nodiscard]] std::string text(const Config& config) const override;
  /// Kernels that are not named have their default tile.
  [[nodiscard]] Result<Config> parse(std::string_view text) const override;
  [[nodiscard]] Result<hlo::ProgramPtr> program(const Config& config) const override;

 private:
  [[nodiscard]] size_t kernel_of(size_t dimension) const;
  static void put(const Config& part, size_t begin, Config& config);
  [[nodiscard]] Status read_part(std::string_view text, Config& config) const;

  Parts parts_;
  std::vector<size_t> begins_;  ///< By kernel: its first dimension; and the number of dimensions.
};

}  // namespace hloscope::tune
